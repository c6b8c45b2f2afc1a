//! Policies that choose actions for batches of observations.

/// A policy for a game with a fixed set of actions. Trained networks implement this trait, and exact evaluation uses
/// it. They only need to agree on the name of the observation encoding.
pub trait Policy: Sync {
    /// Returns the policy's name for tables and plots.
    fn name(&self) -> &str;

    /// Returns the name of the observation encoding that the policy expects, as used in environment configurations.
    fn encoding(&self) -> &str;

    /// Chooses a legal action for each row of a batch.
    ///
    /// `observations` and `masks` contain one observation and one action mask per row, stored contiguously. The result
    /// has one action per row.
    fn choose(&self, observations: &[f32], masks: &[bool]) -> Vec<usize>;
}
