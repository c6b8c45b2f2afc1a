//! The actions that agents can take in the environment.

use super::SeatView;
use crate::money::Chips;
use crate::pai_gow::Setting;
use serde::{Deserialize, Serialize};

/// The number of bet sizes.
const BETS: usize = 8;
/// The number of side bet sizes.
const SIDES: usize = 3;
/// The first action of each kind.
const HOUSE_WAY: usize = Setting::COUNT;
const WAIT: usize = HOUSE_WAY + 1;
const PASS: usize = WAIT + 1;
const TAKE: usize = PASS + 1;
const SIT_OUT: usize = TAKE + 4;
const BET: usize = SIT_OUT + 1;

/// An agent's action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableAction {
    /// Sets the hand to a setting from 0 to 20.
    Set(usize),
    /// Sets the hand the house way.
    HouseWay,
    /// Uses up one of the steps for setting the hand.
    Wait,
    /// Passes the bank.
    Pass,
    /// Takes the bank with a stake of 1 to 4 quarters of the bets against it, or the minimum stake if that is higher.
    Take(usize),
    /// Sits out the round.
    SitOut,
    /// Places a bet with a size from 0 to 7 and a side bet with a size from 0 to 2.
    Bet {
        /// The size of the bet.
        size: usize,
        /// The size of the side bet.
        side: usize,
    },
}

impl TableAction {
    /// The number of actions.
    pub const COUNT: usize = BET + BETS * SIDES;

    /// Returns the action with this index, or `None` if the index is out of range.
    pub const fn from_index(index: usize) -> Option<TableAction> {
        Some(match index {
            0..HOUSE_WAY => TableAction::Set(index),
            HOUSE_WAY => TableAction::HouseWay,
            WAIT => TableAction::Wait,
            PASS => TableAction::Pass,
            TAKE..SIT_OUT => TableAction::Take(index - TAKE + 1),
            SIT_OUT => TableAction::SitOut,
            BET..Self::COUNT => TableAction::Bet { size: (index - BET) % BETS, side: (index - BET) / BETS },
            _ => return None,
        })
    }

    /// Returns the index of the action.
    ///
    /// # Panics
    /// Panics if a number in the action is out of range.
    pub fn index(self) -> usize {
        let found = (0..Self::COUNT).find(|&index| TableAction::from_index(index) == Some(self));
        found.expect("every action has an index")
    }

    /// Returns a short description of the action.
    ///
    /// # Panics
    /// Panics if the size of a side bet is greater than 2.
    pub fn meaning(self) -> String {
        match self {
            TableAction::Set(setting) => Setting::from_index(setting).map_or_else(String::new, Setting::meaning),
            TableAction::HouseWay => "set by the house way".to_owned(),
            TableAction::Wait => "wait".to_owned(),
            TableAction::Pass => "pass the bank".to_owned(),
            TableAction::Take(4) => "take the bank with all bets against it".to_owned(),
            TableAction::Take(quarters) => format!("take the bank with {quarters}/4 of the bets against it"),
            TableAction::SitOut => "sit this round out".to_owned(),
            TableAction::Bet { size, side } => {
                let bet = if size + 1 == BETS {
                    "the maximum".to_owned()
                } else {
                    format!("{} times the minimum", 1 << size)
                };
                format!("bet {bet}, {} side bet", ["no", "minimum", "maximum"][side])
            }
        }
    }

    /// Converts this action to a seat's move. The table may still reject the move.
    pub fn to_move(self, view: &SeatView<'_>) -> Move {
        let rules = view.rules();
        match self {
            TableAction::Set(setting) => Move::Set(setting),
            TableAction::HouseWay => Move::HouseWay,
            TableAction::Wait => Move::Wait,
            TableAction::Pass => Move::Pass,
            TableAction::Take(quarters) => {
                let wanted = (view.bets_against() * quarters as i64 + 3) / 4;
                Move::Take { stake: wanted.max(rules.bank_minimum).min(view.bank_funds()) }
            }
            TableAction::SitOut => Move::Bet { bet: 0, side: 0 },
            TableAction::Bet { size, side } => {
                let bet = if size + 1 == BETS { rules.bet_maximum } else { rules.bet_minimum << size };
                // Tables without a side bet reject a stake of -1.
                let side = match side {
                    0 => 0,
                    _ if !rules.has_side_bet() => -1,
                    1 => rules.side_minimum,
                    _ => rules.side_maximum,
                };
                Move::Bet { bet, side }
            }
        }
    }
}

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

impl Move {
    /// Names the move in a sentence that says when it is possible.
    const fn in_words(self) -> &'static str {
        match self {
            Move::Bet { .. } => "betting",
            Move::Pass => "passing the bank",
            Move::Take { .. } => "taking the bank",
            Move::Set(_) => "setting a hand",
            Move::HouseWay => "setting a hand the house way",
            Move::Wait => "waiting",
            Move::Disconnect => "leaving",
        }
    }
}

impl Phase {
    pub(super) const fn in_words(self) -> &'static str {
        match self {
            Phase::Betting => "while bets are placed",
            Phase::Banking => "while the bank is offered",
            Phase::Setting => "while hands are set",
            Phase::Over => "after the round",
        }
    }
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
    #[error("{} is not possible {}", done.in_words(), phase.in_words())]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_numbered_as_listed() {
        assert_eq!(TableAction::COUNT, 53);
        for index in 0..TableAction::COUNT {
            assert_eq!(TableAction::from_index(index).map(TableAction::index), Some(index));
        }
        assert_eq!(TableAction::from_index(53), None);
        let listed = [(21, TableAction::HouseWay), (23, TableAction::Pass), (27, TableAction::Take(4))];
        assert!(listed.into_iter().all(|(index, action)| action.index() == index));
        assert_eq!(TableAction::from_index(29 + 8 + 7), Some(TableAction::Bet { size: 7, side: 1 }));
    }
}
