//! Exact evaluation of Asian Stud. Every hand class is compared with every dealer hand.
//!
//! Suits don't matter in the main game, so a hand is a multiset of points. There are 2,708 classes with a joker and
//! 1,993 without. The dealer's hands are enumerated from the remaining cards, separately for each class.
//!
//! - [`HandClasses`] holds the hand classes under one reading of the joker, and the dealer's hands against each class.
//! - [`Solution`] computes the EV of the optimal policy, of always raising, and of any other policy.
//! - [`poker_hands`] counts the poker hands for the side bet, and [`side_bet_return`] computes the return of a
//!   paytable.
//!
//! ```
//! use houseway_env::asian_stud::Rules;
//! use houseway_exact::asian_stud::{HandClasses, Solution};
//!
//! let rules = Rules::default();
//! let classes = HandClasses::new(rules.joker);
//! let solution = Solution::new(&classes, rules);
//! assert!(solution.optimal().ev() >= solution.always_raise().ev());
//! ```

mod answer;
mod classes;
mod evaluator;
mod exact_game;
mod frames;
mod practice;
mod side_bet;
mod solution;
mod solver;
#[cfg(test)]
mod tests;

pub use classes::{Class, HandClasses};
pub use side_bet::{poker_hands, side_bet_ev, side_bet_return};
pub use solution::{Solution, Total, ValueRow};
pub use solver::SOLVER;
