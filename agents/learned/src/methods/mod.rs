//! Training methods. Each has its own file and works with every task.
//!
//! To add a method, create a file with a parameter struct that implements [`MethodParameters`] and a
//! [`Method`] that computes the loss for a step. Then add a line to the list below.

mod actor_critic;
mod all_action;
mod distillation;
mod paired;
mod policy_gradient;
mod ppo;
mod prefetch;
mod regression;
mod rollout;

pub use actor_critic::ActorCritic;
pub use all_action::AllAction;
pub use distillation::{Distillation, Thinning};
pub use paired::Paired;
pub use policy_gradient::PolicyGradient;
pub use ppo::Ppo;
pub use regression::{BanditRegression, Exploration, RegressionLoss};

use crate::metrics::DealTotals;
use crate::model::ScoreKind;
use crate::network::Networks;
use crate::task::{Feedback, NamedValues, TaskError, TrainingTask};
use burn::prelude::*;
use houseway_env::gym::EnvError;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::{Deref, Range};

macro_rules! methods {
    ($($(#[$doc:meta])* $method:ident = $name:literal,)*) => {
        /// A method and its parameters, serialized as a table that contains the `name` and the parameters.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "name")]
        pub enum MethodConfig {
            $($(#[$doc])* #[serde(rename = $name)] $method($method),)*
        }

        impl MethodConfig {
            /// The names of all methods.
            pub const NAMES: &[&str] = &[$($name),*];

            /// Returns the method with the given name and default parameters.
            pub fn from_name(name: &str) -> Option<MethodConfig> {
                match name {
                    $($name => Some(MethodConfig::$method($method::default())),)*
                    _ => None,
                }
            }

            /// Returns the name of the method.
            pub const fn name(&self) -> &'static str {
                match self { $(MethodConfig::$method(_) => $name,)* }
            }
        }

        impl Deref for MethodConfig {
            type Target = dyn MethodParameters;

            fn deref(&self) -> &Self::Target {
                match self { $(MethodConfig::$method(parameters) => parameters,)* }
            }
        }

        $(impl From<$method> for MethodConfig {
            fn from(parameters: $method) -> MethodConfig {
                MethodConfig::$method(parameters)
            }
        })*
    };
}

methods! {
    /// Regression on the rewards of all actions.
    AllAction = "all-action",
    /// Policy gradient on the rewards of the actions played.
    PolicyGradient = "policy-gradient",
    /// Policy gradient with a separate network for the baseline.
    ActorCritic = "actor-critic",
    /// Policy gradient with clipped ratios and several epochs per batch.
    Ppo = "ppo",
    /// Regression on the rewards of the actions played.
    BanditRegression = "bandit-regression",
    /// Policy gradient on the rewards of two actions for the same cards.
    Paired = "paired",
    /// Regression on the exact values of all actions.
    Distillation = "distillation",
}

/// The parameters of a method.
pub trait MethodParameters {
    /// Returns the feedback the method learns from. The default is for methods that play episodes.
    fn feedback(&self) -> Feedback {
        Feedback::Bandit
    }

    /// Returns the number of network outputs per action. The first output is the score used to choose actions.
    fn outputs(&self) -> usize {
        1
    }

    /// Returns the meaning of the scores. The default is for methods that learn a policy.
    fn score_kind(&self) -> ScoreKind {
        ScoreKind::Preferences
    }

    /// Returns the number of times the unseen cards are sampled for each reward. Only relevant for methods with full
    /// information.
    fn reward_samples(&self) -> usize {
        1
    }

    /// Returns the number of gradient steps taken on the same deals in each training step.
    fn updates(&self) -> u64 {
        1
    }

    /// Returns the number of equal parts that the deals are divided into, so that each gradient step uses one of them.
    fn minibatches(&self) -> u64 {
        1
    }

    /// Returns the learning rate of the critic as a multiple of the actor's, or `None` if the method has no critic. The
    /// critic is a separate network of the same size, with one output per action
    /// ([`Networks::critic`](crate::network::Networks::critic)).
    fn critic_rate(&self) -> Option<f64> {
        None
    }

    /// Returns the parameters that are omitted when serialized with their default values. Omitting them keeps the
    /// hashes of older configurations.
    fn unwritten(&self) -> Vec<(&'static str, Value)> {
        vec![]
    }

    /// Checks that all parameters are in range.
    ///
    /// # Errors
    /// Returns an error naming the key and the allowed range if a parameter is out of range.
    fn check(&self) -> Result<(), String>;

    /// Starts training a task with this method.
    ///
    /// # Errors
    /// Returns an error if the task does not provide the required feedback.
    fn start(&self, training: &Training<'_>) -> Result<Box<dyn Method>, TaskError>;
}

/// The parts of a training run that a method needs.
pub struct Training<'a> {
    /// The task.
    pub task: &'a dyn TrainingTask,
    /// The number of deals per step.
    pub batch: usize,
    /// The seed for all random streams.
    pub seed: u64,
    /// The steps to compute. The first one is greater than 0 after resuming.
    pub steps: Range<u64>,
    /// The device that the networks are on.
    pub device: Device,
}

/// A running method.
pub trait Method {
    /// Computes the loss for an update. The updates within a step are numbered from 0. Everything that is dealt or
    /// drawn depends only on the seed and the step, so training can resume at any step. `progress` is the fraction of
    /// the schedule's cycle completed before the step. Methods follow it when a quantity, such as the entropy bonus,
    /// falls to zero during training.
    ///
    /// # Errors
    /// Returns an error if the environment rejects a call.
    fn loss(&mut self, networks: &Networks, step: u64, progress: f64, update: u64) -> Result<Loss, EnvError>;
}

/// The result of [`Method::loss`].
pub struct Loss {
    /// The value to minimize, as a tensor with one element.
    pub loss: Tensor<1>,
    /// The number of new deals and rewards.
    pub deals: DealTotals,
    /// Additional metrics. Their means over all steps since the last measurement are reported. If a step has several
    /// gradient steps, only the metrics of the last one are used.
    pub values: NamedValues,
}
