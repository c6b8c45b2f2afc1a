//! Interfaces of a method.

use crate::network::Networks;
use crate::schedule::Schedule;
use crate::task::{Feedback, NamedValues, TaskError, TrainingTask};
use burn::prelude::*;
use houseway_env::gym::EnvError;
use serde_json::Value;

/// Parameters of a method.
pub trait MethodParameters {
    /// Feedback that the method learns from.
    fn feedback(&self) -> Feedback;

    /// Numbers that a network gives for every action. The first one is the score by which an agent chooses.
    fn outputs(&self) -> usize;

    /// Samples of the unseen cards behind each reward, for methods with full information.
    fn reward_samples(&self) -> usize {
        1
    }

    /// Gradients followed in a step of the training, on the same deals.
    fn updates(&self) -> u64 {
        1
    }

    /// Returns the parameters that configurations do not write at their defaults, so that those from before them keep
    /// their hash.
    fn unwritten(&self) -> Vec<(&'static str, Value)> {
        vec![]
    }

    /// Checks the parameters.
    ///
    /// # Errors
    /// Returns an error if one is out of its range; the message names the key and the remedy.
    fn check(&self) -> Result<(), String>;

    /// Starts the method on a task.
    ///
    /// # Errors
    /// Returns an error if the task does not give the feedback.
    fn start(&self, training: &Training<'_>) -> Result<Box<dyn Method>, TaskError>;
}

/// Parameters of a training that methods use.
pub struct Training<'a> {
    /// The task.
    pub task: &'a dyn TrainingTask,
    /// Deals per step.
    pub batch: usize,
    /// The schedule.
    pub schedule: &'a Schedule,
    /// Seed of all random streams.
    pub seed: u64,
    /// The first step to compute; not 0 after a resume.
    pub first_step: u64,
    /// Device of the networks.
    pub device: Device,
}

/// A method in training.
pub trait Method {
    /// Computes the loss of an update, numbered from 0 in each step. Everything dealt and drawn depends on the seed and
    /// the step alone, so that a training can resume at any step.
    ///
    /// # Errors
    /// Returns an error if the environment refuses a call.
    fn loss(&mut self, networks: &Networks, step: u64, update: u64) -> Result<Loss, EnvError>;
}

/// The loss of an update.
pub struct Loss {
    /// The number to minimise, a tensor of one element.
    pub loss: Tensor<1>,
    /// Number of deals that are new in it.
    pub deals: u64,
    /// Numbers for the metrics.
    pub values: NamedValues,
}
