//! Output of answers to standard output.

use super::failure::{CommandResult, Failure};
use houseway_env::names::escaped;
use std::io::{self, ErrorKind, Write};

/// Writes an answer to standard output. Control characters are escaped, so text from files cannot control the terminal.
///
/// # Errors
/// Returns an error if the answer cannot be written. If the reader closes the pipe early (as in `| head`), the command
/// ends without a message.
pub fn print(text: &str) -> CommandResult {
    let mut out = io::stdout().lock();
    match out.write_all(escaped(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Failure::no_reader()),
        written => Ok(written?),
    }
}

/// Writes an answer as a single JSON document.
///
/// # Errors
/// Returns an error if the answer cannot be written.
pub fn print_json(value: &serde_json::Value) -> CommandResult {
    print(&format!("{value:#}\n"))
}
