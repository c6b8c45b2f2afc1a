//! Exact evaluation of Joker Seven over all 177,100,560 seven-card hands from the 54-card pack.
//!
//! - [`JointWins`] counts the hands in which each wager and each pair of wagers wins, which determines EVs and
//!   covariances. It has two independent implementations: a closed form over [`ColorProfile`]s
//!   ([`JointWins::by_profiles`], immediate) and an enumeration of every hand ([`JointWins::by_enumeration`], a few
//!   seconds).
//! - [`Frontier`] finds the spreads of a fixed stake with the minimum standard deviation for their EV.
//!
//! ```
//! use houseway_env::joker_seven::{Game, Paytable, Rules, Wager};
//! use houseway_exact::joker_seven::JointWins;
//!
//! let game = Game::new(Rules::default(), Paytable::default());
//! let outcomes = JointWins::by_profiles(&game);
//! let one_joker = Wager::from_index(13).unwrap();
//! // C(2,1) * C(52,6) of C(54,7) hands.
//! assert_eq!(outcomes.winners(one_joker), 2 * 20_358_520);
//! ```

mod answer;
mod frontier;
mod solver;
#[cfg(test)]
mod tests;
mod wins;

pub use frontier::{Frontier, Spread};
pub use solver::SOLVER;
pub use wins::{ColorProfile, HANDS, JointWins, profiles};
