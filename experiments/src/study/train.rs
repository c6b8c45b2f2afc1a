//! Trains agents and stores their metrics, checkpoints, and weights in a run's folder, and loads saved agents.

use super::experiment::{AgentTraining, Experiment, SavedAgent, TRAININGS, Training, WEIGHTS, digest, read_weights};
use crate::metrics::{ProgressSink, SharedProgress, TrainingSinks};
use anyhow::{Context, bail};
use houseway_exact::answer::Answer;
use houseway_exact::solver::{Cancelled, Control};
use houseway_lab::report::Report;
use houseway_lab::run::{CONFIG, RESULTS, RunFolder, make_folder, read_inside, remove, with_control, write_atomic};
use houseway_learned::task::TrainingTask;
use houseway_learned::trees::{fit_trees, has_checkpoint};
use houseway_learned::{Agent, MeasureFn, ScoreKind, TrainConfig, TrainError, checkpoint, load_agent, train};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::{fs, io};

const CHECKPOINT: &str = "checkpoint";
/// The name of the file that records why training diverged, in the folders of a training and of its run.
pub const DIVERGED: &str = "diverged.txt";

/// An error for a study with training runs that diverged.
#[derive(Debug, thiserror::Error)]
#[error("{0}; nothing was evaluated. The other training runs are complete and are kept when the configuration changes")]
pub struct Diverged(String);

/// Trains an agent or resumes its training. Returns [`Cancelled`] if stopped before the end. If the run replaces one with
/// a different configuration, the checkpoint is carried over as long as the training configuration is unchanged or
/// continues the old one.
pub fn train_agent(
    run: &RunFolder,
    agent: &AgentTraining<'_>,
    task: &dyn TrainingTask,
    measure: &mut MeasureFn<'_>,
    control: RunControl<'_>,
) -> anyhow::Result<Box<dyn Agent>> {
    let AgentTraining { name, folder, training, seed } = agent;
    let relative = Path::new(TRAININGS).join(folder).join(CHECKPOINT);
    if let Some(replaced) = run.replaced()
        && agent.fits(&replaced.join(&relative), &task.hash())
    {
        run.carry_over(&relative)?;
    }
    let folder = run.training(folder);
    let (checkpoint, diverged) = (folder.join(CHECKPOINT), folder.join(DIVERGED));
    make_folder(&folder)?;
    let config = match training {
        Training::Network(config) => config,
        Training::Trees(config) => {
            let mut sinks = control.sinks(&folder, name)?;
            let fitted = fit_trees(config, *seed, task, measure, &mut sinks, Some(&checkpoint), control.stop);
            let fitted = fitted.with_context(|| format!("fitting {name}"))?;
            return match fitted.finished {
                true => Ok(task.agent(name, &fitted.models, ScoreKind::Values)),
                false => Err(Cancelled.into()),
            };
        }
    };
    // Training can't resume from the checkpoint of a training run that diverged with a different configuration.
    let has_diverged = diverged.exists() && checkpoint::exists(&checkpoint);
    if has_diverged && !agent.fits(&checkpoint, &task.hash()) {
        checkpoint::remove(&checkpoint).with_context(|| checkpoint.display().to_string())?;
    }
    let mut sinks = control.sinks(&folder, name)?;
    let trained = train(config, *seed, task, measure, &mut sinks, Some(&checkpoint), control.stop);
    if let Err(error @ TrainError::Diverged { .. }) = &trained {
        write_atomic(&diverged, format!("{error}\n"))?;
    } else {
        remove(&diverged)?;
    }
    let trained = trained.with_context(|| format!("training {name}"))?;
    if !trained.finished {
        return Err(Cancelled.into());
    }
    let options = task.metadata();
    let options = options.iter().map(|(key, value)| (*key, value.as_str()));
    let metadata: Vec<_> =
        std::iter::once(("config-hash", trained.state.config_hash.as_str())).chain(options).collect();
    trained.networks.save_weights(&folder.join(WEIGHTS), &metadata).map_err(anyhow::Error::msg)?;
    Ok(task.agent(name, &trained.networks.models(), config.method.score_kind()))
}

impl AgentTraining<'_> {
    /// Returns `true` if training can resume from the checkpoint in a folder.
    fn fits(&self, folder: &Path, task_hash: &str) -> bool {
        match self.training {
            Training::Network(config) => checkpoint_step(folder, config, self.seed, task_hash).is_some(),
            Training::Trees(config) => has_checkpoint(folder, config, self.seed, task_hash),
        }
    }

    /// Returns the step from which [`train_agent`] would resume training a network, or `None` if it would start over or
    /// fail, or if trees are fitted.
    pub fn resumable_step(&self, run: &RunFolder, task_hash: &str) -> Option<u64> {
        let Training::Network(config) = self.training else { return None };
        checkpoint_step(&run.training(&self.folder).join(CHECKPOINT), config, self.seed, task_hash)
    }
}

fn checkpoint_step(folder: &Path, config: &TrainConfig, seed: u64, task_hash: &str) -> Option<u64> {
    let found = checkpoint::find(folder, |step| config.hash_at(step, seed, task_hash)).ok()??;
    Some(found.step)
}

/// Returns the name of an agent's folder in a run.
pub fn folder_name(agent: &str) -> String {
    agent.replace(", ", "-").replace(' ', "-")
}

/// Returns `true` if the last training in the folder of a training or of a run in a sweep diverged.
pub fn has_diverged(folder: &Path) -> bool {
    folder.join(DIVERGED).exists()
}

/// Checks that an experiment continues all training runs in a run's folder. Each of those must be unchanged up to the
/// step it has reached, must have diverged, or must not have a checkpoint yet. The task must have one of the given
/// hashes.
pub fn check_continues(experiment: &Experiment, task_hashes: &[String], run: &Path) -> Result<(), String> {
    let Ok(found) = fs::read_dir(run.join(TRAININGS)) else { return Ok(()) };
    for entry in found.filter_map(Result::ok) {
        let mut agents = experiment.agents();
        let own = agents.find(|agent| entry.file_name() == *agent.folder);
        let Some(own) = own else { return Err(String::new()) };
        let checkpoint = entry.path().join(CHECKPOINT);
        // Only networks diverge. An ensemble of trees may have the folder of a network that did.
        let has_diverged = matches!(own.training, Training::Network(_)) && has_diverged(&entry.path());
        if checkpoint::exists(&checkpoint)
            && !has_diverged
            && !task_hashes.iter().any(|hash| own.fits(&checkpoint, hash))
        {
            let hint = |hash: &String| restart_hint(&checkpoint, &own, hash);
            return Err(task_hashes.iter().find_map(hint).unwrap_or_default());
        }
    }
    Ok(())
}

/// Returns a hint about the restart that would allow training to continue from a checkpoint, or `None` if a restart
/// alone wouldn't be enough, as for trees.
fn restart_hint(checkpoint: &Path, agent: &AgentTraining<'_>, task_hash: &str) -> Option<String> {
    let Training::Network(config) = agent.training else { return None };
    let restarted = |step| {
        let restarts = config.restarts.iter().copied().filter(|&restart| restart < step).chain([step]).collect();
        TrainConfig { restarts, ..config.clone() }
    };
    let found =
        checkpoint::find(checkpoint, |step| restarted(step).hash_at(step, agent.seed, task_hash)).ok().flatten()?;
    let restarts = restarted(found.step).restarts;
    (found.step < config.steps).then(|| {
        format!(
            ". The schedule of the learning rate ends at the last step, so adding steps alone changes \
             it. To continue {} from step {}, add restarts = {restarts:?} next to its steps",
            agent.name, found.step
        )
    })
}

/// Trains all agents in an experiment. If one training run diverges, the others still run, and their work is kept until
/// the configuration is fixed.
pub fn train_all(
    experiment: &Experiment,
    run: &RunFolder,
    task: &dyn TrainingTask,
    measure: &mut MeasureFn<'_>,
    control: RunControl<'_>,
) -> anyhow::Result<Vec<Box<dyn Agent>>> {
    let (mut agents, mut diverged) = (Vec::new(), Vec::new());
    for agent in experiment.agents() {
        match train_agent(run, &agent, task, measure, control) {
            Err(error) if matches!(error.downcast_ref(), Some(TrainError::Diverged { .. })) => {
                diverged.push(format!("{error:#}"));
            }
            trained => agents.push(trained?),
        }
    }
    if !diverged.is_empty() {
        return Err(Diverged(diverged.join("; ")).into());
    }
    Ok(agents)
}

pub fn save(run: &RunFolder, answer: &Answer) -> io::Result<()> {
    run.write_json(RESULTS, &answer.json)?;
    Report::from(answer.clone()).save(run)
}

/// Stops a study early and shows its progress.
#[derive(Clone, Copy)]
pub struct RunControl<'a> {
    /// A flag that stops the study. Training saves a checkpoint first.
    pub stop: &'a AtomicBool,
    /// The display for studies that run in parallel. If there is none, each training run and each stage of an
    /// evaluation has its own display.
    pub shared: Option<&'a SharedProgress>,
}

impl<'a> RunControl<'a> {
    pub fn new(stop: &'a AtomicBool) -> RunControl<'a> {
        RunControl { stop, shared: None }
    }

    /// Calls `compute` with a control for exact computations.
    pub fn exact<T>(self, compute: impl FnOnce(&Control<'_>) -> T) -> T {
        match self.shared {
            None => with_control(self.stop, compute),
            Some(_) => compute(&Control { progress: None, cancel: Some(self.stop) }),
        }
    }

    fn sinks(self, folder: &Path, label: &str) -> io::Result<TrainingSinks<'a>> {
        match self.shared {
            None => TrainingSinks::create(folder, true, ProgressSink::new(label)),
            Some(shared) => TrainingSinks::create(folder, false, shared.sink()),
        }
    }
}

pub struct Loaded {
    pub agent: Box<dyn Agent>,
    /// The SHA-256 of the weights file that the agent was read from.
    pub digest: String,
}

/// Loads all of an experiment's saved agents. The task must be that of the experiment.
pub fn load_saved(experiment: &Experiment, task: &dyn TrainingTask) -> anyhow::Result<Vec<Loaded>> {
    let load = |(name, saved): (&String, &SavedAgent)| {
        let (file, bytes) = read_weights(Path::new(&saved.weights))?;
        let scores = score_kind(&file, experiment.game).unwrap_or(ScoreKind::Unknown);
        match load_agent(task, name, &bytes, scores) {
            Ok(agent) => Ok(Loaded { agent, digest: digest(&bytes) }),
            Err(error) => bail!("{} does not contain an agent for this experiment: {error}", file.display()),
        }
    };
    let named = |entry: (&String, &SavedAgent)| load(entry).with_context(|| format!("agents.{}", entry.0));
    experiment.saved.iter().map(named).collect()
}

/// Returns the meaning of an agent's scores, which depends on the method in the configuration of its run. Returns `None`
/// if the weights file isn't in the folder of a run.
fn score_kind(file: &Path, game: &str) -> Option<ScoreKind> {
    let file = file.canonicalize().ok()?;
    let training = file.parent()?;
    let run = training.parent().filter(|trainings| trainings.ends_with(TRAININGS))?.parent()?;
    let experiment = Experiment::parse(&read_inside(run, CONFIG).ok()?, Some(game)).ok()?;
    let mut agents = experiment.agents();
    let own = agents.find(|agent| training.file_name().is_some_and(|own| *own == *agent.folder));
    match own?.training {
        Training::Network(config) => Some(config.method.score_kind()),
        Training::Trees(_) => None,
    }
}
