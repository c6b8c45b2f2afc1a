//! Audits of house ways: the exact EV that a way loses, as JSON, on the terminal, and as a report for non-programmers.
//!
//! - [`Subject`]: the way to audit, its seat, its opponent, and the rules.
//! - [`examine`]: runs the audit in one pass (plus one per reading of the game) and writes it to a run's folder.
//! - [`AuditFindings`]: the results in JSON, text and report form.

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
