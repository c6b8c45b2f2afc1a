//! What a training of a game with a fixed list of actions is told.

use crate::config::{MethodKind, Schedule, check_entropy, hash};
use crate::network::NetworkConfig;
use serde::{Deserialize, Serialize};

/// One training; the words are those of [`TrainConfig`](crate::TrainConfig).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DecisionConfig {
    /// The way to learn.
    pub method: MethodKind,
    /// Steps of the optimiser; the only thing that ends a training.
    pub steps: u64,
    /// Rounds of each step.
    #[serde(default = "defaults::batch_rounds")]
    pub batch_rounds: usize,
    /// Step size of Adam at the start; it falls to zero along half a cosine.
    #[serde(default = "defaults::learning_rate")]
    pub learning_rate: f64,
    /// Gradients are scaled down to this norm.
    #[serde(default = "defaults::gradient_norm")]
    pub gradient_norm: f32,
    /// Policy gradient: weight of the policy's entropy at the start; it falls to zero in a straight line.
    #[serde(default = "defaults::entropy")]
    pub entropy: f64,
    /// Size of the network.
    #[serde(default = "defaults::network")]
    pub network: NetworkConfig,
    /// Steps between two measurements of the agent.
    #[serde(default = "defaults::evaluate_every")]
    pub evaluate_every: u64,
    /// Steps between two checkpoints.
    #[serde(default = "defaults::checkpoint_every")]
    pub checkpoint_every: u64,
}

mod defaults {
    use crate::network::NetworkConfig;

    pub(super) fn batch_rounds() -> usize {
        2048
    }
    pub(super) fn learning_rate() -> f64 {
        3e-3
    }
    pub(super) fn gradient_norm() -> f32 {
        1.0
    }
    pub(super) fn entropy() -> f64 {
        0.02
    }
    pub(super) fn network() -> NetworkConfig {
        NetworkConfig { width: 32, layers: 2 }
    }
    pub(super) fn evaluate_every() -> u64 {
        100
    }
    pub(super) fn checkpoint_every() -> u64 {
        1000
    }
}

impl DecisionConfig {
    /// A training of this many steps with everything else at its default.
    pub fn new(method: MethodKind, steps: u64) -> DecisionConfig {
        DecisionConfig {
            method,
            steps,
            batch_rounds: defaults::batch_rounds(),
            learning_rate: defaults::learning_rate(),
            gradient_norm: defaults::gradient_norm(),
            entropy: defaults::entropy(),
            network: defaults::network(),
            evaluate_every: defaults::evaluate_every(),
            checkpoint_every: defaults::checkpoint_every(),
        }
    }

    /// Says what cannot be trained with, and what to write instead.
    ///
    /// # Errors
    /// On a zero where something must be done, or a number out of its range.
    pub fn check(&self) -> Result<(), String> {
        self.schedule().check(self.network, &[("batch-rounds", self.batch_rounds)])?;
        check_entropy(self.entropy)
    }

    /// A name for everything that decides the weights, like [`TrainConfig::hash`](crate::TrainConfig::hash).
    pub fn hash(&self, seed: u64, setting: &str) -> String {
        hash(self, seed, setting)
    }

    pub(crate) fn schedule(&self) -> Schedule {
        Schedule {
            steps: self.steps,
            learning_rate: self.learning_rate,
            gradient_norm: self.gradient_norm,
            evaluate_every: self.evaluate_every,
            checkpoint_every: self.checkpoint_every,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_is_checked() {
        assert_eq!(DecisionConfig::new(MethodKind::AllAction, 10).check(), Ok(()));
        let broken = |change: fn(&mut DecisionConfig)| {
            let mut config = DecisionConfig::new(MethodKind::AllAction, 10);
            change(&mut config);
            config.check().unwrap_err()
        };
        assert!(broken(|c| c.batch_rounds = 0).contains("batch-rounds = 0"));
        assert!(broken(|c| c.learning_rate = f64::NAN).contains("learning-rate"));
        assert!(broken(|c| c.entropy = -0.1).contains("entropy"));
    }
}
