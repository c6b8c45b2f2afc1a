//! Search for short house ways, and for the best changes of a sheet.
//!
//! - [`Question`]: side, opponents, limits.
//! - [`examine`]: the search, the exact evaluation of what it found, and the files of its run.
//! - [`Findings`]: the results as JSON, text and report.
//! - [`fix`]: the best changes of single rules of a sheet.

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
