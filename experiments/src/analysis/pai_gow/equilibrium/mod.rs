//! Runs that compute an equilibrium between a player and a banker who can both set freely.
//!
//! - [`Question`] contains the rules, the number of rounds and the method.
//! - [`examine`] plays the rounds, computes the exact bounds and writes the run's files.
//! - [`Findings`] holds the results and formats them as JSON, text, and a report.

mod examine;
mod findings;
mod history;
mod mixing;
mod question;
mod report;

pub use examine::{continues, examine};
pub use findings::Findings;
pub use question::Question;
