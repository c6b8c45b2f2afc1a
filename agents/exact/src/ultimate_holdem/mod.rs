//! Exact evaluation of Ultimate Texas Hold'em.
//!
//! - [`FullGame`] evaluates the optimal strategy or any other [`DecisionRule`] over all 27,813,810,024,000 weighted
//!   deals, in seconds. The results include EV, variance, and frequencies, as well as the EV of playing and checking
//!   with each of the 169 starting hands.
//! - [`Position`] evaluates the decision with two cards and a board of zero, three or five cards, also with
//!   dead cards.
//! - [`DecisionRule`] is the interface for strategies. [`Optimum`] is the optimal strategy, and [`Simple`] is a
//!   published simple one.
//! - [`BestRivers`] computes what a strategy loses against the optimum in each decision, on all boards or on a sample.
//!
//! Boards that differ only by a permutation of suits form a class. There are 134,459 classes. For each of them, the
//! 1,081 two-card hands are sorted by strength. In one pass over this order, running totals give the number of hands
//! below, equal to and above each hand, corrected for hands that share one of its cards. The results on a board are
//! added to the ten flops that it contains, by flop class and hand. Flop decisions have to wait until all boards have
//! been evaluated, and preflop decisions until all flops have been evaluated. A second pass over the boards counts the
//! deals by their end: the Play, the player's category and the result.

mod answer;
mod board;
mod evaluator;
mod net;
mod position;
mod regret;
mod showdown;
mod solver;
mod strategy;
#[cfg(test)]
mod tests;
mod whole;

pub use crate::solver::Cancelled;
pub use net::Totals;
pub use position::{Choice, Position};
pub use regret::{BestRivers, Boards, RiverLoss};
use showdown::Ends;
pub use solver::SOLVER;
pub use strategy::{DecisionRule, Optimum, Simple};
pub use whole::{Before, FullGame, HandTotals};

/// The number of five-card boards given the player's two cards, distinguishing the flop from the later cards: C(50,3)
/// times C(47,2).
pub const BOARDS: i128 = 19_600 * 1_081;
/// The number of dealer hands given seven cards: C(45,2).
pub const DEALER_HANDS: i64 = 990;
/// The number of deals: C(52,2) hands times [`BOARDS`] times [`DEALER_HANDS`].
pub const DEALS: i128 = 1_326 * BOARDS * DEALER_HANDS as i128;
/// The number of half antes per ante. Amounts are computed in half antes.
const ANTE: i64 = 2;
