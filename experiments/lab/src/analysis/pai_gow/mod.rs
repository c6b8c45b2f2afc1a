//! Exact analyses of Pai Gow Poker.
//!
//! An analysis is a file or a folder with its command: the question is data, and `answer` returns the result as an
//! [`Answer`](houseway_exact::answer::Answer), which [`runner`] prints and writes as a report. `config.toml` stores the
//! question.
//!
//! - [`set`], [`check`], [`identify`], [`monitor`] and [`diff`] are printed. [`bank`] and [`table_run`] are about tables with several
//!   seats.
//! - [`audit`], [`claim`], [`compare`], [`equilibrium`], [`known`], [`par`] and [`search`] write a run's folder.
//! - [`solve`] enumerates all deals for a pair of strategies, and has the files of strategies.
//! - [`runner`] has what the commands share. [`play`] has the layouts for interactive play, and [`web`]
//!   the sections of the web app.

mod audit;
mod bank;
mod check;
mod claim;
mod compare;
mod diff;
pub mod equilibrium;
mod identify;
mod known;
mod log;
mod monitor;
mod par;
pub mod play;
pub mod runner;
mod search;
mod set;
pub mod solve;
pub mod table_run;
mod units;
pub mod web;

pub use self::{
    audit::AuditArgs, bank::BankArgs, check::CheckArgs, claim::ClaimArgs, compare::CompareArgs, diff::DiffArgs,
    equilibrium::EquilibriumArgs, identify::IdentifyArgs, known::KnownCardsArgs, monitor::MonitorArgs, par::ParArgs,
    search::SearchArgs, set::SetArgs, table_run::TableArgs,
};
