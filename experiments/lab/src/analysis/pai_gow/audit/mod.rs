//! House-way audits. An audit finds the exact EV that a way loses. Its results are available as JSON, for the terminal,
//! and as a report for readers who don't program.
//!
//! - [`Subject`] is the way to audit, with its seat, its opponent and the rules.
//! - [`examine`] runs the audit in one pass, plus one per reading of the game, and writes it to a run's folder.
//! - [`AuditFindings`] has the results, which it can convert to JSON, text, and a report.

mod examine;
mod figures;
mod findings;
mod json;
mod prices;
mod report;
mod subject;
mod tables;
mod text;

pub use examine::examine;
pub use findings::{AuditFindings, GameReading, ReadingPrice, RuleFinding, RulePrice};
pub use subject::{PreparedAudit, Subject};
