//! Proximal policy optimization from bandit rewards (PPO, Schulman et al. 2017, arXiv:1707.06347), with action masks.
//!
//! In each step, every lane plays one episode. Several gradient updates, called epochs, are then made on these
//! episodes. The ratio between an action's current probability and its probability when the episode was generated is
//! clipped, so that no epoch moves the policy far from the one that generated the episodes. Advantages are returns minus
//! a baseline, as in [policy gradient](super::PolicyGradient), normalized to mean 0 and variance 1 in each batch. The
//! metrics include the Kullback-Leibler divergence between the policy that generated the episodes and the policy in the
//! last epoch, and the fraction of actions whose ratio was clipped in that epoch.

use super::policy_gradient::check_weight;
use super::rollout::{Batch, Behaviour, Playing, entropy, log_softmax};
use crate::decisions::DecisionTensors;
use crate::limits::{MAX_EPOCHS, check};
use crate::methods::{Loss, Method, MethodParameters, Training};
use crate::metrics::DealTotals;
use crate::model::ScoreKind;
use crate::network::{Networks, number};
use crate::sums::{mean, row_sums};
use crate::task::{Feedback, TaskError};
use burn::prelude::*;
use houseway_env::gym::EnvError;
use serde::{Deserialize, Serialize};

/// A small number added to the variance of the advantages, so that they can be normalized even if all of them are
/// equal.
const SMALL: f32 = 1e-8;

/// The parameters of PPO.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Ppo {
    /// The number of gradient updates on each step's episodes.
    pub epochs: u64,
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
        Ppo { epochs: 4, clip: 0.2, entropy: 0.02, value_weight: 0.5 }
    }
}

impl MethodParameters for Ppo {
    fn feedback(&self) -> Feedback {
        Feedback::Bandit
    }

    fn outputs(&self) -> usize {
        2
    }

    fn score_kind(&self) -> ScoreKind {
        ScoreKind::Preferences
    }

    fn updates(&self) -> u64 {
        self.epochs
    }

    fn check(&self) -> Result<(), String> {
        check("epochs", self.epochs, [1, MAX_EPOCHS])?;
        check("clip", self.clip, [0.001, 1.0])?;
        check_weight("entropy", self.entropy)?;
        check_weight("value-weight", self.value_weight)
    }

    fn start(&self, training: &Training<'_>) -> Result<Box<dyn Method>, TaskError> {
        Ok(Box::new(Running { playing: Playing::start(training, self)?, played: None }))
    }
}

struct Running {
    playing: Playing<Ppo>,
    /// The current step's episodes, or `None` before the first epoch.
    played: Option<Played>,
}

/// The episodes played in a step and the policy that generated them.
struct Played {
    chosen: Tensor<2, Int>,
    returns: Tensor<2>,
    advantages: Tensor<2>,
    log_policy: Tensor<2>,
    reward: f64,
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
    fn loss(&mut self, networks: &Networks, step: u64, update: u64) -> Result<Loss, EnvError> {
        let Playing { rollout, parameters, schedule } = &mut self.playing;
        let (outputs, deals) = match update {
            0 => {
                let batch = rollout.batch(parameters, networks, step)?;
                let deals = batch.deals;
                let (outputs, played) = played(batch);
                self.played = Some(played);
                (outputs, deals)
            }
            _ => (rollout.outputs(parameters, networks), DealTotals::default()),
        };
        let played = self.played.as_ref().expect("the first epoch plays");
        let entropy = entropy(outputs.log_policy.clone(), &outputs.mask);
        let (gain, clipped) = clipped_gain(&outputs.log_policy, played, parameters.clip);
        let divergence = divergence(played.log_policy.clone(), outputs.log_policy, &outputs.mask);
        let error = mean((outputs.values.gather(1, played.chosen.clone()) - played.returns.clone()).powi_scalar(2));
        let entropy_weight = parameters.entropy * (1.0 - schedule.progress(step));
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

/// Splits a batch into the outputs, which have gradients, and the values that stay constant in all epochs.
fn played(batch: Batch<Outputs>) -> (Outputs, Played) {
    let Batch { outputs, chosen, returns, reward, .. } = batch;
    let log_policy = outputs.log_policy.clone().detach();
    let baseline = row_sums(log_policy.clone().exp() * outputs.values.clone().detach());
    let advantages = returns.clone() - baseline;
    let advantages = advantages.clone() - mean(advantages).unsqueeze();
    let deviation = (mean(advantages.clone().powi_scalar(2)) + SMALL).sqrt();
    let advantages = advantages / deviation.unsqueeze();
    (outputs, Played { chosen, returns, advantages, log_policy, reward })
}

/// Returns the mean clipped objective (the smaller of the clipped and unclipped gains) and the fraction of ratios that
/// were clipped.
fn clipped_gain(log_policy: &Tensor<2>, played: &Played, clip: f64) -> (Tensor<1>, Tensor<1>) {
    let chosen = |log_policy: &Tensor<2>| log_policy.clone().gather(1, played.chosen.clone());
    let ratio = (chosen(log_policy) - chosen(&played.log_policy)).exp();
    let bounded = ratio.clone().clamp(1.0 - clip, 1.0 + clip);
    let clipped = mean(ratio.clone().detach().not_equal(bounded.clone().detach()).float());
    let gains = [ratio, bounded].map(|ratio| ratio * played.advantages.clone());
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
        let played = Played { chosen, returns: advantages.clone(), advantages, log_policy: old.clone(), reward: 0.0 };
        // The ratios are 1.5, 0.5, 1.5 and 0.5.
        let policy = [0.75f32, 0.25, 0.25, 0.75, 0.75, 0.25, 0.25, 0.75].map(f32::ln);
        let policy = matrix(&policy, 4, &device).require_grad();
        let (gain, clipped) = clipped_gain(&policy, &played, 0.2);
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

    #[test]
    fn parameters_are_checked() {
        let error = |change: fn(&mut Ppo)| {
            let mut parameters = Ppo::default();
            change(&mut parameters);
            parameters.check().unwrap_err()
        };
        assert_eq!(Ppo::default().check(), Ok(()));
        assert!(error(|it| it.epochs = 0).contains("epochs = 0: must be between 1 and"));
        assert!(error(|it| it.clip = 0.0).contains("clip = 0"));
        assert!(error(|it| it.entropy = -1.0).contains("entropy = -1"));
        assert!(error(|it| it.value_weight = f64::NAN).contains("value-weight = NaN"));
    }
}
