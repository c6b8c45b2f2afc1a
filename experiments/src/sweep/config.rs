//! The configuration of a sweep.
//!
//! ```toml
//! name = "learning-rates"                # the name of the folder under results/
//! base = "my-experiment.toml"            # an experiment, relative to this file
//! seeds = [1, 2, 3]                      # every point is trained with each of these seeds
//! train = ["all-action"]                 # the training configurations to keep, of networks or trees
//!
//! [keys]                                 # the keys to change in the experiment
//! train.all-action.learning-rate = [0.001, 0.003, 0.01]
//! train.all-action.network.width = [16, 32]
//! ```
//!
//! This is the grid of all six combinations. With a table `[random]`, points are drawn at random instead, and a key can
//! also have a range. Integers are drawn if both of its ends are integers, and other numbers are rounded to four
//! significant digits. Ranges include both ends.
//!
//! ```toml
//! [random]
//! samples = 20
//! seed = 1
//!
//! [keys]
//! train.all-action.learning-rate = { log-uniform = [1e-4, 1e-1] }
//! train.all-action.ema = { uniform = [0.0, 0.99] }
//! ```
//!
//! `base` can also be the name of a game, for its bundled experiment, or a table with the experiment itself. Without
//! `seeds`, the seeds of the experiment are used. Without `train`, only the training configurations that the keys
//! change are kept, or all of them if a key changes something else, such as a rule.

use super::space::{Domain, Random};
use crate::study::{Experiment, default_config};
use anyhow::{Context, anyhow, bail};
use houseway_env::registry;
use houseway_lab::run::{check_names, check_seeds, folder_of, parse_config, read_text};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The keys of an experiment that can't be changed, and the remedy.
const FIXED: [(&str, &str); 4] = [
    ("name", "every run has its own name"),
    ("game", "write a sweep for each game"),
    ("seeds", "use the key seeds of the sweep"),
    ("kind", "only ordinary experiments can be swept"),
];

/// The tables of an experiment that contain training configurations.
const SECTIONS: [&str; 2] = ["train", "trees"];

/// A sweep over the configurations of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepConfig {
    /// The sweep's name. By default, its folder under `results/` has the same name.
    pub name: String,
    /// The keys of the experiment, with only the training configurations that are kept.
    pub base: Map<String, Value>,
    pub seeds: Vec<u64>,
    /// The random search, or `None` for the grid.
    pub random: Option<Random>,
    /// The values of each key. Keys are paths of names, separated by dots.
    pub keys: BTreeMap<String, Domain>,
    /// The file that the experiment was read from, if there is one.
    pub base_file: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Keys {
    /// The sweep's name. By default, its folder under `results/` has the same name.
    name: String,
    /// The experiment: the name of a game, the path of a configuration relative to this file, or a table with its keys.
    base: Value,
    /// The seeds. Every point is trained with each of them. By default, they are those of the experiment.
    seeds: Option<Vec<u64>>,
    /// The names of the experiment's agents to train. By default, all of them, or those that `keys` name.
    train: Option<Vec<String>>,
    /// The number of points to draw at random. By default, all combinations of the values are used.
    random: Option<Random>,
    /// The values of each key of the experiment, written as a path such as `"train.all-action.learning-rate"`. The
    /// values are a list or, with `random`, also a table with `uniform` or `log-uniform = [LOW, HIGH]`.
    keys: Map<String, Value>,
}

impl SweepConfig {
    /// Reads a configuration.
    pub fn read(path: &Path) -> anyhow::Result<SweepConfig> {
        SweepConfig::parse(&read_text(path)?, folder_of(path)).with_context(|| path.display().to_string())
    }

    /// Parses a configuration. The file of its experiment is relative to `folder`.
    pub fn parse(text: &str, folder: &Path) -> anyhow::Result<SweepConfig> {
        let Keys { name, base, seeds, train, random, keys } = parse_config(text)?;
        let (mut base, base_file) = read_base(base, folder).context("base")?;
        let keys = Domain::collect(&keys).map_err(anyhow::Error::msg)?;
        check_keys(&keys, &base)?;
        keep(&mut base, &trained(train, &keys))?;
        let experiment = Experiment::from_keys(base.clone(), None);
        let experiment = experiment.with_context(|| match &base_file {
            Some(file) => format!("base: {}", file.display()),
            None => "base".to_owned(),
        })?;
        let trainings = experiment.train.len() + experiment.trees.len();
        if trainings == 0 {
            bail!("base: the experiment has no training configuration");
        }
        base.insert("game".to_owned(), json!(experiment.game));
        let seeds = seeds.unwrap_or(experiment.seeds);
        check_names([&name]).and_then(|()| check_seeds(&seeds, trainings)).map_err(anyhow::Error::msg)?;
        if let Some(random) = random {
            random.check().map_err(anyhow::Error::msg)?;
        } else if let Some((key, _)) = keys.iter().find(|(_, domain)| matches!(domain, Domain::Range { .. })) {
            bail!("keys.{key}: a range needs a table [random] with the number of samples; a grid needs a list");
        }
        Ok(SweepConfig { name, base, seeds, random, keys, base_file })
    }

    /// Returns the configuration as TOML. It contains the experiment, so it doesn't depend on other files.
    pub fn to_toml(&self) -> anyhow::Result<String> {
        let keys: Map<String, Value> = self.keys.iter().map(|(key, domain)| (key.clone(), domain.json())).collect();
        let mut table = json!({ "name": self.name, "base": self.base, "seeds": self.seeds, "keys": keys });
        if let Some(random) = self.random {
            table["random"] = json!(random);
        }
        Ok(toml::to_string_pretty(&table)?)
    }
}

/// Reads the experiment, which is a table, the name of a game or a file.
fn read_base(base: Value, folder: &Path) -> anyhow::Result<(Map<String, Value>, Option<PathBuf>)> {
    let name = match base {
        Value::Object(keys) => return Ok((keys, None)),
        Value::String(name) => name,
        _ => bail!("expected a file, the name of a game, or a table with an experiment"),
    };
    let (text, file) = match registry::find(&name) {
        Ok(game) => (default_config(game.name).map(str::to_owned), None),
        Err(_) => (Some(read_text(&folder.join(&name))?), Some(folder.join(&name))),
    };
    let text = text.with_context(|| format!("there is no bundled experiment for {name}; name a file"))?;
    let table: toml::Table = parse_config(&text).with_context(|| name.clone())?;
    match serde_json::to_value(table)? {
        Value::Object(mut keys) => {
            if file.is_none() {
                keys.entry("game").or_insert_with(|| json!(name));
            }
            Ok((keys, file))
        }
        _ => Err(anyhow!("{name}: expected a table of keys")),
    }
}

/// Checks that the keys can be changed and belong to training configurations of the experiment.
fn check_keys(keys: &BTreeMap<String, Domain>, base: &Map<String, Value>) -> anyhow::Result<()> {
    if base.contains_key("kind") {
        bail!("base: only ordinary experiments can be swept, not those with the key kind");
    }
    if keys.is_empty() {
        bail!("keys: name at least one key, such as train.NAME.learning-rate");
    }
    for key in keys.keys() {
        let mut path = key.split('.');
        let first = path.next().unwrap_or_default();
        if let Some((_, remedy)) = FIXED.iter().find(|(name, _)| *name == first) {
            bail!("keys.{key}: can't be changed by a sweep; {remedy}");
        }
        if SECTIONS.contains(&first) {
            let names = names(base, first);
            match path.next() {
                Some(name) if names.contains(name) => {}
                name => bail!(
                    "keys.{key}: the experiment has no training configuration {:?}; expected one of {}",
                    name.unwrap_or_default(),
                    names.iter().copied().collect::<Vec<_>>().join(", ")
                ),
            }
        }
    }
    Ok(())
}

/// Returns the names of the training configurations in a section.
fn names<'a>(base: &'a Map<String, Value>, section: &str) -> BTreeSet<&'a str> {
    base.get(section).and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name.as_str()).collect()
}

/// Returns the training configuration that a key belongs to, or `None` if it belongs to all of them.
pub(super) fn training_of(key: &str) -> Option<&str> {
    let (section, rest) = key.split_once('.')?;
    if SECTIONS.contains(&section) { rest.split('.').next() } else { None }
}

/// Returns `true` if a key changes a training configuration or everything.
pub(super) fn concerns(key: &str, training: &str) -> bool {
    training_of(key).is_none_or(|changed| changed == training)
}

/// Returns the names of all training configurations.
pub(super) fn trainings(base: &Map<String, Value>) -> BTreeSet<&str> {
    SECTIONS.iter().flat_map(|section| names(base, section)).collect()
}

/// Returns the names of the training configurations to keep, or `None` to keep all of them.
fn trained(given: Option<Vec<String>>, keys: &BTreeMap<String, Domain>) -> Option<BTreeSet<String>> {
    let changed = |key: &String| training_of(key).map(str::to_owned);
    given.map(BTreeSet::from_iter).or_else(|| keys.keys().map(changed).collect())
}

/// Removes all other training configurations.
pub(super) fn keep(base: &mut Map<String, Value>, names: &Option<BTreeSet<String>>) -> anyhow::Result<()> {
    let Some(names) = names else { return Ok(()) };
    let known = trainings(base);
    if let Some(name) = names.iter().find(|name| !known.contains(name.as_str())) {
        let known = known.into_iter().collect::<Vec<_>>().join(", ");
        bail!("train: the experiment has no training configuration {name:?}; expected one of {known}");
    }
    for section in SECTIONS {
        if let Some(Value::Object(trainings)) = base.get_mut(section) {
            trainings.retain(|name, _| names.contains(name));
            if trainings.is_empty() {
                base.remove(section);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "[base]\nseeds = [4, 5]\n[base.train.a]\nmethod = \"all-action\"\n[base.train.b]\n";

    fn parse(head: &str, keys: &str) -> anyhow::Result<SweepConfig> {
        SweepConfig::parse(&format!("name = \"s\"\n{head}\n{BASE}[keys]\n{keys}"), Path::new("."))
    }

    #[test]
    fn only_the_trainings_that_change_are_kept() {
        let names = |head: &str, keys: &str| {
            let config = parse(head, keys).unwrap();
            assert_eq!(SweepConfig::parse(&config.to_toml().unwrap(), Path::new("/")).unwrap(), config);
            trainings(&config.base).into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(names("", "train.a.steps = [1, 2]"), ["a"]);
        assert_eq!(names("", "\"train.a.steps\" = [1, 2]\ntrain.b.batch = [8]"), ["a", "b"]);
        assert_eq!(names("", "rules.commission = [0.0, 0.05]"), ["a", "b"]);
        assert_eq!(names("train = [\"b\"]", "rules.commission = [0.0, 0.05]"), ["b"]);
        assert_eq!(parse("", "train.a.steps = [1]").unwrap().seeds, [4, 5]);
        let trees = format!("{BASE}[base.trees.c]\nstages = 2\n");
        let with_trees = |head: &str, keys: &str| {
            let config =
                SweepConfig::parse(&format!("name = \"s\"\n{head}\n{trees}[keys]\n{keys}"), Path::new(".")).unwrap();
            trainings(&config.base).into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(with_trees("", "train.a.steps = [1, 2]"), ["a"]);
        assert_eq!(with_trees("", "trees.c.depth = [4, 6]"), ["c"]);
        assert_eq!(with_trees("", "rules.commission = [0.0, 0.05]"), ["a", "b", "c"]);
        assert_eq!(with_trees("train = [\"b\", \"c\"]", "rules.commission = [0.0, 0.05]"), ["b", "c"]);
        let random = parse("seeds = [7]\nrandom = { samples = 3, seed = 2 }", "train.a.steps = { uniform = [1, 9] }");
        assert_eq!(random.unwrap().seeds, [7]);
    }

    #[test]
    fn mistakes_are_named() {
        for (head, keys, part) in [
            ("", "train.c.steps = [1]", "keys.train.c.steps: the experiment has no training configuration \"c\""),
            ("", "train = [1]", "keys.train: the experiment has no training configuration \"\"; expected one of a, b"),
            ("", "trees.c.depth = [1]", "keys.trees.c.depth: the experiment has no training configuration \"c\""),
            ("", "seeds = [1]", "keys.seeds: can't be changed by a sweep; use the key seeds of the sweep"),
            ("", "", "keys: name at least one key"),
            ("", "train.a.steps = []", "keys.train.a.steps: expected a list"),
            ("", "train.a.steps = 3", "keys.train.a.steps: expected a list"),
            ("", "train.a.steps = [3, 3]", "keys.train.a.steps: 3 is listed twice"),
            ("", "train.a.steps = { uniform = [1, 9] }", "keys.train.a.steps: a range needs a table [random]"),
            ("random = { samples = 0 }", "train.a.steps = [1]", "random.samples = 0"),
            ("random = { sample = 3 }", "train.a.steps = [1]", "unknown field `sample`"),
            ("seed = [1]", "train.a.steps = [1]", "unknown field `seed`"),
            ("seeds = []", "train.a.steps = [1]", "at least one seed"),
            ("train = [\"c\"]", "train.a.steps = [1]", "train: the experiment has no training configuration \"c\""),
        ] {
            let error = format!("{:#}", parse(head, keys).unwrap_err());
            assert!(error.contains(part), "{head} {keys}: {error}");
        }
        let error = |base: &str| {
            let text = format!("name = \"s\"\nbase = {base}\n[keys]\ntrain.a.steps = [1]");
            format!("{:#}", SweepConfig::parse(&text, Path::new("absent")).unwrap_err())
        };
        assert!(error("\"x.toml\"").contains("base: cannot read absent/x.toml"), "{}", error("\"x.toml\""));
        assert!(error("3").contains("base: expected a file"));
        assert!(error("{ kind = \"banking\" }").contains("base: only ordinary experiments"));
    }
}
