//! Notices on standard error.

use houseway_env::names::escaped;
use std::io::{self, Write};

/// Writes a line to standard error. What comes from files cannot control the terminal, and a reader that has gone is no error.
pub fn notice(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", escaped(text));
}
