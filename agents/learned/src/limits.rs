//! Limits on the values in a training configuration.
//!
//! | key | from | to |
//! |---|---|---|
//! | `steps`, `evaluate-every`, `checkpoint-every` | 1 | [`MAX_STEPS`] |
//! | `batch` | 1 | [`MAX_BATCH`] |
//! | `method.reward-samples` | 1 | [`MAX_REWARD_SAMPLES`], or fewer if the game has fewer |
//! | `method.loss.scale` | [`MIN_FOCUS`] | [`MAX_FOCUS`] |
//! | `method.thinning.margin` | [`MIN_FOCUS`] | [`MAX_FOCUS`] |
//! | `method.thinning.keep` | 0 | 1 |
//! | `method.exploration` | 0 | [`MAX_EXPLORATION`] |
//! | `method.epochs` | 1 | [`MAX_EPOCHS`] |
//! | `method.critic-rate` | [`MIN_CRITIC_RATE`] | [`MAX_CRITIC_RATE`] |
//! | `ema` | 0 | [`MAX_EMA`] |
//! | `network.width` | 1 | [`MAX_WIDTH`] |
//! | `network.layers` | 1 | [`MAX_LAYERS`] |
//! | `learning-rate` | [`MIN_LEARNING_RATE`] | [`MAX_LEARNING_RATE`] |
//! | `gradient-norm` | [`MIN_GRADIENT_NORM`] | [`MAX_GRADIENT_NORM`] |
//! | `optimizer.beta-1`, `optimizer.beta-2`, `optimizer.alpha`, `optimizer.momentum` | 0 | [`MAX_DECAY`] |
//! | `optimizer.epsilon` | [`MIN_EPSILON`] | [`MAX_EPSILON`] |
//! | `optimizer.weight-decay` | 0 | [`MAX_WEIGHT_DECAY`] |
//! | `schedule.warmup` | 0 | one less than the steps until the next restart |
//!
//! In the configuration of an [ensemble of trees](crate::trees::TreesConfig):
//!
//! | key | from | to |
//! |---|---|---|
//! | `stages` | 1 | [`MAX_STAGES`] |
//! | `trees` | 1 | [`MAX_TREES`] |
//! | `batch` | 1 | [`MAX_TREE_BATCH`] |
//! | `depth` | 1 | [`MAX_DEPTH`] |
//! | `min-leaf` | 1 | [`MAX_MIN_LEAF`] |
//!
//! The limits are meant to catch typos. A configuration within them may still be too large for a machine. Use
//! [`TrainConfig::cost`](crate::TrainConfig::cost) to estimate its cost before anything is allocated.

use std::fmt::Display;

/// The maximum number of training steps.
pub const MAX_STEPS: u64 = 1_000_000_000;
/// The maximum number of deals per step.
pub const MAX_BATCH: usize = 1 << 20;
/// The maximum number of samples averaged for a reward.
pub const MAX_REWARD_SAMPLES: usize = 10_000;
/// The minimum scale of a focused loss.
pub const MIN_FOCUS: f64 = 1e-4;
/// The maximum scale of a focused loss.
pub const MAX_FOCUS: f64 = 1e4;
/// The maximum fraction of random actions. Nothing could be learned if every action were random.
pub const MAX_EXPLORATION: f64 = 0.95;
/// The maximum number of gradient steps on the same episodes.
pub const MAX_EPOCHS: u64 = 100;
/// The maximum number of stages in which trees are fitted.
pub const MAX_STAGES: u64 = 10_000;
/// The maximum number of trees per stage.
pub const MAX_TREES: usize = 10_000;
/// The maximum number of deals per stage. A hand has about five rows of 88 features, which take about 5 kB.
pub const MAX_TREE_BATCH: usize = 1 << 18;
/// The maximum depth of a tree.
pub const MAX_DEPTH: usize = 24;
/// The maximum value of `min-leaf`.
pub const MAX_MIN_LEAF: u32 = 1 << 20;
/// The maximum decay of averaged weights.
pub const MAX_EMA: f64 = 0.999_999;
/// The maximum number of units in a hidden layer.
pub const MAX_WIDTH: usize = 8_192;
/// The maximum number of hidden layers.
pub const MAX_LAYERS: usize = 64;
/// The minimum learning rate.
pub const MIN_LEARNING_RATE: f64 = 1e-9;
/// The maximum learning rate. Adam changes each weight by about this much per step.
pub const MAX_LEARNING_RATE: f64 = 1.0;
/// The minimum gradient norm.
pub const MIN_GRADIENT_NORM: f32 = 1e-6;
/// The maximum gradient norm.
pub const MAX_GRADIENT_NORM: f32 = 1e6;

/// The maximum decay per step of the sums and means that an optimizer keeps.
pub const MAX_DECAY: f64 = 0.999_999;
/// The minimum number added to an optimizer's denominator.
pub const MIN_EPSILON: f64 = 1e-12;
/// The maximum number added to an optimizer's denominator.
pub const MAX_EPSILON: f64 = 1.0;
/// The maximum weight decay.
pub const MAX_WEIGHT_DECAY: f64 = 10.0;
/// The minimum learning rate of a critic, as a multiple of the actor's.
pub const MIN_CRITIC_RATE: f64 = 1e-3;
/// The maximum learning rate of a critic, as a multiple of the actor's.
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
