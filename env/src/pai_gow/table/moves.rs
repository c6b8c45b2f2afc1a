//! The moves that seats can make, and the errors for rejected moves.

use crate::money::Chips;
use serde::{Deserialize, Serialize};

/// A move by a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Move {
    /// Bets a number of chips. A bet of 0 sits out the round.
    Bet {
        /// The bet against the bank.
        bet: Chips,
        /// The side bet, or 0 for none.
        side: Chips,
    },
    /// Passes the bank to the next seat.
    Pass,
    /// Takes the bank. The seat gets its bet back, but its side bet remains.
    Take {
        /// The most that the bank can lose, in chips.
        stake: Chips,
    },
    /// Sets the hand to a setting, given its index from 0 to 20.
    Set(usize),
    /// Sets the hand the house way.
    HouseWay,
    /// Waits. This uses up one of the steps for setting the hand.
    Wait,
    /// Leaves until the round is over. The seat bets nothing and passes the bank, and the house way sets its hand.
    Disconnect,
}

/// The phase of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// All seats bet simultaneously.
    Betting,
    /// One seat takes the bank or passes it.
    Banking,
    /// All seats that have a hand set it simultaneously.
    Setting,
    /// The round is over, and the next one hasn't started.
    Over,
}

/// The error returned when the table rejects a move. The table is left unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The seat can't move at this time.
    #[error("it is not the turn of seat {seat}")]
    NotActing {
        /// The seat that made the move.
        seat: usize,
    },
    /// The move belongs to a different phase.
    #[error("{done:?} is not possible in the phase {phase:?}")]
    WrongPhase {
        /// The current phase.
        phase: Phase,
        /// The rejected move.
        done: Move,
    },
    /// An amount is outside its limits.
    #[error("a {what} of {found} chips is outside the limits, {low} to {high}")]
    Limits {
        /// The purpose of the amount.
        what: &'static str,
        /// The rejected amount.
        found: Chips,
        /// The minimum amount.
        low: Chips,
        /// The maximum amount.
        high: Chips,
    },
    /// The seat doesn't have enough chips.
    #[error("the move takes {wanted} chips, but seat {seat} has {has}")]
    Funds {
        /// The seat that made the move.
        seat: usize,
        /// The number of chips that the move requires.
        wanted: Chips,
        /// The number of chips that the seat has.
        has: Chips,
    },
    /// The setting does not exist or is a foul.
    #[error("{0}")]
    Setting(String),
}

/// The party that set a hand, and its reason for doing so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SetBy {
    /// The seat set its own hand.
    Seat,
    /// The house way set the hand because the seat requested it.
    HouseWay,
    /// The house way set the hand because time ran out.
    TimeOut,
    /// The house way set the hand because the seat left.
    Disconnected,
    /// The house set its own hand.
    House,
}
