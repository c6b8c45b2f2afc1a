//! Runs a study from its configuration to its results.

use super::experiment::{AgentTraining, Experiment, SavedAgent, Training};
use super::job::{JobStudy, Opened};
use super::report::{ModelCard, report, score_table};
use super::rounds::{self, PlayedRounds};
use super::train::{Loaded, RunControl, check_continues, load_saved, train_all};
use anyhow::{Context, anyhow, bail};
use houseway_env::gym::ExactValues;
use houseway_env::registry;
use houseway_exact::answer::{Answer, Section, TextTable};
use houseway_exact::solver::{
    Control, Entrant, Evaluation, Evaluator, EvaluatorConfig, MeasuredBaselines, Scope, Solver, SolverEntry,
    SolverError, StakeUnit,
};
use houseway_lab::console::user_store;
use houseway_lab::run::{RunFolder, RunKind, RunSpec, split_agent_name};
use houseway_learned::task::{Feedback, TrainingTask};
use houseway_learned::tasks;
use houseway_learned::{Agent, TrainConfig};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

const SAVED: &str = "These agents were trained earlier and are only evaluated here.";

const OPTIMUM: &str = "optimum";

/// The parts of a study that don't depend on its training configurations and seeds. Studies that only differ in those
/// can share them.
#[derive(Clone)]
pub struct StudyBase {
    game: &'static str,
    solver: Option<(&'static SolverEntry, Arc<dyn Solver>)>,
    rules_hash: String,
    /// The hash of the rules, the opponents and the paytables.
    pub environment_hash: String,
    task_hash: String,
    /// The versioned id of the environment. It identifies the layout of observations and actions.
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

    pub fn unit(&self) -> StakeUnit {
        self.solver.as_ref().map_or(rounds::UNIT, |(entry, _)| entry.unit)
    }

    /// Returns the identity of the task. The version of the encoding is that of the environment, because any change to an
    /// encoding needs a new environment id.
    fn identity(&self, encoding: &str) -> TextTable {
        let mut table = TextTable::new(["", ""]).row(["environment", &format!("`{}`", self.env_id)]);
        if !encoding.is_empty() {
            table = table.row(["observation encoding", &format!("`{encoding}` of `{}`", self.env_id)]);
        }
        table.row(["hash of the rules, opponents and paytables", &format!("`{}`", self.environment_hash)])
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
    /// Returns the exact labels. They are computed only once, because this takes long and they need much memory.
    fn labels(&self, control: &Control<'_>) -> Result<Arc<dyn ExactValues>, SolverError> {
        let mut labels = self.labels.lock().unwrap_or_else(PoisonError::into_inner);
        if labels.is_none() {
            *labels = Some(self.evaluator.exact_values(control)?);
        }
        Ok(Arc::clone(labels.as_ref().expect("they have just been computed")))
    }
}

/// Returns the name of a training configuration that requires exact labels, if there is one.
fn labelled(experiment: &Experiment) -> Option<&str> {
    let found = experiment.trainings().find(|(_, training)| training.feedback() == Feedback::ExactLabels);
    found.map(|(name, _)| name.as_str())
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

fn rules_hash(experiment: &Experiment) -> anyhow::Result<String> {
    let game = registry::find(experiment.game)?;
    let rules = experiment.task.get("rules").cloned().unwrap_or_else(|| json!({}));
    (game.rules.hash)(&rules).map_err(|error| anyhow!("rules: {error}"))
}

pub struct Study {
    base: StudyBase,
    experiment: Experiment,
}

impl Study {
    pub fn open(experiment: Experiment) -> anyhow::Result<Study> {
        Study::with_base(&StudyBase::new(&experiment)?, experiment)
    }

    pub fn open_job(text: Option<&str>, game: Option<&str>) -> Opened {
        let experiment = match text {
            Some(text) => Experiment::parse(text, game)?,
            None => Experiment::for_game(game.unwrap_or(registry::games()[0].name))?,
        };
        Ok(Box::new(Study::open(experiment)?))
    }

    /// Creates the study of an experiment with the game, rules and opponents of a base.
    pub fn with_base(base: &StudyBase, experiment: Experiment) -> anyhow::Result<Study> {
        base.check(&experiment)?;
        let task = make_task(&experiment, None)?;
        // The exact labels are only added before the training.
        for (name, training) in experiment.trainings().filter(|(_, it)| it.feedback() != Feedback::ExactLabels) {
            task.check_feedback(training.feedback()).map_err(|error| anyhow!("train.{name}: {error}"))?;
        }
        Ok(Study { base: base.clone(), experiment })
    }

    /// Like [`JobStudy::run`], but with an evaluator of the study's base.
    pub fn run_with(
        &self,
        evaluator: &StudyEvaluator<'_>,
        run: &RunFolder,
        scope: Option<Scope>,
        control: RunControl<'_>,
    ) -> anyhow::Result<Option<Answer>> {
        let exact = &evaluator.evaluator;
        // Load these first, because training may take hours.
        let saved = load_saved(&self.experiment, &*make_task(&self.experiment, Some(exact.encoding()))?)?;
        let Some(scope) = scope else {
            self.train(run, evaluator, control)?;
            return Ok(None);
        };
        let baselines = control.exact(|control| exact.measured_baselines(control))?;
        check_saved_names(&self.experiment.saved, &baselines)?;
        let agents = self.train(run, evaluator, control)?;
        let first_seed = self.experiment.seeds.first();
        let trained = agents.iter().zip(self.experiment.agents());
        let trained = trained.map(|(agent, training)| (agent, Some(&training.seed) == first_seed));
        let all = trained.chain(saved.iter().map(|loaded| (&loaded.agent, true)));
        let entrants: Vec<Entrant<'_>> =
            all.map(|(agent, in_detail)| Entrant { policy: &**agent, in_detail }).collect();
        let evaluation = control.exact(|control| exact.evaluate(&entrants, scope, control))?;
        self.answer(run, evaluation, &baselines, &saved, exact.encoding()).map(Some)
    }

    fn train(
        &self,
        run: &RunFolder,
        evaluator: &StudyEvaluator<'_>,
        control: RunControl<'_>,
    ) -> anyhow::Result<Vec<Box<dyn Agent>>> {
        let mut task = make_task(&self.experiment, Some(evaluator.evaluator.encoding()))?;
        if labelled(&self.experiment).is_some() {
            task.set_exact_values(control.exact(|control| evaluator.labels(control))?);
        }
        let mut failed: Option<SolverError> = None;
        let mut measure = |agent: &dyn Agent| {
            evaluator.evaluator.measure(agent).unwrap_or_else(|error| {
                failed = Some(error);
                control.stop.store(true, Ordering::SeqCst);
                vec![]
            })
        };
        let trained = train_all(&self.experiment, run, &*task, &mut measure, control);
        failed.map_or(trained, |error| Err(error.into()))
    }

    /// Writes the model cards and returns the results. Agents read observations in the given encoding, unless the
    /// configuration names another one.
    fn answer(
        &self,
        run: &RunFolder,
        evaluation: Evaluation,
        baselines: &MeasuredBaselines,
        saved: &[Loaded],
        encoding: &str,
    ) -> anyhow::Result<Answer> {
        let mut json = evaluation.json(self.experiment.game);
        for agent in json["agents"].as_array_mut().into_iter().flatten() {
            let name = agent["name"].as_str().and_then(|name| Some(split_agent_name(name)?.0.to_owned()));
            let name = name.as_deref();
            if let Some((_, training)) = self.experiment.trainings().find(|(own, _)| Some(own.as_str()) == name) {
                agent["feedback"] = json!(training.feedback().name());
            }
            if let Some(note) = name.and_then(|name| self.experiment.notes.get(name)) {
                agent["note"] = json!(note);
            }
            let mut saved = self.experiment.saved.iter().zip(saved);
            if let Some(((_, saved), loaded)) = saved.find(|((name, _), _)| agent["name"] == name.as_str()) {
                (agent["weights"], agent["weights_sha256"]) = (json!(saved.weights), json!(loaded.digest));
            }
        }
        let encoding = self.experiment.task.get("observation").and_then(Value::as_str).unwrap_or(encoding);
        for agent in self.experiment.agents() {
            if let Training::Network(config) = agent.training {
                self.card(&agent, config, encoding, &evaluation, &json)?.write(run, &agent.folder)?;
            }
        }
        let mut sections = report(&self.experiment, run, self.base.unit(), evaluation, baselines)?;
        if let Some(table) = saved_table(&json) {
            sections.push(Section::new("Saved agents").text(SAVED).table(table).detail());
        }
        Ok(Answer::new(json, sections).titled(format!("Experiment {}", self.experiment.name)))
    }

    /// Returns the model card of a network. It states what the agent was trained on and how it scores, so that the
    /// weights can be published on their own. `encoding` is the name of the observation encoding.
    fn card<'a>(
        &'a self,
        agent: &AgentTraining<'_>,
        config: &'a TrainConfig,
        encoding: &str,
        evaluation: &Evaluation,
        results: &Value,
    ) -> anyhow::Result<ModelCard<'a>> {
        let Study { base, experiment } = self;
        let name = &agent.name;
        let score = evaluation.scores.iter().find(|score| score.name == *name);
        let score = score.ok_or_else(|| anyhow!("{name} has no score"))?;
        let game = registry::find(experiment.game)?;
        let own = split_agent_name(name).map_or(&**name, |(own, _)| own);
        Ok(ModelCard {
            title: format!("{name} of {}", experiment.name),
            description: format!("An agent for {} (`{}`).", game.title, game.name),
            scope: match evaluation.scope {
                Scope::Whole => "Over all hands. These values are exact.".to_owned(),
                Scope::Sample if score.regret_ci.is_some() => {
                    "On a sample of hands. The interval is the 95% confidence interval.".to_owned()
                }
                Scope::Sample if score.regret.is_nan() => "Over played rounds.".to_owned(),
                Scope::Sample => "On a sample.".to_owned(),
            },
            scores: score_table(score, base.unit(), results),
            config,
            seed: agent.seed,
            training_config: json!({ "train": { (own): config } }),
            task: base.identity(encoding),
            task_config: json!(experiment.task),
        })
    }
}

impl JobStudy for Study {
    fn name(&self) -> &str {
        &self.experiment.name
    }

    fn game(&self) -> &'static str {
        self.experiment.game
    }

    fn trainings(&self) -> Vec<(String, TrainConfig)> {
        let key = |(name, config): (&String, &TrainConfig)| (format!("train.{name}"), config.clone());
        self.experiment.train.iter().map(key).collect()
    }

    fn check_scope(&self, scope: Option<Scope>) -> Result<Scope, String> {
        self.base.check_scope(scope)
    }

    fn spec(&self) -> anyhow::Result<RunSpec> {
        self.base.spec(&self.experiment)
    }

    fn inputs(&self) -> Vec<&str> {
        self.experiment.strings()
    }

    fn check_continues(&self, run: &Path) -> Result<(), String> {
        // Only the evaluator knows the agents' observation encoding, and it doesn't exist yet. Accept all encodings for
        // now.
        let encodings = registry::find(self.experiment.game).map_or(&[][..], |game| game.encodings);
        let encodings = [None].into_iter().chain(encodings.iter().copied().map(Some));
        let tasks = encodings.filter_map(|encoding| make_task(&self.experiment, encoding).ok());
        let hashes: Vec<String> = tasks.map(|task| task.hash()).collect();
        check_continues(&self.experiment, &hashes, run)
    }

    fn run(&self, run: &RunFolder, scope: Option<Scope>, control: RunControl<'_>) -> anyhow::Result<Option<Answer>> {
        let evaluator = control.exact(|control| self.base.evaluator(&self.experiment, control))?;
        self.run_with(&evaluator, run, scope, control)
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
    Some(TextTable::new(["agent", "weights", "SHA-256"]).rows(rows))
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
            let run = RunFolder::start(&study.spec()?, &Destination::new(&folder.path().join(name), &[], false))?;
            let answer = study.run(&run, Some(Scope::Whole), RunControl::new(&AtomicBool::new(false)))?;
            Ok(answer.expect("the agent is evaluated").json)
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
