//! What a training is told.

use super::deals::MOST_DEALERS;
use crate::config::{MethodKind, Schedule, check_entropy, hash};
use crate::decisions::DecisionConfig;
use crate::network::NetworkConfig;
use serde::{Deserialize, Serialize};

/// One training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TrainConfig {
    /// The way to learn: all-action by default.
    pub method: MethodKind,
    /// Steps of the optimiser; the only thing that ends a training.
    pub steps: u64,
    /// Hands dealt for each step.
    pub batch_hands: usize,
    /// All-action: dealer hands over which the rewards of each hand are averaged, 1 to 22.
    pub dealers_per_hand: usize,
    /// Step size of Adam at the start; it falls to zero along half a cosine.
    pub learning_rate: f64,
    /// Gradients are scaled down to this norm.
    pub gradient_norm: f32,
    /// Policy gradient: weight of the policy's entropy at the start; it falls to zero in a straight line.
    pub entropy: f64,
    /// Size of each network: all-action has one for each decision, policy gradient one for all.
    pub network: NetworkConfig,
    /// Steps between two measurements of the agent.
    pub evaluate_every: u64,
    /// Steps between two checkpoints.
    pub checkpoint_every: u64,
}

impl Default for TrainConfig {
    fn default() -> TrainConfig {
        TrainConfig {
            method: MethodKind::AllAction,
            steps: 4_000,
            batch_hands: 2_048,
            dealers_per_hand: MOST_DEALERS,
            learning_rate: 3e-3,
            gradient_norm: 1.0,
            entropy: 0.02,
            network: NetworkConfig { width: 128, layers: 2 },
            evaluate_every: 1_000,
            checkpoint_every: 500,
        }
    }
}

impl TrainConfig {
    /// Says what cannot be trained with, and what to write instead.
    ///
    /// # Errors
    /// On a zero where something must be done, or a number out of its range.
    pub fn check(&self) -> Result<(), String> {
        if self.dealers_per_hand > MOST_DEALERS {
            return Err(format!("dealers-per-hand = {}: write {MOST_DEALERS} or less", self.dealers_per_hand));
        }
        let counts = [("batch-hands", self.batch_hands), ("dealers-per-hand", self.dealers_per_hand)];
        self.schedule().check(self.network, &counts)?;
        check_entropy(self.entropy)
    }

    pub(super) fn schedule(&self) -> Schedule {
        self.of_rounds().schedule()
    }

    /// The same for policy gradient, which plays whole rounds of the environment.
    pub(super) fn of_rounds(&self) -> DecisionConfig {
        DecisionConfig {
            method: self.method,
            steps: self.steps,
            batch_rounds: self.batch_hands,
            learning_rate: self.learning_rate,
            gradient_norm: self.gradient_norm,
            entropy: self.entropy,
            network: self.network,
            evaluate_every: self.evaluate_every,
            checkpoint_every: self.checkpoint_every,
        }
    }

    /// A name for everything that decides the weights: this configuration, the seed and the rules.
    pub fn hash(&self, seed: u64, rules: &str) -> String {
        hash(self, seed, rules)
    }
}
