//! Regression on bandit rewards, also called Q regression. The networks learn the value of each action from the results
//! of the actions played, and the agent plays the action with the highest value.
//!
//! Actions that are never played teach nothing, so actions are drawn with one of two [`Exploration`] rules. An action's
//! value is the sum of the rewards until the end of the episode, assuming the same rule is followed afterwards.

use super::policy_gradient::check_weight;
use super::rollout::{Batch, Behaviour, NEVER, Playing, entropy, explore, log_softmax};
use crate::decisions::DecisionTensors;
use crate::limits::{MAX_EXPLORATION, MAX_FOCUS, MIN_FOCUS, check};
use crate::methods::{Loss, Method, MethodParameters, Training};
use crate::model::ScoreKind;
use crate::network::Networks;
use crate::sums::{mean, row_sums, subtract, total};
use crate::task::{Regression, TaskError};
use burn::prelude::*;
use houseway_env::gym::EnvError;
use serde::{Deserialize, Serialize};

/// The parameters of bandit regression.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct BanditRegression {
    /// The exploration rule.
    pub exploration: Exploration,
}

/// A rule for drawing actions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", deny_unknown_fields, rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Exploration {
    /// Draws any legal action with probability `epsilon`, and otherwise plays the action with the highest value. Ties
    /// go to the first action.
    EpsilonGreedy {
        /// The fraction of actions drawn uniformly at random.
        epsilon: f64,
    },
    /// Draws from a softmax over the values divided by `temperature`.
    Boltzmann {
        /// The difference in value that changes the probability by a factor of e, in the same unit as the rewards.
        temperature: f64,
    },
}

impl Default for Exploration {
    fn default() -> Exploration {
        Exploration::EpsilonGreedy { epsilon: 0.2 }
    }
}

impl MethodParameters for BanditRegression {
    fn score_kind(&self) -> ScoreKind {
        ScoreKind::Values
    }

    fn check(&self) -> Result<(), String> {
        match self.exploration {
            Exploration::EpsilonGreedy { epsilon } => check("exploration.epsilon", epsilon, [0.0, MAX_EXPLORATION]),
            Exploration::Boltzmann { temperature } => {
                check("exploration.temperature", temperature, [MIN_FOCUS, MAX_FOCUS])
            }
        }
    }

    fn start(&self, training: &Training<'_>) -> Result<Box<dyn Method>, TaskError> {
        Ok(Box::new(Playing::start(training, &self.exploration)?))
    }
}

/// The action values for a batch of decisions.
pub(super) struct Values {
    values: Tensor<2>,
    mask: Tensor<2>,
}

impl Behaviour for Exploration {
    type Outputs = Values;

    fn outputs(&self, networks: &Networks, tensors: DecisionTensors) -> Values {
        let [values] = tensors.outputs(&networks.parts[0]);
        Values { values, mask: tensors.mask }
    }

    fn policy(&self, Values { values, mask }: &Values) -> Tensor<2> {
        let values = values.clone().detach();
        match *self {
            Exploration::EpsilonGreedy { epsilon } => {
                let best = (values + (mask.clone() - 1.0) * NEVER).argmax(1);
                let greedy = best.one_hot::<3>(mask.dims()[1]).reshape(mask.dims()).float();
                explore(greedy, mask, epsilon)
            }
            Exploration::Boltzmann { temperature } => log_softmax(values / temperature, mask).exp(),
        }
    }
}

impl Method for Playing<Exploration> {
    fn loss(&mut self, networks: &Networks, step: u64, _: f64, _: u64) -> Result<Loss, EnvError> {
        let Batch { outputs, chosen, returns, reward, deals } = self.rollout.batch(&self.parameters, networks, step)?;
        let loss = mean((outputs.values.gather(1, chosen) - returns).powi_scalar(2));
        Ok(Loss { loss, deals, values: vec![("reward", reward)] })
    }
}

/// The loss for a regression.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", deny_unknown_fields, rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum RegressionLoss {
    /// The mean squared error over all actions.
    SquaredError,
    /// For each decision, the squared errors of the differences between actions (each error minus the decision's mean
    /// error), plus the squared mean error. Only the differences affect a choice, and luck common to all actions
    /// cancels out of them. Without the mean error term, the outputs would rank the actions but would not be their
    /// values.
    Differences {
        /// The weight of the squared mean error.
        value_weight: f32,
    },
    /// Like `differences`, but an action has the weight `exp((score - best score) / scale)` or `floor`, whichever is
    /// greater. The scores are the network's own outputs, treated as constants. Choices depend on the few actions that
    /// are nearly as good as the best one, and these weights make the network most accurate there.
    ///
    /// If a regression has a single place, its output is the advantage of one action over another. Its squared error
    /// has the weight `exp(-|output| / scale)` or `floor`, and `value-weight` has no effect.
    Focused {
        /// The weight of the squared mean error.
        value_weight: f64,
        /// The distance from the best score at which the weight is `1/e`, in the same unit as the rewards.
        #[serde(default = "default_scale")]
        scale: f64,
        /// The minimum weight. This keeps every score reasonably accurate.
        #[serde(default = "default_floor")]
        floor: f64,
        /// The number of steps before these weights are used. Until then, the scores are not yet meaningful, so every
        /// action has the weight 1.
        #[serde(default = "default_from_step")]
        from_step: u64,
    },
    /// The negated mean reward of the softmax over the scores, less an entropy bonus. It is no regression, but the
    /// objective of `policy-gradient` and `paired`, which estimate its gradient from one and two rewards. The scores
    /// become preferences instead of values.
    ///
    /// If a regression has a single place, its output is the preference for one action over another.
    ExpectedReward {
        /// The initial weight of the entropy bonus. It falls linearly to zero, either over all steps or until the next
        /// restart.
        entropy: f64,
    },
}

const fn default_scale() -> f64 {
    0.05
}

const fn default_floor() -> f64 {
    0.02
}

const fn default_from_step() -> u64 {
    200
}

impl RegressionLoss {
    /// Checks that all parameters are in range.
    pub(super) fn check(self) -> Result<(), String> {
        let (value_weight, [scale, floor]) = match self {
            RegressionLoss::SquaredError => return Ok(()),
            RegressionLoss::ExpectedReward { entropy } => return check_weight("entropy", entropy),
            RegressionLoss::Differences { value_weight } => (value_weight.into(), [default_scale(), default_floor()]),
            RegressionLoss::Focused { value_weight, scale, floor, .. } => (value_weight, [scale, floor]),
        };
        check_weight("value-weight", value_weight)?;
        check("scale", scale, [MIN_FOCUS, MAX_FOCUS])?;
        check("floor", floor, [0.0, 1.0])
    }

    /// Returns the meaning of the scores that minimize the loss.
    pub(super) const fn score_kind(self) -> ScoreKind {
        match self {
            RegressionLoss::ExpectedReward { .. } => ScoreKind::Preferences,
            _ => ScoreKind::Values,
        }
    }

    /// Computes the loss at a step. `progress` is the fraction of the schedule's cycle completed before it.
    pub(super) fn compute(self, regression: Regression, step: u64, progress: f64) -> Tensor<1> {
        let Regression { predictions, targets, mask, .. } = regression;
        let scores = predictions.clone().detach();
        let errors = predictions.clone() - targets.clone();
        match (self, mask) {
            (RegressionLoss::ExpectedReward { entropy }, mask) => {
                let weight = entropy * (1.0 - progress);
                negated_expectation(predictions, targets, mask, weight)
            }
            (RegressionLoss::SquaredError, None) => mean(errors.powi_scalar(2)),
            (RegressionLoss::SquaredError, Some(mask)) => total((errors * mask.clone()).powi_scalar(2)) / total(mask),
            (RegressionLoss::Differences { value_weight }, mask) => {
                let mask = mask.unwrap_or_else(|| errors.ones_like());
                let [decisions, _] = errors.dims();
                let errors = errors * mask.clone();
                let means = row_sums(errors.clone()) / row_sums(mask.clone());
                let differences = total((subtract(errors, means.clone()) * mask).powi_scalar(2)) / decisions as f32;
                differences + mean(means.powi_scalar(2)) * value_weight
            }
            (RegressionLoss::Focused { scale, floor, from_step, .. }, None) if errors.dims()[1] == 1 => {
                let floor = if step < from_step { 1.0 } else { floor };
                let weights = (scores.abs() / -scale).exp().clamp_min(floor);
                mean(errors.powi_scalar(2) * weights)
            }
            (RegressionLoss::Focused { value_weight, from_step, .. }, mask) if step < from_step => {
                let regression =
                    Regression { predictions: errors, targets: scores.zeros_like(), mask, rewards: 0, clipped: None };
                RegressionLoss::Differences { value_weight: value_weight as f32 }.compute(regression, step, progress)
            }
            (RegressionLoss::Focused { value_weight, scale, floor, .. }, mask) => {
                let mask = mask.unwrap_or_else(|| errors.ones_like());
                let [decisions, _] = errors.dims();
                let best = (scores.clone() + (mask.clone() - 1.0) * NEVER).max_dim(1);
                let weights = ((scores - best) / scale).clamp_max(0.0).exp().clamp_min(floor) * mask;
                let means = row_sums(errors.clone() * weights.clone()) / row_sums(weights.clone());
                let differences = total(subtract(errors, means.clone()).powi_scalar(2) * weights) / decisions as f32;
                differences + mean(means.powi_scalar(2)) * value_weight
            }
        }
    }
}

/// Returns the negated mean reward of the softmax over the scores, less the weighted entropy.
fn negated_expectation(scores: Tensor<2>, rewards: Tensor<2>, mask: Option<Tensor<2>>, weight: f64) -> Tensor<1> {
    // The other action of a single place has a preference and an advantage of zero.
    let both = |values: Tensor<2>| match values.dims()[1] {
        1 => Tensor::cat(vec![values.zeros_like(), values], 1),
        _ => values,
    };
    let (scores, rewards) = (both(scores), both(rewards));
    let mask = mask.unwrap_or_else(|| scores.ones_like());
    let log_policy = log_softmax(scores, &mask);
    let reward = mean(row_sums(log_policy.clone().exp() * rewards * mask.clone()));
    -reward - entropy(log_policy, &mask) * weight
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::training_device;
    use crate::network::{matrix, to_vec};

    #[test]
    fn actions_are_drawn_by_their_values() {
        let device = Device::flex();
        let policy = |exploration: Exploration| {
            let [values, mask] =
                [[1.0, 3.0, 9.0, 2.0, 2.0, 1.0], [1.0, 1.0, 0.0, 1.0, 1.0, 1.0]].map(|rows| matrix(&rows, 2, &device));
            to_vec(exploration.policy(&Values { values, mask }))
        };
        let near = |found: Vec<f32>, expected: [f32; 6]| {
            assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-6), "{found:?}");
        };
        near(policy(Exploration::EpsilonGreedy { epsilon: 0.0 }), [0.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
        near(policy(Exploration::EpsilonGreedy { epsilon: 0.3 }), [0.15, 0.85, 0.0, 0.8, 0.1, 0.1]);
        let odds = 1f32.exp();
        let [two, three] = [1.0 / (1.0 + odds), 1.0 / (2.0 * odds.sqrt() + 1.0)];
        near(
            policy(Exploration::Boltzmann { temperature: 2.0 }),
            [two, odds * two, 0.0, odds.sqrt() * three, odds.sqrt() * three, three],
        );
    }

    fn loss(loss: RegressionLoss, masked: bool) -> f32 {
        let device = Device::flex();
        let [predictions, targets, mask] = [[1.0, 2.0, 9.0, 4.0], [0.0, 0.0, 0.0, 2.0], [1.0, 1.0, 0.0, 1.0]]
            .map(|values| matrix(&values, 2, &device));
        loss.compute(
            Regression { predictions, targets, mask: masked.then_some(mask), rewards: 0, clipped: None },
            5,
            0.0,
        )
        .into_scalar()
    }

    #[test]
    fn masked_actions_do_not_count() {
        assert_eq!(loss(RegressionLoss::SquaredError, true), 3.0);
        assert_eq!(loss(RegressionLoss::SquaredError, false), 22.5);
        // In the first decision, the errors 1 and 2 both differ from their mean by a half. The second decision has one
        // action.
        let differences = |value_weight| loss(RegressionLoss::Differences { value_weight }, true);
        assert_eq!(differences(0.0), (0.25 + 0.25) / 2.0);
        assert_eq!(differences(2.0), 0.25 + 2.0 * (1.5f32 * 1.5 + 4.0) / 2.0);
    }

    #[test]
    fn the_weights_of_a_focused_loss_fall_with_the_distance_from_the_best_score() {
        let focused = |value_weight, scale, floor, from_step, masked| {
            f64::from(loss(RegressionLoss::Focused { value_weight, scale, floor, from_step }, masked))
        };
        // The first decision's errors are 1 and 2, and its scores differ by 1. The second decision has one action with
        // error 2.
        for (scale, floor) in [(1.0f64, 0.0), (0.25, 0.02), (0.1, 0.02)] {
            let weight = (-1.0 / scale).exp().max(floor);
            let mean = (weight + 2.0) / (weight + 1.0);
            let differences = (weight * (1.0 - mean).powi(2) + (2.0 - mean).powi(2)) / 2.0;
            let expected = differences + 2.0 * (mean * mean + 4.0) / 2.0;
            assert!((focused(2.0, scale, floor, 5, true) - expected).abs() < 1e-5, "{scale}");
        }
        // Without focus, and before its first step, the loss equals `differences`.
        for masked in [true, false] {
            let differences = f64::from(loss(RegressionLoss::Differences { value_weight: 0.5 }, masked));
            assert!((focused(0.5, 0.05, 1.0, 0, masked) - differences).abs() < 1e-5);
            assert_eq!(focused(0.5, 0.05, 0.02, 6, masked), differences);
        }
    }

    /// For a softmax, the gradient of the mean reward is `p (r - mean r)`, and that of the entropy `-p (ln p + entropy)`.
    #[test]
    fn the_expected_reward_is_that_of_the_softmax() {
        let device = training_device();
        let gradient = |scores: &[f32], rewards: &[f32], mask: Option<&[f32]>, progress: f64| {
            let predictions = matrix(scores, 1, &device).require_grad();
            let (targets, mask) = (matrix(rewards, 1, &device), mask.map(|mask| matrix(mask, 1, &device)));
            let regression = Regression { predictions: predictions.clone(), targets, mask, rewards: 0, clipped: None };
            let loss = RegressionLoss::ExpectedReward { entropy: 0.5 }.compute(regression, 5, progress);
            let gradient = to_vec(predictions.grad(&loss.clone().backward()).unwrap());
            (loss.into_scalar::<f32>(), gradient)
        };
        // The odds of the actions are 1 to 3.
        let (p, scores) = ([0.25f32, 0.75], [0.0, 3f32.ln()]);
        let reward = 0.25 * 2.0 + 0.75 * 1.0;
        let entropy = -(p[0] * p[0].ln() + p[1] * p[1].ln());
        let first = p[0] * (2.0 - reward) - 0.25 * p[0] * (p[0].ln() + entropy);
        let masked = gradient(&[scores[0], 9.0, scores[1]], &[2.0, 5.0, 1.0], Some(&[1.0, 0.0, 1.0]), 0.5);
        let single = gradient(&[scores[1]], &[-1.0], None, 0.5);
        assert!((masked.0 + reward + 0.25 * entropy).abs() < 1e-6, "{masked:?}");
        assert!((single.0 - 0.75 + 0.25 * entropy).abs() < 1e-6, "{single:?}");
        for (found, expected) in masked.1.iter().zip([-first, 0.0, first]).chain(single.1.iter().zip([first])) {
            assert!((found - expected).abs() < 1e-6, "{masked:?} {single:?} {expected}");
        }
        assert!((gradient(&scores, &[2.0, 1.0], None, 1.0).0 + reward).abs() < 1e-6);
        let negative = RegressionLoss::ExpectedReward { entropy: -1.0 }.check().unwrap_err();
        assert!(negative.contains("entropy = -1"));
    }

    #[test]
    fn a_single_place_is_weighted_by_its_distance_from_zero() {
        let device = Device::flex();
        let focused = |from_step| {
            let [predictions, targets] = [[0.5, -2.0], [1.5, 1.0]].map(|values| matrix(&values, 2, &device));
            let loss = RegressionLoss::Focused { value_weight: 7.0, scale: 0.5, floor: 0.1, from_step };
            loss.compute(Regression { predictions, targets, mask: None, rewards: 0, clipped: None }, 5, 0.0)
                .into_scalar::<f32>()
        };
        // The weights are exp(-1) and the floor, because exp(-4) is smaller.
        assert!((focused(0) - ((-1.0f32).exp() + 0.1 * 9.0) / 2.0).abs() < 1e-6);
        assert_eq!(focused(6), (1.0 + 9.0) / 2.0);
    }
}
