//! Asian Stud, counted: every class of hands against every dealer's hand.
//!
//! Suits do not matter in the main game, so a hand is its multiset of points: 2,708 classes with a joker, 1,993 without.
//! Cards that the player holds the dealer cannot have, so every class meets its own count of dealer hands of each value.
//!
//! - [`Classes`]: the classes under one reading of the joker, and the dealer's hands that each meets.
//! - [`Solution`]: what raising is worth under a set of rules: the optimum, always raising, or any other policy.
//! - [`poker_hands`]: the exact counts behind the side bet, and [`side_bet_return`] of a paytable.
//!
//! ```
//! use houseway_env::asian_stud::Rules;
//! use houseway_exact::asian_stud::{Classes, Solution};
//!
//! let rules = Rules::default();
//! let classes = Classes::new(rules.joker);
//! let solution = Solution::new(&classes, rules);
//! assert!(solution.optimal().ev() >= solution.always_raise().ev());
//! ```

mod answer;
mod classes;
mod evaluator;
mod exact_game;
mod side_bet;
mod solution;
mod solver;
#[cfg(test)]
mod tests;

pub use classes::{Class, Classes};
pub use side_bet::{SideBetReturn, poker_hands, side_bet_return};
pub use solution::{Solution, Total, ValueRow};
pub use solver::SOLVER;
