//! The table: two to seven seats, bankrolls, and players who bank. The environment `PaiGowTable-v0`.
//!
//! Source: the rules of play of an online casino on Pai Gow Poker with player banking. All hands come from one deck of 53
//! cards, so a table deals seven at most ([`TableSize`]); seat 0 is the house's, players sit clockwise from seat 1.
//!
//! # A round
//! 1. **Bets.** Every player bets, with or without a side bet, or sits out; nobody sees another's bet before all are made.
//! 2. **The bank** is offered round the table: to one seat first, another in each round, then clockwise to every seat that
//!    has a bet, until one takes it. Who takes it takes his bet back and stakes what the bank can lose; that covers all bets
//!    against it, or does not. If all pass, the house banks.
//! 3. **Dice.** Three dice count seats clockwise from the banker's own as 1, empty ones included. The seat reached gets the
//!    action button; **[reading: button-without-hand]** if it has no hand against the bank.
//! 4. **Cards.** Seven to each bet and to the banker. The house has a hand when it banks; when a player banks,
//!    **[reading: house-hand-when-player-banks]**.
//! 5. **Setting.** All set their hands without seeing another's. A seat that uses up its steps, is gone or asks for it, is
//!    set the house way. A foul is refused.
//! 6. **Settling**, clockwise from the button. Copies go to the banker. A bet that wins on both hands is paid less the
//!    commission, one that loses both is collected, others push. The bank pays as far as its funds go (its stake, and what
//!    it collects); for bets that it does not cover, **[reading: uncovered-bets]**. A player who banks pays commission by
//!    **[reading: commission-on-banker]**. Side bets are the house's.
//!
//! # Money
//! Chips are whole. A commission is rounded to the nearest chip, half a chip upwards ([`commission`](crate::money::commission)). All chips of players
//! and what the [`Books`] of the house say are the same together after every move.
//!
//! # Pieces
//! - [`TableRules`]: seats, limits, readings, with a stable hash. [`Setup`]: with game, house way and paytable.
//! - [`Table`]: the state, moved by [`Move`]s. [`settle()`]: the settlement alone. [`Dice`].
//! - [`SeatView`]: what one seat sees. [`Player`]: who decides for a seat. [`play_round`]: one round of players.
//! - [`RoundRecord`], [`History`]: what happened, as JSON Lines, and the proof that it happened so.
//! - [`PaiGowTable`]: the environment for several agents, see [`gym::MultiEnv`](crate::gym::MultiEnv). [`observe`]: what its
//!   agents see. [`TableAction`]: what they can do. [`Resident`]: a player whom the environment plays itself. [`OneSeat`]:
//!   the environment for one agent among residents, see [`gym::Env`](crate::gym::Env). [`TableConfig`]: either from JSON.

mod action;
mod books;
mod config;
mod dice;
mod env;
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
pub use moves::{Move, MoveError, Phase, SetBy};
pub use one_seat::OneSeat;
pub use play::{Button, Chosen, Seat, Table};
pub use player::{
    AlwaysBank, BankRule, BetSize, NeverBank, Player, Players, RandomPlayer, Regular, SetRule, play_round,
};
pub use record::{BetRecord, HandRecord, History, HistoryError, HistoryHead, HistoryWriter, RoundRecord, SeatRecord};
pub use resident::{AgentSeatError, Resident, Residents};
pub use rules::{ButtonWithoutHand, CommissionOnBanker, HouseHand, TableRules, TableRulesError, UncoveredBets};
pub use seats::{HOUSE_SEAT, MOST_SEATS, SeatSet, TableSize, TableSizeError};
pub use settle::{Bank, BetResult, Settled, Wager, settle};
pub use setup::Setup;
pub use text::chips;
pub use view::SeatView;

/// The versioned id of the environment.
pub const ID: &str = "PaiGowTable-v0";
