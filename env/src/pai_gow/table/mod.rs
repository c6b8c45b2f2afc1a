//! Tables with two to seven seats, bankrolls and player banking, and the environment `PaiGowTable-v0`.
//!
//! Source: an online casino's rules of play for Pai Gow Poker with player banking. All hands come from one deck of 53
//! cards, so a table deals at most seven ([`TableSize`]). Seat 0 is the house's, and players sit clockwise from seat 1.
//!
//! # A round
//! 1. **Bets.** Every player bets, with or without a side bet, or sits out. All bets are made simultaneously.
//! 2. **The bank** is offered clockwise to every seat with a bet until one takes it. The seat that is offered it first
//!    moves on each round. The banker takes back their bet and stakes the bank's maximum loss, which need not cover all
//!    bets against it. If all pass, the house banks.
//! 3. **Dice.** Three dice select a seat, counting clockwise from the banker's own seat as 1 and including empty seats.
//!    It gets the action button; **[reading: button-without-hand]** applies if it has no hand against the bank.
//! 4. **Cards.** Each bet and the banker get seven cards. The house has a hand when it banks. When a player banks,
//!    **[reading: house-hand-when-player-banks]** applies.
//! 5. **Setting.** All set their hands without seeing the others. If a seat runs out of time, has left or requests it,
//!    the house way sets its hand. Fouls are rejected.
//! 6. **Settlement** proceeds clockwise from the button. Copies go to the banker. A bet that wins both hands is paid
//!    less the commission, a bet that loses both is collected, and others push. The bank pays up to its funds, which
//!    are its stake and the bets that it collects; for uncovered bets, **[reading: uncovered-bets]** applies. A player
//!    who banks pays commission according to **[reading: commission-on-banker]**. The house takes the side bets.
//!
//! # Money
//! All amounts are whole chips. Commission is rounded to the nearest chip, with half a chip rounded up
//! ([`commission`](crate::money::commission)). The sum of the players' chips and the house's [`Books`] is the same
//! after every move.
//!
//! # Types
//! - [`TableRules`]: seats, limits and readings. [`Setup`]: rules with game, house way and paytable.
//! - [`Table`]: the state, changed by [`Move`]s. [`settle()`]: the settlement. [`Dice`]: a throw of the dice.
//! - [`SeatView`]: the view from one seat. [`Player`]: decides for a seat. [`play_round`]: plays a round between
//!   players.
//! - [`RoundRecord`], [`HistoryReader`]: rounds as JSON Lines, and their verification.
//! - [`PaiGowTable`]: the multi-agent environment, a [`gym::MultiEnv`](crate::gym::MultiEnv). [`observe`]: its
//!   observations. [`TableAction`]: its actions. [`Resident`]: a player that belongs to the environment. [`OneSeat`]:
//!   the environment for one agent among residents, a [`gym::Env`](crate::gym::Env). [`TableConfig`]: creates either of
//!   them from JSON.

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

/// Versioned id of the environment.
pub const ID: &str = "PaiGowTable-v0";
