//! Fits ensembles of regression trees, as a baseline for networks.
//!
//! [`fit_trees`] learns the values of actions from the same rewards as all-action regression. It works in stages: each
//! stage draws a new batch of deals and adds trees that predict what the earlier stages get wrong on it. Only
//! differences between the actions of a decision count. The trees are grown by the crate `forust-ml`, which implements
//! gradient boosting as in Chen and Guestrin, *XGBoost: A Scalable Tree Boosting System* (2016).

mod fit;

pub use fit::{FittedTrees, fit_trees, has_checkpoint};

use crate::limits::{self, check};
use crate::task::Feedback;
use houseway_env::seal::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The complete configuration of an ensemble of trees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TreesConfig {
    /// The number of stages. Each one draws new deals.
    pub stages: u64,
    /// The number of trees added by each stage.
    pub trees: usize,
    /// The number of deals (hands, rounds or situations) per stage.
    pub batch: usize,
    /// The number of times the unseen cards are dealt to average the rewards for a decision.
    pub reward_samples: usize,
    /// The maximum depth of a tree.
    pub depth: usize,
    /// The minimum number of rows in a leaf.
    pub min_leaf: u32,
    /// The factor by which the values of the first trees are multiplied. It falls to zero along half a cosine over all
    /// stages, so that the noise of the rewards averages out.
    pub learning_rate: f64,
}

impl Default for TreesConfig {
    fn default() -> TreesConfig {
        TreesConfig {
            stages: 10,
            trees: 30,
            batch: 32_768,
            reward_samples: 1,
            depth: 8,
            min_leaf: 50,
            learning_rate: 0.1,
        }
    }
}

impl TreesConfig {
    /// Checks that all values are in range.
    ///
    /// # Errors
    /// Returns an error naming the key and the allowed range if a number is out of range.
    pub fn check(&self) -> Result<(), String> {
        check("stages", self.stages, [1, limits::MAX_STAGES])?;
        check("trees", self.trees, [1, limits::MAX_TREES])?;
        check("batch", self.batch, [1, limits::MAX_TREE_BATCH])?;
        check("reward-samples", self.reward_samples, [1, limits::MAX_REWARD_SAMPLES])?;
        check("depth", self.depth, [1, limits::MAX_DEPTH])?;
        check("min-leaf", self.min_leaf, [1, limits::MAX_MIN_LEAF])?;
        check("learning-rate", self.learning_rate, [limits::MIN_LEARNING_RATE, limits::MAX_LEARNING_RATE])
    }

    /// Returns the feedback that the trees learn from.
    pub const fn feedback(&self) -> Feedback {
        if self.reward_samples > 1 { Feedback::Redealing } else { Feedback::FullInformation }
    }

    /// Returns a hash of everything that determines the trees: this configuration, the seed and the task.
    pub fn hash(&self, seed: u64, task: &str) -> String {
        let json = serde_json::to_string(&("trees", self, seed, task)).expect("a configuration is plain data");
        hex(&Sha256::digest(json)[..8])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_named() {
        let good = TreesConfig::default();
        assert_eq!(good.check(), Ok(()));
        for (broken, part) in [
            (TreesConfig { stages: 0, ..good.clone() }, "stages = 0: must be between 1 and"),
            (TreesConfig { trees: 0, ..good.clone() }, "trees = 0"),
            (TreesConfig { batch: 1 << 30, ..good.clone() }, "batch = 1073741824"),
            (TreesConfig { reward_samples: 0, ..good.clone() }, "reward-samples = 0"),
            (TreesConfig { depth: 99, ..good.clone() }, "depth = 99: must be between 1 and 24"),
            (TreesConfig { min_leaf: 0, ..good.clone() }, "min-leaf = 0"),
            (TreesConfig { learning_rate: f64::NAN, ..good.clone() }, "learning-rate = NaN"),
        ] {
            let error = broken.check().unwrap_err();
            assert!(error.contains(part), "{error}");
        }
        assert_ne!(good.hash(1, "a"), good.hash(2, "a"));
        assert_ne!(good.hash(1, "a"), TreesConfig { depth: 7, ..good.clone() }.hash(1, "a"));
    }
}
