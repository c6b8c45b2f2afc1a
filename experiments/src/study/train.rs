//! Training of agents, with metrics, checkpoints and weights in a run's folder.

use super::experiment::Experiment;
use crate::metrics::training_sinks;
use crate::run::{RunFolder, make_folder, write_atomic};
use anyhow::{Context, bail};
use houseway_learned::task::TrainingTask;
use houseway_learned::{Agent, MeasureFn, TrainConfig, TrainError, checkpoint, train};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Name of the weights file in a training's folder.
pub const WEIGHTS: &str = "weights.safetensors";
/// Name of the checkpoint folder in a training's folder.
const CHECKPOINT: &str = "checkpoint";
/// Name of the file that contains the reason why a training diverged.
const DIVERGED: &str = "diverged.txt";

/// Trains an agent, or resumes its training; `folder` is the name of its folder in the run. Returns `None` if it was
/// stopped before the end. If the run replaces one with a different configuration, a training that is unchanged or
/// continued takes over its checkpoint.
///
/// # Errors
/// Returns an error if the training fails, or if a checkpoint, the metrics or the weights cannot be read or written.
pub fn train_agent(
    run: &RunFolder,
    (folder, name): (&str, &str),
    (config, seed): (&TrainConfig, u64),
    task: &dyn TrainingTask,
    measure: &mut MeasureFn<'_>,
    stop: &AtomicBool,
) -> anyhow::Result<Option<Box<dyn Agent>>> {
    let relative = Path::new("train").join(folder).join(CHECKPOINT);
    if let Some(replaced) = run.replaced()
        && checkpoint_fits(&replaced.join(&relative), (config, seed), &task.hash())
    {
        run.carry_over(&relative)?;
    }
    let folder = run.training(folder);
    make_folder(&folder)?;
    discard_diverged(&folder, (config, seed), task)?;
    let mut sinks = training_sinks(&folder, name)?;
    let trained = train(config, seed, task, measure, &mut sinks, Some(&folder.join(CHECKPOINT)), stop);
    if let Err(error @ TrainError::Diverged { .. }) = &trained {
        write_atomic(&folder.join(DIVERGED), format!("{error}\n"))?;
    } else if folder.join(DIVERGED).exists() {
        fs::remove_file(folder.join(DIVERGED)).with_context(|| folder.join(DIVERGED).display().to_string())?;
    }
    let trained = trained.with_context(|| format!("training {name}"))?;
    if !trained.finished {
        return Ok(None);
    }
    let options = task.metadata();
    let options = options.iter().map(|(key, value)| (*key, value.as_str()));
    let metadata: Vec<_> =
        std::iter::once(("config-hash", trained.state.config_hash.as_str())).chain(options).collect();
    trained.networks.save_weights(&folder.join(WEIGHTS), &metadata).map_err(anyhow::Error::msg)?;
    Ok(Some(task.agent(name, &trained.networks)))
}

/// Returns true if a training can resume from the checkpoint in a folder.
fn checkpoint_fits(folder: &Path, (config, seed): (&TrainConfig, u64), task_hash: &str) -> bool {
    matches!(checkpoint::find(folder, |step| config.hash_at(step, seed, task_hash)), Ok(Some(_)))
}

/// Removes the checkpoint of a training that diverged under a different configuration.
fn discard_diverged(folder: &Path, training: (&TrainConfig, u64), task: &dyn TrainingTask) -> anyhow::Result<()> {
    let checkpoint = folder.join(CHECKPOINT);
    if folder.join(DIVERGED).exists() && checkpoint.exists() && !checkpoint_fits(&checkpoint, training, &task.hash()) {
        fs::remove_dir_all(&checkpoint).with_context(|| checkpoint.display().to_string())?;
    }
    Ok(())
}

/// Returns the name of a training's folder, derived from the name of its agent.
fn folder_name(agent: &str) -> String {
    agent.replace(", ", "-").replace(' ', "-")
}

/// Checks that the trainings of an experiment continue all those in a run's folder. Each of the latter must be
/// unchanged as far as it got, or have diverged, or have no checkpoint yet. The task must have one of the given hashes.
///
/// # Errors
/// Returns an error if a training is not continued. The message suggests a restart if that is all that is missing.
pub(super) fn check_continues(experiment: &Experiment, task_hashes: &[String], run: &Path) -> Result<(), String> {
    let Ok(found) = fs::read_dir(run.join("train")) else { return Ok(()) };
    let agents: Vec<_> = experiment.agents().collect();
    for entry in found.filter_map(Result::ok) {
        let own = agents.iter().find(|(name, ..)| entry.file_name() == folder_name(name).as_str());
        let Some(&(ref name, config, seed)) = own else { return Err(String::new()) };
        let (checkpoint, diverged) = (entry.path().join(CHECKPOINT), entry.path().join(DIVERGED));
        let fits = |hash: &String| checkpoint_fits(&checkpoint, (config, seed), hash);
        if checkpoint.exists() && !diverged.exists() && !task_hashes.iter().any(fits) {
            let hint = |hash: &String| restart_hint(&checkpoint, name, (config, seed), hash);
            return Err(task_hashes.iter().find_map(hint).unwrap_or_default());
        }
    }
    Ok(())
}

/// Returns the restart with which a training would continue from a checkpoint.
fn restart_hint(checkpoint: &Path, name: &str, (config, seed): (&TrainConfig, u64), task_hash: &str) -> Option<String> {
    let restarted = |step| {
        let restarts = config.restarts.iter().copied().filter(|&restart| restart < step).chain([step]).collect();
        TrainConfig { restarts, ..config.clone() }
    };
    let found = checkpoint::find(checkpoint, |step| restarted(step).hash_at(step, seed, task_hash)).ok().flatten()?;
    let restarts = restarted(found.step).restarts;
    (found.step < config.steps).then(|| {
        format!(
            ". The learning rate falls to zero over the steps of a training, so raising the steps alone gives a \
             different schedule: to continue {name} from step {}, write restarts = {restarts:?} next to its steps",
            found.step
        )
    })
}

/// Trains all agents of an experiment. Returns `None` if it was stopped before the end. A training that diverges does
/// not stop the others, whose work is kept for when its configuration is fixed.
///
/// # Errors
/// Returns the errors of [`train_agent`], and an error if a training diverged.
pub fn train_all(
    experiment: &Experiment,
    run: &RunFolder,
    task: &dyn TrainingTask,
    measure: &mut MeasureFn<'_>,
    stop: &AtomicBool,
) -> anyhow::Result<Option<Vec<Box<dyn Agent>>>> {
    let (mut agents, mut diverged) = (Vec::new(), Vec::new());
    for (name, config, seed) in experiment.agents() {
        match train_agent(run, (&folder_name(&name), &name), (config, seed), task, measure, stop) {
            Err(error) if matches!(error.downcast_ref(), Some(TrainError::Diverged { .. })) => {
                diverged.push(format!("{error:#}"));
            }
            trained => match trained? {
                Some(agent) => agents.push(agent),
                None => return Ok(None),
            },
        }
    }
    if !diverged.is_empty() {
        bail!(
            "{}; nothing is evaluated. The other trainings are complete and are kept when the configuration is changed",
            diverged.join("; ")
        );
    }
    Ok(Some(agents))
}
