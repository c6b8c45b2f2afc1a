//! Output of answers to standard output.

use super::failure::{CommandResult, Failure};
use houseway_env::names::escaped;
use std::io::{self, ErrorKind, Write};

/// Writes an answer to standard output. Control characters are escaped, so text from files cannot control the terminal.
pub fn print(text: &str) -> CommandResult {
    let mut out = io::stdout().lock();
    match out.write_all(escaped(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Failure::no_reader()),
        written => Ok(written?),
    }
}

/// Writes an answer as a single JSON document.
pub fn print_json(value: &serde_json::Value) -> CommandResult {
    print(&format!("{value:#}\n"))
}
