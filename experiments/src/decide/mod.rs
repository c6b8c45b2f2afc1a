//! Experiments of games with a fixed list of actions: agents are trained, scored exactly, plotted and reported.
//!
//! A game is a [`Table`]: what the configuration says of it, its environment, and a [`Judge`] who scores a policy exactly
//! and adds the game's own chapters to the report. To add one: a file here that implements the two, a configuration in
//! `experiments/configs/`, and a line in the `OFFERS` of `cli/experiment`.

pub mod asian_stud;
mod config;
pub mod joker_seven;
mod report;

pub use config::DecisionExperiment;

use crate::metrics::training_sinks;
use crate::plot::Figure;
use crate::report::{Report, terminal};
use crate::run::{RunFolder, make_folder};
use anyhow::Context;
use houseway_env::gym::Policy;
use houseway_learned::task::TrainingTask;
use houseway_learned::tasks::EnvTask;
use houseway_learned::{Agent, train};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

/// What a configuration says of a game.
pub trait Table: Clone + Serialize + DeserializeOwned {
    /// The game's name in the registry.
    const GAME: &'static str;
    /// The configuration that comes with the program.
    const CONFIG: &'static str;
    /// What results are counted in: "ante", "chip".
    const UNIT: &'static str;
    /// Who scores its policies.
    type Judge: Judge;

    /// The environment, with the options of its resets.
    ///
    /// # Errors
    /// If the rules make no sense.
    fn task(&self) -> anyhow::Result<EnvTask>;

    /// Who scores policies at this table.
    ///
    /// # Errors
    /// If the rules make no sense.
    fn judge(&self) -> anyhow::Result<Self::Judge>;
}

/// Scores policies of a game exactly.
pub trait Judge {
    /// What a policy is worth.
    fn score(&self, name: &str, policy: &dyn Policy) -> Score;

    /// What the agents are compared with, the optimum last.
    fn baselines(&self) -> Vec<Score>;

    /// What the agents play and how they are scored, for the head of the report.
    fn preface(&self) -> String;

    /// The chapters of the report that belong to the game, and their figures by name.
    fn chapters(&self, report: Report) -> (Report, Vec<(&'static str, Figure)>);
}

/// What a policy is worth, exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// "all-action, seed 1".
    pub name: String,
    /// EV of a round, in units of the table.
    pub ev: f64,
    /// EV of the optimum less that.
    pub regret: f64,
    /// An interval of the regret; none where it is exact.
    pub regret_ci: Option<[f64; 2]>,
    /// Share of decisions that are as good as the optimum's.
    pub agreement: f64,
    /// What it plays, in words.
    pub plays: String,
}

/// What came of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionResults {
    /// "whole": all hands are counted.
    pub scope: String,
    /// The game.
    pub game: String,
    /// All agents, the baselines first, the optimum last.
    pub agents: Vec<Score>,
}

/// An experiment ready to run.
pub struct DecisionLab<T: Table> {
    experiment: DecisionExperiment<T>,
    run: RunFolder,
    task: EnvTask,
    judge: T::Judge,
}

impl<T: Table> DecisionLab<T> {
    /// Makes ready.
    ///
    /// # Errors
    /// If the rules make no sense.
    pub fn open(experiment: DecisionExperiment<T>, run: RunFolder, task: EnvTask) -> anyhow::Result<DecisionLab<T>> {
        let judge = experiment.table.judge()?;
        Ok(DecisionLab { experiment, run, task, judge })
    }

    /// The run's folder.
    pub fn run(&self) -> &RunFolder {
        &self.run
    }

    /// Trains each training with each seed, or goes on where it was cut off, and scores the agents. `None` if it was asked to
    /// stop before the end.
    ///
    /// # Errors
    /// If a checkpoint or the metrics cannot be read or written.
    pub fn train(&self, stop: &AtomicBool) -> anyhow::Result<Option<Vec<Score>>> {
        let mut agents = Vec::new();
        for (name, config) in &self.experiment.train {
            for &seed in &self.experiment.seeds {
                let folder = self.run.training(&format!("{name}-seed-{seed}"));
                make_folder(&folder)?;
                let name = format!("{name}, seed {seed}");
                let mut sinks = training_sinks(&folder, &name)?;
                let mut measure = |agent: &dyn Agent| {
                    let score = self.judge.score("", agent);
                    vec![("regret", score.regret), ("ev", score.ev), ("agreement", score.agreement)]
                };
                let checkpoint = folder.join("checkpoint");
                let trained = train(config, seed, &self.task, &mut measure, &mut sinks, Some(&checkpoint), stop);
                let trained = trained.with_context(|| format!("training {name}"))?;
                if !trained.finished {
                    return Ok(None);
                }
                let metadata = [("config-hash", trained.state.config_hash.as_str())];
                let weights = folder.join("weights.safetensors");
                trained.networks.save_weights(&weights, &metadata).map_err(anyhow::Error::msg)?;
                agents.push(self.judge.score(&name, &*self.task.agent(&name, &trained.networks)));
            }
        }
        Ok(Some(agents))
    }

    /// The agents beside the baselines.
    pub fn results(&self, agents: Vec<Score>) -> DecisionResults {
        let mut all = self.judge.baselines();
        let optimum = all.pop();
        all.extend(agents);
        all.extend(optimum);
        DecisionResults { scope: "whole".to_owned(), game: T::GAME.to_owned(), agents: all }
    }

    /// Writes numbers, plots and report into the run's folder, and the file that says that the run is whole.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn save(&self, results: &DecisionResults) -> anyhow::Result<()> {
        self.run.write_json(crate::run::RESULTS, results)?;
        report::save(self, results)?;
        self.run.finish()?;
        Ok(())
    }

    /// The comparison for a terminal.
    pub fn terminal(&self, results: &DecisionResults) -> String {
        terminal(&report::comparison(results, T::UNIT))
    }
}
