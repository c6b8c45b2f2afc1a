//! Masked policies over the legal actions.

use crate::sums::{self, mean, row_sums};
use burn::prelude::*;

/// The penalty subtracted from the scores of illegal actions. It makes their probability zero and ensures that they are
/// never the best action.
pub(super) const NEVER: f32 = 1e9;

/// Returns the log softmax over each decision's legal actions, with shape (decisions, places).
pub(super) fn log_softmax(scores: Tensor<2>, mask: &Tensor<2>) -> Tensor<2> {
    sums::log_softmax(scores + (mask.clone() - 1.0) * NEVER)
}

/// A softmax over the legal actions, which may be mixed with random exploration.
pub(super) struct Softmax {
    /// The logarithm of the softmax.
    log_softmax: Tensor<2>,
    /// The softmax mixed with random exploration.
    policy: Tensor<2>,
    mask: Tensor<2>,
    exploration: f64,
}

impl Softmax {
    /// Creates the policy for a batch of decisions.
    pub(super) fn new(scores: Tensor<2>, mask: Tensor<2>, exploration: f64) -> Softmax {
        let log_softmax = log_softmax(scores, &mask);
        let policy = explore(log_softmax.clone().exp(), &mask, exploration);
        Softmax { log_softmax, policy, mask, exploration }
    }

    /// Returns the probabilities of the actions, with shape (decisions, places).
    pub(super) fn policy(&self) -> Tensor<2> {
        self.policy.clone()
    }

    /// Returns the logarithms of the probabilities of the chosen actions, with shape (decisions, 1).
    pub(super) fn log_policy(&self, chosen: Tensor<2, Int>) -> Tensor<2> {
        match self.exploration {
            // The logarithm of a probability that rounds to zero would be infinite.
            0.0 => self.log_softmax.clone().gather(1, chosen),
            _ => self.policy().gather(1, chosen).log(),
        }
    }

    /// Returns the mean entropy of the softmax itself, without exploration.
    pub(super) fn entropy(&self) -> Tensor<1> {
        entropy(self.log_softmax.clone(), &self.mask)
    }
}

/// Mixes the probabilities with a uniform distribution over the legal actions.
pub(super) fn explore(probabilities: Tensor<2>, mask: &Tensor<2>, exploration: f64) -> Tensor<2> {
    if exploration == 0.0 {
        return probabilities;
    }
    let uniform = mask.clone() / row_sums(mask.clone());
    probabilities * (1.0 - exploration) + uniform * exploration
}

/// Returns the mean entropy of policies with the given log probabilities.
pub(super) fn entropy(log_policy: Tensor<2>, mask: &Tensor<2>) -> Tensor<1> {
    -mean(row_sums(log_policy.clone().exp() * log_policy * mask.clone()))
}
