//! Limits on the values in a training configuration.
//!
//! The limits are meant to catch typos. A configuration within them may still be too large for a machine. Use
//! [`TrainConfig::cost`](crate::TrainConfig::cost) to estimate its cost before anything is allocated.

use std::fmt::Display;

/// The maximum of `steps`, `evaluate-every` and `checkpoint-every`. The minimum is 1, as for other numbers of things.
pub const MAX_STEPS: u64 = 1_000_000_000;
/// The maximum of `batch`, the number of deals per step.
pub const MAX_BATCH: usize = 1 << 20;
/// The maximum of `method.reward-samples` and `reward-samples`. Some games have fewer.
pub const MAX_REWARD_SAMPLES: usize = 10_000;
/// The minimum of `method.loss.scale` and `method.thinning.margin`.
pub const MIN_FOCUS: f64 = 1e-4;
/// The maximum of `method.loss.scale` and `method.thinning.margin`.
pub const MAX_FOCUS: f64 = 1e4;
/// The maximum of `method.entropy`, `method.value-weight` and `method.loss.entropy`. Every other term of the loss is lost in
/// rounding long before it.
pub const MAX_WEIGHT: f64 = 1e6;
/// The maximum of `method.exploration`, the fraction of random actions. Nothing could be learned if every action were
/// random.
pub const MAX_EXPLORATION: f64 = 0.95;
/// The maximum of `method.epochs`, the number of passes over the same episodes.
pub const MAX_EPOCHS: u64 = 100;
/// The maximum of `method.minibatches`, the number of gradient steps in an epoch.
pub const MAX_MINIBATCHES: u64 = 1024;
/// The maximum of `stages` for trees.
pub const MAX_STAGES: u64 = 10_000;
/// The maximum of `trees`, the number of trees per stage.
pub const MAX_TREES: usize = 10_000;
/// The maximum of `batch` for trees, the number of deals per stage. A hand has about five rows of 88 features, which take
/// about 5 kB.
pub const MAX_TREE_BATCH: usize = 1 << 18;
/// The maximum of `depth` for trees.
pub const MAX_DEPTH: usize = 24;
/// The maximum of `min-leaf` for trees.
pub const MAX_MIN_LEAF: u32 = 1 << 20;
/// The maximum of `ema`. The minimum is 0.
pub const MAX_EMA: f64 = 0.999_999;
/// The maximum of `network.width`.
pub const MAX_WIDTH: usize = 8_192;
/// The maximum of `network.layers`.
pub const MAX_LAYERS: usize = 64;
/// The minimum of `learning-rate`.
pub const MIN_LEARNING_RATE: f64 = 1e-9;
/// The maximum of `learning-rate`. Adam changes each weight by about this much per step.
pub const MAX_LEARNING_RATE: f64 = 1.0;
/// The minimum of `gradient-norm`.
pub const MIN_GRADIENT_NORM: f32 = 1e-6;
/// The maximum of `gradient-norm`.
pub const MAX_GRADIENT_NORM: f32 = 1e6;

/// The maximum of `optimizer.beta-1`, `beta-2`, `alpha` and `momentum`. The minimum is 0.
pub const MAX_DECAY: f64 = 0.999_999;
/// The minimum of `optimizer.epsilon`.
pub const MIN_EPSILON: f64 = 1e-12;
/// The maximum of `optimizer.epsilon`.
pub const MAX_EPSILON: f64 = 1.0;
/// The maximum of `optimizer.weight-decay`.
pub const MAX_WEIGHT_DECAY: f64 = 10.0;
/// The minimum of `method.critic-rate`.
pub const MIN_CRITIC_RATE: f64 = 1e-3;
/// The maximum of `method.critic-rate`.
pub const MAX_CRITIC_RATE: f64 = 1e3;

/// Returns `true` if a number should be omitted when serializing a configuration. Omitting zeros keeps the hashes of
/// configurations that are older than the key.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is that of serde")]
pub(crate) fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// Returns `true` if a number that is 1 by default should be omitted, which keeps the hashes of configurations that are
/// older than the key.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is that of serde")]
pub(crate) fn is_one(number: &f64) -> bool {
    *number == 1.0
}

/// Checks that a number is within limits.
pub(crate) fn check<T: PartialOrd + Display>(key: &str, value: T, [min, max]: [T; 2]) -> Result<(), String> {
    let limits = min..=max;
    match limits.contains(&value) {
        true => Ok(()),
        false => Err(format!("{key} = {value}: must be between {} and {}", limits.start(), limits.end())),
    }
}
