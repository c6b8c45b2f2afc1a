//! Audits of house ways: where a way costs money, exactly, as JSON, on the terminal and as a report that needs no
//! programmer.
//!
//! - [`Subject`]: which way is audited, on which side of the table, against whom, by which rules.
//! - [`examine`]: counts all that an audit asks in one pass (with readings of the game one more for each) and writes it into
//!   a run's folder.
//! - [`Findings`]: what came of it, with its JSON, its text and its report.

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
pub use findings::{Findings, GameReading, ReadingPrice, RuleFinding, RulePrice};
pub use subject::{Prepared, Subject};
