//! Moves of a seat, and their errors.

use crate::money::Chips;
use serde::{Deserialize, Serialize};

/// A move of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Move {
    /// Bets, in chips. A bet of 0 sits the round out.
    Bet {
        /// The bet against the bank.
        bet: Chips,
        /// The side bet; 0 for none.
        side: Chips,
    },
    /// Passes the bank on.
    Pass,
    /// Takes the bank. The seat takes its bet back; its side bet stays.
    Take {
        /// Maximum loss of the bank, in chips.
        stake: Chips,
    },
    /// Sets the hand: the number of a setting, 0 to 20.
    Set(usize),
    /// Sets the hand by the house way.
    HouseWay,
    /// Waits: uses one step of the time to set the hand.
    Wait,
    /// Leaves until the round ends: bets nothing, passes the bank, and has its hand set by the house way.
    Disconnect,
}

/// Phase of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// All seats bet simultaneously.
    Betting,
    /// One seat takes the bank or passes it on.
    Banking,
    /// All seats with a hand set it simultaneously.
    Setting,
    /// The round is over and the next one has not begun.
    Over,
}

/// Error of a move that the table rejects without any change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The seat has no move now.
    #[error("seat {seat} has no move now")]
    NotActing {
        /// The seat.
        seat: usize,
    },
    /// The move belongs to another phase.
    #[error("{done:?} is not a move of the phase {phase:?}")]
    WrongPhase {
        /// The current phase.
        phase: Phase,
        /// The rejected move.
        done: Move,
    },
    /// A sum is outside its limits.
    #[error("a {what} of {found} chips is outside its limits, {low} to {high}")]
    Limits {
        /// Purpose of the sum.
        what: &'static str,
        /// The sum.
        found: Chips,
        /// The minimum.
        low: Chips,
        /// The maximum.
        high: Chips,
    },
    /// The seat has too few chips.
    #[error("the move takes {wanted} chips, but seat {seat} has {has}")]
    Funds {
        /// The seat.
        seat: usize,
        /// Chips that the move takes.
        wanted: Chips,
        /// Chips that the seat has.
        has: Chips,
    },
    /// The setting does not exist or is a foul.
    #[error("{0}")]
    Setting(String),
}

/// Setter of a hand, and its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SetBy {
    /// The seat, by a setting.
    Seat,
    /// The house way, at the seat's request.
    HouseWay,
    /// The house way, after the time ran out.
    TimeOut,
    /// The house way, for a seat that left.
    Disconnected,
    /// The house, its own hand.
    House,
}
