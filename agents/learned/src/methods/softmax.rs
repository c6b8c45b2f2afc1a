//! Masked policies over the legal actions.

use burn::prelude::*;
use burn::tensor::activation;

/// The penalty subtracted from the scores of illegal actions. It makes their probability zero and ensures that they are
/// never the best action.
pub(super) const NEVER: f32 = 1e9;

/// Returns the log softmax over each decision's legal actions, with shape (decisions, places).
pub(super) fn log_softmax(scores: Tensor<2>, mask: &Tensor<2>) -> Tensor<2> {
    activation::log_softmax(scores + (mask.clone() - 1.0) * NEVER, 1)
}

/// Mixes the probabilities with a uniform distribution over the legal actions.
pub(super) fn explore(probabilities: Tensor<2>, mask: &Tensor<2>, exploration: f64) -> Tensor<2> {
    if exploration == 0.0 {
        return probabilities;
    }
    let uniform = mask.clone() / mask.clone().sum_dim(1);
    probabilities * (1.0 - exploration) + uniform * exploration
}

/// Returns the mean entropy of policies with the given log probabilities.
pub(super) fn entropy(log_policy: Tensor<2>, mask: &Tensor<2>) -> Tensor<1> {
    -(log_policy.clone().exp() * log_policy * mask.clone()).sum_dim(1).mean()
}
