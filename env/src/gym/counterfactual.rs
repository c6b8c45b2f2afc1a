//! Rewards of all actions on the same cards.

use super::{Env, EnvError};

/// An environment that can compute the reward of every action on the cards already dealt, including hidden ones.
///
/// The rewards are intended for learning, for example as regression targets, and are never part of an observation.
pub trait Counterfactual: Env {
    /// Writes the reward that each action of the current decision would add to the episode. The slice has the length of
    /// [`Env::action_space`]. Illegal actions get an arbitrary finite number.
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`] or [`EnvError::Length`].
    fn action_rewards(&self, out: &mut [f32]) -> Result<(), EnvError>;
}
