//! Policies over batches of observations.

/// A policy for a game with a fixed list of actions, evaluated on batches. Trained networks implement it, and exact
/// evaluation reads it: both need only the name of the observation encoding to agree.
pub trait Policy: Sync {
    /// Name of the policy in tables and plots.
    fn name(&self) -> &str;

    /// Name of the observation encoding that the policy reads, as the environment's configuration spells it.
    fn encoding(&self) -> &str;

    /// Chooses a legal action for each row of a batch.
    ///
    /// `observations` holds one observation after the other and `masks` one action mask after the other, both row by row
    /// and for the same rows; the result has one action per row.
    fn choose(&self, observations: &[f32], masks: &[bool]) -> Vec<usize>;
}
