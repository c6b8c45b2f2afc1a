//! Policies over batches of observations.

/// A policy for a game with a fixed list of actions, evaluated on batches. Trained networks implement it and exact
/// evaluation uses it; both only need to agree on the name of the observation encoding.
pub trait Policy: Sync {
    /// Returns the policy's name in tables and plots.
    fn name(&self) -> &str;

    /// Returns the name of the observation encoding that the policy reads, as in environment configurations.
    fn encoding(&self) -> &str;

    /// Chooses a legal action for each row of a batch.
    ///
    /// `observations` and `masks` hold one observation and one action mask per row, concatenated row by row. The result
    /// has one action per row.
    fn choose(&self, observations: &[f32], masks: &[bool]) -> Vec<usize>;
}
