//! The training loop. Between steps, it takes measurements and saves checkpoints.

use crate::checkpoint::{self, CheckpointError, Learned, Measurement, TrainState};
use crate::config::TrainConfig;
use crate::device::training_device;
use crate::methods::{Method, Training};
use crate::metrics::{MetricSink, Stopwatch, TrainingProgress};
use crate::network::{Networks, WeightSource, number};
use crate::optimizer::clip;
use crate::schedule::Schedule;
use crate::task::{Agent, NamedValues, TaskError, TrainingTask};
use burn::optim::GradientsParams;
use burn::tensor::Tensor;
use houseway_env::gym::EnvError;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// An error that prevented training from finishing.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The configuration is invalid.
    #[error("training configuration: {0}")]
    Config(String),
    /// The task does not provide the feedback required by the method.
    #[error("task: {0}")]
    Task(#[from] TaskError),
    /// The checkpoint cannot be read or written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The metrics cannot be stored. The last checkpoint is complete.
    #[error("metrics: {0}; training resumes from its last checkpoint when restarted")]
    Metrics(#[from] io::Error),
    /// A value is no longer finite.
    #[error(
        "diverged at step {step}: {what} is not a finite number; {}; lower learning-rate (now {learning_rate}) or \
         gradient-norm (now {gradient_norm})",
        last_checkpoint(*checkpoint)
    )]
    Diverged {
        /// The step after which the problem was detected.
        step: u64,
        /// The name of the value: a weight, the loss or a measurement.
        what: String,
        /// The step of the last checkpoint, if there is one. Its weights are finite.
        checkpoint: Option<u64>,
        /// The configured learning rate.
        learning_rate: f64,
        /// The configured gradient norm.
        gradient_norm: f32,
    },
    /// The environment rejected a call.
    #[error("environment: {0}")]
    Env(#[from] EnvError),
}

fn last_checkpoint(step: Option<u64>) -> String {
    step.map_or("it has no checkpoint".to_owned(), |step| format!("the last good checkpoint is from step {step}"))
}

/// The result of a training run.
pub struct Trained {
    /// The trained networks. Pass them to [`TrainingTask::agent`] to create an agent.
    pub networks: Networks,
    /// The final state. If training was stopped, `state.step` is less than the configured number of steps.
    pub state: TrainState,
    /// `true` if training reached the last step.
    pub finished: bool,
}

/// A function that measures an agent. Its values are added to the metrics, and progress bars show the one named
/// `regret`.
pub type MeasureFn<'a> = dyn FnMut(&dyn Agent) -> NamedValues + 'a;

/// Trains an agent on a task.
///
/// `evaluator` measures the agent before the first step and then every [`TrainConfig::evaluate_every`] steps, and
/// `sink` receives the measurements. If `checkpoints` is a folder, a later call with the same arguments resumes from
/// the last checkpoint and ends with the same bytes as an uninterrupted run. To continue a finished run, increase its
/// number of steps and add its last step to [`TrainConfig::restarts`]. `stop` is checked after every step. Once it is
/// true, training saves a checkpoint and returns.
///
/// # Errors
/// Returns the errors listed in [`TrainError`].
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
    task.check_feedback(config.method.feedback())?;
    let device = training_device();
    let (feedback, outputs) = (config.method.feedback(), config.method.outputs());
    let weights = &mut WeightSource::new(seed, &device);
    let mut networks = task.networks(config.network, feedback, outputs, weights);
    if config.method.critic_rate().is_some() {
        networks = networks.with_critic(task.networks(config.network, feedback, 1, weights));
    }
    let optimizer = config.optimizer.init();
    let average = (config.ema > 0.0).then(|| networks.clone().without_critic());
    let mut learned = Learned { networks, average, optimizer };
    let (schedule, hash) = (config.schedule(), task.hash());
    let mut state = TrainState::new(config.hash_at(0, seed, &hash));
    let mut checkpoint = None;
    if let Some(folder) = checkpoints
        && let Some(found) = checkpoint::find(folder, |step| config.hash_at(step, seed, &hash))?
    {
        learned = checkpoint::load(folder, learned)?;
        checkpoint = Some(found.step);
        state = found;
    }
    let training = Training { task, batch: config.batch, seed, steps: state.step..schedule.steps, device };
    let mut method = config.method.start(&training)?;
    let learner = Learner {
        config,
        schedule: &schedule,
        identity: (seed, &hash),
        task,
        learned,
        stopwatch: Stopwatch::resume(state.time),
        state,
        checkpoint,
    };
    learner.run(method.as_mut(), evaluator, sink, checkpoints, stop)
}

/// Returns the decay of the weight average after a step. The decay starts low so that the initial weights are forgotten
/// quickly.
fn decay(ema: f64, step: u64) -> f64 {
    ema.min(step as f64 / (step as f64 + 9.0))
}

/// Updates the weights with the gradients of a loss. A critic has its own learning rate, which is a multiple of `rate`.
fn descend(learned: &mut Learned, loss: Tensor<1>, rate: f64, config: &TrainConfig) {
    let mut gradients = loss.backward();
    // The optimizer leaves parameters without a gradient unchanged.
    let critic = learned.networks.critic.as_ref().zip(config.method.critic_rate());
    let critic = critic.map(|(critic, factor)| (GradientsParams::from_module(&mut gradients, critic), factor * rate));
    let gradients = GradientsParams::from_grads(gradients, &learned.networks);
    for (mut gradients, rate) in [(gradients, rate)].into_iter().chain(critic) {
        clip(&mut gradients, &learned.networks, config.gradient_norm);
        learned.networks = learned.optimizer.step(rate, learned.networks.clone(), gradients);
    }
}

/// A training run in progress.
struct Learner<'a> {
    config: &'a TrainConfig,
    schedule: &'a Schedule,
    /// The seed and the task's hash.
    identity: (u64, &'a str),
    task: &'a dyn TrainingTask,
    learned: Learned,
    state: TrainState,
    /// The step of the last checkpoint.
    checkpoint: Option<u64>,
    stopwatch: Stopwatch,
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
        // A resumed run first reports its earlier measurements again.
        for past in &self.state.history {
            // A continued run has more steps than it had before.
            sink.scalars(&TrainingProgress { steps_total: self.config.steps, ..past.progress }, &past.named())?;
        }
        if self.state.step == 0 {
            self.measure(vec![], evaluator, sink)?;
        }
        while self.state.step < self.config.steps {
            let (loss, values) = self.step(method)?;
            self.state.means.add(std::iter::once(("loss", loss)).chain(values));
            let (step, ends) = (self.state.step, self.schedule.ends_at(self.state.step));
            if step.is_multiple_of(self.config.evaluate_every) || ends {
                let means = self.state.means.take();
                self.measure(means, evaluator, sink)?;
            }
            let stopping = stop.load(Ordering::Relaxed);
            if let Some(folder) = checkpoints
                && (step.is_multiple_of(self.config.checkpoint_every) || ends || stopping)
            {
                self.save(folder)?;
            }
            if stopping {
                break;
            }
        }
        sink.finish()?;
        let finished = self.state.step == self.config.steps;
        let networks = self.learned.average.unwrap_or(self.learned.networks).without_critic();
        Ok(Trained { networks, state: self.state, finished })
    }

    fn diverged(&self, what: &str) -> TrainError {
        TrainError::Diverged {
            step: self.state.step,
            what: what.to_owned(),
            checkpoint: self.checkpoint,
            learning_rate: self.config.learning_rate,
            gradient_norm: self.config.gradient_norm,
        }
    }

    /// Saves a checkpoint, or returns an error if a weight is not finite.
    fn save(&mut self, folder: &Path) -> Result<(), TrainError> {
        if !self.learned.networks.is_finite() {
            return Err(self.diverged("a weight"));
        }
        let (seed, task) = self.identity;
        self.state.config_hash = self.config.hash_at(self.state.step, seed, task);
        self.state.time = self.stopwatch.time();
        checkpoint::save(folder, &self.learned, &self.state)?;
        self.checkpoint = Some(self.state.step);
        Ok(())
    }

    /// Computes the losses for a step and applies their gradients. Returns the mean loss and the method's metrics.
    fn step(&mut self, method: &mut dyn Method) -> Result<(f64, NamedValues), TrainError> {
        let cycle = self.schedule.cycle(self.state.step);
        let rate = self.config.learning_rate * self.config.rate_schedule.factor(cycle, self.state.step);
        let progress = self.schedule.progress(self.state.step);
        let (updates, mut sum, mut values) = (self.config.method.updates(), 0.0, vec![]);
        for update in 0..updates {
            let learned = &mut self.learned;
            let loss = method.loss(&learned.networks, self.state.step, progress, update)?;
            let value = number(&loss.loss);
            if !value.is_finite() {
                return Err(self.diverged("the loss"));
            }
            descend(learned, loss.loss, rate, self.config);
            self.state.deals += loss.deals;
            self.state.updates += 1;
            sum += value;
            values = loss.values;
        }
        self.state.step += 1;
        if let Some(average) = &mut self.learned.average {
            average.average(&self.learned.networks, decay(self.config.ema, self.state.step));
        }
        Ok((sum / updates as f64, values))
    }

    /// Returns the agent that plays with the current networks.
    fn agent(&self) -> Box<dyn Agent> {
        let method = &self.config.method;
        self.task.agent(method.name(), &self.learned.playing().models(), method.score_kind())
    }

    fn measure(
        &mut self,
        mut values: Vec<(String, f64)>,
        evaluator: &mut MeasureFn<'_>,
        sink: &mut dyn MetricSink,
    ) -> Result<(), TrainError> {
        if !self.learned.networks.is_finite() {
            return Err(self.diverged("a weight"));
        }
        let agent = self.agent();
        let measured = self.stopwatch.pause(|| evaluator(&*agent));
        values.extend(measured.into_iter().map(|(name, value)| (name.to_owned(), value)));
        if let Some((name, _)) = values.iter().find(|(_, value)| !value.is_finite()) {
            return Err(self.diverged(name));
        }
        let progress = TrainingProgress {
            step: self.state.step,
            steps_total: self.config.steps,
            ..TrainingProgress::after(self.state.deals, self.state.updates, self.stopwatch.time())
        };
        let measurement = Measurement { progress, values };
        sink.scalars(&measurement.progress, &measurement.named())?;
        self.state.history.push(measurement);
        Ok(())
    }
}
