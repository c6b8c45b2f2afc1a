//! Fictitious self-play with networks as the player and as the banker.
//!
//! In each round, a network for each side is trained against the average of the other side's past strategies, and its
//! greedy strategy enters the average of its own side. This is fictitious play with learned responses. The averages are
//! kept as tables, so that best responses to them can be computed exactly after every round. The bracket around the
//! value of the game is compared with the one that exact responses reach in the same number of rounds.
//!
//! - [`SelfPlayExperiment`] is the configuration. [`STUDY`] runs it as a kind of study.
//! - [`Learner`] plays the rounds of a training configuration with one seed.
//! - [`SelfPlayFindings`] holds the results and formats them as JSON, text and a report.

mod command;
mod config;
mod findings;
mod learner;
mod report;
mod responses;
#[cfg(test)]
mod tests;

pub use command::STUDY;
pub use config::SelfPlayExperiment;
pub use findings::{Played, SelfPlayFindings};
pub use learner::Learner;
