//! The Pai Gow Poker commands.

mod audit;
mod bank;
pub(crate) mod check;
mod claim;
mod compare;
mod diff;
mod equilibrium;
mod known_cards;
mod search;
pub(crate) mod set;
mod side_bet;
mod table;
pub(crate) mod ways;

use crate::console::CommandResult;
use clap::Subcommand;

/// A Pai Gow Poker command.
#[derive(Subcommand)]
#[allow(missing_docs)] // the structs are documented
pub enum PaiGowCommand {
    Set(set::SetArgs),
    Check(check::CheckArgs),
    Audit(audit::AuditArgs),
    Diff(diff::DiffArgs),
    Search(Box<search::SearchArgs>),
    Equilibrium(equilibrium::EquilibriumArgs),
    Compare(compare::CompareArgs),
    Claim(claim::ClaimArgs),
    KnownCards(known_cards::KnownCardsArgs),
    Bank(Box<bank::BankArgs>),
    Table(table::TableArgs),
    SideBet(side_bet::SideBetArgs),
}

impl PaiGowCommand {
    pub fn run(self) -> CommandResult {
        match self {
            PaiGowCommand::Set(command) => command.run(),
            PaiGowCommand::Check(command) => command.run(),
            PaiGowCommand::Audit(command) => command.run(),
            PaiGowCommand::Diff(command) => command.run(),
            PaiGowCommand::Search(command) => command.run(),
            PaiGowCommand::Equilibrium(command) => command.run(),
            PaiGowCommand::Compare(command) => command.run(),
            PaiGowCommand::Claim(command) => command.run(),
            PaiGowCommand::KnownCards(command) => command.run(),
            PaiGowCommand::Bank(command) => command.run(),
            PaiGowCommand::Table(command) => command.run(),
            PaiGowCommand::SideBet(command) => command.run(),
        }
    }
}
