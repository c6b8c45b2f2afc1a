//! Runs a study from its configuration to its report.

use super::experiment::Experiment;
use super::report::report;
use super::rounds::{self, PlayedRounds};
use super::train::{check_continues, train_all};
use crate::run::{RESULTS, RunFolder, RunKind, RunSpec, with_control};
use anyhow::anyhow;
use houseway_env::registry;
use houseway_exact::answer::TextTable;
use houseway_exact::solver::{
    Control, Entrant, Evaluation, Evaluator, Scope, Solver, SolverEntry, SolverError, StakeUnit,
};
use houseway_learned::Agent;
use houseway_learned::task::{Feedback, TrainingTask};
use houseway_learned::tasks::{self, LabelledTask};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// An experiment together with its game's training task and solver.
pub struct Study {
    experiment: Experiment,
    task: Box<dyn TrainingTask>,
    solver: Option<(&'static SolverEntry, Box<dyn Solver>)>,
}

/// The outcome of running a study.
pub enum Ending {
    /// The run was stopped before its end.
    Stopped,
    /// The agents have been trained, and no evaluation was requested.
    Trained,
    /// The agents have been evaluated.
    Evaluated(Results),
}

/// The results of a study.
pub struct Results {
    /// The document in `results.json`.
    pub json: Value,
    /// A comparison of all agents.
    pub comparison: TextTable,
}

impl Study {
    /// Creates the training task and the solver for the experiment's game.
    ///
    /// # Errors
    /// Returns an error if a key or value in the configuration is invalid.
    pub fn open(experiment: Experiment) -> anyhow::Result<Study> {
        let solver = match houseway_exact::registry::find(experiment.game) {
            Ok(entry) => Some((entry, entry.solver(&experiment.solver_config(entry))?)),
            Err(_) => None,
        };
        let task = make_task(&experiment, None)?;
        let study = Study { task, solver, experiment };
        study.check_labels()?;
        study.check_exploitability()?;
        Ok(study)
    }

    /// Returns the name of a training configuration that requires exact labels, if there is one.
    fn labelled(&self) -> Option<&str> {
        let mut trainings = self.experiment.train.iter();
        let found = trainings.find(|(_, config)| config.method.feedback() == Feedback::ExactLabels);
        found.map(|(name, _)| name.as_str())
    }

    /// Checks that there are exact labels if a method requires them.
    fn check_labels(&self) -> anyhow::Result<()> {
        let has_labels = self.solver.as_ref().is_some_and(|(_, solver)| solver.has_exact_values());
        match self.labelled() {
            Some(name) if !has_labels => Err(anyhow!(
                "train.{name}: there are no exact labels for {}; use a method with another kind of feedback",
                self.experiment.game
            )),
            _ => Ok(()),
        }
    }

    /// Checks that the solver can compute best responses to the agents if the experiment asks for them.
    fn check_exploitability(&self) -> anyhow::Result<()> {
        let is_supported = self.solver.as_ref().is_some_and(|(_, solver)| solver.has_exploitability());
        if self.experiment.exploitability && !is_supported {
            let game = self.experiment.game;
            return Err(anyhow!("exploitability: {game} has no solver that responds to the agents; remove the key"));
        }
        Ok(())
    }

    /// Returns the evaluation scope. Defaults to all hands, or to a sample of rounds if the game has no solver.
    ///
    /// # Errors
    /// Returns an error if the scope requires a solver or a sample that the game doesn't have.
    pub fn check_scope(&self, scope: Option<Scope>) -> Result<Scope, String> {
        let game = self.experiment.game;
        let Some((entry, _)) = &self.solver else {
            return match scope {
                Some(Scope::Whole) => Err(format!(
                    "the game {game} has no solver, so agents are evaluated on a sample of rounds; remove --exact"
                )),
                _ => Ok(Scope::Sample),
            };
        };
        match scope.unwrap_or_default() {
            Scope::Sample if entry.sample.is_none() => {
                Err(format!("the game {game} is always evaluated on all hands; remove --exact"))
            }
            scope => Ok(scope),
        }
    }

    /// Returns the unit of EVs.
    fn unit(&self) -> StakeUnit {
        self.solver.as_ref().map_or(rounds::UNIT, |(entry, _)| entry.unit)
    }

    /// Returns the experiment.
    pub fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    /// Returns the hash of the game's rules.
    ///
    /// # Errors
    /// Returns an error if a rule is invalid.
    pub fn rules_hash(&self) -> anyhow::Result<String> {
        let rules = json!({ "rules": self.experiment.task.get("rules") });
        let env = (registry::find(self.experiment.game)?.make)(&rules.to_string());
        Ok(env.map_err(|error| anyhow!("{error}"))?.rules_hash())
    }

    /// Returns the run specification of the study.
    ///
    /// # Errors
    /// Returns an error if a rule is invalid or if the configuration can't be represented in TOML.
    pub fn spec(&self) -> anyhow::Result<RunSpec> {
        Ok(RunSpec {
            kind: RunKind::Study,
            config: self.experiment.to_toml()?,
            seeds: self.experiment.seeds.clone(),
            rules_hash: self.rules_hash()?,
            task_hash: Some(self.task.hash()),
        })
    }

    /// Checks that the study continues the training runs in the folder of a run with a different configuration.
    ///
    /// # Errors
    /// Returns an error if the study doesn't continue them. The message explains how it could, if that is possible.
    pub fn check_continues(&self, run: &Path) -> Result<(), String> {
        // Only the evaluator knows the agents' observation encoding, and it doesn't exist yet. Accept all encodings for
        // now.
        let encodings = registry::find(self.experiment.game).map_or(&[][..], |game| game.encodings);
        let tasks = encodings.iter().filter_map(|encoding| make_task(&self.experiment, Some(encoding)).ok());
        let hashes: Vec<String> = std::iter::once(self.task.hash()).chain(tasks.map(|task| task.hash())).collect();
        check_continues(&self.experiment, &hashes, run)
    }

    /// Trains the agents. If a scope is given, also evaluates them and writes the numbers, plots, and report to the
    /// run's folder.
    ///
    /// # Errors
    /// Returns an error if training, evaluation or a file operation fails.
    pub fn run(&self, run: &RunFolder, scope: Option<Scope>, stop: &AtomicBool) -> anyhow::Result<Ending> {
        let cache = run.path().parent().unwrap_or(Path::new(".")).join(".cache");
        let evaluator = match with_control(stop, |control| self.evaluator(cache, control)) {
            Err(SolverError::Cancelled) => return Ok(Ending::Stopped),
            evaluator => evaluator?,
        };
        let Some(agents) = self.train(run, &*evaluator, stop)? else { return Ok(Ending::Stopped) };
        let Some(scope) = scope else { return Ok(Ending::Trained) };
        let first_seed = self.experiment.seeds.first();
        let entrants = agents.iter().zip(self.experiment.agents());
        let entrants =
            entrants.map(|(agent, (.., seed))| Entrant { policy: &**agent, in_detail: Some(&seed) == first_seed });
        let entrants: Vec<Entrant<'_>> = entrants.collect();
        let evaluation = match with_control(stop, |control| evaluator.evaluate(&entrants, scope, control)) {
            Err(SolverError::Cancelled) => return Ok(Ending::Stopped),
            evaluation => evaluation?,
        };
        self.save(run, evaluation).map(Ending::Evaluated)
    }

    /// Returns the solver's evaluator, or an evaluator that plays rounds if there is no solver.
    fn evaluator(&self, cache: PathBuf, control: &Control<'_>) -> Result<Box<dyn Evaluator + '_>, SolverError> {
        match &self.solver {
            Some((_, solver)) => solver.evaluator(&self.experiment.evaluator_config(cache), control),
            None => {
                let Experiment { game, task, sample, .. } = &self.experiment;
                let entry = registry::find(game).map_err(SolverError::invalid)?;
                Ok(Box::new(PlayedRounds::new(entry, task, *sample)?))
            }
        }
    }

    /// Trains the agents and measures them with an evaluator. Returns `None` if stopped before the end.
    fn train(
        &self,
        run: &RunFolder,
        evaluator: &dyn Evaluator,
        stop: &AtomicBool,
    ) -> anyhow::Result<Option<Vec<Box<dyn Agent>>>> {
        let mut task = make_task(&self.experiment, Some(evaluator.encoding()))?;
        if self.labelled().is_some() {
            match with_control(stop, |control| evaluator.exact_values(control)) {
                Err(SolverError::Cancelled) => return Ok(None),
                values => task = Box::new(LabelledTask { task, values: values? }),
            }
        }
        let mut failed: Option<SolverError> = None;
        let mut measure = |agent: &dyn Agent| {
            evaluator.measure(agent).unwrap_or_else(|error| {
                failed = Some(error);
                stop.store(true, Ordering::SeqCst);
                vec![]
            })
        };
        let trained = train_all(&self.experiment, run, &*task, &mut measure, stop)?;
        failed.map_or(Ok(trained), |error| Err(error.into()))
    }

    /// Writes the numbers, plots, and report.
    fn save(&self, run: &RunFolder, evaluation: Evaluation) -> anyhow::Result<Results> {
        let mut json = evaluation.json(self.experiment.game);
        for agent in json["agents"].as_array_mut().into_iter().flatten() {
            if let Some((_, config, _)) = self.experiment.agents().find(|(name, ..)| agent["name"] == json!(name)) {
                agent["feedback"] = json!(config.method.feedback().name());
            }
        }
        let results = Results { json, comparison: evaluation.comparison.clone() };
        run.write_json(RESULTS, &results.json)?;
        report(&self.experiment, run, self.unit(), evaluation)?.save(run)?;
        Ok(results)
    }
}

/// Creates an experiment's training task, with the observation encoding from the configuration or, failing that, the
/// given one.
fn make_task(experiment: &Experiment, encoding: Option<&str>) -> anyhow::Result<Box<dyn TrainingTask>> {
    let mut config = experiment.task.clone();
    if let Some(encoding) = encoding {
        config.entry("observation").or_insert_with(|| json!(encoding));
    }
    tasks::make(experiment.game, &Value::Object(config).to_string()).map_err(|error| anyhow!("{error}"))
}
