//! Searches for short house ways, and for the best changes to a sheet.
//!
//! - [`Question`] has the side, the opponents and the limits.
//! - [`examine`] runs a search, evaluates the resulting lists exactly, and writes the run's files.
//! - [`Findings`] has the results, which it can convert to JSON, text, and a report.
//! - [`fix`] finds the best changes to single rules of a sheet.

mod examine;
mod findings;
pub mod fix;
mod question;
mod report;
mod robust;
mod text;

pub use examine::examine;
pub use findings::Findings;
pub use question::Question;
