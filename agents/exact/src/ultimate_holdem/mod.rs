//! Ultimate Texas Hold'em, counted.
//!
//! - [`Whole`]: all 27,813,810,024,000 weighted deals at once, for the optimal strategy or any other [`Strategy`]: expectation,
//!   variance, frequencies, and Play against check for each of the 169 starting hands. Seconds.
//! - [`Position`]: the decision with two cards and a board of none, three or five cards.
//! - [`Strategy`], [`Optimum`], [`Simple`]: what decides; the best of all, and a published strategy of a few sentences.
//! - [`BestRivers`]: what a strategy loses against the optimum, decision by decision, on all boards or on a sample of them.
//! - [`slow`]: the same by plain enumeration, the yardstick of everything here.
//!
//! The way: boards that differ by a permutation of suits are one class, of which there are 134,459. Once for each class the
//! 1,081 hands of two cards are sorted by strength; walking up, the hands below, equal and above are known for every hand as
//! running totals, less those that share one of its cards. What a board says goes to the ten flops that it holds, by classes
//! of flop and hand; the flop is decided when all boards are counted, and the start when all flops are.

mod answer;
mod board;
mod evaluator;
mod exact_game;
mod policy_strategy;
mod position;
mod regret;
mod showdown;
mod simple;
pub mod slow;
mod solver;
mod strategy;
mod suits;
#[cfg(test)]
mod tests;
mod whole;

pub use position::{Choice, Position, PositionError};
pub use regret::{Before, BestRivers, Boards, RiverLoss};
pub use showdown::{Ends, Moments};
pub use simple::Simple;
pub use solver::SOLVER;
pub use strategy::{Optimum, Strategy};
pub use whole::{Cancelled, HandTotals, Progress, Totals, Whole};

/// Boards of five cards once the two cards of the player are known, the flop kept apart: C(50,3) times C(47,2).
pub const BOARDS: i128 = 19_600 * 1_081;
/// Hands that the dealer can hold once seven cards are known: C(45,2).
pub const DEALER_HANDS: i64 = 990;
/// All deals: C(52,2) hands, [`BOARDS`], [`DEALER_HANDS`].
pub const DEALS: i128 = 1_326 * BOARDS * DEALER_HANDS as i128;
/// Half antes in an ante: the unit in which amounts are counted.
const ANTE: i64 = 2;
