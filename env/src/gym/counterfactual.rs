//! Rewards for all actions on the same cards.

use super::{Env, EnvError};

/// An environment that can compute the reward for every action given the cards that were dealt, including hidden ones.
///
/// These rewards are meant for learning, e.g. as regression targets. They are never part of an observation.
pub trait Counterfactual: Env {
    /// Writes, for each action, the reward that choosing it now would add to the episode. `out` must have one entry per
    /// action in [`Env::action_space`]. Entries of illegal actions are finite but otherwise arbitrary.
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`] before the first reset, or [`EnvError::Length`] if `out` has the wrong length.
    fn action_rewards(&self, out: &mut [f32]) -> Result<(), EnvError>;
}
