//! Runs round robins of strategies, typically house ways. Each strategy plays as player against every strategy as
//! banker, and best responses are computed too.
//!
//! - [`Contest`] has the strategies and the rules.
//! - [`examine`] computes the missing passes, one per banker and one per player, and writes them to the run's folder.
//!   Finished passes are cached in `counts/`, where the same version of the program reuses them for the same question.
//! - [`Standings`] has the results, which it can convert to JSON, text, and a report.

mod contest;
mod costs;
mod examine;
mod passes;
mod report;
mod standings;
#[cfg(test)]
mod tests;
mod text;

pub use contest::Contest;
pub use examine::examine;
pub use standings::{Standing, Standings};
