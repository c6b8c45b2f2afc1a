//! The interface between training, methods and tasks.
//!
//! A [`TrainingTask`] is a game and its rules, seen as something to learn. It can provide feedback in two forms, and
//! each method uses one of them:
//!
//! - For paired, full-information and re-dealing feedback, a [`RewardSource`] draws decisions with the rewards of all
//!   actions.
//! - For bandit feedback, [`Episodes`] are played and only the rewards for the actions played are observed.
//!
//! Exact labels come from a solver instead (see [`TrainingTask::set_exact_values`]).

use crate::decisions::Decisions;
use crate::metrics::DealTotals;
use crate::model::{Model, ScoreKind};
use crate::network::{Inputs, NetworkConfig, Networks, WeightSource};
use burn::prelude::*;
use houseway_env::gym::{Env, EnvError, ExactValues, Policy, StreamSeed, VecEnv, stream};
use rand_pcg::Pcg64;
use std::any::Any;
use std::sync::Arc;

/// A list of named values, such as the metrics of a training step.
pub type NamedValues = Vec<(&'static str, f64)>;

houseway_env::named_enum! {
    /// The feedback a method learns from. Configurations, reports and plots use its name.
    pub enum Feedback: words {
        /// The reward for the action played.
        Bandit,
        /// The rewards for two actions with the same cards.
        Paired,
        /// The rewards for all actions with the same cards.
        FullInformation,
        /// The rewards for all actions, each averaged over many deals of the unseen cards. Only a simulator can deal
        /// these cards again.
        Redealing = "re-dealing",
        /// The exact EVs of all actions, computed by a solver.
        ExactLabels,
    }
}

impl Feedback {
    /// Returns `true` if this is the feedback's name, apart from hyphens. A training configuration may be named after its
    /// feedback.
    pub fn is_named(self, name: &str) -> bool {
        name.replace('-', " ") == self.name().replace('-', " ")
    }

    /// Returns a phrase that describes the feedback, for use at the end of a sentence.
    pub const fn explanation(self) -> &'static str {
        match self {
            Feedback::Bandit => "the reward of the action played",
            Feedback::Paired => "the rewards of two actions on the same cards",
            Feedback::FullInformation => "the rewards of all actions on the same cards",
            Feedback::Redealing => "the rewards of all actions, averaged over many hands of the opponent",
            Feedback::ExactLabels => "the exact EVs of all actions, computed by the solver",
        }
    }
}

/// A trained agent. It is a policy that can be downcast to its concrete type.
pub trait Agent: Policy + Any + Send {}

impl<P: Policy + Any + Send> Agent for P {}

impl dyn Agent {
    /// Downcasts a reference to the concrete type documented by the task. That type may offer more operations than a
    /// policy.
    pub fn downcast_ref<A: Agent>(&self) -> Option<&A> {
        (self as &dyn Any).downcast_ref()
    }

    /// Downcasts the box to the concrete type documented by the task.
    pub fn downcast<A: Agent>(self: Box<Self>) -> Option<Box<A>> {
        (self as Box<dyn Any>).downcast().ok()
    }
}

/// An error returned when a task cannot provide feedback.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    /// The task does not support this configuration.
    #[error("{0}")]
    Unsupported(String),
    /// The task has no exact values to learn from.
    #[error(
        "this task has no exact labels, because there is no table of the exact values of all its decisions; use a method \
         with another kind of feedback, such as all-action"
    )]
    NoExactValues,
    /// The environment rejected a call.
    #[error("environment: {0}")]
    Env(#[from] EnvError),
}

/// A game to train an agent on.
pub trait TrainingTask {
    /// Returns a hash of the rules, opponents and options. Checkpoints with a different hash are rejected.
    fn hash(&self) -> String;

    /// Returns the environment that the agent plays in, if there is one.
    fn environment(&self) -> Option<&dyn Env> {
        None
    }

    /// Creates networks for methods that use this feedback, with `outputs` values per action.
    fn networks(
        &self,
        size: NetworkConfig,
        feedback: Feedback,
        outputs: usize,
        weights: &mut WeightSource<'_>,
    ) -> Networks;

    /// Checks that the task supports this feedback.
    ///
    /// # Errors
    /// Returns an error if the feedback is not supported.
    fn check_feedback(&self, feedback: Feedback) -> Result<(), TaskError> {
        match feedback {
            Feedback::ExactLabels if self.exact_values().is_none() => Err(TaskError::NoExactValues),
            _ => Ok(()),
        }
    }

    /// Returns the exact values of all decisions, if the task has been given them.
    fn exact_values(&self) -> Option<Arc<dyn ExactValues>> {
        None
    }

    /// Adds the exact values of all decisions. They must be those of the task's game, rules and opponents, because
    /// [`Self::hash`] doesn't cover them. Tasks that can't be learned from exact labels ignore them.
    fn set_exact_values(&mut self, _values: Arc<dyn ExactValues>) {}

    /// Returns options to store in weight files along with the networks, so that an agent can be created from the file
    /// alone.
    fn metadata(&self) -> Vec<(&'static str, String)> {
        vec![]
    }

    /// Returns the number of values that each part of a model computes per row of inputs. Empty if the task can only be
    /// learned by networks.
    fn model_outputs(&self) -> Vec<usize> {
        vec![]
    }

    /// Creates an agent that plays with these models, one for each part. It chooses the action with the highest score.
    fn agent(&self, name: &str, models: &[Model], scores: ScoreKind) -> Box<dyn Agent>;

    /// Creates a source of batches with `batch` deals each. Rewards are averaged over `samples` deals of the unseen
    /// cards.
    ///
    /// # Errors
    /// Returns an error if the task does not support full information or this number of samples.
    fn reward_source(&self, batch: usize, samples: usize, seed: u64) -> Result<RewardSource, TaskError>;

    /// Creates a collector of decisions.
    ///
    /// # Errors
    /// Returns an error if the task has neither an environment nor decisions of its own.
    fn decisions(&self) -> Result<Box<dyn Decisions>, TaskError> {
        Ok(self.episodes(1)?.decisions)
    }

    /// Creates `lanes` parallel episodes.
    ///
    /// # Errors
    /// Returns an error if the task has no environment.
    fn episodes(&self, lanes: usize) -> Result<Episodes, TaskError>;
}

/// A function that returns the batch for a step. The batch must depend only on the seed and the step, so that training
/// can resume at any step.
pub type RewardSource = Box<dyn FnMut(u64) -> Result<Box<dyn RewardBatch>, EnvError> + Send>;

/// A batch of decisions with the rewards for all actions.
pub trait RewardBatch: Send {
    /// Returns the number of deals seen and settled for the batch, without any rewards.
    fn deals(&self) -> DealTotals;

    /// Returns the regression problems for the networks. There is usually only one.
    fn regressions(&self, networks: &Networks, device: &Device) -> Vec<Regression>;

    /// Returns the same problems for models of any kind. `models` play the decisions that follow. Empty if the task can
    /// only be learned by networks.
    fn examples(&self, _models: &[Model]) -> Vec<Examples> {
        vec![]
    }
}

/// Inputs and the values that a part of a model should compute for them.
pub struct Examples {
    /// The index of the part.
    pub part: usize,
    /// The inputs, on the CPU.
    pub inputs: Inputs,
    /// The number of values of each decision.
    pub counts: Vec<usize>,
    /// The targets, with shape (rows, outputs).
    pub targets: Vec<f32>,
    /// The mask with shape (rows, outputs). It is 1 where there is a target and 0 elsewhere. `None` if every value has
    /// a target.
    pub mask: Option<Vec<f32>>,
    /// The number of rewards that the targets were computed from, as in [`Regression::rewards`].
    pub rewards: u64,
}

/// A network's predictions and their targets.
pub struct Regression {
    /// The predictions, with shape (decisions, places).
    pub predictions: Tensor<2>,
    /// The targets, with shape (decisions, places).
    pub targets: Tensor<2>,
    /// The mask with shape (decisions, places). It is 1 where there is a target and 0 elsewhere. `None` if every place
    /// has a target.
    pub mask: Option<Tensor<2>>,
    /// The number of rewards that the targets were computed from. Rewards that are shared with an earlier regression of
    /// the batch are left out, so that the regressions add up to the number of different rewards.
    pub rewards: u64,
    /// The number of targets that were clipped, for tasks with bounds. Clipping biases the values that are learned.
    pub clipped: Option<u64>,
}

/// Parallel episodes and a collector for their decisions.
pub struct Episodes {
    /// The environment lanes.
    pub lanes: VecEnv,
    /// The options for every reset, as JSON. `None` for the default options.
    pub options: Option<String>,
    /// The decision collector.
    pub decisions: Box<dyn Decisions>,
    /// `true` if every episode has exactly one decision.
    pub one_decision: bool,
}

/// Returns the random stream for a training step.
pub fn step_stream(seed: u64, step: u64) -> Pcg64 {
    stream(StreamSeed { seed, lane: step })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    #[test]
    fn every_step_has_its_own_stream() {
        let first = |seed, step| step_stream(seed, step).next_u64();
        let drawn = [first(1, 0), first(1, 1), first(2, 0), first(2, 1)];
        assert!((0..4).all(|i| (0..i).all(|j| drawn[i] != drawn[j])));
        assert_eq!(first(1, 1), drawn[1]);
    }
}
