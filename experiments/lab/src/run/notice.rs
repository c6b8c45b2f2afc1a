//! Notices on standard error.

use houseway_env::names::escaped;
use std::io::{self, Write};

/// Writes a line to standard error. Control characters are escaped, so text from files can't control the terminal. A
/// closed reader isn't an error.
pub fn notice(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", escaped(text));
}
