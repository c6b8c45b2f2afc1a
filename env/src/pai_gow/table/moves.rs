//! Moves of a seat, and refused moves.

use crate::money::Chips;
use serde::{Deserialize, Serialize};

/// A move of a seat.
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
        /// Stake of the bank, in chips: its maximum loss.
        stake: Chips,
    },
    /// Sets the hand: the number of a setting, 0 to 20.
    Set(usize),
    /// Requests the house way.
    HouseWay,
    /// Waits: uses one step of the time in which the hand must be set.
    Wait,
    /// Leaves until the round ends: bets nothing, passes the bank, and its hand, if any, is set the house way.
    Disconnect,
}

/// Phase of a round: the moves that the table waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// The bets of all seats; no seat sees another's bet before all are made.
    Betting,
    /// One seat's decision to take the bank or pass it on.
    Banking,
    /// The settings of all seats with a hand; no seat sees another's hand.
    Setting,
    /// The beginning of the next round.
    Over,
}

/// A refused move; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// It is not the seat's turn.
    #[error("seat {seat} is not asked for a move now")]
    NotActing {
        /// The seat.
        seat: usize,
    },
    /// The move belongs to another phase.
    #[error("{done:?} is no move of the phase {phase:?}")]
    WrongPhase {
        /// The current phase.
        phase: Phase,
        /// The refused move.
        done: Move,
    },
    /// A sum outside its limits.
    #[error("a {what} of {found} chips is outside its limits, {low} to {high}")]
    Limits {
        /// The purpose of the sum.
        what: &'static str,
        /// The sum.
        found: Chips,
        /// The minimum.
        low: Chips,
        /// The maximum.
        high: Chips,
    },
    /// More than the seat has.
    #[error("{wanted} chips are wanted and seat {seat} has {has}")]
    Funds {
        /// The seat.
        seat: usize,
        /// Chips that the move needs.
        wanted: Chips,
        /// Chips that the seat has.
        has: Chips,
    },
    /// An invalid setting, or a foul.
    #[error("{0}")]
    Setting(String),
}

/// Origin of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SetBy {
    /// The seat itself, by a setting of its own.
    Seat,
    /// The house way, at the seat's request.
    HouseWay,
    /// The house way, because the time ran out.
    TimeOut,
    /// The house way, because the seat had left.
    Disconnected,
    /// The house: its own hand.
    House,
}
