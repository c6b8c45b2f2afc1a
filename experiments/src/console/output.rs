//! Answers on standard output.

use super::failure::CommandResult;
use std::io::{self, ErrorKind, Write};

/// Writes an answer to standard output. A reader that has seen enough (`| head`) is no error.
///
/// # Errors
/// If it cannot be written otherwise.
pub fn print(text: &str) -> CommandResult {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Writes an answer as one JSON document.
///
/// # Errors
/// If it cannot be written.
pub fn print_json(value: &serde_json::Value) -> CommandResult {
    print(&format!("{value:#}\n"))
}
