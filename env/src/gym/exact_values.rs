//! Exact values of decisions, as solvers provide them and agents learn from them.

use super::EnvError;

/// All decisions of a game that a policy can tell apart, with the exact EVs of their actions.
///
/// Solvers implement this trait, and training methods use it. Like a [`Policy`](super::Policy), they only need to agree
/// on the name of the observation encoding.
pub trait ExactValues: Send + Sync {
    /// Returns the name of the encoding of the observations.
    fn encoding(&self) -> &str;

    /// Returns the lengths of an observation and of an action mask.
    fn shape(&self) -> [usize; 2];

    /// Returns the number of decisions. There is at least one.
    fn decisions(&self) -> usize;

    /// Returns the number of hands that lead to a decision.
    fn hands(&self, decision: usize) -> u64;

    /// Writes a decision's observation and action mask, and the EV of each legal action per unit staked. EVs of illegal
    /// actions are set to 0.
    ///
    /// # Errors
    /// Returns [`EnvError::Length`] if a slice has the wrong length.
    fn write(
        &self,
        decision: usize,
        observation: &mut [f32],
        mask: &mut [bool],
        evs: &mut [f32],
    ) -> Result<(), EnvError>;
}
