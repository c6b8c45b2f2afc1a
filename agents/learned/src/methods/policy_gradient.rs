//! Policy gradient from bandit rewards: the reward that the environment returns for the actions played, and nothing
//! else.
//!
//! A step plays one episode in each lane. Actions are drawn from the policy, a softmax over the scores of the legal
//! actions, and the gradient of the expected result is followed (REINFORCE, Williams 1992); an action is credited with
//! the rewards that come after it. The variance is lowered by a baseline: a second output of the network learns the
//! value of each action from the results of those played, and the baseline of a decision is their mean under the
//! policy. An entropy bonus keeps the policy from settling early.
//!
//! A policy that settles early on one action gets no rewards of the others and stays there. With `exploration` the
//! policy is a mixture of the softmax and legal actions drawn uniformly at random, so that all actions keep their
//! rewards; the gradient is that of the mixture, and needs no further correction.

use super::rollout::{Batch, Behaviour, Rollout};
use super::softmax::{entropy, explore, log_softmax};
use crate::decisions::DecisionTensors;
use crate::limits::{MAX_EXPLORATION, check, is_zero};
use crate::method::{Loss, Method, MethodParameters, Training};
use crate::network::Networks;
use crate::schedule::Schedule;
use crate::task::{Feedback, TaskError};
use burn::prelude::*;
use houseway_env::gym::EnvError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PolicyGradient {
    /// Weight of the policy's entropy at the start; it falls linearly to zero over all steps, or to the next restart.
    pub entropy: f64,
    /// Fraction of the actions that are drawn uniformly at random among the legal ones.
    #[serde(skip_serializing_if = "is_zero")]
    pub exploration: f64,
}

impl Default for PolicyGradient {
    fn default() -> PolicyGradient {
        PolicyGradient { entropy: 0.02, exploration: 0.0 }
    }
}

impl MethodParameters for PolicyGradient {
    fn feedback(&self) -> Feedback {
        Feedback::Bandit
    }

    fn outputs(&self) -> usize {
        2
    }

    fn unwritten(&self) -> Vec<(&'static str, Value)> {
        vec![("exploration", self.exploration.into())]
    }

    fn check(&self) -> Result<(), String> {
        check("exploration", self.exploration, [0.0, MAX_EXPLORATION])?;
        check_entropy(self.entropy)
    }

    fn start(&self, training: &Training<'_>) -> Result<Box<dyn Method>, TaskError> {
        let (parameters, schedule) = (self.clone(), training.schedule.clone());
        Ok(Box::new(Running { rollout: Rollout::start(training)?, parameters, schedule }))
    }
}

/// Checks the weight of an entropy.
pub(super) fn check_entropy(entropy: f64) -> Result<(), String> {
    match entropy.is_finite() && entropy >= 0.0 {
        true => Ok(()),
        false => Err(format!("entropy = {entropy}: write 0 or a number above it")),
    }
}

struct Running {
    rollout: Rollout,
    parameters: PolicyGradient,
    schedule: Schedule,
}

/// The policy on some decisions, and the values that the network gives its actions.
pub(super) struct Outputs {
    /// Logarithms of the softmax.
    log_softmax: Tensor<2>,
    /// Probabilities of the policy: the softmax, mixed with exploration.
    policy: Tensor<2>,
    values: Tensor<2>,
    mask: Tensor<2>,
}

impl Behaviour for PolicyGradient {
    type Outputs = Outputs;

    fn outputs(&self, networks: &Networks, tensors: DecisionTensors) -> Outputs {
        let [scores, values] = tensors.outputs(&networks.parts[0]);
        let mask = tensors.mask;
        let log_softmax = log_softmax(scores, &mask);
        let policy = explore(log_softmax.clone().exp(), &mask, self.exploration);
        Outputs { log_softmax, policy, values: values * mask.clone(), mask }
    }

    fn policy(&self, outputs: &Outputs) -> Tensor<2> {
        outputs.policy.clone()
    }
}

impl Method for Running {
    fn loss(&mut self, networks: &Networks, step: u64, _: u64) -> Result<Loss, EnvError> {
        let Batch { outputs, chosen, returns, reward, deals } = self.rollout.batch(&self.parameters, networks, step)?;
        let Outputs { log_softmax, policy, values, mask } = outputs;
        let baseline = (policy.clone() * values.clone()).sum_dim(1).detach();
        let log_policy = match self.parameters.exploration {
            0.0 => log_softmax.clone().gather(1, chosen.clone()),
            _ => policy.gather(1, chosen.clone()).log(),
        };
        let gain = (log_policy * (returns.clone() - baseline)).mean();
        let value_error = (values.gather(1, chosen) - returns).powi_scalar(2).mean();
        let entropy = entropy(log_softmax, &mask);
        let entropy_value = f64::from(entropy.clone().into_scalar::<f32>());
        let entropy_weight = (self.parameters.entropy * (1.0 - self.schedule.progress(step))) as f32;
        let loss = value_error - gain - entropy * entropy_weight;
        Ok(Loss { loss, deals, values: vec![("reward", reward), ("entropy", entropy_value)] })
    }
}
