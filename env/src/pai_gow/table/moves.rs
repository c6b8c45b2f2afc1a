//! Moves of a seat, and their errors.

use crate::money::Chips;
use serde::{Deserialize, Serialize};

/// A move by a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Move {
    /// Bets an amount in chips. A bet of 0 sits out the round.
    Bet {
        /// Bet against the bank.
        bet: Chips,
        /// Side bet; 0 for none.
        side: Chips,
    },
    /// Passes the bank on.
    Pass,
    /// Takes the bank. The seat takes back its bet; its side bet stays.
    Take {
        /// Maximum loss of the bank, in chips.
        stake: Chips,
    },
    /// Sets the hand, given the number of a setting, 0 to 20.
    Set(usize),
    /// Sets the hand by the house way.
    HouseWay,
    /// Waits, which uses one of the steps for setting the hand.
    Wait,
    /// Leaves until the end of the round: bets nothing, passes the bank, and has its hand set by the house way.
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
    /// The round is over and the next one has not started.
    Over,
}

/// Error of a move that the table rejects. The table is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The seat has no move now.
    #[error("seat {seat} has no move now")]
    NotActing {
        /// Seat of the move.
        seat: usize,
    },
    /// The move belongs to another phase.
    #[error("{done:?} is not a move of the phase {phase:?}")]
    WrongPhase {
        /// Current phase.
        phase: Phase,
        /// Rejected move.
        done: Move,
    },
    /// An amount is outside its limits.
    #[error("a {what} of {found} chips is outside its limits, {low} to {high}")]
    Limits {
        /// Purpose of the amount.
        what: &'static str,
        /// Rejected amount.
        found: Chips,
        /// Minimum amount.
        low: Chips,
        /// Maximum amount.
        high: Chips,
    },
    /// The seat has too few chips.
    #[error("the move takes {wanted} chips, but seat {seat} has {has}")]
    Funds {
        /// Seat of the move.
        seat: usize,
        /// Number of chips that the move takes.
        wanted: Chips,
        /// Number of chips that the seat has.
        has: Chips,
    },
    /// The setting does not exist or is a foul.
    #[error("{0}")]
    Setting(String),
}

/// The party that set a hand, with its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SetBy {
    /// The seat, with a setting of its choice.
    Seat,
    /// The house way, at the seat's request.
    HouseWay,
    /// The house way, after the time ran out.
    TimeOut,
    /// The house way, for a seat that left.
    Disconnected,
    /// The house, for its own hand.
    House,
}
