//! The `houseway` program without training, which compiles in a fraction of the time because it needs no `burn`.
//!
//! ```sh
//! cargo run --release -p houseway-lab --example lab -- audit trump-plaza
//! ```
//!
//! The tests of the commands run it.

use clap::Parser;
use houseway_lab::cli::{LabCommand, run_line, set_book};
use std::process::ExitCode;

/// Analyze casino card games in which hands are set, and play them
#[derive(Parser)]
#[command(name = "houseway", version, max_term_width = 100)]
struct Line {
    #[command(subcommand)]
    command: LabCommand,
}

/// A part of the book, for the tests of the pages under *Help*.
const BOOK: &[(&str, &str)] = &[
    ("SUMMARY.md", include_str!("../../book/src/SUMMARY.md")),
    ("reference/configuration.md", include_str!("../../book/src/reference/configuration.md")),
];

fn main() -> ExitCode {
    set_book(BOOK);
    run_line(std::env::args_os(), |line: Line| line.command.run())
}
