//! Configurations as TOML with every default written out, their differences in messages, and their names and seeds.

use super::{cannot_read, read_text};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use toml::Value;

/// Reads a configuration. The type should use `#[serde(default, deny_unknown_fields)]` so that unknown keys are
/// rejected. An empty file, which a failed copy may leave, isn't a configuration with all defaults.
pub fn load_config<C: DeserializeOwned>(path: &Path) -> io::Result<C> {
    let text = read_text(path)?;
    let wrong = |error: toml::de::Error| cannot_read(path, io::Error::new(io::ErrorKind::InvalidData, error));
    if text.trim().is_empty() {
        return Err(wrong(serde::de::Error::custom("the file is empty")));
    }
    parse_config(&text).map_err(wrong)
}

/// Parses a configuration. Numbers must be finite and there are no dates, because configurations are handed on as JSON,
/// which has neither.
pub fn parse_config<C: DeserializeOwned>(text: &str) -> Result<C, toml::de::Error> {
    match foreign("", &Value::Table(toml::from_str(text)?)) {
        Some(reason) => Err(serde::de::Error::custom(reason)),
        None => toml::from_str(text),
    }
}

fn below(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Returns the first value that JSON doesn't have, with the reason.
fn foreign(path: &str, value: &Value) -> Option<String> {
    match value {
        Value::Float(number) if !number.is_finite() => Some(format!("{path} = {number}: must be a finite number")),
        Value::Datetime(date) => Some(format!("{path} = {date}: must be a number or a text in quotation marks")),
        Value::Table(table) => table.iter().find_map(|(key, value)| foreign(&below(path, key), value)),
        Value::Array(values) => values.iter().find_map(|value| foreign(path, value)),
        _ => None,
    }
}

pub fn config_text(config: &impl Serialize) -> io::Result<String> {
    toml::to_string_pretty(config).map_err(io::Error::other)
}

/// The maximum number of differences listed in a message. Any others are only counted.
const MAX_NAMED: usize = 4;
/// The maximum length of a value in a message, in characters. Longer values are cut off.
const MAX_VALUE: usize = 40;

/// Returns the keys whose values differ between two configurations, with both values, in parentheses. Returns an empty
/// string if there are none or if one of the texts isn't TOML.
pub fn changes(old: &str, new: &str) -> String {
    let (Ok(old), Ok(new)) = (values(old), values(new)) else { return String::new() };
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let mut keys: Vec<&String> = keys.into_iter().filter(|key| old.get(*key) != new.get(*key)).collect();
    // People know names and not hashes.
    let is_hash = |key: &String| key.ends_with("hash");
    if !keys.iter().all(|key| is_hash(key)) {
        keys.retain(|key| !is_hash(key));
    }
    let mut changes = vec![];
    for key in keys {
        let [old, new] = [&old, &new].map(|values| values.get(key).map_or("absent", String::as_str));
        changes.push(format!("{key} is {old} there, {new} here"));
    }
    let more = changes.len().saturating_sub(MAX_NAMED);
    changes.truncate(MAX_NAMED);
    match (changes.join("; "), more) {
        (changes, _) if changes.is_empty() => changes,
        (changes, 0) => format!(" ({changes})"),
        (changes, more) => format!(" ({changes}; and {more} more keys)"),
    }
}

fn values(text: &str) -> Result<BTreeMap<String, String>, toml::de::Error> {
    let mut values = BTreeMap::new();
    collect(&Value::Table(text.parse()?), "", &mut values);
    Ok(values)
}

fn collect(value: &Value, key: &str, values: &mut BTreeMap<String, String>) {
    match value {
        Value::Table(table) => table.iter().for_each(|(name, value)| collect(value, &below(key, name), values)),
        Value::Array(items) if items.iter().any(Value::is_table) => {
            items.iter().enumerate().for_each(|(i, item)| collect(item, &below(key, &(i + 1).to_string()), values));
        }
        _ => {
            let text = serde_json::to_string(value).unwrap_or_default();
            let short = text.chars().take(MAX_VALUE).collect::<String>();
            values.insert(key.to_owned(), if short == text { text } else { short + "..." });
        }
    }
}

/// The separator between the training's name and the seed in an agent's name.
const SEED: &str = ", seed ";

pub fn agent_name(training: &str, seed: u64) -> String {
    format!("{training}{SEED}{seed}")
}

/// Splits an agent's name into the name of its training configuration and its seed. Returns `None` for agents that
/// weren't trained by the run.
pub fn split_agent_name(agent: &str) -> Option<(&str, u64)> {
    let (training, seed) = agent.rsplit_once(SEED)?;
    Some((training, seed.parse().ok()?))
}

pub fn check_names<'a>(names: impl IntoIterator<Item = &'a String>) -> Result<(), String> {
    names.into_iter().try_for_each(|name| houseway_env::names::check(name)).map_err(|error| error.to_string())
}

pub fn check_seeds(seeds: &[u64], trainings: usize) -> Result<(), String> {
    if seeds.is_empty() && trainings > 0 {
        return Err("seeds = []: at least one seed is required".to_owned());
    }
    let mut seeds = seeds.to_vec();
    seeds.sort_unstable();
    match seeds.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("seed {} is listed twice; equal seeds produce equal agents", pair[0])),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Config {
        seed: u64,
        rate: f64,
    }

    impl Default for Config {
        fn default() -> Config {
            Config { seed: 1, rate: 3e-4 }
        }
    }

    #[test]
    fn numbers_are_finite() {
        let error = |text: &str| parse_config::<toml::Table>(text).unwrap_err().to_string();
        assert!(
            error("[a]\nb = [1.0, nan]").contains("a.b = NaN: must be a finite number"),
            "{}",
            error("[a]\nb = [1.0, nan]")
        );
        assert!(error("x = [{ y = -inf }]").contains("x.y = -inf: must be a finite number"));
        assert!(error("x = 1979-05-27").contains("x = 1979-05-27: must be a number or a text"));
        assert!(parse_config::<toml::Table>("x = 1e300").is_ok());
    }

    #[test]
    fn defaults_are_written_out_and_typos_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("quick.toml");
        std::fs::write(&path, "seed = 7\n").unwrap();
        let config: Config = load_config(&path).unwrap();
        assert_eq!(config, Config { seed: 7, rate: 3e-4 });
        assert_eq!(config_text(&config).unwrap(), "seed = 7\nrate = 0.0003\n");
        std::fs::write(&path, "seed = 7\nsede = 8\n").unwrap();
        let error = load_config::<Config>(&path).unwrap_err().to_string();
        assert!(error.contains("quick.toml") && error.contains("line 2") && error.contains("sede"), "{error}");
        std::fs::write(&path, "\n").unwrap();
        let error = load_config::<Config>(&path).unwrap_err().to_string();
        assert!(error.contains("quick.toml") && error.contains("the file is empty"), "{error}");
        std::fs::write(&path, "# All defaults.\n").unwrap();
        assert_eq!(load_config::<Config>(&path).unwrap(), Config { seed: 1, rate: 3e-4 });
    }

    #[test]
    fn changed_keys_are_named_with_both_values() {
        let old = "seeds = [1, 2]\nname = \"quick\"\n[train.a]\nsteps = 3000\nbatch = 64\n[[player]]\nseat = 1\n";
        assert_eq!(changes(old, old), "");
        let new = old.replace("3000", "4000").replace("batch = 64\n", "").replace("seat = 1", "seat = 2\nbet = 5");
        assert_eq!(
            changes(old, &new),
            " (player.1.bet is absent there, 5 here; player.1.seat is 1 there, 2 here; train.a.batch is 64 there, absent \
             here; train.a.steps is 3000 there, 4000 here)"
        );
        let many: String = (0..6).map(|i| format!("key-{i} = \"{}\"\n", "x".repeat(99))).collect();
        let text = changes("", &many);
        assert!(text.ends_with("; and 2 more keys)") && text.contains("xxx...") && text.len() < 400, "{text}");
        assert_eq!(changes("not TOML", "seed = 1"), "");
    }

    #[test]
    fn names_of_agents_are_split_into_their_parts() {
        assert_eq!(split_agent_name(&agent_name("all-action", u64::MAX)), Some(("all-action", u64::MAX)));
        for other in ["trump-plaza", "optimum", "ppo, seed x", "ppo, seed -1", ", seed", ""] {
            assert_eq!(split_agent_name(other), None, "{other}");
        }
    }
}
