//! The interface implemented by training methods.

use crate::metrics::DealTotals;
use crate::network::Networks;
use crate::schedule::Schedule;
use crate::scores::ScoreKind;
use crate::task::{Feedback, NamedValues, TaskError, TrainingTask};
use burn::prelude::*;
use houseway_env::gym::EnvError;
use serde_json::Value;

/// The parameters of a method.
pub trait MethodParameters {
    /// Returns the feedback the method learns from.
    fn feedback(&self) -> Feedback;

    /// Returns the number of network outputs per action. The first output is the score used to choose actions.
    fn outputs(&self) -> usize;

    /// Returns the meaning of the scores.
    fn score_kind(&self) -> ScoreKind {
        ScoreKind::Values
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
    /// The run's schedule. Methods follow it when a quantity, such as the entropy bonus, falls to zero during training.
    pub schedule: &'a Schedule,
    /// The seed for all random streams.
    pub seed: u64,
    /// The first step to compute. It is greater than 0 after resuming.
    pub first_step: u64,
    /// The device that the networks are on.
    pub device: Device,
}

/// A running method.
pub trait Method {
    /// Computes the loss for an update. The updates within a step are numbered from 0. Everything that is dealt or
    /// drawn depends only on the seed and the step, so training can resume at any step.
    ///
    /// # Errors
    /// Returns an error if the environment rejects a call.
    fn loss(&mut self, networks: &Networks, step: u64, update: u64) -> Result<Loss, EnvError>;
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
