//! Exact analyses of Pai Gow Poker.
//!
//! - [`audit`]: losses of each rule of a house way, dominated settings, effects of readings.
//! - [`claim`]: a test of the return to player stated by the original game.
//! - [`commands`]: the commands for these analyses.
//! - [`compare`]: comparison of house ways with each other and with optimal play.
//! - [`diff`]: differences between two house ways.
//! - [`drill`]: hands for practice, with exact answers.
//! - [`play`]: the layout at the table.
//! - [`solve`]: enumeration of all deals for a pair of strategies.
//! - [`table_run`]: tables run from a configuration, with verifiable histories.
//! - [`web`]: sections of the web app.

pub mod audit;
pub mod claim;
pub mod commands;
pub mod compare;
pub mod diff;
pub mod drill;
mod example;
pub mod play;
pub(crate) mod progress;
pub mod search;
mod seat;
pub mod solve;
mod strategy_files;
pub mod table_run;
mod units;
pub mod web;

pub use seat::WaySide;
pub use strategy_files::register;
