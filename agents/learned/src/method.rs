//! The interface of training methods.

use crate::network::Networks;
use crate::schedule::Schedule;
use crate::task::{Feedback, NamedValues, TaskError, TrainingTask};
use burn::prelude::*;
use houseway_env::gym::EnvError;
use serde_json::Value;

/// Parameters of a method.
pub trait MethodParameters {
    /// Returns the feedback that the method learns from.
    fn feedback(&self) -> Feedback;

    /// Returns the number of network outputs per action. The first output is the score by which an agent chooses.
    fn outputs(&self) -> usize;

    /// Returns the number of samples of the unseen cards behind each reward, for methods with full information.
    fn reward_samples(&self) -> usize {
        1
    }

    /// Returns the number of gradient steps on the same deals in one training step.
    fn updates(&self) -> u64 {
        1
    }

    /// Returns the parameters that are omitted from serialized configurations at their defaults, so that older
    /// configurations keep their hash.
    fn unwritten(&self) -> Vec<(&'static str, Value)> {
        vec![]
    }

    /// Checks the parameters.
    ///
    /// # Errors
    /// Returns an error that names the key and the remedy if a parameter is out of range.
    fn check(&self) -> Result<(), String>;

    /// Starts the method on a task.
    ///
    /// # Errors
    /// Returns an error if the task does not provide the feedback.
    fn start(&self, training: &Training<'_>) -> Result<Box<dyn Method>, TaskError>;
}

/// Parameters of a training run used by methods.
pub struct Training<'a> {
    /// The task.
    pub task: &'a dyn TrainingTask,
    /// Number of deals per step.
    pub batch: usize,
    /// The schedule.
    pub schedule: &'a Schedule,
    /// Seed of all random streams.
    pub seed: u64,
    /// The first step to compute, which is not 0 after resuming.
    pub first_step: u64,
    /// Device of the networks.
    pub device: Device,
}

/// A method in training.
pub trait Method {
    /// Computes the loss of an update, where updates are numbered from 0 in each step. Everything dealt and drawn
    /// depends only on the seed and the step, so that training can resume at any step.
    ///
    /// # Errors
    /// Returns an error if the environment rejects a call.
    fn loss(&mut self, networks: &Networks, step: u64, update: u64) -> Result<Loss, EnvError>;
}

/// The loss of an update.
pub struct Loss {
    /// The number to minimise, as a tensor with one element.
    pub loss: Tensor<1>,
    /// Number of new deals.
    pub deals: u64,
    /// Numbers for the metrics.
    pub values: NamedValues,
}
