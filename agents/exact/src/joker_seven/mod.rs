//! Joker Seven, counted: all 177,100,560 hands of seven cards of the pack of 54.
//!
//! - [`Outcomes`]: in how many hands each wager wins, and each two of them together, from which come expectations and
//!   covariances. They are found in two ways that share no code: by closed form over [`Profile`]s
//!   ([`Outcomes::by_profiles`], at once), and by asking the game about every hand ([`Outcomes::by_enumeration`], seconds).
//! - [`Frontier`]: how a fixed stake is spread with the least deviation for its expectation.
//!
//! ```
//! use houseway_env::joker_seven::{Game, Paytable, Rules, Wager};
//! use houseway_exact::joker_seven::Outcomes;
//!
//! let game = Game::new(Rules::default(), Paytable::default());
//! let outcomes = Outcomes::by_profiles(&game);
//! let one_joker = Wager::from_index(13).unwrap();
//! // C(2,1) * C(52,6) of C(54,7) hands.
//! assert_eq!(outcomes.winners(one_joker), 2 * 20_358_520);
//! ```

mod answer;
mod evaluator;
mod exact_game;
mod frontier;
mod outcomes;
mod profile;
mod solver;
#[cfg(test)]
mod tests;

pub use frontier::{Frontier, Spread};
pub use outcomes::{HANDS, Outcomes};
pub use profile::{Profile, profiles};
pub use solver::SOLVER;
