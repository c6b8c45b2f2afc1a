//! The parts of a study that don't depend on how its agents are trained.

use super::experiment::Experiment;
use super::rounds::{self, PlayedRounds};
use crate::run::{RunKind, RunSpec};
use anyhow::anyhow;
use houseway_env::gym::ExactValues;
use houseway_env::registry;
use houseway_exact::solver::{Control, Evaluator, Scope, Solver, SolverEntry, SolverError, StakeUnit};
use houseway_learned::task::{Feedback, TrainingTask};
use houseway_learned::tasks;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The parts of a study that don't depend on its training configurations and seeds. Studies that only differ in those
/// can share them.
#[derive(Clone)]
pub struct StudyBase {
    game: &'static str,
    solver: Option<(&'static SolverEntry, Arc<dyn Solver>)>,
    rules_hash: String,
    task_hash: String,
}

impl StudyBase {
    /// Creates the solver for the experiment's game, rules and opponents.
    ///
    /// # Errors
    /// Returns an error if a key or value in the configuration is invalid.
    pub fn new(experiment: &Experiment) -> anyhow::Result<StudyBase> {
        let solver = match houseway_exact::registry::find(experiment.game) {
            Ok(entry) => Some((entry, Arc::from(entry.solver(&experiment.solver_config(entry))?))),
            Err(_) => None,
        };
        let rules = json!({ "rules": experiment.task.get("rules") });
        let env = (registry::find(experiment.game)?.make)(&rules.to_string()).map_err(|error| anyhow!("{error}"))?;
        let task_hash = make_task(experiment, None)?.hash();
        Ok(StudyBase { game: experiment.game, solver, rules_hash: env.rules_hash(), task_hash })
    }

    /// Checks that the solver offers what the experiment asks for: exact labels and best responses.
    ///
    /// # Errors
    /// Returns an error that names the key.
    pub fn check(&self, experiment: &Experiment) -> anyhow::Result<()> {
        let offers = |offer: fn(&dyn Solver) -> bool| self.solver.as_ref().is_some_and(|(_, solver)| offer(&**solver));
        let game = experiment.game;
        match labelled(experiment) {
            Some(name) if !offers(|solver| solver.has_exact_values()) => Err(anyhow!(
                "train.{name}: there are no exact labels for {game}; use a method with another kind of feedback"
            )),
            _ if experiment.exploitability && !offers(|solver| solver.has_exploitability()) => {
                Err(anyhow!("exploitability: {game} has no solver that responds to the agents; remove the key"))
            }
            _ => Ok(()),
        }
    }

    /// Returns the evaluation scope. Defaults to all hands, or to a sample if the game has too many rounds or no solver.
    ///
    /// # Errors
    /// Returns an error if the scope requires a solver or a sample that the game doesn't have.
    pub fn check_scope(&self, scope: Option<Scope>) -> Result<Scope, String> {
        let game = self.game;
        let Some((entry, _)) = &self.solver else {
            return match scope {
                Some(Scope::Whole) => Err(format!(
                    "the game {game} has no solver, so agents are evaluated on a sample of rounds; remove --exact"
                )),
                _ => Ok(Scope::Sample),
            };
        };
        match (entry.sample, scope) {
            (None, Some(Scope::Sample)) => {
                Err(format!("the game {game} is always evaluated on all hands; remove --exact"))
            }
            (Some(sample), Some(Scope::Whole)) if sample.always => Err(format!(
                "the game {game} has too many {} to evaluate them all, so agents are evaluated on a sample of them; \
                 remove --exact",
                sample.items
            )),
            (Some(sample), None) if sample.always => Ok(Scope::Sample),
            _ => Ok(scope.unwrap_or_default()),
        }
    }

    /// Returns the unit of EVs.
    pub fn unit(&self) -> StakeUnit {
        self.solver.as_ref().map_or(rounds::UNIT, |(entry, _)| entry.unit)
    }

    /// Returns the run specification of an experiment with the same game, rules and opponents.
    ///
    /// # Errors
    /// Returns an error if the configuration can't be represented in TOML.
    pub fn spec(&self, experiment: &Experiment) -> anyhow::Result<RunSpec> {
        Ok(RunSpec {
            kind: RunKind::Study,
            config: experiment.to_toml()?,
            seeds: experiment.seeds.clone(),
            rules_hash: self.rules_hash.clone(),
            task_hash: Some(self.task_hash.clone()),
        })
    }

    /// Creates the evaluator of an experiment with the same game, rules and opponents. Without a solver, it plays
    /// rounds. Exact values of a sample are cached in the folder `cache`.
    ///
    /// # Errors
    /// Returns an error if the configuration is invalid, if the cache can't be written, or if it was cancelled.
    pub fn evaluator(
        &self,
        experiment: &Experiment,
        cache: PathBuf,
        control: &Control<'_>,
    ) -> Result<StudyEvaluator<'_>, SolverError> {
        let evaluator: Box<dyn Evaluator + '_> = match &self.solver {
            Some((_, solver)) => solver.evaluator(&experiment.evaluator_config(cache), control)?,
            None => {
                let entry = registry::find(self.game).map_err(SolverError::invalid)?;
                Box::new(PlayedRounds::new(entry, &experiment.task, experiment.sample)?)
            }
        };
        Ok(StudyEvaluator { evaluator, labels: Mutex::new(None) })
    }
}

/// An evaluator that studies with the same base and sample can share.
pub struct StudyEvaluator<'a> {
    evaluator: Box<dyn Evaluator + 'a>,
    /// The exact labels, once a study has needed them.
    labels: Mutex<Option<Arc<dyn ExactValues>>>,
}

impl StudyEvaluator<'_> {
    pub(super) fn inner(&self) -> &dyn Evaluator {
        &*self.evaluator
    }

    /// Returns the exact labels. They are computed only once, because this takes long and they need much memory.
    pub(super) fn labels(&self, control: &Control<'_>) -> Result<Arc<dyn ExactValues>, SolverError> {
        let mut labels = self.labels.lock().unwrap_or_else(PoisonError::into_inner);
        if labels.is_none() {
            *labels = Some(self.evaluator.exact_values(control)?);
        }
        Ok(Arc::clone(labels.as_ref().expect("they have just been computed")))
    }
}

/// Returns the name of a training configuration that requires exact labels, if there is one.
pub(super) fn labelled(experiment: &Experiment) -> Option<&str> {
    let mut trainings = experiment.train.iter();
    let found = trainings.find(|(_, config)| config.method.feedback() == Feedback::ExactLabels);
    found.map(|(name, _)| name.as_str())
}

/// Creates an experiment's training task, with the observation encoding from the configuration or, failing that, the
/// given one.
pub(super) fn make_task(experiment: &Experiment, encoding: Option<&str>) -> anyhow::Result<Box<dyn TrainingTask>> {
    let mut config = experiment.task.clone();
    if let Some(encoding) = encoding {
        config.entry("observation").or_insert_with(|| json!(encoding));
    }
    tasks::make(experiment.game, &Value::Object(config).to_string()).map_err(|error| anyhow!("{error}"))
}
