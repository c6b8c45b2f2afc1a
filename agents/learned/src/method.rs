//! What methods of training have in common.

use crate::network::Scorer;
use burn::prelude::*;
use houseway_env::gym::{EnvError, StreamSeed, stream};
use rand_pcg::Pcg64;

/// Numbers by name.
pub type Named = Vec<(&'static str, f64)>;

/// What a method makes of one step's hands.
pub struct Loss {
    /// What the optimiser makes smaller; a tensor of one element.
    pub loss: Tensor<1>,
    /// Hands looked at.
    pub hands: u64,
    /// Numbers for the metrics.
    pub values: Named,
}

/// A way to learn from hands, for networks of one kind.
pub trait Method<N = Scorer> {
    /// The loss of the network on the hands of a step. What is dealt and drawn depends on the seed and the step alone, so a
    /// training can go on from any step.
    ///
    /// # Errors
    /// If the environment refuses what it is asked.
    fn loss(&mut self, network: &N, step: u64) -> Result<Loss, EnvError>;
}

/// The generator of a step of a training: a stream of its own for each.
pub(crate) fn step_stream(seed: u64, step: u64) -> Pcg64 {
    stream(StreamSeed { seed, lane: step })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    #[test]
    fn every_step_has_its_own_stream() {
        let first = |seed, step| step_stream(seed, step).next_u64();
        let drawn = [first(1, 0), first(1, 1), first(2, 0), first(2, 1)];
        assert!((0..4).all(|i| (0..i).all(|j| drawn[i] != drawn[j])));
        assert_eq!(first(1, 1), drawn[1]);
    }
}
