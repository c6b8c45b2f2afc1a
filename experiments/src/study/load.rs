//! Loads the agents that an experiment evaluates without training them.

use super::experiment::Experiment;
use super::saved::{SavedAgent, TRAININGS, digest};
use super::train::folder_name;
use anyhow::{Context, anyhow};
use houseway_lab::run::{CONFIG, read_inside};
use houseway_learned::task::TrainingTask;
use houseway_learned::{Agent, ScoreKind, load_agent};
use std::path::Path;

/// A saved agent and its weights.
pub(super) struct Loaded {
    pub(super) agent: Box<dyn Agent>,
    /// The SHA-256 of the weights file that the agent was read from.
    pub(super) digest: String,
}

/// Loads all of an experiment's saved agents. The task must be that of the experiment.
pub(super) fn load_saved(experiment: &Experiment, task: &dyn TrainingTask) -> anyhow::Result<Vec<Loaded>> {
    let load = |(name, saved): (&String, &SavedAgent)| {
        load(name, saved, experiment.game, task).with_context(|| format!("agents.{name}"))
    };
    experiment.saved.iter().map(load).collect()
}

fn load(name: &str, saved: &SavedAgent, game: &str, task: &dyn TrainingTask) -> anyhow::Result<Loaded> {
    let (file, bytes) = (saved.file()?, saved.read()?);
    let agent = load_agent(task, name, &bytes, score_kind(&file, game));
    let agent =
        agent.map_err(|error| anyhow!("{} does not contain an agent for this experiment: {error}", file.display()))?;
    Ok(Loaded { agent, digest: digest(&bytes) })
}

/// Returns the meaning of an agent's scores, which depends on the method in the configuration of its run. Returns `None`
/// if the weights file isn't in the folder of a run.
fn score_kind(file: &Path, game: &str) -> Option<ScoreKind> {
    let file = file.canonicalize().ok()?;
    let training = file.parent()?;
    let run = training.parent().filter(|trainings| trainings.ends_with(TRAININGS))?.parent()?;
    let experiment = Experiment::parse(&read_inside(run, CONFIG).ok()?, Some(game)).ok()?;
    let mut agents = experiment.agents();
    let agent = agents.find(|(name, ..)| training.file_name().is_some_and(|own| *own == *folder_name(name)));
    agent.map(|(_, config, _)| config.method.score_kind())
}
