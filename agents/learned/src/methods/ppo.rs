//! Proximal policy optimization from bandit rewards (PPO, Schulman et al. 2017, arXiv:1707.06347), with action masks.
//!
//! In each step, every lane plays one episode. Several passes, called epochs, are then made over the decisions of these
//! episodes. In each epoch, the decisions are shuffled and divided into minibatches, with one gradient update for each.
//! The ratio between an action's current probability and its probability when the episode was generated is clipped, so
//! that these updates don't move the policy far from the one that generated the episodes. Advantages are returns minus a
//! baseline, as in [policy gradient](super::PolicyGradient), normalized to mean 0 and variance 1 over a step's decisions.
//! The metrics include the Kullback-Leibler divergence between the policy that generated the episodes and the one in the
//! last minibatch, and the fraction of actions whose ratio was clipped there.

use super::policy_gradient::check_weight;
use super::rollout::{Batch, Behaviour, Playing, entropy, log_softmax};
use crate::decisions::DecisionTensors;
use crate::limits::{MAX_EPOCHS, MAX_MINIBATCHES, check};
use crate::methods::{Loss, Method, MethodParameters, Training};
use crate::metrics::DealTotals;
use crate::network::{Networks, number};
use crate::sums::{mean, row_sums};
use crate::task::{TaskError, step_stream};
use burn::prelude::*;
use burn::tensor::TensorData;
use houseway_env::gym::EnvError;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

/// A small number added to the variance of the advantages, so that they can be normalized even if all of them are
/// equal.
const SMALL: f32 = 1e-8;

/// The parameters of PPO.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Ppo {
    /// The number of passes over each step's decisions.
    pub epochs: u64,
    /// The number of gradient updates in an epoch. Each uses an equal part of the decisions. If a step has fewer of them,
    /// some are in several updates.
    pub minibatches: u64,
    /// The distance from 1 at which probability ratios are clipped.
    pub clip: f64,
    /// The initial weight of the entropy bonus. It falls linearly to zero, either over all steps or until the next
    /// restart.
    pub entropy: f64,
    /// The weight of the squared value error.
    pub value_weight: f64,
}

impl Default for Ppo {
    fn default() -> Ppo {
        Ppo { epochs: 4, minibatches: 4, clip: 0.2, entropy: 0.02, value_weight: 0.5 }
    }
}

impl MethodParameters for Ppo {
    fn outputs(&self) -> usize {
        2
    }

    fn updates(&self) -> u64 {
        self.epochs * self.minibatches
    }

    fn minibatches(&self) -> u64 {
        self.minibatches
    }

    fn check(&self) -> Result<(), String> {
        check("epochs", self.epochs, [1, MAX_EPOCHS])?;
        check("minibatches", self.minibatches, [1, MAX_MINIBATCHES])?;
        check("clip", self.clip, [0.001, 1.0])?;
        check_weight("entropy", self.entropy)?;
        check_weight("value-weight", self.value_weight)
    }

    fn start(&self, training: &Training<'_>) -> Result<Box<dyn Method>, TaskError> {
        Ok(Box::new(Running { playing: Playing::start(training, self)?, seed: training.seed, played: None }))
    }
}

struct Running {
    playing: Playing<Ppo>,
    seed: u64,
    /// The current step's episodes, or `None` before the first step.
    played: Option<Played>,
}

/// The decisions of the episodes played in a step and the policy that generated them.
struct Played {
    decisions: Minibatch,
    reward: f64,
    /// The indices of the decisions in the order of the current epoch.
    order: Vec<usize>,
    /// The random numbers that shuffle them.
    rng: Pcg64,
}

/// Decisions with their results and the policy that generated them. No value has a gradient.
struct Minibatch {
    chosen: Tensor<2, Int>,
    returns: Tensor<2>,
    advantages: Tensor<2>,
    log_policy: Tensor<2>,
}

/// The policy for a batch of decisions, with the network's action values.
pub(super) struct Outputs {
    log_policy: Tensor<2>,
    values: Tensor<2>,
    mask: Tensor<2>,
}

impl Behaviour for Ppo {
    type Outputs = Outputs;

    fn outputs(&self, networks: &Networks, tensors: DecisionTensors) -> Outputs {
        let [scores, values] = tensors.outputs(&networks.parts[0]);
        let mask = tensors.mask;
        Outputs { log_policy: log_softmax(scores, &mask), values: values * mask.clone(), mask }
    }

    fn policy(&self, outputs: &Outputs) -> Tensor<2> {
        outputs.log_policy.clone().exp()
    }
}

impl Method for Running {
    fn loss(&mut self, networks: &Networks, step: u64, progress: f64, update: u64) -> Result<Loss, EnvError> {
        let Playing { rollout, parameters } = &mut self.playing;
        let mut deals = DealTotals::default();
        if update == 0 {
            let batch = rollout.batch(parameters, networks, step)?;
            deals = batch.deals;
            // Use other streams than those for `seed` itself, because those deal the cards.
            self.played = Some(Played::new(batch, step_stream(!self.seed, step)));
        }
        let played = self.played.as_mut().expect("the first update plays");
        let decisions = played.minibatch(update % parameters.minibatches, parameters.minibatches);
        let outputs = rollout.outputs_of(parameters, networks, &decisions);
        let minibatch = played.select(&decisions, outputs.mask.dims()[1]);
        let entropy = entropy(outputs.log_policy.clone(), &outputs.mask);
        let (gain, clipped) = clipped_gain(&outputs.log_policy, &minibatch, parameters.clip);
        let divergence = divergence(minibatch.log_policy, outputs.log_policy, &outputs.mask);
        let error = mean((outputs.values.gather(1, minibatch.chosen) - minibatch.returns).powi_scalar(2));
        let entropy_weight = parameters.entropy * (1.0 - progress);
        let values = vec![
            ("reward", played.reward),
            ("entropy", number(&entropy)),
            ("kl", number(&divergence)),
            ("clipped", number(&clipped)),
        ];
        let loss = error * parameters.value_weight - gain - entropy * entropy_weight;
        Ok(Loss { loss, deals, values })
    }
}

impl Played {
    /// Keeps what stays constant in all updates on a batch.
    fn new(batch: Batch<Outputs>, rng: Pcg64) -> Played {
        let Batch { outputs, chosen, returns, reward, .. } = batch;
        let log_policy = outputs.log_policy.detach();
        let baseline = row_sums(log_policy.clone().exp() * outputs.values.detach());
        let advantages = returns.clone() - baseline;
        let advantages = advantages.clone() - mean(advantages).unsqueeze();
        let deviation = (mean(advantages.clone().powi_scalar(2)) + SMALL).sqrt();
        let advantages = advantages / deviation.unsqueeze();
        let order = (0..chosen.dims()[0]).collect();
        Played { decisions: Minibatch { chosen, returns, advantages, log_policy }, reward, order, rng }
    }

    /// Returns the decisions of the minibatch with this index in an epoch. The first one begins a new epoch.
    fn minibatch(&mut self, index: u64, minibatches: u64) -> Vec<usize> {
        if index == 0 {
            self.order.shuffle(&mut self.rng);
        }
        let (decisions, index, minibatches) = (self.order.len(), index as usize, minibatches as usize);
        let first = index * decisions / minibatches;
        // If there are fewer decisions than minibatches, some decisions are in several.
        let end = ((index + 1) * decisions / minibatches).max(first + 1);
        self.order[first..end].to_vec()
    }

    /// Returns the values of some decisions, none of which has more actions than `places`.
    fn select(&self, decisions: &[usize], places: usize) -> Minibatch {
        let indices: Vec<i64> = decisions.iter().map(|&decision| decision as i64).collect();
        let indices =
            Tensor::<1, Int>::from_data(TensorData::new(indices, [decisions.len()]), &self.decisions.chosen.device());
        let select = |values: &Tensor<2>| values.clone().select(0, indices.clone());
        Minibatch {
            chosen: self.decisions.chosen.clone().select(0, indices.clone()),
            returns: select(&self.decisions.returns),
            advantages: select(&self.decisions.advantages),
            log_policy: select(&self.decisions.log_policy).narrow(1, 0, places),
        }
    }
}

/// Returns the mean clipped objective (the smaller of the clipped and unclipped gains) and the fraction of ratios that
/// were clipped.
fn clipped_gain(log_policy: &Tensor<2>, minibatch: &Minibatch, clip: f64) -> (Tensor<1>, Tensor<1>) {
    let chosen = |log_policy: &Tensor<2>| log_policy.clone().gather(1, minibatch.chosen.clone());
    let ratio = (chosen(log_policy) - chosen(&minibatch.log_policy)).exp();
    let bounded = ratio.clone().clamp(1.0 - clip, 1.0 + clip);
    let clipped = mean(ratio.clone().detach().not_equal(bounded.clone().detach()).float());
    let gains = [ratio, bounded].map(|ratio| ratio * minibatch.advantages.clone());
    let [plain, bounded] = gains;
    (mean(plain.min_pair(bounded)), clipped)
}

/// Returns the Kullback-Leibler divergence between two policies, averaged over all decisions. The policies are given as
/// log probabilities, and the expectation is taken under `from`.
fn divergence(from: Tensor<2>, to: Tensor<2>, mask: &Tensor<2>) -> Tensor<1> {
    mean(row_sums(from.clone().exp() * (from - to.detach()) * mask.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::training_device;
    use crate::network::{matrix, to_vec};
    use burn::tensor::TensorData;

    #[test]
    fn ratios_are_clipped_where_the_gain_would_grow() {
        let device = training_device();
        let chosen = Tensor::<2, Int>::from_data(TensorData::new(vec![0i64, 0, 0, 0], [4, 1]), &device);
        let old = matrix(&[0.5f32.ln(); 8], 4, &device);
        let advantages = matrix(&[1.0, 1.0, -1.0, -1.0], 4, &device);
        let minibatch = Minibatch { chosen, returns: advantages.clone(), advantages, log_policy: old.clone() };
        // The ratios are 1.5, 0.5, 1.5 and 0.5.
        let policy = [0.75f32, 0.25, 0.25, 0.75, 0.75, 0.25, 0.25, 0.75].map(f32::ln);
        let policy = matrix(&policy, 4, &device).require_grad();
        let (gain, clipped) = clipped_gain(&policy, &minibatch, 0.2);
        let gradient = to_vec(policy.grad(&gain.clone().backward()).unwrap());
        assert!((gain.into_scalar::<f32>() - (1.2 + 0.5 - 1.5 - 0.8) / 4.0).abs() < 1e-6);
        assert_eq!(clipped.into_scalar::<f32>(), 1.0);
        // The gradient is clipped where the policy has already moved far enough in the right direction, but not where
        // it has moved in the wrong one.
        let expected = [0.0, 0.0, 0.125, 0.0, -0.375, 0.0, 0.0, 0.0];
        assert!(gradient.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-6), "{gradient:?}");
        let mask = matrix(&[1.0; 8], 4, &device);
        let found = divergence(old.clone(), policy, &mask).into_scalar::<f32>();
        let expected = -0.5 * (0.75f32.ln() + 0.25f32.ln()) + 0.5f32.ln();
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        assert_eq!(divergence(old.clone(), old, &mask).into_scalar::<f32>(), 0.0);
    }

    fn played(decisions: usize) -> Played {
        let values = || matrix(&(0..decisions).map(|i| i as f32).collect::<Vec<_>>(), decisions, &training_device());
        let decisions_of = Minibatch {
            chosen: values().int(),
            returns: values(),
            advantages: values(),
            log_policy: values().repeat_dim(1, 3),
        };
        let rng = step_stream(1, 0);
        Played { decisions: decisions_of, reward: 0.0, order: (0..decisions).collect(), rng }
    }

    #[test]
    fn an_epoch_uses_every_decision_once_in_a_new_order() {
        let mut played = played(10);
        let epochs: Vec<Vec<Vec<usize>>> =
            (0..2).map(|_| (0..4).map(|index| played.minibatch(index, 4)).collect()).collect();
        for epoch in &epochs {
            assert_eq!(epoch.iter().map(Vec::len).collect::<Vec<_>>(), [2, 3, 2, 3]);
            let mut all = epoch.concat();
            all.sort_unstable();
            assert_eq!(all, (0..10).collect::<Vec<_>>());
        }
        assert_ne!(epochs[0], epochs[1]);
        let minibatch = played.select(&[7, 2], 2);
        assert_eq!(to_vec(minibatch.returns), [7.0, 2.0]);
        assert_eq!(to_vec(minibatch.log_policy), [7.0, 7.0, 2.0, 2.0]);
    }

    #[test]
    fn no_minibatch_is_empty() {
        let mut played = played(2);
        assert!((0..5).all(|index| played.minibatch(index, 5).len() == 1));
    }
}
