//! Actor-critic from bandit rewards. Two separate networks learn from the rewards that the environment returns for the
//! actions played: the actor, which plays, and the critic, which estimates how much it wins.
//!
//! In each step, every lane plays one episode. Actions are drawn from the actor's policy, a softmax over the scores of
//! the legal actions, which may be mixed with random exploration as in [policy gradient](super::PolicyGradient). The
//! critic estimates the value of a decision, the expected sum of the rewards that come after it, as the mean of its
//! outputs for the legal actions. The advantage of an action is this sum of rewards minus the critic's value, and the
//! actor follows the gradient of its expectation (advantage actor-critic, Mnih et al. 2016, arXiv:1602.01783). Episodes
//! are short, so rewards are summed to the end of the episode and the critic isn't needed to estimate the rest.
//!
//! In policy gradient and PPO, the baseline is a second output of the network that plays, so that its errors also change
//! the layers that the policy uses. Here, both networks have all layers to themselves, and the critic has its own
//! learning rate. It is part of the checkpoints, but not of the trained agent.

use super::policy_gradient::check_weight;
use super::rollout::{Batch, Behaviour, Playing, Softmax};
use crate::decisions::DecisionTensors;
use crate::limits::{MAX_CRITIC_RATE, MAX_EXPLORATION, MIN_CRITIC_RATE, check};
use crate::methods::{Loss, Method, MethodParameters, Training};
use crate::network::{Network, Networks, number};
use crate::sums::{mean, row_sums};
use crate::task::TaskError;
use burn::prelude::*;
use houseway_env::gym::EnvError;
use serde::{Deserialize, Serialize};

/// The parameters of actor-critic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ActorCritic {
    /// The initial weight of the entropy bonus. It falls linearly to zero, either over all steps or until the next
    /// restart.
    pub entropy: f64,
    /// The fraction of actions drawn uniformly at random from the legal ones.
    pub exploration: f64,
    /// The learning rate of the critic, as a multiple of the actor's.
    pub critic_rate: f64,
    /// The weight of the critic's squared error. It has nearly no effect with optimizers that normalize gradients, such
    /// as Adam.
    pub value_weight: f64,
}

impl Default for ActorCritic {
    fn default() -> ActorCritic {
        ActorCritic { entropy: 0.02, exploration: 0.0, critic_rate: 1.0, value_weight: 1.0 }
    }
}

impl MethodParameters for ActorCritic {
    fn critic_rate(&self) -> Option<f64> {
        Some(self.critic_rate)
    }

    fn check(&self) -> Result<(), String> {
        check_weight("entropy", self.entropy)?;
        check("exploration", self.exploration, [0.0, MAX_EXPLORATION])?;
        check("critic-rate", self.critic_rate, [MIN_CRITIC_RATE, MAX_CRITIC_RATE])?;
        check_weight("value-weight", self.value_weight)
    }

    fn start(&self, training: &Training<'_>) -> Result<Box<dyn Method>, TaskError> {
        Ok(Box::new(Playing::start(training, self)?))
    }
}

/// The policy for a batch of decisions.
pub(super) struct Outputs {
    softmax: Softmax,
    /// The decisions, which the critic only reads once the episodes are over.
    decisions: DecisionTensors,
}

impl Behaviour for ActorCritic {
    type Outputs = Outputs;

    fn outputs(&self, networks: &Networks, decisions: DecisionTensors) -> Outputs {
        let [scores] = decisions.outputs(&networks.parts[0]);
        Outputs { softmax: Softmax::new(scores, decisions.mask.clone(), self.exploration), decisions }
    }

    fn policy(&self, outputs: &Outputs) -> Tensor<2> {
        outputs.softmax.policy()
    }
}

impl Method for Playing<ActorCritic> {
    fn loss(&mut self, networks: &Networks, step: u64, progress: f64, _: u64) -> Result<Loss, EnvError> {
        let Batch { outputs, chosen, returns, reward, deals } = self.rollout.batch(&self.parameters, networks, step)?;
        let Outputs { softmax, decisions } = outputs;
        let critic = networks.critic.as_ref().expect("the method asks for a critic");
        let values = decision_values(critic, &decisions);
        let advantages = (returns.clone() - values.clone()).detach();
        let gain = mean(softmax.log_policy(chosen) * advantages);
        let value_error = mean((values - returns).powi_scalar(2));
        let entropy = softmax.entropy();
        let metrics = vec![("reward", reward), ("entropy", number(&entropy)), ("value_error", number(&value_error))];
        let entropy_weight = self.parameters.entropy * (1.0 - progress);
        let loss = value_error * self.parameters.value_weight - gain - entropy * entropy_weight;
        Ok(Loss { loss, deals, values: metrics })
    }
}

/// Returns the critic's value of each decision, with shape (decisions, 1).
fn decision_values(critic: &Network, decisions: &DecisionTensors) -> Tensor<2> {
    let [outputs] = decisions.outputs(critic);
    row_sums(outputs * decisions.mask.clone()) / row_sums(decisions.mask.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decisions::{ActionBatch, Decisions};
    use crate::device::training_device;
    use crate::network::{NetworkConfig, WeightSource, to_vec};

    #[test]
    fn a_value_is_the_mean_over_the_legal_actions() {
        let device = training_device();
        let mut weights = WeightSource::new(3, &device);
        let critic = Network::new(NetworkConfig { width: 4, layers: 1 }, 2, 3, 2.0, &mut weights);
        let mut batch = ActionBatch::default();
        for mask in [[true, true, true], [false, true, false], [true, false, true]] {
            batch.push(&[0.5, -2.0], &mask);
        }
        let decisions = batch.tensors(0, &device);
        let [outputs] = decisions.outputs(&critic);
        let outputs = to_vec(outputs);
        let expected = [outputs[..3].iter().sum::<f32>() / 3.0, outputs[4], (outputs[6] + outputs[8]) / 2.0];
        let found = to_vec(decision_values(&critic, &decisions));
        assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-6), "{found:?}");
    }
}
