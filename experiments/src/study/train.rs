//! Trainings with their metrics, checkpoints and weights in a run's folder.

use super::experiment::Experiment;
use crate::metrics::training_sinks;
use crate::run::{RunFolder, make_folder};
use anyhow::Context;
use houseway_learned::task::TrainingTask;
use houseway_learned::{Agent, MeasureFn, TrainConfig, train};
use std::sync::atomic::AtomicBool;

/// Trains an agent, or resumes its training; `folder` is the name of its folder in the run. `None` if it was stopped before
/// the end.
///
/// # Errors
/// If the training fails, or a checkpoint, the metrics or the weights cannot be read or written.
pub fn train_agent(
    run: &RunFolder,
    (folder, name): (&str, &str),
    (config, seed): (&TrainConfig, u64),
    task: &dyn TrainingTask,
    measure: &mut MeasureFn<'_>,
    stop: &AtomicBool,
) -> anyhow::Result<Option<Box<dyn Agent>>> {
    let folder = run.training(folder);
    make_folder(&folder)?;
    let mut sinks = training_sinks(&folder, name)?;
    let checkpoint = folder.join("checkpoint");
    let trained = train(config, seed, task, measure, &mut sinks, Some(&checkpoint), stop);
    let trained = trained.with_context(|| format!("training {name}"))?;
    if !trained.finished {
        return Ok(None);
    }
    let metadata = [("config-hash", trained.state.config_hash.as_str())];
    trained.networks.save_weights(&folder.join("weights.safetensors"), &metadata).map_err(anyhow::Error::msg)?;
    Ok(Some(task.agent(name, &trained.networks)))
}

/// Trains all agents of an experiment. `None` if it was stopped before the end.
///
/// # Errors
/// As [`train_agent`].
pub fn train_all(
    experiment: &Experiment,
    run: &RunFolder,
    task: &dyn TrainingTask,
    measure: &mut MeasureFn<'_>,
    stop: &AtomicBool,
) -> anyhow::Result<Option<Vec<Box<dyn Agent>>>> {
    let mut agents = Vec::new();
    for (name, config, seed) in experiment.agents() {
        let folder = name.replace(", ", "-").replace(' ', "-");
        let trained = train_agent(run, (&folder, &name), (config, seed), task, measure, stop)?;
        let Some(agent) = trained else { return Ok(None) };
        agents.push(agent);
    }
    Ok(Some(agents))
}
