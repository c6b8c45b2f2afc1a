//! Decisions that are worth practicing.

use super::control::Control;
use super::decision::Decision;
use super::error::SolverError;
use rand_pcg::Pcg64;

/// A decision to practice, along with what it costs those who play by common strategies.
#[derive(Clone, Debug, PartialEq)]
pub struct Exercise {
    /// The position as text. It starts with the player's cards. Anything else that the player sees follows after a
    /// comma.
    pub position: String,
    /// The group that the hand belongs to, as in [`Decision::group`].
    pub group: String,
    /// The mean regret of common strategies.
    pub regret: f64,
}

/// A source of decisions that common strategies get wrong.
pub trait Practice {
    /// Draws random deals and returns the decisions in them, with the probability that they come up in a game. Choosing
    /// one with a probability proportional to its regret therefore weights decisions by probability times regret.
    ///
    /// # Errors
    /// Returns an error if a strategy doesn't work under the rules, or if the computation was cancelled.
    fn exercises(&self, rng: &mut Pcg64, control: &Control<'_>) -> Result<Vec<Exercise>, SolverError>;

    /// Returns the decision in a position. [`Decision::house`] is the choice of the strategy to compare with.
    ///
    /// # Errors
    /// Returns an error if the position is invalid, or if the computation was cancelled.
    fn decide(&self, position: &str, control: &Control<'_>) -> Result<Decision, SolverError>;
}

impl Exercise {
    /// Returns the player's cards in a position.
    pub fn cards(position: &str) -> impl Iterator<Item = &str> {
        position.split(',').next().unwrap_or_default().split_whitespace()
    }
}
