//! `houseway completions`: scripts with which a shell completes commands and options.

use super::{Cli, Outcome, print};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Write the script with which a shell completes houseway's commands
#[derive(Args)]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> Outcome {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "houseway", &mut script);
        print(&String::from_utf8_lossy(&script))
    }
}
