//! Policies over the legal actions of decisions.

use burn::prelude::*;
use burn::tensor::activation;

/// Penalty subtracted from the scores of illegal actions, so that their probability is zero and they are never the
/// best.
pub(super) const NEVER: f32 = 1e9;

/// Returns the logarithms of the softmax over the legal actions of each decision, of shape (decisions, places).
pub(super) fn log_softmax(scores: Tensor<2>, mask: &Tensor<2>) -> Tensor<2> {
    activation::log_softmax(scores + (mask.clone() - 1.0) * NEVER, 1)
}

/// Mixes probabilities with the uniform distribution over legal actions.
pub(super) fn explore(probabilities: Tensor<2>, mask: &Tensor<2>, exploration: f64) -> Tensor<2> {
    if exploration == 0.0 {
        return probabilities;
    }
    let uniform = mask.clone() / mask.clone().sum_dim(1);
    probabilities * (1.0 - exploration) + uniform * exploration
}

/// Returns the mean entropy of the policies with these log probabilities.
pub(super) fn entropy(log_policy: Tensor<2>, mask: &Tensor<2>) -> Tensor<1> {
    -(log_policy.clone().exp() * log_policy * mask.clone()).sum_dim(1).mean()
}
