//! Agents for games with a fixed list of actions: fold or raise, which wager to stake on.
//!
//! An agent is a small perceptron from what it observes to a number for each action ([`Perceptron`]), and plays the legal
//! action with the highest one ([`LearnedPolicy`]). It learns from the rewards of the environment alone, in one of two ways:
//!
//! - [`all_action`]: regression on the rewards of all actions on the same cards, see [`Counterfactual`];
//! - [`policy_gradient`]: from the reward of the action played and nothing else; this one works for any environment.
//!
//! To add a game: implement [`Counterfactual`] for its environment, and [`train_decisions`] does the rest.

pub mod all_action;
mod config;
mod network;
mod policy;
pub mod policy_gradient;

pub use config::DecisionConfig;
pub use network::Perceptron;
pub use policy::LearnedPolicy;

use crate::config::MethodKind;
use crate::method::{Method, Named};
use crate::metrics::MetricSink;
use crate::network::training_device;
use crate::train::{Learner, TrainError, Trained};
use all_action::AllAction;
use houseway_env::gym::{Counterfactual, Env};
use policy_gradient::PolicyGradient;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// What a training plays.
pub struct Course<E: Env> {
    /// The environment under its rules.
    pub env: E,
    /// Options of every reset.
    pub options: E::Options,
    /// A name for rules and options that changes with either; part of the checkpoint's name.
    pub hash: String,
}

/// Observations and masks of decisions, one after the other.
#[derive(Clone, Debug, Default)]
struct DecisionBatch {
    observations: Vec<f32>,
    /// 1 where an action is legal, 0 where not.
    masks: Vec<f32>,
    count: usize,
}

impl DecisionBatch {
    fn clear(&mut self) {
        self.observations.clear();
        self.masks.clear();
        self.count = 0;
    }

    fn push(&mut self, observation: &[f32], mask: &[bool]) {
        self.observations.extend_from_slice(observation);
        self.masks.extend(mask.iter().map(|&legal| f32::from(u8::from(legal))));
        self.count += 1;
    }
}

/// Trains an agent: [`train`](crate::train()) for a game with a fixed list of actions. `measure` says what the agent is worth.
///
/// # Errors
/// See [`TrainError`].
pub fn train_decisions<E: Counterfactual + Send + 'static>(
    config: &DecisionConfig,
    seed: u64,
    course: &Course<E>,
    measure: &mut dyn FnMut(&LearnedPolicy) -> Named,
    sink: &mut dyn MetricSink,
    checkpoints: Option<&Path>,
    stop: &AtomicBool,
) -> Result<Trained<Perceptron>, TrainError> {
    config.check().map_err(TrainError::Config)?;
    let device = training_device();
    let (inputs, actions) = (course.env.observation_space().len(), course.env.action_space().n());
    let network = Perceptron::new(config.network, inputs, actions * config.method.outputs(), seed, &device);
    let mut learner = Learner::begin(config.schedule(), config.hash(seed, &course.hash), network, checkpoints)?;
    let mut method: Box<dyn Method<Perceptron>> = match config.method {
        MethodKind::AllAction => Box::new(AllAction::new(course, config, seed, &device)?),
        MethodKind::PolicyGradient => Box::new(PolicyGradient::new(course, config, seed, &device)?),
    };
    let mut measure = |network: &Perceptron| measure(&LearnedPolicy::new(config.method.name(), network, actions));
    learner.run(method.as_mut(), &mut measure, sink, checkpoints, stop)?;
    Ok(learner.end())
}
