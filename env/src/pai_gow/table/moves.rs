//! What a seat can do, and why it is refused.

use crate::money::Chips;
use serde::{Deserialize, Serialize};

/// What a seat does when it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Move {
    /// Bets; both in chips. A bet of 0 sits this round out.
    Bet {
        /// The bet against the bank.
        bet: Chips,
        /// The side bet; 0 for none.
        side: Chips,
    },
    /// Passes the bank on.
    Pass,
    /// Takes the bank. The seat's own bet is taken back; its side bet stays.
    Take {
        /// What the bank can lose, in chips.
        stake: Chips,
    },
    /// Sets the hand: the number of a setting, 0 to 20.
    Set(usize),
    /// Has the hand set the house way.
    HouseWay,
    /// Thinks on: one step of the time in which the hand must be set.
    Wait,
    /// Is gone until the round ends: bets nothing, passes the bank, and a hand that it has is set the house way.
    Disconnect,
}

/// What a table waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// For the bets of all seats; nobody sees another's bet before all are made.
    Betting,
    /// For one seat to take the bank or pass it on.
    Banking,
    /// For all seats with a hand to set it; nobody sees another's hand.
    Setting,
    /// For the next round to begin.
    Over,
}

/// A move that a table refuses; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The seat is not asked for anything now.
    #[error("seat {seat} is not asked for a move now")]
    NotActing {
        /// The seat.
        seat: usize,
    },
    /// The move belongs to another phase.
    #[error("{done:?} is no move of the phase {phase:?}")]
    WrongPhase {
        /// What the table waits for.
        phase: Phase,
        /// What was tried.
        done: Move,
    },
    /// A sum outside its limits.
    #[error("a {what} of {found} chips is outside its limits, {low} to {high}")]
    Limits {
        /// What the sum is for.
        what: &'static str,
        /// The sum.
        found: Chips,
        /// The lowest that there is.
        low: Chips,
        /// The highest.
        high: Chips,
    },
    /// More than the seat has.
    #[error("{wanted} chips are wanted and seat {seat} has {has}")]
    Funds {
        /// The seat.
        seat: usize,
        /// What the move takes.
        wanted: Chips,
        /// What the seat can put up.
        has: Chips,
    },
    /// No setting, or a foul.
    #[error("{0}")]
    Setting(String),
}

/// Who set a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SetBy {
    /// The seat itself, by a setting of its own.
    Seat,
    /// The house way, as the seat asked.
    HouseWay,
    /// The house way, as the time ran out.
    TimeOut,
    /// The house way, as the seat was gone.
    Disconnected,
    /// The house: its own hand.
    House,
}
