//! The configuration of a sweep, its search space and the points.
//!
//! Without a table `[random]`, the points are the grid of all combinations of the keys' values. With it, points are drawn
//! at random, and a key can also have a range. Integers are drawn if both of its ends are integers, and other numbers are
//! rounded to four significant digits. Ranges include both ends. `experiments/configs/sweep.toml` is an example.
//!
//! Without `train`, only the training configurations that the keys change are kept, or all of them if a key changes
//! something else, such as a rule.

use crate::study::{Experiment, default_config};
use anyhow::{Context, bail};
use houseway_env::gym::{StreamSeed, stream};
use houseway_env::registry;
use houseway_env::seal::hex;
use houseway_lab::run::{check_names, check_seeds, folder_of, parse_config, read_text};
use rand::RngExt;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
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

#[derive(Clone, Debug, PartialEq)]
pub struct SweepConfig {
    /// The sweep's name. By default, its folder under `runs/` has the same name.
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
    /// The sweep's name. By default, its folder under `runs/` has the same name.
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
    pub fn read(path: &Path) -> anyhow::Result<SweepConfig> {
        SweepConfig::parse(&read_text(path)?, folder_of(path)).with_context(|| path.display().to_string())
    }

    /// Parses a configuration. The file of its experiment is relative to `folder`.
    pub fn parse(text: &str, folder: &Path) -> anyhow::Result<SweepConfig> {
        if parse_config::<Map<String, Value>>(text)?.contains_key("game") {
            bail!(
                "the key `game` is that of an experiment: use houseway train, or name this file as the `base` of a sweep"
            );
        }
        let Keys { name, base, seeds, train, random, keys } = parse_config(text)?;
        let (mut base, base_file) = read_base(base, folder).context("base")?;
        let keys = Domain::collect(&keys).map_err(anyhow::Error::msg)?;
        check_keys(&keys, &base)?;
        keep(&mut base, &trained(train, &keys))?;
        // The seeds of the sweep replace those of the experiment, which needs none then.
        if let Some(seeds) = &seeds {
            base.entry("seeds").or_insert_with(|| json!(seeds));
        }
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
        let mut ranges = keys.iter().filter(|(_, domain)| matches!(domain, Domain::Range { .. }));
        match (random, ranges.next()) {
            (Some(Random { samples, .. }), _) if !(1..=MAX_POINTS).contains(&samples) => {
                bail!("random.samples = {samples}: must be between 1 and {MAX_POINTS}");
            }
            (None, Some((key, _))) => {
                bail!("keys.{key}: a range needs a table [random] with the number of samples; a grid needs a list");
            }
            _ => {}
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
    let mut keys: Map<String, Value> = parse_config(&text).with_context(|| name.clone())?;
    if file.is_none() {
        keys.entry("game").or_insert_with(|| json!(name));
    }
    Ok((keys, file))
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

fn names<'a>(base: &'a Map<String, Value>, section: &str) -> BTreeSet<&'a str> {
    base.get(section).and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name.as_str()).collect()
}

/// Returns the training configuration that a key belongs to, or `None` if it belongs to all of them.
pub fn training_of(key: &str) -> Option<&str> {
    let (section, rest) = key.split_once('.')?;
    if SECTIONS.contains(&section) { rest.split('.').next() } else { None }
}

/// Returns `true` if a key changes a training configuration or everything.
pub fn concerns(key: &str, training: &str) -> bool {
    training_of(key).is_none_or(|changed| changed == training)
}

pub fn trainings(base: &Map<String, Value>) -> BTreeSet<&str> {
    SECTIONS.iter().flat_map(|section| names(base, section)).collect()
}

/// Returns the names of the training configurations to keep, or `None` to keep all of them.
fn trained(given: Option<Vec<String>>, keys: &BTreeMap<String, Domain>) -> Option<BTreeSet<String>> {
    let changed = |key: &String| training_of(key).map(str::to_owned);
    given.map(BTreeSet::from_iter).or_else(|| keys.keys().map(changed).collect())
}

/// Removes all other training configurations.
pub fn keep(base: &mut Map<String, Value>, names: &Option<BTreeSet<String>>) -> anyhow::Result<()> {
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

pub const MAX_POINTS: usize = 10_000;

/// The maximum length of a point's name in characters. A seed of up to ten digits can be appended to it.
const MAX_POINT_NAME: usize = 48;

const UNIFORM: &str = "uniform";
const LOG_UNIFORM: &str = "log-uniform";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Random {
    /// The number of points to draw. Points that are drawn twice are only trained once.
    pub samples: usize,
    /// The seed for drawing points. By default 1. The first points don't depend on the number of samples.
    #[serde(default = "first_seed")]
    pub seed: u64,
}

const fn first_seed() -> u64 {
    1
}

/// The values of a key: a list of distinct values, or a range of numbers that includes both ends. With `log`, the logarithm
/// of the number is uniformly distributed instead of the number itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    List(Vec<Value>),
    Range { low: f64, high: f64, log: bool, integer: bool },
}

impl Domain {
    /// Collects all keys of a table, including those in nested tables.
    pub fn collect(table: &Map<String, Value>) -> Result<BTreeMap<String, Domain>, String> {
        let mut keys = BTreeMap::new();
        collect("", table, &mut keys)?;
        Ok(keys)
    }

    fn new(value: &Value) -> Result<Domain, String> {
        match value {
            Value::Array(values) if !values.is_empty() => {
                match (1..values.len()).find(|&i| values[..i].contains(&values[i])) {
                    Some(i) => Err(format!("{} is listed twice", values[i])),
                    None => Ok(Domain::List(values.clone())),
                }
            }
            Value::Object(range) if is_range(range) => {
                let (name, ends) = range.iter().next().expect("a range has a name");
                let log = name == LOG_UNIFORM;
                let ends = ends.as_array().map(Vec::as_slice).unwrap_or_default();
                let numbers: Vec<f64> = ends.iter().filter_map(Value::as_f64).collect();
                match numbers[..] {
                    [low, high] if ends.len() == 2 && low < high && !(log && low <= 0.0) => {
                        Ok(Domain::Range { low, high, log, integer: ends.iter().all(Value::is_i64) })
                    }
                    _ => {
                        let positive = if log { " positive" } else { "" };
                        Err(format!("{name}: expected two{positive} numbers in ascending order"))
                    }
                }
            }
            _ => Err(format!(
                "expected a list of values, {{ {UNIFORM} = [low, high] }} or {{ {LOG_UNIFORM} = [low, high] }}"
            )),
        }
    }

    /// Returns the values as they are written in a configuration.
    pub fn json(&self) -> Value {
        match self {
            Domain::List(values) => json!(values),
            Domain::Range { low, high, log, integer } => {
                let end = |end: f64| if *integer { json!(end as i64) } else { json!(end) };
                let name = if *log { LOG_UNIFORM } else { UNIFORM };
                json!({ name: [end(*low), end(*high)] })
            }
        }
    }

    fn draw(&self, rng: &mut Pcg64) -> Value {
        match *self {
            Domain::List(ref values) => values[rng.random_range(0..values.len())].clone(),
            Domain::Range { low, high, log, integer } => {
                let part: f64 = rng.random_range(0.0..1.0);
                // An integer stands for the interval that begins with it.
                let end = if integer { high + 1.0 } else { high };
                let drawn = if log { low * (end / low).powf(part) } else { low + (end - low) * part };
                match integer {
                    true => json!((drawn.floor()).clamp(low, high) as i64),
                    false => json!(rounded(drawn).clamp(low, high)),
                }
            }
        }
    }
}

fn is_range(table: &Map<String, Value>) -> bool {
    table.len() == 1 && table.keys().all(|name| [UNIFORM, LOG_UNIFORM].contains(&name.as_str()))
}

fn collect(path: &str, table: &Map<String, Value>, keys: &mut BTreeMap<String, Domain>) -> Result<(), String> {
    for (name, value) in table {
        let key = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        match value {
            Value::Object(nested) if !nested.is_empty() && !is_range(nested) => collect(&key, nested, keys)?,
            _ => {
                let domain = Domain::new(value).map_err(|error| format!("keys.{key}: {error}"))?;
                if keys.insert(key.clone(), domain).is_some() {
                    return Err(format!("keys.{key}: given twice"));
                }
            }
        }
    }
    Ok(())
}

/// Rounds a number to four significant digits, so that a value in a report can be typed.
fn rounded(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}

#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The name, which only depends on the values.
    pub name: String,
    pub set: BTreeMap<String, Value>,
}

pub fn points(keys: &BTreeMap<String, Domain>, random: Option<Random>) -> Result<Vec<Point>, String> {
    let sets = match random {
        Some(random) => draw(keys, random),
        None => grid(keys)?,
    };
    let labels = labels(keys.keys());
    Ok(sets.into_iter().map(|set| Point { name: name(&set, &labels), set }).collect())
}

fn draw(keys: &BTreeMap<String, Domain>, Random { samples, seed }: Random) -> Vec<BTreeMap<String, Value>> {
    let mut sets = vec![];
    for sample in 0..samples {
        let mut rng = stream(StreamSeed { seed, lane: sample as u64 });
        let set = keys.iter().map(|(key, domain)| (key.clone(), domain.draw(&mut rng))).collect();
        if !sets.contains(&set) {
            sets.push(set);
        }
    }
    sets
}

fn grid(keys: &BTreeMap<String, Domain>) -> Result<Vec<BTreeMap<String, Value>>, String> {
    let mut sets = vec![BTreeMap::new()];
    for (key, domain) in keys {
        let Domain::List(values) = domain else { return Err(format!("keys.{key}: a grid needs a list")) };
        if sets.len() * values.len() > MAX_POINTS {
            return Err(format!("keys: the grid has more than {MAX_POINTS} points; use a table [random] instead"));
        }
        let with = |set: &BTreeMap<String, Value>, value: &Value| {
            let mut set = set.clone();
            set.insert(key.clone(), value.clone());
            set
        };
        sets = sets.iter().flat_map(|set| values.iter().map(move |value| with(set, value))).collect();
    }
    Ok(sets)
}

/// Returns the shortest ending of each key that no other key has, such as `learning-rate`.
pub fn labels<'a>(keys: impl Iterator<Item = &'a String> + Clone) -> BTreeMap<&'a str, &'a str> {
    let ends_with = |key: &str, ending: &str| key == ending || key.ends_with(&format!(".{ending}"));
    let label = |key: &'a String| {
        let starts = key.rmatch_indices('.').map(|(at, _)| at + 1).chain([0]);
        let mut endings = starts.map(|start| &key[start..]);
        let unique = endings.find(|ending| keys.clone().filter(|other| ends_with(other, ending)).count() == 1);
        (key.as_str(), unique.unwrap_or(key))
    };
    keys.clone().map(label).collect()
}

/// Returns a readable name for a point. If the values don't fit, it ends with a hash of them.
fn name(set: &BTreeMap<String, Value>, labels: &BTreeMap<&str, &str>) -> String {
    let mut exact = true;
    let mut part = |(key, value): (&String, &Value)| {
        let value = match value {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        exact &= value.chars().all(|c| c.is_ascii_alphanumeric() || c == '.' || c == '-');
        format!("{}-{value}", labels[key.as_str()])
    };
    let joined = set.iter().map(&mut part).collect::<Vec<_>>().join("-");
    let allowed = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
    let plain: String = joined.trim_start_matches(|c: char| !c.is_ascii_alphanumeric()).chars().map(allowed).collect();
    if exact && plain.len() <= MAX_POINT_NAME && plain.len() == joined.len() {
        return plain;
    }
    let hash = hex(&Sha256::digest(json!(set).to_string())[..4]);
    let kept = plain.len().min(MAX_POINT_NAME - hash.len() - 1);
    format!("{}-{hash}", plain[..kept].trim_end_matches('-'))
}

/// Formats a value for tables and messages.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        // JSON writes small decimal numbers with an exponent.
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or(f64::NAN).to_string(),
        value => value.to_string(),
    }
}

/// Returns the values that differ between points, as text.
pub fn described(set: &BTreeMap<String, Value>, labels: &BTreeMap<&str, &str>) -> String {
    let parts: Vec<String> =
        set.iter().map(|(key, value)| format!("{}={}", labels[key.as_str()], shown(value))).collect();
    parts.join(", ")
}

/// Returns the keys with more than one value among the points.
pub fn varied(points: &[Point]) -> Vec<&str> {
    let values = |key: &String| points.iter().map(|point| point.set[key].to_string()).collect::<BTreeSet<_>>().len();
    let keys = points.first().into_iter().flat_map(|point| point.set.keys());
    keys.filter(|key| values(key) > 1).map(String::as_str).collect()
}

#[cfg(test)]
mod tests;
