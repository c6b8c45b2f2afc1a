//! Runs that compute an equilibrium between a player and a banker who can both set freely.
//!
//! - [`Question`] contains the rules, the number of rounds and the method.
//! - [`examine`] plays the rounds, computes the exact bounds and writes the run's files.
//! - [`Findings`] holds the results and formats them as JSON, text, and a report.
//! - [`Comparison`] plays the same rounds with several methods and compares how fast they converge.

mod differences;
mod examine;
mod findings;
mod gap_charts;
mod history;
mod methods;
mod mixing;
mod question;
mod report;
#[cfg(test)]
mod tests;

pub use examine::{Respond, Solving, averages, continues, examine, rounds, save_rows};
pub use findings::{Findings, exact_keys};
pub use history::{FOLDER, History, rounds as stored_rounds};
pub use methods::{Comparison, MethodFindings};
pub use question::Question;
