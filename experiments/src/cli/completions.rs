//! `houseway completions`: scripts with which a shell completes commands and options.

use crate::console::{CommandResult, print};
use clap::{Args, Command};
use clap_complete::Shell;

/// Write the script with which a shell completes houseway's commands
#[derive(Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

impl CompletionsArgs {
    /// Writes the script for this command line.
    pub(super) fn run(self, mut command: Command) -> CommandResult {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "houseway", &mut script);
        print(&String::from_utf8_lossy(&script))
    }
}
