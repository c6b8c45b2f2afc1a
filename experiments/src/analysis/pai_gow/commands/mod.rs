//! Commands of Pai Gow Poker.

mod audit;
mod bank;
pub(crate) mod check;
mod claim;
mod compare;
mod diff;
mod drill;
mod search;
pub(crate) mod set;
mod side_bet;
mod table;
pub(crate) mod ways;

use crate::console::CommandResult;
use clap::Subcommand;

/// Command of Pai Gow Poker.
#[derive(Subcommand)]
#[allow(missing_docs)] // documented on their structs
pub enum PaiGowCommand {
    Set(set::SetArgs),
    Check(check::CheckArgs),
    Audit(audit::AuditArgs),
    Diff(diff::DiffArgs),
    Drill(Box<drill::DrillArgs>),
    Search(Box<search::SearchArgs>),
    Compare(compare::CompareArgs),
    Claim(claim::ClaimArgs),
    Bank(Box<bank::BankArgs>),
    Table(table::TableArgs),
    SideBet(side_bet::SideBetArgs),
}

impl PaiGowCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if its input is invalid, or if the work fails.
    pub fn run(self) -> CommandResult {
        match self {
            PaiGowCommand::Set(command) => command.run(),
            PaiGowCommand::Check(command) => command.run(),
            PaiGowCommand::Audit(command) => command.run(),
            PaiGowCommand::Diff(command) => command.run(),
            PaiGowCommand::Drill(command) => command.run(),
            PaiGowCommand::Search(command) => command.run(),
            PaiGowCommand::Compare(command) => command.run(),
            PaiGowCommand::Claim(command) => command.run(),
            PaiGowCommand::Bank(command) => command.run(),
            PaiGowCommand::Table(command) => command.run(),
            PaiGowCommand::SideBet(command) => command.run(),
        }
    }
}
