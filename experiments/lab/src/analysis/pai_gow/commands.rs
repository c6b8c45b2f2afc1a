//! The Pai Gow Poker commands.

use super::{
    audit::AuditArgs, bank::BankArgs, check::CheckArgs, claim::ClaimArgs, compare::CompareArgs, diff::DiffArgs,
    equilibrium::EquilibriumArgs, identify::IdentifyArgs, known::KnownCardsArgs, monitor::MonitorArgs, par::ParArgs,
    search::SearchArgs, set::SetArgs, table_run::TableArgs,
};
use crate::console::CommandResult;
use clap::Subcommand;

/// A Pai Gow Poker command.
#[derive(Subcommand)]
pub enum PaiGowCommand {
    Set(SetArgs),
    Check(CheckArgs),
    Audit(AuditArgs),
    Diff(DiffArgs),
    Search(Box<SearchArgs>),
    Equilibrium(EquilibriumArgs),
    Compare(CompareArgs),
    Claim(ClaimArgs),
    KnownCards(KnownCardsArgs),
    Bank(Box<BankArgs>),
    Table(TableArgs),
    Par(ParArgs),
    Identify(IdentifyArgs),
    Monitor(MonitorArgs),
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
            PaiGowCommand::Par(command) => command.run(),
            PaiGowCommand::Identify(command) => command.run(),
            PaiGowCommand::Monitor(command) => command.run(),
        }
    }
}
