//! What a training is told: the part of a configuration file that decides the weights, to the byte.

use crate::network::NetworkConfig;
use houseway_env::pai_gow::Candidates;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A way to learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MethodKind {
    /// Regression on the rewards of all candidate settings of a deal.
    AllAction,
    /// Policy gradient on the reward of the one setting played, as the environment returns it.
    PolicyGradient,
}

impl MethodKind {
    /// The name in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            MethodKind::AllAction => "all-action",
            MethodKind::PolicyGradient => "policy-gradient",
        }
    }

    /// Outputs of the network: the score by which a setting is chosen, and its value where the method keeps the two apart.
    pub const fn outputs(self) -> usize {
        match self {
            MethodKind::AllAction => 1,
            MethodKind::PolicyGradient => 2,
        }
    }
}

/// Which settings of a hand a learned agent chooses among.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Among {
    /// The legal settings that no legal setting beats in one half and matches in the other; the rules alone tell.
    #[default]
    Contenders,
    /// All legal settings.
    Legal,
}

impl Among {
    /// The candidates among the settings of a hand, as bits 0 to 20; at least one.
    pub fn of(self, candidates: &Candidates) -> u32 {
        match self {
            Among::Contenders => candidates.contenders(),
            Among::Legal => candidates.legal(),
        }
    }
}

/// One training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TrainConfig {
    /// The way to learn.
    pub method: MethodKind,
    /// Steps of the optimiser; the only thing that ends a training.
    pub steps: u64,
    /// Hands of each step.
    #[serde(default = "defaults::batch_hands")]
    pub batch_hands: usize,
    /// All-action: banker hands against which each hand's rewards are averaged.
    #[serde(default = "defaults::bankers_per_hand")]
    pub bankers_per_hand: usize,
    /// Which settings are candidates.
    #[serde(default)]
    pub among: Among,
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
    #[serde(default)]
    pub network: NetworkConfig,
    /// Steps between two measurements of the agent.
    #[serde(default = "defaults::evaluate_every")]
    pub evaluate_every: u64,
    /// Steps between two checkpoints.
    #[serde(default = "defaults::checkpoint_every")]
    pub checkpoint_every: u64,
}

mod defaults {
    pub(super) fn batch_hands() -> usize {
        1024
    }
    pub(super) fn bankers_per_hand() -> usize {
        24
    }
    pub(super) fn learning_rate() -> f64 {
        2e-3
    }
    pub(super) fn gradient_norm() -> f32 {
        1.0
    }
    pub(super) fn entropy() -> f64 {
        0.02
    }
    pub(super) fn evaluate_every() -> u64 {
        250
    }
    pub(super) fn checkpoint_every() -> u64 {
        1000
    }
}

impl TrainConfig {
    /// A training of this many steps with everything else at its default.
    pub fn new(method: MethodKind, steps: u64) -> TrainConfig {
        TrainConfig {
            method,
            steps,
            batch_hands: defaults::batch_hands(),
            bankers_per_hand: defaults::bankers_per_hand(),
            among: Among::default(),
            learning_rate: defaults::learning_rate(),
            gradient_norm: defaults::gradient_norm(),
            entropy: defaults::entropy(),
            network: NetworkConfig::default(),
            evaluate_every: defaults::evaluate_every(),
            checkpoint_every: defaults::checkpoint_every(),
        }
    }

    /// Says what cannot be trained with, and what to write instead.
    ///
    /// # Errors
    /// On a zero where something must be done, or a number out of its range.
    pub fn check(&self) -> Result<(), String> {
        let counts = [("batch-hands", self.batch_hands), ("bankers-per-hand", self.bankers_per_hand)];
        self.schedule().check(self.network, &counts)?;
        check_entropy(self.entropy)
    }

    /// A name for everything that decides the weights: this configuration, the seed and the setting of the training (rules
    /// and banker). Checkpoints of another name are refused.
    pub fn hash(&self, seed: u64, setting: &str) -> String {
        hash(self, seed, setting)
    }

    /// What the loop goes by.
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

/// The part of a configuration that the loop goes by, whatever is learned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    pub(crate) steps: u64,
    pub(crate) learning_rate: f64,
    pub(crate) gradient_norm: f32,
    pub(crate) evaluate_every: u64,
    pub(crate) checkpoint_every: u64,
}

impl Schedule {
    /// Says what cannot be trained with, and what to write instead: by this schedule, with this network, and with further
    /// counts, by their names in the configuration, of which there must be some.
    pub(crate) fn check(&self, network: NetworkConfig, counts: &[(&str, usize)]) -> Result<(), String> {
        let own = [
            ("steps", self.steps),
            ("evaluate-every", self.evaluate_every),
            ("checkpoint-every", self.checkpoint_every),
            ("network.width", network.width as u64),
            ("network.layers", network.layers as u64),
        ];
        let counts = counts.iter().map(|&(name, count)| (name, count as u64));
        if let Some((name, _)) = own.into_iter().chain(counts).find(|&(_, value)| value == 0) {
            return Err(format!("{name} = 0: write 1 or more"));
        }
        let above_zero = [("learning-rate", self.learning_rate), ("gradient-norm", f64::from(self.gradient_norm))];
        match above_zero.iter().find(|(_, value)| !(value.is_finite() && *value > 0.0)) {
            Some((name, value)) => Err(format!("{name} = {value}: write a number above 0")),
            None => Ok(()),
        }
    }
}

/// Says what is wrong with the weight of a policy's entropy.
pub(crate) fn check_entropy(entropy: f64) -> Result<(), String> {
    match entropy.is_finite() && entropy >= 0.0 {
        true => Ok(()),
        false => Err(format!("entropy = {entropy}: write 0 or a number above it")),
    }
}

/// A name for a configuration with a seed and a setting.
pub(crate) fn hash(config: &impl Serialize, seed: u64, setting: &str) -> String {
    let json = serde_json::to_string(&(config, seed, setting)).expect("a configuration is plain data");
    Sha256::digest(json)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_is_checked() {
        assert_eq!(TrainConfig::new(MethodKind::AllAction, 10).check(), Ok(()));
        let broken = |change: fn(&mut TrainConfig)| {
            let mut config = TrainConfig::new(MethodKind::AllAction, 10);
            change(&mut config);
            config.check().unwrap_err()
        };
        assert!(broken(|c| c.steps = 0).contains("steps = 0"));
        assert!(broken(|c| c.network.layers = 0).contains("network.layers"));
        assert!(broken(|c| c.learning_rate = f64::NAN).contains("learning-rate"));
        assert!(broken(|c| c.gradient_norm = -1.0).contains("gradient-norm"));
        assert!(broken(|c| c.entropy = -0.1).contains("entropy"));
    }

    #[test]
    fn the_hash_names_what_decides_the_weights() {
        let config = TrainConfig::new(MethodKind::AllAction, 10);
        let mut longer = config.clone();
        longer.steps = 11;
        let hashes = [config.hash(1, "a"), config.hash(2, "a"), config.hash(1, "b"), longer.hash(1, "a")];
        assert!((0..4).all(|i| (0..i).all(|j| hashes[i] != hashes[j])));
        assert_eq!(config.hash(1, "a"), hashes[0]);
    }
}
