//! Tables with two to seven seats, bankrolls and player banking, and the environment `PaiGowTable-v0`.
//!
//! Source: an online casino's rules of play for Pai Gow Poker with player banking. All hands are dealt from a single
//! deck of 53 cards, so there are at most seven. Seat 0 belongs to the house. Players sit clockwise from seat 1.
//!
//! # A round
//! 1. **Bets.** Each player bets, with or without a side bet, or sits out. All players bet simultaneously.
//! 2. **The bank** is offered clockwise to every seat that has a bet until one of them takes it. The first offer goes
//!    to a different seat each round, moving clockwise. A player who takes the bank gets their own bet back and stakes
//!    the most the bank can lose, which doesn't have to cover all bets against it. If everyone passes, the house banks.
//! 3. **Dice.** Three dice select a seat, counting clockwise from the banker's own seat as 1 and including empty seats.
//!    The selected seat gets the action button. If it has no hand against the bank, **[reading: button-without-hand]**
//!    applies.
//! 4. **Cards.** The banker and each bet get seven cards. The house always has a hand when it banks. When a player
//!    banks, **[reading: house-hand-when-player-banks]** applies.
//! 5. **Setting.** Everyone sets their hand without seeing the others. The house way sets the hands of seats that
//!    request it, have left or run out of time. Fouls are rejected.
//! 6. **Settlement** proceeds clockwise from the button. Copies go to the banker. A bet that wins both comparisons is
//!    paid minus the commission, a bet that loses both is collected, and all other bets push. The bank pays out of its
//!    funds, which consist of its stake and the bets it has collected. If they run out, **[reading: uncovered-bets]**
//!    applies. Banking players pay commission according to **[reading: commission-on-banker]**. Side bets are settled
//!    with the house.
//!
//! # Money
//! All amounts are whole chips. Commission is rounded to the nearest chip, and half a chip is rounded up. The players'
//! chips and the house's books always add up to the same total, no matter which moves are made.
//!
//! # Types
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
