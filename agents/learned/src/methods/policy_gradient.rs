//! Policy gradient from bandit rewards. Only the rewards that the environment returns for the actions played are used.
//!
//! In each step, every lane plays one episode. Actions are drawn from the policy, a softmax over the scores of the
//! legal actions. The update follows the gradient of the expected result (REINFORCE, Williams 1992) and credits each
//! action with the rewards that come after it. A baseline reduces the variance. A second network output learns the
//! value of each action from the actions played, and a decision's baseline is the mean of these values under the
//! policy. An entropy bonus discourages premature convergence.
//!
//! A policy that converges early on one action receives no rewards for the others and cannot recover. With
//! `exploration`, the policy is a mixture of the softmax and the uniform distribution over legal actions, so that all
//! actions continue to be tried. The gradient is taken through this mixture and needs no further correction.

use super::rollout::{Batch, Behaviour, Playing, Softmax};
use crate::decisions::DecisionTensors;
use crate::limits::{MAX_EXPLORATION, MAX_WEIGHT, check, is_one, is_zero};
use crate::methods::{Loss, Method, MethodParameters, Training};
use crate::network::{Networks, number};
use crate::sums::{mean, row_sums};
use crate::task::TaskError;
use burn::prelude::*;
use houseway_env::gym::EnvError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The parameters of the policy gradient.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PolicyGradient {
    /// The initial weight of the entropy bonus. It falls linearly to zero, either over all steps or until the next
    /// restart.
    pub entropy: f64,
    /// The fraction of actions drawn uniformly at random from the legal ones. Without it, there are none.
    #[serde(skip_serializing_if = "is_zero")]
    pub exploration: f64,
    /// The weight of the squared value error. Without it, the weight is 1.
    #[serde(skip_serializing_if = "is_one")]
    pub value_weight: f64,
}

impl Default for PolicyGradient {
    fn default() -> PolicyGradient {
        PolicyGradient { entropy: 0.02, exploration: 0.0, value_weight: 1.0 }
    }
}

impl MethodParameters for PolicyGradient {
    fn outputs(&self) -> usize {
        2
    }

    fn unwritten(&self) -> Vec<(&'static str, Value)> {
        vec![("exploration", self.exploration.into()), ("value-weight", self.value_weight.into())]
    }

    fn check(&self) -> Result<(), String> {
        check("exploration", self.exploration, [0.0, MAX_EXPLORATION])?;
        check_weight("entropy", self.entropy)?;
        check_weight("value-weight", self.value_weight)
    }

    fn start(&self, training: &Training<'_>) -> Result<Box<dyn Method>, TaskError> {
        Ok(Box::new(Playing::start(training, self)?))
    }
}

/// Checks that the weight of a term is valid.
pub(super) fn check_weight(key: &str, weight: f64) -> Result<(), String> {
    check(key, weight, [0.0, MAX_WEIGHT])
}

/// The policy for a batch of decisions, with the network's action values.
pub(super) struct Outputs {
    softmax: Softmax,
    values: Tensor<2>,
}

impl Behaviour for PolicyGradient {
    type Outputs = Outputs;

    fn outputs(&self, networks: &Networks, tensors: DecisionTensors) -> Outputs {
        let [scores, values] = tensors.outputs(&networks.parts[0]);
        let mask = tensors.mask;
        let softmax = Softmax::new(scores, mask.clone(), self.exploration);
        Outputs { softmax, values: values * mask }
    }

    fn policy(&self, outputs: &Outputs) -> Tensor<2> {
        outputs.softmax.policy()
    }
}

impl Method for Playing<PolicyGradient> {
    fn loss(&mut self, networks: &Networks, step: u64, progress: f64, _: u64) -> Result<Loss, EnvError> {
        let Batch { outputs, chosen, returns, reward, deals } = self.rollout.batch(&self.parameters, networks, step)?;
        let Outputs { softmax, values } = outputs;
        let baseline = row_sums(softmax.policy() * values.clone()).detach();
        let gain = mean(softmax.log_policy(chosen.clone()) * (returns.clone() - baseline));
        let value_error = mean((values.gather(1, chosen) - returns).powi_scalar(2));
        let entropy = softmax.entropy();
        let metrics = vec![("reward", reward), ("entropy", number(&entropy))];
        let entropy_weight = (self.parameters.entropy * (1.0 - progress)) as f32;
        let loss = value_error * self.parameters.value_weight - gain - entropy * entropy_weight;
        Ok(Loss { loss, deals, values: metrics })
    }
}
