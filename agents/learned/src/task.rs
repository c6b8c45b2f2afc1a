//! The interface between training, methods and tasks.
//!
//! A [`TrainingTask`] is a game under its rules as learned by an agent. It provides feedback in one or both of two
//! forms, and each method uses one of them:
//!
//! - Paired, full-information and re-dealing feedback: a [`RewardSource`] draws decisions with the rewards of all
//!   actions.
//! - Bandit feedback: [`Episodes`] are played, and only the rewards of the actions played are observed.

use crate::decisions::Decisions;
use crate::network::{NetworkConfig, Networks, WeightSource};
use burn::prelude::*;
use houseway_env::gym::{AnyVecEnv, EnvError, Policy, StreamSeed, stream};
use rand_pcg::Pcg64;
use std::any::Any;

/// Named numbers.
pub type NamedValues = Vec<(&'static str, f64)>;

/// The feedback that a method learns from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feedback {
    /// The reward of the action played.
    Bandit,
    /// The rewards of two actions on the same cards.
    Paired,
    /// The rewards of all actions on the same cards.
    FullInformation,
    /// The rewards of all actions, each averaged over many draws of the cards that the agent does not hold. Only a
    /// simulator can deal these cards again.
    Redealing,
}

impl Feedback {
    /// Returns the name in configurations, reports and plots.
    pub const fn name(self) -> &'static str {
        match self {
            Feedback::Bandit => "bandit",
            Feedback::Paired => "paired",
            Feedback::FullInformation => "full information",
            Feedback::Redealing => "re-dealing",
        }
    }

    /// Describes the feedback in a phrase for the end of a sentence.
    pub const fn explanation(self) -> &'static str {
        match self {
            Feedback::Bandit => "the reward of the action played",
            Feedback::Paired => "the rewards of two actions on the same cards",
            Feedback::FullInformation => "the rewards of all actions on the same cards",
            Feedback::Redealing => "the rewards of all actions, averaged over many hands of the opponent",
        }
    }
}

/// A trained agent, which is a policy that can be downcast to its type.
pub trait Agent: Policy + Any + Send {}

impl<P: Policy + Any + Send> Agent for P {}

impl dyn Agent {
    /// Returns the agent as the type documented by its task, which may offer operations that policies do not have.
    pub fn downcast_ref<A: Agent>(&self) -> Option<&A> {
        (self as &dyn Any).downcast_ref()
    }

    /// Returns the boxed agent as the type documented by its task.
    pub fn downcast<A: Agent>(self: Box<Self>) -> Option<Box<A>> {
        (self as Box<dyn Any>).downcast().ok()
    }
}

/// The reason why a task cannot provide feedback.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    /// The task does not support this configuration.
    #[error("{0}")]
    Unsupported(String),
    /// The environment rejected a call.
    #[error("environment: {0}")]
    Env(#[from] EnvError),
}

/// A game to train on.
pub trait TrainingTask {
    /// Returns a hash of rules, opponents and options. Checkpoints with another hash are rejected.
    fn hash(&self) -> String;

    /// Creates networks for methods with this feedback, with `outputs` numbers for every action.
    fn networks(
        &self,
        size: NetworkConfig,
        feedback: Feedback,
        outputs: usize,
        weights: &mut WeightSource<'_>,
    ) -> Networks;

    /// Checks that methods with this feedback can learn the task.
    ///
    /// # Errors
    /// Returns an error if the feedback is not supported.
    fn check_feedback(&self, _: Feedback) -> Result<(), TaskError> {
        Ok(())
    }

    /// Returns options to store in weight files alongside the networks, so that an agent can be created from such a
    /// file alone.
    fn metadata(&self) -> Vec<(&'static str, String)> {
        vec![]
    }

    /// Returns the agent that plays with these networks.
    fn agent(&self, name: &str, networks: &Networks) -> Box<dyn Agent>;

    /// Returns a source of batches of `batch` deals. Rewards are means over `samples` draws of the cards that the agent
    /// does not hold.
    ///
    /// # Errors
    /// Returns an error if the task does not support full information or this number of samples.
    fn reward_source(&self, batch: usize, samples: usize, seed: u64) -> Result<RewardSource, TaskError>;

    /// Creates `lanes` episodes that are played in parallel.
    ///
    /// # Errors
    /// Returns an error if the task has no environment.
    fn episodes(&self, lanes: usize) -> Result<Episodes, TaskError>;
}

/// A function that returns the batch of a step, which depends only on the seed and the step.
pub type RewardSource = Box<dyn FnMut(u64) -> Result<Box<dyn RewardBatch>, EnvError> + Send>;

/// Decisions with the rewards of all actions.
pub trait RewardBatch: Send {
    /// Returns the number of deals behind the batch.
    fn deals(&self) -> u64;

    /// Returns the regression problems for the networks, usually one.
    fn regressions(&self, networks: &Networks, device: &Device) -> Vec<Regression>;
}

/// The predictions of a network and their targets.
pub struct Regression {
    /// Predictions, of shape (decisions, places).
    pub predictions: Tensor<2>,
    /// Targets, of shape (decisions, places).
    pub targets: Tensor<2>,
    /// Mask of shape (decisions, places), which is 1 where there is a target and 0 elsewhere, or `None` if there are
    /// targets everywhere.
    pub mask: Option<Tensor<2>>,
}

/// Episodes played in parallel and a reader of their observations.
pub struct Episodes {
    /// Lanes of the environment.
    pub lanes: Box<dyn AnyVecEnv>,
    /// Options of every reset, as JSON.
    pub options: Option<String>,
    /// Collector of decisions.
    pub decisions: Box<dyn Decisions>,
    /// `true` if every episode has exactly one decision.
    pub one_decision: bool,
}

/// Returns the random stream of a training step.
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
