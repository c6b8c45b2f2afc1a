//! Commands of Pai Gow Poker.

mod audit;
mod bank;
mod check;
mod claim;
mod compare;
mod diff;
mod set;
mod table;
pub(crate) mod ways;

use crate::console::Outcome;
use clap::Subcommand;

/// Command of Pai Gow Poker.
#[derive(Subcommand)]
#[allow(missing_docs)] // their help is that of their structs
pub enum PaiGowCommand {
    Set(set::Set),
    Check(check::Check),
    Audit(audit::Audit),
    Diff(diff::Diff),
    Compare(compare::Compare),
    Claim(claim::Claim),
    Bank(Box<bank::Bank>),
    Table(table::Table),
}

impl PaiGowCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// If its input is invalid, or the work fails.
    pub fn run(self) -> Outcome {
        match self {
            PaiGowCommand::Set(command) => command.run(),
            PaiGowCommand::Check(command) => command.run(),
            PaiGowCommand::Audit(command) => command.run(),
            PaiGowCommand::Diff(command) => command.run(),
            PaiGowCommand::Compare(command) => command.run(),
            PaiGowCommand::Claim(command) => command.run(),
            PaiGowCommand::Bank(command) => command.run(),
            PaiGowCommand::Table(command) => command.run(),
        }
    }
}
