//! Training methods. Each has its own file and works with every task.
//!
//! To add a method, create a file with a parameter struct that implements [`MethodParameters`] and a
//! [`Method`](crate::method::Method) that computes the loss for a step. Then add a line to the list below.

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

use crate::method::MethodParameters;
use serde::{Deserialize, Serialize};
use std::ops::Deref;

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
