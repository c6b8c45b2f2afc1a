//! Exact analyses of Pai Gow Poker.
//!
//! - [`audit`]: losses of each rule of a house way, dominated settings, effects of readings.
//! - [`claim`]: a test of the return to player stated in the source.
//! - [`commands`]: the commands for all of this.
//! - [`compare`]: house ways against each other, and against the best play.
//! - [`diff`]: two house ways side by side.
//! - [`drill`]: hands to practise, with exact answers.
//! - [`play`]: the presentation at the table.
//! - [`solve`]: all deals for a pair of strategies.
//! - [`table_run`]: tables run from a configuration, with histories that can be verified.
//! - [`web`]: its parts of the web app.

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
