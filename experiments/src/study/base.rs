//! The parts of a study that don't depend on how its agents are trained.

use super::experiment::Experiment;
use super::rounds::{self, PlayedRounds};
use anyhow::{Context, anyhow};
use houseway_env::gym::ExactValues;
use houseway_env::registry;
use houseway_exact::solver::{Control, Evaluator, EvaluatorConfig, Scope, Solver, SolverEntry, SolverError, StakeUnit};
use houseway_lab::console::user_store;
use houseway_lab::run::{RunKind, RunSpec};
use houseway_learned::task::{Feedback, TrainingTask};
use houseway_learned::tasks;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};

/// The parts of a study that don't depend on its training configurations and seeds. Studies that only differ in those
/// can share them.
#[derive(Clone)]
pub struct StudyBase {
    game: &'static str,
    solver: Option<(&'static SolverEntry, Arc<dyn Solver>)>,
    rules_hash: String,
    environment_hash: String,
    task_hash: String,
    env_id: &'static str,
}

impl StudyBase {
    /// Creates the solver for the experiment's game, rules and opponents.
    pub fn new(experiment: &Experiment) -> anyhow::Result<StudyBase> {
        let solver = match houseway_exact::registry::find(experiment.game) {
            Ok(entry) => Some((entry, Arc::from(entry.solver(&experiment.solver_config(entry))?))),
            Err(_) => None,
        };
        let task = make_task(experiment, None)?;
        let env = task.environment().ok_or_else(|| anyhow!("{} has no environment", experiment.game))?;
        Ok(StudyBase {
            game: experiment.game,
            solver,
            rules_hash: rules_hash(experiment)?,
            environment_hash: env.rules_hash(),
            task_hash: task.hash(),
            env_id: env.spec().id,
        })
    }

    /// Returns the versioned id of the environment. It identifies the layout of observations and actions.
    pub(super) fn env_id(&self) -> &'static str {
        self.env_id
    }

    /// Returns the hash of the rules, the opponents and the paytables.
    pub fn environment_hash(&self) -> &str {
        &self.environment_hash
    }

    /// Checks that the weights of saved agents can be read, and that the solver offers what the experiment asks for:
    /// exact labels and best responses.
    pub fn check(&self, experiment: &Experiment) -> anyhow::Result<()> {
        for (name, saved) in &experiment.saved {
            saved.digest().with_context(|| format!("agents.{name}"))?;
        }
        let offers = |offer: fn(&dyn Solver) -> bool| self.solver.as_ref().is_some_and(|(_, solver)| offer(&**solver));
        let game = experiment.game;
        match labelled(experiment) {
            Some(name) if !offers(|solver| solver.has_exact_values()) => Err(anyhow!(
                "train.{name}: there are no exact labels for {game}, because its solver doesn't list the exact values of \
                 all decisions; use a method with another kind of feedback, such as all-action"
            )),
            _ if experiment.exploitability && !offers(|solver| solver.has_exploitability()) => {
                Err(anyhow!("exploitability: {game} has no solver that responds to the agents; remove the key"))
            }
            _ => Ok(()),
        }
    }

    /// Returns the evaluation scope. Defaults to all hands, or to a sample if the game has too many rounds or no solver.
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
    pub fn spec(&self, experiment: &Experiment) -> anyhow::Result<RunSpec> {
        let mut task_hash = self.task_hash.clone();
        for (name, saved) in &experiment.saved {
            task_hash += &format!(" {}", saved.digest().with_context(|| format!("agents.{name}"))?);
        }
        Ok(RunSpec {
            kind: RunKind::Study,
            config: experiment.to_toml()?,
            seeds: experiment.seeds.clone(),
            rules_hash: self.rules_hash.clone(),
            environment_hash: Some(self.environment_hash.clone()),
            task_hash: Some(task_hash),
        })
    }

    /// Creates the evaluator of an experiment with the same game, rules and opponents. Without a solver, it plays
    /// rounds. Exact values of a sample are kept in the user's store.
    pub fn evaluator(&self, experiment: &Experiment, control: &Control<'_>) -> Result<StudyEvaluator<'_>, SolverError> {
        let evaluator: Box<dyn Evaluator + '_> = match &self.solver {
            Some((_, solver)) => {
                let config = EvaluatorConfig { store: user_store(), ..experiment.evaluator_config() };
                solver.evaluator(&config, control)?
            }
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

/// Returns the hash of an experiment's rules.
fn rules_hash(experiment: &Experiment) -> anyhow::Result<String> {
    let game = registry::find(experiment.game)?;
    let rules = experiment.task.get("rules").cloned().unwrap_or_else(|| json!({}));
    (game.rules_hash)(&rules).map_err(|error| anyhow!("rules: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn environment_hash(config: &str) -> String {
        StudyBase::new(&Experiment::parse(config, None).unwrap()).unwrap().environment_hash
    }

    #[test]
    fn the_environment_hash_covers_opponents_and_paytables() {
        let of_banker = |banker: &str| environment_hash(&format!("game = \"pai-gow-poker\"\nbanker = \"{banker}\"\n"));
        let [default, other] = ["trump-plaza", "foxwoods"].map(of_banker);
        assert_eq!(default, environment_hash("game = \"pai-gow-poker\"\n"));
        assert_ne!(default, other);
        let paytables: Vec<String> = ["source", "new-jersey"]
            .map(|name| environment_hash(&format!("game = \"joker-seven\"\npaytable = \"{name}\"\n")))
            .into();
        assert_ne!(paytables[0], paytables[1]);
        // The observations don't belong to the rules.
        assert_eq!(
            environment_hash("game = \"joker-seven\"\nobservation = \"cards\"\n"),
            environment_hash("game = \"joker-seven\"\n")
        );
    }

    #[test]
    fn runs_with_default_opponents_keep_their_environment_hash() {
        for run in ["quick", "feedback", "asian-stud", "joker-seven", "ultimate-holdem"] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results").join(run);
            let read = |file: &str| std::fs::read_to_string(folder.join(file)).unwrap();
            let provenance: Value = serde_json::from_str(&read("provenance.json")).unwrap();
            let provenance: houseway_lab::run::Provenance = serde_json::from_value(provenance).unwrap();
            assert_eq!(provenance.task_rules(), environment_hash(&read("config.toml")), "{run}");
        }
    }
}
