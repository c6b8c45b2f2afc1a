//! The command `houseway`.

use std::process::ExitCode;

fn main() -> ExitCode {
    houseway::cli::main(std::env::args_os())
}
