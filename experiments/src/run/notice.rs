//! Notices on standard error.

use houseway_env::names::escaped;
use std::io::{self, Write};

/// Writes a line to standard error. Text from files cannot control the terminal, and a closed reader is not an error.
pub fn notice(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", escaped(text));
}
