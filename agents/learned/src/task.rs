//! Interfaces between training, methods and tasks.
//!
//! A [`TrainingTask`] is a game under its rules as an agent learns it. It gives feedback in one or both of two forms,
//! and a method is written against one of them:
//!
//! - paired, full information and re-dealing: a [`RewardSource`] draws decisions with the rewards of all actions;
//! - bandit: [`Episodes`] are played, and only the rewards of the actions played are seen.

use crate::decisions::Decisions;
use crate::network::{NetworkConfig, Networks, WeightSource};
use burn::prelude::*;
use houseway_env::gym::{AnyVecEnv, EnvError, Policy, StreamSeed, stream};
use rand_pcg::Pcg64;
use std::any::Any;

/// Named numbers.
pub type NamedValues = Vec<(&'static str, f64)>;

/// Feedback that a method learns from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feedback {
    /// The reward of the action played.
    Bandit,
    /// The rewards of two actions on the same cards.
    Paired,
    /// The rewards of all actions on the same cards.
    FullInformation,
    /// The rewards of all actions, each a mean over many draws of the cards that the agent does not hold. Only a
    /// simulator can deal them again.
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

    /// Returns what is learned from, as the end of a sentence.
    pub const fn explanation(self) -> &'static str {
        match self {
            Feedback::Bandit => "the reward of the action played",
            Feedback::Paired => "the rewards of two actions on the same cards",
            Feedback::FullInformation => "the rewards of all actions on the same cards",
            Feedback::Redealing => "the rewards of all actions, averaged over many hands of the opponent",
        }
    }
}

/// A trained agent: a policy that can be recognised by its type.
pub trait Agent: Policy + Any + Send {}

impl<P: Policy + Any + Send> Agent for P {}

impl dyn Agent {
    /// The agent as the type that its task documents, for operations that policies do not have.
    pub fn downcast_ref<A: Agent>(&self) -> Option<&A> {
        (self as &dyn Any).downcast_ref()
    }

    /// Returns the boxed agent as the type that its task documents.
    pub fn downcast<A: Agent>(self: Box<Self>) -> Option<Box<A>> {
        (self as Box<dyn Any>).downcast().ok()
    }
}

/// The reason why a task gives no feedback.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    /// The task does not support this configuration.
    #[error("{0}")]
    Unsupported(String),
    /// The environment refused a call.
    #[error("environment: {0}")]
    Env(#[from] EnvError),
}

/// A game to train on.
pub trait TrainingTask {
    /// A hash of rules, opponents and options; checkpoints of another hash are refused.
    fn hash(&self) -> String;

    /// Networks for methods of this feedback, with `outputs` numbers for every action.
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
    /// Returns an error if they cannot.
    fn check_feedback(&self, _: Feedback) -> Result<(), TaskError> {
        Ok(())
    }

    /// Options that files of weights keep beside the networks, so that an agent can be made of a file alone.
    fn metadata(&self) -> Vec<(&'static str, String)> {
        vec![]
    }

    /// Returns the agent that plays by these networks.
    fn agent(&self, name: &str, networks: &Networks) -> Box<dyn Agent>;

    /// Returns a source of batches of `batch` deals. Rewards are means over `samples` draws of the cards that the agent
    /// does not hold.
    ///
    /// # Errors
    /// Returns an error if the task has no full information or not that many samples.
    fn reward_source(&self, batch: usize, samples: usize, seed: u64) -> Result<RewardSource, TaskError>;

    /// `lanes` episodes side by side.
    ///
    /// # Errors
    /// Returns an error if the task has no environment.
    fn episodes(&self, lanes: usize) -> Result<Episodes, TaskError>;
}

/// A function from a step to its batch, which depends on the seed and the step alone.
pub type RewardSource = Box<dyn FnMut(u64) -> Result<Box<dyn RewardBatch>, EnvError> + Send>;

/// Decisions with the rewards of all actions.
pub trait RewardBatch: Send {
    /// Number of deals behind the batch.
    fn deals(&self) -> u64;

    /// Regression problems for the networks, usually one.
    fn regressions(&self, networks: &Networks, device: &Device) -> Vec<Regression>;
}

/// Predictions of a network, and their targets.
pub struct Regression {
    /// (decisions, places)
    pub predictions: Tensor<2>,
    /// (decisions, places)
    pub targets: Tensor<2>,
    /// 1 where there is a target, 0 elsewhere, (decisions, places); none if there are targets everywhere.
    pub mask: Option<Tensor<2>>,
}

/// Episodes played side by side, and a reader of their observations.
pub struct Episodes {
    /// Lanes of the environment.
    pub lanes: Box<dyn AnyVecEnv>,
    /// Options of every reset, as JSON.
    pub options: Option<String>,
    /// Collects decisions.
    pub decisions: Box<dyn Decisions>,
    /// True if an episode has exactly one decision.
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
