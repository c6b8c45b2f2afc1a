//! Tables with two to seven seats, bankrolls and player banking, and the environment `PaiGowTable-v0`.
//!
#![doc = include_str!("rules.md")]
//!
//! # Types
//!
//! - [`TableRules`] has the seats, limits and readings. [`Setup`] combines them with the game, the house way and the
//!   paytable.
//! - [`Table`] is the state of a table. Each [`Move`] changes it. [`settle()`] computes the settlement, and [`Dice`] is
//!   a throw of the dice.
//! - [`SeatView`] is what one seat can see. A [`Player`] decides for a seat, and [`play_round`] plays a round between
//!   players.
//! - [`RoundRecord`] stores a round as a line of JSON, and [`HistoryReader`] verifies such records.
//! - [`PaiGowTable`] is the multi-agent environment, a [`gym::MultiEnv`](crate::gym::MultiEnv). Its observations are
//!   described in [`observe`] and its actions in [`TableAction`]. Residents are players that belong to the environment.
//!   [`from_config`] creates it from JSON. The registry's entry is the environment for a single agent among residents, a
//!   [`gym::Env`](crate::gym::Env).

mod action;
mod config;
mod env;
mod history;
pub mod observe;
mod play;
mod player;
mod rules;
mod seated;
mod settle;
#[cfg(test)]
mod tests;
mod view;

pub use action::{Move, MoveError, Phase, SetBy, TableAction};
pub use config::{GAME, from_config};
pub use env::{PaiGowTable, TableOptions};
pub use history::{HistoryHeader, HistoryReader, HistoryWriter, RoundRecord};
pub use play::{Button, Chosen, Seat, Table};
pub use player::{BankPolicy, BetSize, ChooseStake, Player, Players, Regular, SetRule, play_round};
pub use rules::{ButtonWithoutHand, CommissionOnBanker, HouseHand, Setup, TableRules, UncoveredBets};
pub use settle::{
    Bank, BetResult, Books, Dice, HOUSE_SEAT, MAX_BANKROLL, MAX_SEATS, SetBet, Settled, TableSize, settle,
};
pub use view::SeatView;

/// The environment's versioned id.
pub const ID: &str = "PaiGowTable-v0";
