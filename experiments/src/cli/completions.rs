//! Implementation of `houseway completions`.

use clap::{Args, Command};
use clap_complete::Shell;
use houseway_lab::console::{CommandResult, print};

/// Print the completion script for a shell
#[derive(Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

impl CompletionsArgs {
    /// Prints the completion script for this command line.
    pub(super) fn run(self, mut command: Command) -> CommandResult {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "houseway", &mut script);
        print(&String::from_utf8_lossy(&script))
    }
}
