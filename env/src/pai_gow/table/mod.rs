//! Tables with two to seven seats, bankrolls and player banking, and the environment `PaiGowTable-v0`.
//!
//! Source: the rules of play of an online casino on Pai Gow Poker with player banking. All hands come from one deck of 53
//! cards, so that a table deals at most seven ([`TableSize`]); seat 0 is the house's, players sit clockwise from seat 1.
//!
//! # A round
//! 1. **Bets.** Every player bets, with or without a side bet, or sits out; all bets are made simultaneously.
//! 2. **The bank** is offered clockwise to every seat with a bet, from a seat that moves on each round, until one takes it.
//!    The banker takes back their bet and stakes the bank's maximum loss, which need not cover all bets against it. If all
//!    pass, the house banks.
//! 3. **Dice.** Three dice select a seat, counting clockwise from the banker's own seat as 1 and including empty seats. It
//!    gets the action button; **[reading: button-without-hand]** if it has no hand against the bank.
//! 4. **Cards.** Seven to each bet and to the banker. The house has a hand when it banks; when a player banks,
//!    **[reading: house-hand-when-player-banks]**.
//! 5. **Setting.** All set their hands without seeing the others. The hand of a seat that runs out of time, has left or
//!    requests it is set by the house way. A foul is rejected.
//! 6. **Settlement**, clockwise from the button. Copies go to the banker. A bet that wins both hands is paid less the
//!    commission, a bet that loses both is collected, others push. The bank pays up to its funds, which are its stake and
//!    the bets that it collects; for uncovered bets, **[reading: uncovered-bets]**. A player who banks pays commission by
//!    **[reading: commission-on-banker]**. The house takes the side bets.
//!
//! # Money
//! Chips are whole. A commission is rounded to the nearest chip, half a chip upwards
//! ([`commission`](crate::money::commission)). The sum of the players' chips and the [`Books`] of the house is the same after
//! every move.
//!
//! # Types
//! - [`TableRules`]: seats, limits and readings. [`Setup`]: rules with game, house way and paytable.
//! - [`Table`]: the state, changed by [`Move`]s. [`settle()`]: the settlement. [`Dice`].
//! - [`SeatView`]: the view from one seat. [`Player`]: decides for a seat. [`play_round`]: one round of players.
//! - [`RoundRecord`], [`HistoryReader`]: rounds as JSON Lines, and their verification.
//! - [`PaiGowTable`]: the environment for several agents, a [`gym::MultiEnv`](crate::gym::MultiEnv). [`observe`]: its
//!   observations. [`TableAction`]: its actions. [`Resident`]: a player that belongs to the environment. [`OneSeat`]: the
//!   environment for one agent among residents, a [`gym::Env`](crate::gym::Env). [`TableConfig`]: either from JSON.

mod action;
mod books;
mod config;
mod dice;
mod env;
mod history;
mod moves;
pub mod observe;
mod one_seat;
mod play;
mod player;
mod record;
mod resident;
mod rules;
mod seats;
mod settle;
mod setup;
#[cfg(test)]
mod tests;
mod text;
mod view;

pub use action::TableAction;
pub use books::{Books, MAX_BANKROLL};
pub use config::{GAME, ResidentBank, ResidentConfig, TableConfig};
pub use dice::Dice;
pub use env::{PaiGowTable, TableOptions};
pub use history::{HistoryError, HistoryHead, HistoryReader, HistoryWriter, Verified};
pub use moves::{Move, MoveError, Phase, SetBy};
pub use one_seat::OneSeat;
pub use play::{Button, Chosen, Seat, Table};
pub use player::{
    AlwaysBank, BankRule, BetSize, NeverBank, Player, Players, RandomPlayer, Regular, SetRule, play_round,
};
pub use record::{BetRecord, HandRecord, RoundRecord, SeatRecord};
pub use resident::{AgentSeatError, Resident, Residents};
pub use rules::{ButtonWithoutHand, CommissionOnBanker, HouseHand, TableRules, TableRulesError, UncoveredBets};
pub use seats::{HOUSE_SEAT, MAX_SEATS, SeatSet, TableSize, TableSizeError};
pub use settle::{Bank, BetResult, SetBet, Settled, settle};
pub use setup::Setup;
pub use text::chips;
pub use view::SeatView;

/// The versioned id of the environment.
pub const ID: &str = "PaiGowTable-v0";
