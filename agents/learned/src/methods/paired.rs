//! Policy gradient from paired rewards. For each decision, two actions are tried with the same cards, and only their
//! rewards are observed.
//!
//! Luck that is common to all actions cancels out of the difference between the two rewards. If both actions are drawn
//! independently from the policy, the difference between their rewards times the difference between the gradients of
//! their log probabilities, divided by two, is an unbiased estimate of the gradient of the expected reward. A pair of
//! identical actions contributes nothing. The second action is therefore drawn from the other actions, and the pair is
//! weighted by the probability of drawing a different action.

use super::policy_gradient::check_weight;
use super::prefetch::Prefetch;
use super::rollout::{draw, entropy, explore, log_softmax};
use crate::limits::{MAX_EXPLORATION, check};
use crate::methods::{Loss, Method, MethodParameters, Training};
use crate::metrics::DealTotals;
use crate::network::{Networks, matrix, number, to_vec};
use crate::sums::mean;
use crate::task::{Feedback, Regression, TaskError, step_stream};
use burn::prelude::*;
use burn::tensor::TensorData;
use houseway_env::gym::EnvError;
use rand::Rng;
use serde::{Deserialize, Serialize};

/// The parameters of the paired policy gradient.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Paired {
    /// The initial weight of the entropy bonus. It falls linearly to zero, either over all steps or until the next
    /// restart.
    pub entropy: f64,
    /// The fraction of actions drawn uniformly at random from the legal ones.
    pub exploration: f64,
}

impl Default for Paired {
    fn default() -> Paired {
        Paired { entropy: 0.02, exploration: 0.0 }
    }
}

impl MethodParameters for Paired {
    fn feedback(&self) -> Feedback {
        Feedback::Paired
    }

    fn check(&self) -> Result<(), String> {
        check("exploration", self.exploration, [0.0, MAX_EXPLORATION])?;
        check_weight("entropy", self.entropy)
    }

    fn start(&self, training: &Training<'_>) -> Result<Box<dyn Method>, TaskError> {
        Ok(Box::new(Running {
            batches: Prefetch::start(training, 1)?,
            parameters: self.clone(),
            seed: training.seed,
            device: training.device.clone(),
        }))
    }
}

struct Running {
    batches: Prefetch,
    parameters: Paired,
    seed: u64,
    device: Device,
}

impl Method for Running {
    fn loss(&mut self, networks: &Networks, step: u64, progress: f64, _: u64) -> Result<Loss, EnvError> {
        let batch = self.batches.next()?;
        // Use other streams than those for `seed` itself, because those deal the cards.
        let mut rng = step_stream(!self.seed, step);
        let entropy_weight = (self.parameters.entropy * (1.0 - progress)) as f32;
        let (mut rewards, mut entropies) = (0, vec![]);
        let losses = batch.regressions(networks, &self.device).into_iter().map(|regression| {
            let Gain { gain, entropy, pairs } = gain(regression, self.parameters.exploration, &mut rng);
            rewards += 2 * pairs;
            entropies.push(number(&entropy));
            -gain - entropy * entropy_weight
        });
        let loss = losses.reduce(|sum, loss| sum + loss).expect("a batch has a regression");
        let deals = DealTotals { rewards, ..batch.deals() };
        let entropy = entropies.iter().sum::<f64>() / entropies.len() as f64;
        Ok(Loss { loss, deals, values: vec![("entropy", entropy)] })
    }
}

/// The result of [`gain`].
struct Gain {
    /// A value whose gradient estimates the gradient of the mean reward.
    gain: Tensor<1>,
    /// The policy's entropy.
    entropy: Tensor<1>,
    /// The number of pairs with a weight.
    pairs: u64,
}

/// Draws a pair of actions for each decision.
fn gain(regression: Regression, exploration: f64, rng: &mut impl Rng) -> Gain {
    let Regression { predictions: scores, targets, mask, .. } = regression;
    let [decisions, places] = scores.dims();
    let mask = mask.unwrap_or_else(|| scores.ones_like());
    let log_softmax = log_softmax(scores, &mask);
    let policy = explore(log_softmax.clone().exp(), &mask, exploration);
    let (mut first, mut second, mut weights) = (vec![], vec![], vec![]);
    for row in to_vec(policy.clone().detach()).chunks_exact_mut(places) {
        let a = draw(row, rng);
        let rest: f32 = row.iter().enumerate().filter(|(place, _)| *place != a).map(|(_, other)| other).sum();
        row[a] = 0.0;
        // If no other action has a positive probability, the pair has zero weight.
        row.iter_mut().for_each(|other| *other /= rest.max(f32::MIN_POSITIVE));
        let b = draw(row, rng);
        first.push(a as i64);
        second.push(b as i64);
        weights.push(if row[b] > 0.0 { rest / 2.0 } else { 0.0 });
    }
    let device = policy.device();
    let pairs = weights.iter().filter(|&&weight| weight > 0.0).count() as u64;
    let weights = matrix(&weights, decisions, &device);
    let [first, second] =
        [first, second].map(|chosen| Tensor::<2, Int>::from_data(TensorData::new(chosen, [decisions, 1]), &device));
    // Zero probabilities have zero weight.
    let log_policy = policy.clamp_min(1e-30).log();
    let difference = |of: &Tensor<2>| of.clone().gather(1, first.clone()) - of.clone().gather(1, second.clone());
    let gain = mean(difference(&log_policy) * difference(&targets) * weights);
    Gain { gain, entropy: entropy(log_softmax, &mask), pairs }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::training_device;

    /// For a softmax, the gradient of the mean reward is `p (r - mean r)`.
    #[test]
    fn the_gradient_is_that_of_the_mean_reward() {
        let device = training_device();
        let mut rng = step_stream(3, 0);
        for exploration in [0.0, 0.3] {
            let (count, rewards, raw) = (200_000, [0.5f32, -1.0, 0.25, 9.0], [0.3f32, 0.8, -0.4, 2.0]);
            let repeat = |row: [f32; 4]| matrix(&row.repeat(count), count, &device);
            let one = matrix(&raw, 1, &device).require_grad();
            let predictions = one.clone().repeat_dim(0, count);
            let mask = Some(repeat([1.0, 1.0, 1.0, 0.0]));
            let regression = Regression { predictions, targets: repeat(rewards), mask, rewards: 0, clipped: None };
            let Gain { gain, entropy, pairs } = gain(regression, exploration, &mut rng);
            assert_eq!(pairs, count as u64);
            let found = to_vec(one.grad(&gain.backward()).unwrap());
            let total: f32 = raw[..3].iter().map(|score| score.exp()).sum();
            let policy: Vec<f32> = raw[..3].iter().map(|score| score.exp() / total).collect();
            let mean: f32 = policy.iter().zip(rewards).map(|(p, reward)| p * reward).sum();
            for place in 0..3 {
                let expected = (1.0 - exploration as f32) * policy[place] * (rewards[place] - mean);
                assert!((found[place] - expected).abs() < 0.004, "{place}: {} {expected}", found[place]);
            }
            assert_eq!(found[3], 0.0);
            let expected: f32 = -policy.iter().map(|p| p * p.ln()).sum::<f32>();
            assert!((entropy.into_scalar::<f32>() - expected).abs() < 1e-3);
        }
    }

    #[test]
    fn a_decision_with_one_possible_action_has_no_gradient() {
        let device = training_device();
        let scores = matrix(&[1.0, 2.0], 1, &device).require_grad();
        let mask = Some(matrix(&[0.0, 1.0], 1, &device));
        let regression = Regression {
            predictions: scores.clone(),
            targets: matrix(&[5.0, 3.0], 1, &device),
            mask,
            rewards: 2,
            clipped: None,
        };
        let Gain { gain, pairs, .. } = gain(regression, 0.0, &mut step_stream(1, 0));
        assert_eq!(pairs, 0);
        assert_eq!(to_vec(scores.grad(&gain.backward()).unwrap()), [0.0, 0.0]);
    }
}
