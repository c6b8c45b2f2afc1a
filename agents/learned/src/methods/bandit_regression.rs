//! Regression on bandit rewards, also called Q regression. The networks learn the value of each action from the results
//! of the actions played, and the agent plays the action with the highest value.
//!
//! Actions that are never played teach nothing, so actions are drawn with one of two [`Exploration`] rules. An action's
//! value is the sum of the rewards until the end of the episode, assuming the same rule is followed afterwards.

use super::rollout::{Batch, Behaviour, Rollout};
use super::softmax::{NEVER, explore, log_softmax};
use crate::decisions::DecisionTensors;
use crate::limits::{MAX_EXPLORATION, MAX_FOCUS, MIN_FOCUS, check};
use crate::method::{Loss, Method, MethodParameters, Training};
use crate::network::Networks;
use crate::sums::mean;
use crate::task::{Feedback, TaskError};
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
    fn feedback(&self) -> Feedback {
        Feedback::Bandit
    }

    fn outputs(&self) -> usize {
        1
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
        Ok(Box::new(Running { rollout: Rollout::start(training)?, exploration: self.exploration }))
    }
}

struct Running {
    rollout: Rollout,
    exploration: Exploration,
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

impl Method for Running {
    fn loss(&mut self, networks: &Networks, step: u64, _: u64) -> Result<Loss, EnvError> {
        let Batch { outputs, chosen, returns, reward, deals } =
            self.rollout.batch(&self.exploration, networks, step)?;
        let loss = mean((outputs.values.gather(1, chosen) - returns).powi_scalar(2));
        Ok(Loss { loss, deals, values: vec![("reward", reward)] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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

    #[test]
    fn parameters_are_checked() {
        let error = |exploration| BanditRegression { exploration }.check().unwrap_err();
        assert_eq!(BanditRegression::default().check(), Ok(()));
        assert!(
            error(Exploration::EpsilonGreedy { epsilon: 1.0 })
                .contains("exploration.epsilon = 1: must be between 0 and")
        );
        assert!(error(Exploration::Boltzmann { temperature: 0.0 }).contains("exploration.temperature = 0"));
    }
}
