//! The training loop: one step after the other, with measurements and checkpoints in between.

use crate::checkpoint::{self, CheckpointError, Measurement, TrainState};
use crate::config::TrainConfig;
use crate::method::{Method, Training};
use crate::metrics::{MetricSink, TrainingProgress};
use crate::network::{Networks, WeightSource, training_device};
use crate::task::{Agent, NamedValues, TaskError, TrainingTask};
use burn::grad_clipping::GradientClippingConfig;
use burn::optim::{AdamConfig, GradientsParams, ModuleOptimizer};
use houseway_env::gym::EnvError;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The reason why a training ended without an agent.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The configuration is invalid.
    #[error("training configuration: {0}")]
    Config(String),
    /// The task does not give the feedback that the method needs.
    #[error("task: {0}")]
    Task(#[from] TaskError),
    /// The checkpoint cannot be used or written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The metrics cannot be kept. The last checkpoint is complete.
    #[error("metrics: {0}; the training resumes from its last checkpoint when it is started again")]
    Metrics(#[from] io::Error),
    /// The environment refused a call.
    #[error("environment: {0}")]
    Env(#[from] EnvError),
}

/// The result of a training.
pub struct Trained {
    /// The networks; [`TrainingTask::agent`] makes an agent of them.
    pub networks: Networks,
    /// The state at the end; `state.step` is below the configured steps if the training was stopped.
    pub state: TrainState,
    /// True if the last step was reached.
    pub finished: bool,
}

/// A function that measures an agent. Its numbers go to the metrics; one named `regret` is shown by progress bars.
pub type MeasureFn<'a> = dyn FnMut(&dyn Agent) -> NamedValues + 'a;

/// Trains an agent on a task.
///
/// `evaluator` measures the agent before the first step and every [`TrainConfig::evaluate_every`] steps; `sink` receives the
/// measurements. With a folder for `checkpoints`, a later call with the same arguments resumes from the last checkpoint and
/// ends with the same weights, to the byte, as if there had been no break. `stop` is read after every step; if it is true,
/// the training ends there with a checkpoint.
///
/// # Errors
/// See [`TrainError`].
pub fn train(
    config: &TrainConfig,
    seed: u64,
    task: &dyn TrainingTask,
    evaluator: &mut MeasureFn<'_>,
    sink: &mut dyn MetricSink,
    checkpoints: Option<&Path>,
    stop: &AtomicBool,
) -> Result<Trained, TrainError> {
    config.check().map_err(TrainError::Config)?;
    let device = training_device();
    let (feedback, outputs) = (config.method.feedback(), config.method.outputs());
    let mut networks = task.networks(config.network, feedback, outputs, &mut WeightSource::new(seed, &device));
    let clipping = GradientClippingConfig::Norm(config.gradient_norm);
    let mut optimizer = AdamConfig::new().with_grad_clipping(Some(clipping)).init();
    let hash = config.hash(seed, &task.hash());
    let mut state = TrainState::new(hash.clone());
    if let Some(folder) = checkpoints
        && let Some(found) = checkpoint::find(folder, &hash)?
    {
        (networks, optimizer) = checkpoint::load(folder, networks, optimizer)?;
        state = found;
    }
    let (first_step, steps) = (state.step, config.steps);
    let mut method = config.method.start(&Training { task, batch: config.batch, seed, first_step, steps, device })?;
    let seconds_before = state.history.last().map_or(0.0, |last| last.progress.seconds);
    let learner = Learner { config, task, networks, optimizer, state, seconds_before, began: Instant::now() };
    learner.run(method.as_mut(), evaluator, sink, checkpoints, stop)
}

/// The moving parts of a training.
struct Learner<'a> {
    config: &'a TrainConfig,
    task: &'a dyn TrainingTask,
    networks: Networks,
    optimizer: ModuleOptimizer,
    state: TrainState,
    /// Seconds of the runs before a resume.
    seconds_before: f64,
    began: Instant,
}

impl Learner<'_> {
    fn run(
        mut self,
        method: &mut dyn Method,
        evaluator: &mut MeasureFn<'_>,
        sink: &mut dyn MetricSink,
        checkpoints: Option<&Path>,
        stop: &AtomicBool,
    ) -> Result<Trained, TrainError> {
        // Measurements before a break are reported again first.
        for past in &self.state.history {
            let values: Vec<(&str, f64)> = past.values.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            sink.scalars(&past.progress, &values)?;
        }
        if self.state.step == 0 {
            self.measure(vec![], evaluator, sink)?;
        }
        let (mut losses, mut measured) = (0.0, self.state.step);
        while self.state.step < self.config.steps {
            let (loss, values) = self.step(method)?;
            losses += loss;
            let (step, last) = (self.state.step, self.state.step == self.config.steps);
            if step.is_multiple_of(self.config.evaluate_every) || last {
                let mean = losses / (step - measured) as f64;
                (losses, measured) = (0.0, step);
                let values = std::iter::once(("loss", mean)).chain(values).collect();
                self.measure(values, evaluator, sink)?;
            }
            let stopping = stop.load(Ordering::Relaxed);
            if let Some(folder) = checkpoints
                && (step.is_multiple_of(self.config.checkpoint_every) || last || stopping)
            {
                checkpoint::save(folder, &self.networks, &self.optimizer, &self.state)?;
            }
            if stopping {
                break;
            }
        }
        sink.finish()?;
        let finished = self.state.step == self.config.steps;
        Ok(Trained { networks: self.networks, state: self.state, finished })
    }

    /// Computes the loss of a step and follows its gradient.
    fn step(&mut self, method: &mut dyn Method) -> Result<(f64, NamedValues), TrainError> {
        let loss = method.loss(&self.networks, self.state.step)?;
        let value = f64::from(loss.loss.clone().into_scalar::<f32>());
        let gradients = GradientsParams::from_grads(loss.loss.backward(), &self.networks);
        let done = self.state.step as f64 / self.config.steps as f64;
        let rate = self.config.learning_rate * (1.0 + (std::f64::consts::PI * done).cos()) / 2.0;
        self.networks = self.optimizer.step(rate, self.networks.clone(), gradients);
        self.state.step += 1;
        self.state.hands += loss.deals;
        Ok((value, loss.values))
    }

    fn measure(
        &mut self,
        mut values: NamedValues,
        evaluator: &mut MeasureFn<'_>,
        sink: &mut dyn MetricSink,
    ) -> Result<(), TrainError> {
        values.extend(evaluator(&*self.task.agent(self.config.method.name(), &self.networks)));
        let progress = TrainingProgress {
            step: self.state.step,
            steps_total: self.config.steps,
            hands: self.state.hands,
            seconds: self.seconds_before + self.began.elapsed().as_secs_f64(),
        };
        sink.scalars(&progress, &values)?;
        let values = values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        self.state.history.push(Measurement { progress, values });
        Ok(())
    }
}
