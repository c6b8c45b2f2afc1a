//! The training loop: deal, learn, measure, save, until the last step.
//!
//! [`train`] takes a [`TrainConfig`], the game and the banker, an [`Evaluator`] that measures the agent now and then, a
//! [`MetricSink`], and a folder for the checkpoint. It ends at the last step or when it is asked to stop; called again with
//! the same arguments it goes on from the checkpoint and ends with the same weights, to the byte, as if it had never
//! stopped.

use crate::all_action::{AllAction, Deals};
use crate::checkpoint::{self, CheckpointError, Measurement, TrainState};
use crate::config::{MethodKind, Schedule, TrainConfig};
use crate::method::{Method, Named};
use crate::metrics::{MetricSink, Progress};
use crate::network::{Scorer, training_device};
use crate::policy::LearnedStrategy;
use crate::policy_gradient::PolicyGradient;
use burn::grad_clipping::GradientClippingConfig;
use burn::optim::{AdamConfig, GradientsParams, ModuleOptimizer};
use burn::prelude::*;
use houseway_env::gym::EnvError;
use houseway_env::pai_gow::observe::candidates::{CONTEXT, ROW};
use houseway_env::pai_gow::{Dealer, Game, ProfileStrategy, Strategy};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Measures an agent while it learns.
pub trait Evaluator {
    /// Named numbers, "regret" among them if it is known.
    fn evaluate(&mut self, strategy: &dyn Strategy) -> Named;
}

/// Measures nothing.
impl Evaluator for () {
    fn evaluate(&mut self, _: &dyn Strategy) -> Named {
        vec![]
    }
}

/// What a training plays: the game, and the banker it learns to beat.
pub struct Table<B> {
    /// The game under its rules.
    pub game: Arc<Game>,
    /// The banker's strategy.
    pub banker: Arc<B>,
    /// A name for rules and banker that changes with either; part of the checkpoint's name.
    pub hash: String,
}

/// Why a training ended without an agent.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The configuration cannot be trained with.
    #[error("training configuration: {0}")]
    Config(String),
    /// The checkpoint cannot be used or written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The metrics cannot be kept. The last checkpoint is whole.
    #[error("metrics: {0}; the training goes on from its last checkpoint when it is started again")]
    Metrics(#[from] io::Error),
    /// The environment refused what it was asked.
    #[error("environment: {0}")]
    Env(#[from] EnvError),
}

/// A training at its end.
pub struct Trained<N = Scorer> {
    /// The network.
    pub network: N,
    /// Where it stands; `state.step` is below the configured steps if it was asked to stop.
    pub state: TrainState,
    /// Whether the last step was reached.
    pub finished: bool,
}

/// Trains an agent; see the module. `stop` is looked at after every step.
///
/// # Errors
/// See [`TrainError`].
pub fn train<B: ProfileStrategy + Send + 'static>(
    config: &TrainConfig,
    seed: u64,
    table: &Table<B>,
    evaluator: &mut dyn Evaluator,
    sink: &mut dyn MetricSink,
    checkpoints: Option<&Path>,
    stop: &AtomicBool,
) -> Result<Trained, TrainError> {
    config.check().map_err(TrainError::Config)?;
    let device = training_device();
    let network = Scorer::new(config.network, ROW, CONTEXT, config.method.outputs(), seed, &device);
    let mut learner = Learner::begin(config.schedule(), config.hash(seed, &table.hash), network, checkpoints)?;
    let mut measure = |network: &Scorer| {
        evaluator.evaluate(&LearnedStrategy::new(config.method.name(), &table.game, network, config.among))
    };
    let dealer = Dealer::new(&table.game, &*table.banker);
    std::thread::scope(|scope| {
        let mut method: Box<dyn Method> = match config.method {
            MethodKind::AllAction => {
                Box::new(AllAction::start(scope, &dealer, config, seed, learner.steps_done(), &device))
            }
            MethodKind::PolicyGradient => Box::new(PolicyGradient::new(table, config, seed, &device)?),
        };
        learner.run(method.as_mut(), &mut measure, sink, checkpoints, stop)
    })?;
    Ok(learner.end())
}

/// Trains an agent by the rewards of all settings of the hands that are dealt so, as [`train`] does for a player; `setting`
/// is a name for what is dealt, and part of the checkpoint's.
///
/// # Errors
/// See [`TrainError`]; of the methods there is only [`MethodKind::AllAction`].
#[allow(clippy::too_many_arguments)] // those of `train`
pub fn train_on<D: Deals + ?Sized>(
    config: &TrainConfig,
    seed: u64,
    deals: &D,
    setting: &str,
    evaluator: &mut dyn Evaluator,
    sink: &mut dyn MetricSink,
    checkpoints: Option<&Path>,
    stop: &AtomicBool,
) -> Result<Trained, TrainError> {
    config.check().map_err(TrainError::Config)?;
    if config.method != MethodKind::AllAction {
        let text = format!("method = \"{}\": hands without an environment have all-action alone", config.method.name());
        return Err(TrainError::Config(text));
    }
    let device = training_device();
    let network = Scorer::new(config.network, ROW, CONTEXT, config.method.outputs(), seed, &device);
    let mut learner = Learner::begin(config.schedule(), config.hash(seed, setting), network, checkpoints)?;
    let mut measure =
        |network: &Scorer| evaluator.evaluate(&LearnedStrategy::new("learned", deals.game(), network, config.among));
    std::thread::scope(|scope| {
        let mut method = AllAction::start(scope, deals, config, seed, learner.steps_done(), &device);
        learner.run(&mut method, &mut measure, sink, checkpoints, stop)
    })?;
    Ok(learner.end())
}

/// The moving parts of a training, of any game.
pub(crate) struct Learner<N> {
    schedule: Schedule,
    network: N,
    optimizer: ModuleOptimizer,
    state: TrainState,
    /// Seconds of the runs before this one.
    seconds_before: f64,
    began: Instant,
}

impl<N: Module> Learner<N> {
    /// Begins with this network, or goes on from the checkpoint of this name.
    ///
    /// # Errors
    /// If there is a checkpoint that cannot be gone on with.
    pub(crate) fn begin(
        schedule: Schedule,
        hash: String,
        network: N,
        checkpoints: Option<&Path>,
    ) -> Result<Learner<N>, TrainError> {
        let clipping = GradientClippingConfig::Norm(schedule.gradient_norm);
        let (mut network, mut optimizer) = (network, AdamConfig::new().with_grad_clipping(Some(clipping)).init());
        let mut state = TrainState::new(hash.clone());
        if let Some(folder) = checkpoints
            && let Some(found) = checkpoint::find(folder, &hash)?
        {
            (network, optimizer) = checkpoint::load(folder, network, optimizer)?;
            state = found;
        }
        let seconds_before = state.history.last().map_or(0.0, |last| last.progress.seconds);
        Ok(Learner { schedule, network, optimizer, state, seconds_before, began: Instant::now() })
    }

    /// Steps done so far.
    pub(crate) fn steps_done(&self) -> u64 {
        self.state.step
    }

    /// What has come of it.
    pub(crate) fn end(self) -> Trained<N> {
        let finished = self.state.step == self.schedule.steps;
        Trained { network: self.network, state: self.state, finished }
    }

    /// Learns until the last step, or until it is asked to stop. What was measured before a break is told again first.
    ///
    /// # Errors
    /// See [`TrainError`].
    pub(crate) fn run(
        &mut self,
        method: &mut dyn Method<N>,
        measure: &mut dyn FnMut(&N) -> Named,
        sink: &mut dyn MetricSink,
        checkpoints: Option<&Path>,
        stop: &AtomicBool,
    ) -> Result<(), TrainError> {
        for past in &self.state.history {
            let values: Vec<(&str, f64)> = past.values.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            sink.scalars(&past.progress, &values)?;
        }
        if self.state.step == 0 {
            self.measure(vec![], measure, sink)?;
        }
        let (mut losses, mut measured) = (0.0, self.state.step);
        while self.state.step < self.schedule.steps {
            let (loss, values) = self.step(method)?;
            losses += loss;
            let (step, last) = (self.state.step, self.state.step == self.schedule.steps);
            if step.is_multiple_of(self.schedule.evaluate_every) || last {
                let mean = losses / (step - measured) as f64;
                (losses, measured) = (0.0, step);
                let values = std::iter::once(("loss", mean)).chain(values).collect();
                self.measure(values, measure, sink)?;
            }
            let stopping = stop.load(Ordering::Relaxed);
            if let Some(folder) = checkpoints
                && (step.is_multiple_of(self.schedule.checkpoint_every) || last || stopping)
            {
                checkpoint::save(folder, &self.network, &self.optimizer, &self.state)?;
            }
            if stopping {
                break;
            }
        }
        sink.finish()?;
        Ok(())
    }

    fn step(&mut self, method: &mut dyn Method<N>) -> Result<(f64, Named), TrainError> {
        let loss = method.loss(&self.network, self.state.step)?;
        let value = f64::from(loss.loss.clone().into_scalar::<f32>());
        let gradients = GradientsParams::from_grads(loss.loss.backward(), &self.network);
        let done = self.state.step as f64 / self.schedule.steps as f64;
        let rate = self.schedule.learning_rate * (1.0 + (std::f64::consts::PI * done).cos()) / 2.0;
        self.network = self.optimizer.step(rate, self.network.clone(), gradients);
        self.state.step += 1;
        self.state.hands += loss.hands;
        Ok((value, loss.values))
    }

    fn measure(
        &mut self,
        mut values: Named,
        measure: &mut dyn FnMut(&N) -> Named,
        sink: &mut dyn MetricSink,
    ) -> Result<(), TrainError> {
        values.extend(measure(&self.network));
        let progress = Progress {
            step: self.state.step,
            steps_total: self.schedule.steps,
            hands: self.state.hands,
            seconds: self.seconds_before + self.began.elapsed().as_secs_f64(),
        };
        sink.scalars(&progress, &values)?;
        let values = values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        self.state.history.push(Measurement { progress, values });
        Ok(())
    }
}
