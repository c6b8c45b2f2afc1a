//! Limits of a training configuration.
//!
//! | key | from | to |
//! |---|---|---|
//! | `steps`, `evaluate-every`, `checkpoint-every` | 1 | [`MAX_STEPS`] |
//! | `batch` | 1 | [`MAX_BATCH`] |
//! | `method.reward-samples` | 1 | [`MAX_REWARD_SAMPLES`], or fewer if the game has fewer |
//! | `method.loss.scale` | [`MIN_FOCUS`] | [`MAX_FOCUS`] |
//! | `method.exploration` | 0 | [`MAX_EXPLORATION`] |
//! | `method.epochs` | 1 | [`MAX_EPOCHS`] |
//! | `ema` | 0 | [`MAX_EMA`] |
//! | `network.width` | 1 | [`MAX_WIDTH`] |
//! | `network.layers` | 1 | [`MAX_LAYERS`] |
//! | `learning-rate` | [`MIN_LEARNING_RATE`] | [`MAX_LEARNING_RATE`] |
//! | `gradient-norm` | [`MIN_GRADIENT_NORM`] | [`MAX_GRADIENT_NORM`] |
//!
//! The limits are meant to catch typos. A configuration within them may still be too large for a machine, which
//! [`TrainConfig::cost`](crate::TrainConfig::cost) can estimate before anything is allocated.

use std::fmt::Display;

/// Maximum number of training steps.
pub const MAX_STEPS: u64 = 1_000_000_000;
/// Maximum number of deals per step.
pub const MAX_BATCH: usize = 1 << 20;
/// Maximum number of samples over which a reward is averaged.
pub const MAX_REWARD_SAMPLES: usize = 10_000;
/// Minimum scale of a focused loss.
pub const MIN_FOCUS: f64 = 1e-4;
/// Maximum scale of a focused loss.
pub const MAX_FOCUS: f64 = 1e4;
/// Maximum fraction of actions drawn at random. If all actions were random, nothing could be learned.
pub const MAX_EXPLORATION: f64 = 0.95;
/// Maximum number of gradient steps on the same episodes.
pub const MAX_EPOCHS: u64 = 100;
/// Maximum decay of averaged weights.
pub const MAX_EMA: f64 = 0.999_999;
/// Maximum number of units in a hidden layer.
pub const MAX_WIDTH: usize = 8_192;
/// Maximum number of hidden layers.
pub const MAX_LAYERS: usize = 64;
/// Minimum learning rate.
pub const MIN_LEARNING_RATE: f64 = 1e-9;
/// Maximum learning rate. Adam changes every weight by about this much per step.
pub const MAX_LEARNING_RATE: f64 = 1.0;
/// Minimum gradient norm.
pub const MIN_GRADIENT_NORM: f32 = 1e-6;
/// Maximum gradient norm.
pub const MAX_GRADIENT_NORM: f32 = 1e6;

/// Returns `true` for a number that is omitted from serialized configurations, so that configurations older than its
/// key keep their hash.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is that of serde")]
pub(crate) fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// Checks that a number lies within limits.
pub(crate) fn check<T: PartialOrd + Display>(key: &str, value: T, [min, max]: [T; 2]) -> Result<(), String> {
    let limits = min..=max;
    match limits.contains(&value) {
        true => Ok(()),
        false => Err(format!("{key} = {value}: write {} to {}", limits.start(), limits.end())),
    }
}
