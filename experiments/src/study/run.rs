//! Runs a study from its configuration to its report.

use super::base::{StudyBase, StudyEvaluator, labelled, make_task};
use super::card::write_cards;
use super::experiment::{Experiment, SavedAgent};
use super::report::report;
use super::train::{Loaded, RunControl, check_continues, load_saved, train_all};
use anyhow::bail;
use houseway_env::registry;
use houseway_exact::answer::TextTable;
use houseway_exact::solver::{Entrant, Evaluation, MeasuredBaselines, Scope, SolverError};
use houseway_lab::run::{RESULTS, RunFolder, RunSpec, split_agent_name};
use houseway_learned::Agent;
use houseway_learned::task::TrainingTask;
use houseway_learned::tasks::LabelledTask;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::Ordering;

/// An experiment together with its game's training task and solver.
pub struct Study {
    base: StudyBase,
    experiment: Experiment,
    task: Box<dyn TrainingTask>,
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

/// The text about agents that have already been trained.
const SAVED: &str = "These agents were trained earlier and are only evaluated here.";

/// The name of the optimum in evaluations.
const OPTIMUM: &str = "optimum";

/// The results of a study.
pub struct Results {
    /// The document in `results.json`.
    pub json: Value,
    /// A comparison of all agents.
    pub comparison: TextTable,
}

impl Study {
    /// Creates the training task and the solver for the experiment's game.
    pub fn open(experiment: Experiment) -> anyhow::Result<Study> {
        Study::with_base(&StudyBase::new(&experiment)?, experiment)
    }

    /// Creates the study of an experiment with the game, rules and opponents of a base.
    pub fn with_base(base: &StudyBase, experiment: Experiment) -> anyhow::Result<Study> {
        base.check(&experiment)?;
        Ok(Study { task: make_task(&experiment, None)?, base: base.clone(), experiment })
    }

    /// Returns the parts that other studies can share.
    pub fn base(&self) -> &StudyBase {
        &self.base
    }

    pub fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    /// Returns the run specification of the study.
    pub fn spec(&self) -> anyhow::Result<RunSpec> {
        self.base.spec(&self.experiment)
    }

    /// Checks that the study continues the training runs in the folder of a run with a different configuration.
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
    pub fn run(&self, run: &RunFolder, scope: Option<Scope>, control: RunControl<'_>) -> anyhow::Result<Ending> {
        match control.exact(|control| self.base.evaluator(&self.experiment, control)) {
            Err(SolverError::Cancelled) => Ok(Ending::Stopped),
            evaluator => self.run_with(&evaluator?, run, scope, control),
        }
    }

    /// Like [`Study::run`], but with an evaluator of the study's base.
    pub fn run_with(
        &self,
        evaluator: &StudyEvaluator<'_>,
        run: &RunFolder,
        scope: Option<Scope>,
        control: RunControl<'_>,
    ) -> anyhow::Result<Ending> {
        // Load these first, because training may take hours.
        let saved = load_saved(&self.experiment, &*make_task(&self.experiment, Some(evaluator.inner().encoding()))?)?;
        let Some(scope) = scope else {
            let trained = self.train(run, evaluator, control)?;
            return Ok(trained.map_or(Ending::Stopped, |_| Ending::Trained));
        };
        let baselines = match control.exact(|control| evaluator.inner().measured_baselines(control)) {
            Err(SolverError::Cancelled) => return Ok(Ending::Stopped),
            baselines => baselines?,
        };
        check_saved_names(&self.experiment.saved, &baselines)?;
        let Some(agents) = self.train(run, evaluator, control)? else { return Ok(Ending::Stopped) };
        let first_seed = self.experiment.seeds.first();
        let seeds = self.experiment.agents().map(|(.., seed)| seed);
        let seeds = seeds.chain(self.experiment.ensembles().map(|(.., seed)| seed));
        let trained = agents.iter().zip(seeds).map(|(agent, seed)| (agent, Some(&seed) == first_seed));
        let entrants = trained.chain(saved.iter().map(|loaded| (&loaded.agent, true)));
        let entrants = entrants.map(|(agent, in_detail)| Entrant { policy: &**agent, in_detail });
        let entrants: Vec<Entrant<'_>> = entrants.collect();
        let evaluation = match control.exact(|control| evaluator.inner().evaluate(&entrants, scope, control)) {
            Err(SolverError::Cancelled) => return Ok(Ending::Stopped),
            evaluation => evaluation?,
        };
        self.save(run, evaluation, &baselines, &saved, evaluator.inner().encoding()).map(Ending::Evaluated)
    }

    /// Trains the agents and measures them with an evaluator. Returns `None` if stopped before the end.
    fn train(
        &self,
        run: &RunFolder,
        evaluator: &StudyEvaluator<'_>,
        control: RunControl<'_>,
    ) -> anyhow::Result<Option<Vec<Box<dyn Agent>>>> {
        let mut task = make_task(&self.experiment, Some(evaluator.inner().encoding()))?;
        if labelled(&self.experiment).is_some() {
            match control.exact(|control| evaluator.labels(control)) {
                Err(SolverError::Cancelled) => return Ok(None),
                values => task = Box::new(LabelledTask { task, values: values? }),
            }
        }
        let mut failed: Option<SolverError> = None;
        let mut measure = |agent: &dyn Agent| {
            evaluator.inner().measure(agent).unwrap_or_else(|error| {
                failed = Some(error);
                control.stop.store(true, Ordering::SeqCst);
                vec![]
            })
        };
        let trained = train_all(&self.experiment, run, &*task, &mut measure, control)?;
        failed.map_or(Ok(trained), |error| Err(error.into()))
    }

    /// Writes the numbers, plots, and report. Agents read observations in the given encoding, unless the configuration
    /// names another one.
    fn save(
        &self,
        run: &RunFolder,
        evaluation: Evaluation,
        baselines: &MeasuredBaselines,
        saved: &[Loaded],
        encoding: &str,
    ) -> anyhow::Result<Results> {
        let mut json = evaluation.json(self.experiment.game);
        for agent in json["agents"].as_array_mut().into_iter().flatten() {
            let name = agent["name"].as_str().and_then(|name| Some(split_agent_name(name)?.0.to_owned()));
            let name = name.as_deref();
            if let Some((_, feedback)) = self.experiment.feedback().find(|(own, _)| Some(own.as_str()) == name) {
                agent["feedback"] = json!(feedback.name());
            }
            if let Some(note) = name.and_then(|name| self.experiment.notes.get(name)) {
                agent["note"] = json!(note);
            }
            let mut saved = self.experiment.saved.iter().zip(saved);
            if let Some(((_, saved), loaded)) = saved.find(|((name, _), _)| agent["name"] == name.as_str()) {
                (agent["weights"], agent["weights_sha256"]) = (json!(saved.weights), json!(loaded.digest));
            }
        }
        let results = Results { json, comparison: evaluation.comparison.clone() };
        run.write_json(RESULTS, &results.json)?;
        let encoding = self.experiment.task.get("observation").and_then(Value::as_str).unwrap_or(encoding);
        write_cards(&self.experiment, run, (&self.base, encoding), &evaluation, &results.json)?;
        let report = report(&self.experiment, run, self.base.unit(), evaluation, baselines)?;
        match saved_table(&results.json) {
            Some(table) => report.heading("Saved agents").text(SAVED).table(table).save(run)?,
            None => report.save(run)?,
        }
        Ok(results)
    }
}

/// Checks that no saved agent has the name of a baseline or of the optimum, because results are found by name.
fn check_saved_names(saved: &BTreeMap<String, SavedAgent>, baselines: &MeasuredBaselines) -> anyhow::Result<()> {
    let mut taken = baselines.scores.iter().map(|score| score.name.as_str()).chain([OPTIMUM]);
    match taken.find(|&name| saved.contains_key(name)) {
        Some(name) => bail!("agents.{name}: \"{name}\" is the name of a baseline; choose another one"),
        None => Ok(()),
    }
}

/// Lists the agents that have already been trained, with their weights. Returns `None` if there are none.
fn saved_table(results: &Value) -> Option<TextTable> {
    let row = |agent: &Value| {
        let text = |key: &str| agent[key].as_str();
        Some([text("name")?.to_owned(), format!("`{}`", text("weights")?), format!("`{}`", text("weights_sha256")?)])
    };
    let mut rows = results["agents"].as_array()?.iter().filter_map(row).peekable();
    rows.peek()?;
    Some(rows.fold(TextTable::new(["agent", "weights", "SHA-256"]), TextTable::row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::experiment::digest;
    use houseway_lab::run::Destination;
    use houseway_learned::device::training_device;
    use houseway_learned::network::{NetworkConfig, WeightSource};
    use houseway_learned::task::Feedback;
    use houseway_learned::tasks;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn a_saved_agent_may_not_have_the_name_of_a_baseline() {
        let (folder, device) = (tempfile::tempdir().unwrap(), training_device());
        let file = folder.path().join("weights.safetensors");
        let task = tasks::make("asian-stud", "{}").unwrap();
        let (size, weights) = (NetworkConfig { width: 4, layers: 1 }, &mut WeightSource::new(1, &device));
        task.networks(size, Feedback::FullInformation, 1, weights).save_weights(&file, &[]).unwrap();
        let evaluate = |name: &str| -> anyhow::Result<Value> {
            let config = format!("game = \"asian-stud\"\n[agents.{name}]\nweights = {file:?}\n");
            let study = Study::open(Experiment::parse(&config, None)?)?;
            let (run, _) = RunFolder::start(&study.spec()?, &Destination::new(&folder.path().join(name), &[], false))?;
            match study.run(&run, Some(Scope::Whole), RunControl::new(&AtomicBool::new(false)))? {
                Ending::Evaluated(results) => Ok(results.json),
                Ending::Stopped | Ending::Trained => panic!("the agent is evaluated"),
            }
        };
        for name in ["random", OPTIMUM] {
            let error = evaluate(name).unwrap_err().to_string();
            assert_eq!(error, format!("agents.{name}: \"{name}\" is the name of a baseline; choose another one"));
        }
        let results = evaluate("old").unwrap();
        let agents = results["agents"].as_array().unwrap();
        assert!(["random", OPTIMUM].iter().all(|name| agents.iter().any(|agent| agent["name"] == *name)));
        let saved: Vec<&Value> = agents.iter().filter(|agent| agent.get("weights").is_some()).collect();
        assert_eq!((saved.len(), &saved[0]["name"]), (1, &json!("old")));
        assert_eq!(saved[0]["weights_sha256"], digest(&std::fs::read(&file).unwrap()));
    }
}
