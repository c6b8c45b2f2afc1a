//! Exact analyses of Pai Gow Poker.
//!
//! - [`audit`] finds the losses of each rule in a house way, dominated settings and what readings change.
//! - [`claim`] tests the return to player stated by the original game.
//! - [`commands`] has the commands for these analyses.
//! - [`compare`] compares house ways with each other and with optimal play.
//! - [`diff`] finds the differences between two house ways.
//! - [`equilibrium`] computes best play of both sides, with exact bounds of the value of the game.
//! - [`known`] measures what knowing cards of other seats is worth.
//! - [`play`] has the layouts for interactive play.
//! - [`search`] searches for short house ways.
//! - [`solve`] enumerates all deals for a pair of strategies.
//! - [`table_run`] runs tables from a configuration, with verifiable histories.
//! - [`web`] has sections of the web app.

pub mod audit;
pub mod claim;
pub mod commands;
pub mod compare;
pub mod diff;
pub mod equilibrium;
mod example;
pub mod known;
pub mod play;
pub mod progress;
pub mod search;
mod seat;
pub mod solve;
mod strategy_files;
pub mod table_run;
mod units;
pub mod web;

pub use seat::WaySide;
pub use strategy_files::register;
