//! The configuration of an experiment. The files in `experiments/configs/` are examples, and the book's chapter
//! `reference/configuration.md` lists the keys.
//!
//! A finished run can be continued by increasing its number of steps. With `steps = 6000` and `restarts = [3600]`, it
//! continues from its checkpoint, and the learning rate is reset to its initial value and decays again.

use super::curves::CurveAxis;
use super::job::default_config;
use super::rounds;
use super::train::folder_name;
use anyhow::{Context, anyhow, bail};
use houseway_env::gym::GameEntry;
use houseway_env::names::similar;
use houseway_env::seal::hex;
use houseway_env::{files, names, registry};
use houseway_exact::solver::{EvaluatorConfig, SampleConfig, SolverConfig, SolverEntry};
use houseway_exact::store::PassStore;
use houseway_lab::run::{agent_name, cannot_read, check_content, check_names, check_seeds, parse_config};
use houseway_learned::task::Feedback;
use houseway_learned::trees::TreesConfig;
use houseway_learned::{TrainConfig, tasks};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The prefix of an assignment that selects a reading of a strategy file.
const READING: &str = "way.";
pub const WEIGHTS: &str = "weights.safetensors";
const MAX_WEIGHTS: u64 = 1 << 29;
/// The name of the folder with training folders in a run's folder.
pub const TRAININGS: &str = "train";

#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// The experiment's name. By default, its folder under `runs/` has the same name.
    pub name: String,
    /// The game's name in the registry. By default, the one given with `--game`.
    pub game: &'static str,
    /// The seeds, of which there has to be at least one if something is trained. Every training configuration is run
    /// with each of them.
    pub seeds: Vec<u64>,
    /// The configuration of the training task, such as rules, round options and opponents.
    pub task: Map<String, Value>,
    /// The sample used to evaluate agents, for games that support one: a table with its size, which is called `hands`,
    /// `boards` or `deals` depending on the game, and its `seed`. By default,
    /// the game's own sample.
    pub sample: Option<SampleConfig>,
    /// `true` to compute how much best responses gain against each agent, for games with an opponent who acts.
    /// By default `false`.
    pub exploitability: bool,
    /// The axes of the learning curves, each one of `hands`, `settled`, `rewards`, `updates`, `processor-seconds` and
    /// `seconds`. By default, those on which the agents differ.
    pub axes: Option<Vec<CurveAxis>>,
    /// The training configurations of networks by name.
    pub train: BTreeMap<String, TrainConfig>,
    /// The configurations of ensembles of trees by name.
    pub trees: BTreeMap<String, TreesConfig>,
    /// Notes on the configurations of networks and trees, by name. The report shows them. They don't affect any weights.
    pub notes: BTreeMap<String, String>,
    /// The trained agents by name. They are evaluated beside the others.
    pub saved: BTreeMap<String, SavedAgent>,
}

impl Experiment {
    /// Parses a configuration. `game` is the game to use if the configuration doesn't specify one.
    pub fn parse(text: &str, game: Option<&str>) -> anyhow::Result<Experiment> {
        Experiment::from_keys(parse_config(text)?, game)
    }

    /// Creates an experiment from the keys of a configuration. `game` is the game to use if they don't specify one.
    pub fn from_keys(mut keys: Map<String, Value>, game: Option<&str>) -> anyhow::Result<Experiment> {
        check_keys(&keys)?;
        let entry = find_game(take(&mut keys, "game")?, game)?;
        let solver = houseway_exact::registry::find(entry.name).ok();
        let notes = take_notes(&mut keys)?;
        let experiment = Experiment {
            notes,
            name: take(&mut keys, "name")?.unwrap_or_else(|| entry.name.to_owned()),
            game: entry.name,
            seeds: take(&mut keys, "seeds")?.unwrap_or_default(),
            sample: take_sample(&mut keys, solver)?,
            exploitability: take(&mut keys, "exploitability")?.unwrap_or_default(),
            axes: take_axes(&mut keys)?,
            train: take_trainings(&mut keys, "train", |table| tasks::configure(entry.name, &table))?,
            trees: take_trainings(&mut keys, "trees", |table| tasks::configure_trees(entry.name, table))?,
            saved: take_trainings(&mut keys, "agents", |table| {
                serde_json::from_value(table.into()).map_err(|error| error.to_string())
            })?,
            task: complete_rules(entry, keys)?,
        };
        experiment.check()?;
        Ok(experiment)
    }

    /// Creates the experiment for a game without a bundled configuration. It trains agents with policy gradient and, if
    /// the environment provides the rewards of all actions, with all-action regression.
    fn plain(entry: &'static GameEntry) -> anyhow::Result<Experiment> {
        let env = (entry.make)("{}").map_err(|error| anyhow!("{}: {error}", entry.name))?;
        let methods = ["all-action", "policy-gradient"];
        let methods = methods.into_iter().filter(|&method| method != "all-action" || env.has_action_rewards());
        let train: Map<String, Value> =
            methods.map(|method| (method.to_owned(), json!({ "method": method }))).collect();
        let keys = Map::from_iter([("seeds".to_owned(), json!([1, 2, 3])), ("train".to_owned(), train.into())]);
        Experiment::from_keys(keys, Some(entry.name))
    }

    pub fn for_game(game: &str) -> anyhow::Result<Experiment> {
        let entry = registry::find(game)?;
        match default_config(entry.name) {
            Some(text) => Experiment::parse(text, Some(entry.name)),
            None => Experiment::plain(entry),
        }
    }

    fn check(&self) -> anyhow::Result<()> {
        let names = std::iter::once(&self.name).chain(self.train.keys()).chain(self.trees.keys());
        check_names(names.chain(self.saved.keys())).map_err(anyhow::Error::msg)?;
        if let Some(name) = self.trees.keys().find(|&name| self.train.contains_key(name)) {
            bail!("trees.{name}: there is also train.{name}; rename one of them");
        }
        check_seeds(&self.seeds, self.train.len() + self.trees.len()).map_err(anyhow::Error::msg)
    }

    /// Returns the experiment as TOML, with every rule and training parameter written out.
    pub fn to_toml(&self) -> anyhow::Result<String> {
        let mut keys = Map::from_iter([
            ("name".to_owned(), json!(self.name)),
            ("game".to_owned(), json!(self.game)),
            ("seeds".to_owned(), json!(self.seeds)),
        ]);
        keys.extend(self.task.clone());
        let spec = houseway_exact::registry::find(self.game).map_or(Some(rounds::SAMPLE), |solver| solver.sample);
        if let (Some(sample), Some(spec)) = (self.sample, spec) {
            keys.insert("sample".to_owned(), json!({ spec.items: sample.size, "seed": sample.seed }));
        }
        // Configurations from before this key existed stay the same.
        if self.exploitability {
            keys.insert("exploitability".to_owned(), json!(true));
        }
        if let Some(axes) = &self.axes {
            keys.insert("axes".to_owned(), json!(axes));
        }
        keys.insert("train".to_owned(), json!(self.train));
        if !self.trees.is_empty() {
            keys.insert("trees".to_owned(), json!(self.trees));
        }
        for (name, note) in &self.notes {
            let section = if self.trees.contains_key(name) { "trees" } else { "train" };
            keys[section][name]["note"] = json!(note);
        }
        if !self.saved.is_empty() {
            keys.insert("agents".to_owned(), json!(self.saved));
        }
        Ok(toml::to_string_pretty(&without_null(keys.into()))?)
    }

    /// Returns the configuration for the game's solver. It consists of the rules, the readings, and any task keys that
    /// are solver options.
    pub fn solver_config(&self, entry: &SolverEntry) -> SolverConfig {
        let object = |key: &str| self.task.get(key).and_then(Value::as_object).cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let given = entry.options.iter().filter_map(|option| Some((option.name, self.task.get(option.name)?)));
        let readings = object("readings");
        SolverConfig {
            rules: object("rules"),
            assignments: readings.iter().map(|(name, value)| format!("{READING}{name}={}", text(value))).collect(),
            options: given.map(|(name, value)| (name.to_owned(), text(value))).collect(),
        }
    }

    /// Returns the evaluation configuration, which doesn't keep the exact values of its sample.
    pub fn evaluator_config(&self) -> EvaluatorConfig {
        EvaluatorConfig {
            reset_options: self.task.get("options").and_then(Value::as_object).cloned().unwrap_or_default(),
            sample: self.sample,
            store: PassStore::default(),
            exploitability: self.exploitability,
        }
    }

    /// Returns the strings that may be paths. They are those in the task configuration, which name house ways and
    /// paytables or the files to read them from, and the weights of saved agents.
    pub fn strings(&self) -> Vec<&str> {
        let weights = self.saved.values().map(|saved| saved.weights.as_str());
        self.task.values().filter_map(Value::as_str).chain(weights).collect()
    }

    /// Iterates over the trainings of all agents.
    pub fn agents(&self) -> impl Iterator<Item = AgentTraining<'_>> {
        self.trainings().flat_map(|(name, training)| {
            self.seeds.iter().map(move |&seed| {
                let name = agent_name(name, seed);
                AgentTraining { folder: folder_name(&name), name, training, seed }
            })
        })
    }

    /// Iterates over all training configurations by name, those of networks first.
    pub fn trainings(&self) -> impl Iterator<Item = (&String, Training<'_>)> {
        let networks = self.train.iter().map(|(name, config)| (name, Training::Network(config)));
        networks.chain(self.trees.iter().map(|(name, config)| (name, Training::Trees(config))))
    }
}

/// The training of a single agent.
pub struct AgentTraining<'a> {
    /// The agent's name in reports.
    pub name: String,
    /// The name of its folder in a run.
    pub folder: String,
    pub training: Training<'a>,
    pub seed: u64,
}

#[derive(Clone, Copy)]
pub enum Training<'a> {
    Network(&'a TrainConfig),
    Trees(&'a TreesConfig),
}

impl Training<'_> {
    pub fn feedback(self) -> Feedback {
        match self {
            Training::Network(config) => config.method.feedback(),
            Training::Trees(config) => config.feedback(),
        }
    }

    /// Returns the number of steps, which are stages for trees.
    pub fn steps(self) -> u64 {
        match self {
            Training::Network(config) => config.steps,
            Training::Trees(config) => config.stages,
        }
    }
}

/// Returns the game named in the configuration. Falls back to the given game, or to the first one in the registry.
fn find_game(named: Option<String>, given: Option<&str>) -> anyhow::Result<&'static GameEntry> {
    let first = registry::games()[0].name;
    let entry = registry::find(named.as_deref().or(given).unwrap_or(first))?;
    match given.map(registry::find).transpose()? {
        Some(other) if other.name != entry.name => {
            bail!("game = \"{}\": the game {} was requested; remove one of them", entry.name, other.name)
        }
        _ => Ok(entry),
    }
}

/// Refuses the configurations of other commands and misspelled keys of experiments. The environment checks all other keys.
fn check_keys(keys: &Map<String, Value>) -> anyhow::Result<()> {
    const OWN: [&str; 9] = ["name", "game", "seeds", "sample", "exploitability", "axes", "train", "trees", "agents"];
    for (key, kind, command) in [("base", "sweep", "sweep"), ("player", "table with players", "table")] {
        if keys.contains_key(key) {
            bail!("the key `{key}` is that of a {kind}; use houseway {command}");
        }
    }
    for key in keys.keys().filter(|key| !OWN.contains(&key.as_str())) {
        if let Some(meant) = similar(key, &OWN) {
            bail!("unknown key `{key}`; did you mean {meant}?");
        }
    }
    Ok(())
}

fn take<T: DeserializeOwned>(keys: &mut Map<String, Value>, key: &str) -> anyhow::Result<Option<T>> {
    keys.remove(key).map(serde_json::from_value).transpose().with_context(|| key.to_owned())
}

fn take_axes(keys: &mut Map<String, Value>) -> anyhow::Result<Option<Vec<CurveAxis>>> {
    let axes: Option<Vec<CurveAxis>> = take(keys, "axes")?;
    let mut named = axes.iter().flatten().enumerate();
    if axes.as_ref().is_some_and(Vec::is_empty) {
        bail!("axes: the list is empty; name an axis, or remove the key for the axes on which the agents differ");
    }
    match named.find(|&(i, axis)| axes.iter().flatten().take(i).any(|other| other == axis)) {
        Some((_, axis)) => bail!("axes: {} appears twice", axis.name()),
        None => Ok(axes),
    }
}

fn take_sample(keys: &mut Map<String, Value>, solver: Option<&SolverEntry>) -> anyhow::Result<Option<SampleConfig>> {
    let given: Option<Map<String, Value>> = take(keys, "sample")?;
    let Some(spec) = solver.map_or(Some(rounds::SAMPLE), |solver| solver.sample) else {
        return match given {
            Some(_) => bail!("sample: not supported; this game is evaluated on all hands"),
            None => Ok(None),
        };
    };
    let mut given = given.unwrap_or_default();
    let (size, seed) = (take(&mut given, spec.items)?, take(&mut given, "seed")?);
    if let Some(key) = given.keys().next() {
        bail!("sample: unknown key {key}; expected one of {}, seed", spec.items);
    }
    let size = size.unwrap_or(spec.default_size);
    if !(SampleConfig::MIN_SIZE..=SampleConfig::MAX_SIZE).contains(&size) {
        let (min, max) = (SampleConfig::MIN_SIZE, SampleConfig::MAX_SIZE);
        bail!("sample.{} = {size}: must be between {min} and {max}", spec.items);
    }
    Ok(Some(SampleConfig { size, seed: seed.unwrap_or(SampleConfig::DEFAULT_SEED) }))
}

fn take_notes(keys: &mut Map<String, Value>) -> anyhow::Result<BTreeMap<String, String>> {
    let mut notes = BTreeMap::new();
    for section in ["train", "trees"] {
        for (name, table) in keys.get_mut(section).and_then(Value::as_object_mut).into_iter().flatten() {
            let note = table.as_object_mut().map(|table| take(table, "note")).transpose();
            let note: Option<String> = note.with_context(|| format!("{section}.{name}"))?.flatten();
            names::check_prose(note.as_deref().unwrap_or_default())
                .with_context(|| format!("{section}.{name}.note"))?;
            notes.extend(note.map(|note| (name.clone(), note)));
        }
    }
    Ok(notes)
}

fn take_trainings<C>(
    keys: &mut Map<String, Value>,
    key: &str,
    parse: impl Fn(Map<String, Value>) -> Result<C, String>,
) -> anyhow::Result<BTreeMap<String, C>> {
    let tables: BTreeMap<String, Map<String, Value>> = take(keys, key)?.unwrap_or_default();
    let complete = |(name, table): (String, Map<String, Value>)| match parse(table) {
        Ok(config) => Ok((name, config)),
        Err(error) => Err(anyhow!("{key}.{name}: {error}")),
    };
    tables.into_iter().map(complete).collect()
}

fn complete_rules(entry: &GameEntry, mut task: Map<String, Value>) -> anyhow::Result<Map<String, Value>> {
    let given: Option<Map<String, Value>> = take(&mut task, "rules")?;
    let mut rules = (entry.rules.defaults)();
    rules.extend(given.unwrap_or_default());
    task.insert("rules".to_owned(), rules.into());
    Ok(task)
}

/// Removes null values, because TOML doesn't have them. A missing key has the same meaning.
fn without_null(value: Value) -> Value {
    match value {
        Value::Object(keys) => {
            let kept = keys.into_iter().filter(|(_, value)| !value.is_null());
            kept.map(|(key, value)| (key, without_null(value))).collect::<Map<_, _>>().into()
        }
        Value::Array(values) => values.into_iter().map(without_null).collect(),
        other => other,
    }
}

/// A trained agent, given by its weights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedAgent {
    /// The weights file, its folder, or the folder of a run with a single trained agent. Relative paths are resolved
    /// against the current folder.
    pub weights: String,
}

impl SavedAgent {
    pub fn digest(&self) -> anyhow::Result<String> {
        Ok(digest(&read_weights(Path::new(&self.weights))?.1))
    }
}

pub fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Reads a weights file, also given by the folder of its training or of a run with a single trained agent. Returns its
/// path and contents.
pub fn read_weights(path: &Path) -> anyhow::Result<(PathBuf, Vec<u8>)> {
    let file = if path.is_dir() { weights_in(path)? } else { path.to_owned() };
    let bytes = files::read(&file, MAX_WEIGHTS).map_err(|error| cannot_read(&file, error))?;
    check_content(&file, &bytes)?;
    Ok((file, bytes))
}

fn weights_in(folder: &Path) -> anyhow::Result<PathBuf> {
    let file = folder.join(WEIGHTS);
    if file.is_file() {
        return Ok(file);
    }
    let trainings = fs::read_dir(folder.join(TRAININGS)).into_iter().flatten().filter_map(Result::ok);
    let mut trained: Vec<PathBuf> =
        trainings.map(|entry| entry.path()).filter(|path| path.join(WEIGHTS).is_file()).collect();
    trained.sort();
    if let [only] = &trained[..] {
        return Ok(only.join(WEIGHTS));
    }
    let remedy = match trained.first() {
        Some(first) => format!("use the folder of one of its {} agents, such as {}", trained.len(), first.display()),
        None => "use the folder of a finished training of a network, RUN/train/AGENT".to_owned(),
    };
    bail!("{} is a folder without {WEIGHTS}; {remedy}", folder.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_learned::task::step_stream;

    fn error(text: &str) -> String {
        format!("{:#}", Experiment::parse(text, None).and_then(super::super::Study::open).err().expect("it is invalid"))
    }

    #[test]
    fn configurations_of_the_program_are_valid_and_complete() {
        for game in registry::games() {
            let Some(text) = default_config(game.name) else { continue };
            // Other kinds of studies have their own configuration.
            if text.contains("\nkind = ") {
                continue;
            }
            let experiment = Experiment::for_game(game.name).unwrap();
            assert!(experiment.seeds.len() >= 3 && experiment.train.len() >= 2, "{}", game.name);
            let complete = experiment.to_toml().unwrap();
            assert_eq!(Experiment::parse(&complete, None).unwrap(), experiment);
            super::super::Study::open(experiment).unwrap();
        }
    }

    #[test]
    fn exploitability_is_only_written_if_it_is_requested() {
        let plain = Experiment::for_game("pai-gow-poker").unwrap();
        assert!(!plain.exploitability && !plain.to_toml().unwrap().contains("exploitability"));
        let with = Experiment { exploitability: true, ..plain };
        assert_eq!(Experiment::parse(&with.to_toml().unwrap(), None).unwrap(), with);
        assert!(with.evaluator_config().exploitability);
        assert!(super::super::Study::open(with).is_ok());
    }

    #[test]
    fn notes_are_written_but_change_no_training() {
        let parse = |note: &str| {
            let trees = format!("[trees.b]\nstages = 1\n{note}");
            let text = format!("name = \"x\"\nseeds = [1]\n[train.a]\nmethod = \"all-action\"\n{note}{trees}");
            Experiment::parse(&text, Some("asian-stud")).map_err(|error| format!("{error:#}"))
        };
        let (plain, noted) = (parse("").unwrap(), parse("note = \"Slow.\"\n").unwrap());
        assert_eq!(noted.notes, BTreeMap::from(["a", "b"].map(|name| (name.to_owned(), "Slow.".to_owned()))));
        assert_eq!((&noted.train, &noted.trees), (&plain.train, &plain.trees));
        assert!(plain.notes.is_empty() && !plain.to_toml().unwrap().contains("note"));
        assert_eq!(Experiment::parse(&noted.to_toml().unwrap(), None).unwrap(), noted);
        assert!(parse("note = 3\n").unwrap_err().contains("train.a: note: invalid type"));
    }

    #[test]
    fn a_game_without_a_configuration_is_trained_by_each_method() {
        let experiment = Experiment::plain(registry::find("asian-stud").unwrap()).unwrap();
        assert_eq!(experiment.train.keys().collect::<Vec<_>>(), ["all-action", "policy-gradient"]);
        assert_eq!((experiment.name.as_str(), experiment.seeds.len()), ("asian-stud", 3));
        assert!(super::super::Study::open(experiment).is_ok());
    }

    #[test]
    fn agents_have_the_names_of_their_trainings_and_seeds() {
        let experiment = Experiment::for_game("joker-seven").unwrap();
        let names: Vec<String> = experiment.agents().map(|agent| agent.name).collect();
        let [trainings, seeds] = [experiment.train.len(), experiment.seeds.len()];
        assert_eq!((names.len(), names[0].as_str()), (trainings * seeds, "all-action, seed 1"));
        assert_eq!(*names.last().unwrap(), format!("policy-gradient, seed {}", experiment.seeds[seeds - 1]));
        let config = experiment.solver_config(houseway_exact::registry::find("joker-seven").unwrap());
        assert_eq!(config.get("paytable"), Some("source"));
        assert_eq!(experiment.evaluator_config().reset_options["chips"], 3);
    }

    #[test]
    fn configurations_of_other_commands_and_misspelled_keys_are_named() {
        for (text, part) in [
            ("base = \"pai-gow-poker\"", "the key `base` is that of a sweep; use houseway sweep"),
            ("[[player]]\nseat = 1", "use houseway table"),
            ("seedz = [1]", "unknown key `seedz`; did you mean seeds?"),
            ("axis = []", "did you mean axes?"),
            ("[trian.a]", "did you mean train?"),
        ] {
            assert!(error(text).contains(part), "{}", error(text));
        }
        // No key of an environment looks like a misspelled key of experiments.
        let keys =
            ["rules", "banker", "readings", "observation", "paytable", "progressive", "dealer", "options", "among"];
        let table = ["house_way", "players", "seat"];
        for key in keys.into_iter().chain(table) {
            assert!(check_keys(&Map::from_iter([(key.to_owned(), json!(0))])).is_ok(), "{key}");
        }
    }

    #[test]
    fn a_sample_may_have_the_seed_of_an_agent() {
        let text = "name = \"x\"\nseeds = [1, 7]\nsample = { seed = 7 }\n[train.a]\nmethod = \"all-action\"\n";
        let experiment = Experiment::parse(text, Some("pai-gow-poker")).unwrap();
        let sample = experiment.sample.unwrap();
        // The streams differ, so no hand of the sample is dealt in training.
        assert_ne!(sample.stream(), step_stream(sample.seed, 0));
    }

    #[test]
    fn mistakes_are_named() {
        let good = "name = \"x\"\ngame = \"joker-seven\"\nseeds = [1]\n[train.a]\nmethod = \"all-action\"\n";
        assert!(Experiment::parse(good, Some("joker-seven")).is_ok());
        for (from, to, part) in [
            ("name = \"x\"", "name = \"a/b\"", "letters, digits"),
            ("seeds = [1]", "seeds = []", "one seed"),
            ("seeds = [1]", "seeds = [1, 1]", "twice"),
            ("seeds = [1]", "seeds = \"all\"", "seeds: invalid type"),
            ("seeds = [1]", "seeds = [1]\nbanker = \"x\"", "unknown field `banker`"),
            ("seeds = [1]", "seeds = [1]\nrules = 3", "rules: invalid type"),
            ("seeds = [1]", "seeds = [1]\nrules = { maximun = 3 }", "maximun"),
            ("seeds = [1]", "seeds = [1]\nsample = { hands = 1 }", "evaluated on all hands"),
            (
                "seeds = [1]",
                "seeds = [1]\naxes = [\"steps\"]",
                "axes: unknown variant `steps`, expected one of `hands`",
            ),
            ("seeds = [1]", "seeds = [1]\naxes = [\"hands\", \"hands\"]", "axes: hands appears twice"),
            ("seeds = [1]", "seeds = [1]\naxes = []", "axes: the list is empty"),
            ("seeds = [1]", "seeds = [1]\nexploitability = 1", "exploitability: invalid type"),
            ("seeds = [1]", "seeds = [1]\nexploitability = true", "exploitability: joker-seven has no solver that"),
            ("\"all-action\"", "\"magic\"", "train.a: method: unknown name \"magic\""),
            ("[train.a]", "[train.a]\nsteps = 0", "train.a: steps = 0"),
            ("[train.a]", "[trees.b]\nstages = 0\n[train.a]", "trees.b: stages = 0: must be between"),
            ("[train.a]", "[trees.a]\n[train.a]", "trees.a: there is also train.a"),
            ("[train.a]", "[agents.b]\n[train.a]", "agents.b: missing field `weights`"),
            ("[train.a]", "[agents.b]\nweights = \"none\"\n[train.a]", "agents.b: cannot read none"),
            (
                "[train.a]",
                "[train.a]\nlearning-rate = 1e30",
                "learning-rate = 1000000000000000000000000000000: must be between 0.",
            ),
            ("[train.a]", "[train.a]\nrestarts = [2000]", "train.a: restarts = [2000]"),
            (
                "[train.a]",
                "[train.a]\nnetwork = { width = 1000000000 }",
                "network.width = 1000000000: must be between 1 and 8192",
            ),
            ("\"joker-seven\"", "\"baccarat\"", "baccarat"),
        ] {
            assert!(good.contains(from), "{from}");
            let error = error(&good.replace(from, to));
            assert!(error.contains(part), "{to}: {error}");
        }
        let other = Experiment::parse(good, Some("asian-stud")).unwrap_err().to_string();
        assert!(other.contains("the game asian-stud was requested"), "{other}");
    }
}
