//! Entries in the registry of games.

use super::rounds::{Episodes, Rounds};
use super::{Env, EnvError};
use crate::rules::{RuleParameter, RuleReading};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// A page heading and the source files whose module documentation follows it.
pub type Documentation = (&'static str, &'static [&'static str]);

/// A game's entry in the registry.
#[derive(Clone, Copy, Debug)]
pub struct GameEntry {
    /// The name used on the command line and in configurations.
    pub name: &'static str,
    /// The versioned environment id, as in [`EnvSpec::id`](crate::gym::EnvSpec::id).
    pub id: &'static str,
    /// The folder that contains the game, relative to the crate's `src`.
    pub folder: &'static str,
    /// The human-readable title.
    pub title: &'static str,
    /// The source of the rules, e.g. a casino's rules of play or an article.
    pub source: &'static str,
    /// The rules that are plain parameters.
    pub parameter_docs: &'static [RuleParameter],
    /// The rules that interpret an ambiguous source. The first option of each is the default.
    pub readings: &'static [RuleReading],
    /// The rules that deliberately differ from the source. The first option of each is the default.
    pub variants: &'static [RuleReading],
    /// Returns the default rules as JSON.
    pub default_rules: fn() -> Map<String, Value>,
    /// Returns the [hash](crate::rules::RuleSet::hash) of rules given as a JSON object. Rules that aren't listed keep their
    /// defaults.
    ///
    /// # Errors
    /// Returns an error that names the invalid rule.
    pub rules_hash: fn(&Value) -> Result<String, MakeError>,
    /// The data bundled with the game. Each item consists of a kind and the names and contents of its files.
    pub data: &'static [(&'static str, &'static [(&'static str, &'static str)])],
    /// The names of the observation encodings, as used for the `observation` key in configurations. Empty if the game
    /// has only one encoding.
    pub encodings: &'static [&'static str],
    /// Returns the meaning of each action under the default rules.
    pub action_names: fn() -> Vec<String>,
    /// The headings on the game's page, with the source files whose module documentation follows each heading.
    pub documentation: &'static [Documentation],
    /// The example configurations.
    pub examples: &'static [Example],
    /// Creates the single-agent environment from a configuration given as a JSON object. `{}` uses all defaults. Rules
    /// are listed under the key `rules`, and all other keys depend on the game.
    ///
    /// # Errors
    /// Returns an error that names the invalid key or value.
    pub make: fn(config: &str) -> Result<Box<dyn Env>, MakeError>,
    /// For a game with several seats, creates the game as one person plays it. The configuration has the same keys as
    /// for [`GameEntry::make`]. This is `None` for all other games, because they are played as the [`Episodes`] of
    /// their environment.
    pub seated: Option<MakeRounds>,
}

/// A function that creates a game as one person plays it. The configuration is a JSON object.
pub type MakeRounds = fn(config: &str) -> Result<Box<dyn Rounds>, MakeError>;

impl GameEntry {
    /// Creates an environment with the given observation encoding.
    ///
    /// # Errors
    /// Returns an error if [`GameEntry::make`] does.
    pub fn make_with_encoding(&self, config: &str, encoding: &str) -> Result<Box<dyn Env>, MakeError> {
        let mut config: Map<String, Value> = serde_json::from_str(config)?;
        config.insert("observation".to_owned(), encoding.into());
        (self.make)(&Value::from(config).to_string())
    }

    /// Creates the game as one person plays it.
    ///
    /// # Errors
    /// Returns an error if the configuration is invalid, as [`GameEntry::make`] does.
    pub fn rounds(&self, config: &str) -> Result<Box<dyn Rounds>, MakeError> {
        match self.seated {
            Some(make) => make(config),
            None => Ok(Box::new(Episodes::new((self.make)(config)?))),
        }
    }

    /// Returns the default values of all rules that are neither readings nor variants.
    pub fn parameters(&self) -> Map<String, Value> {
        let mut rules = (self.default_rules)();
        rules.retain(|name, _| self.readings.iter().chain(self.variants).all(|rule| rule.name != name));
        rules
    }
}

/// The error returned if an environment can't be created from a configuration.
pub type MakeError = Box<dyn std::error::Error + Send + Sync>;

/// Parses a JSON object in which all keys are optional, such as an environment's configuration.
///
/// # Errors
/// Returns a message for people who wrote a dict rather than JSON. It names the key, and neither lines nor Rust types.
pub fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, MakeError> {
    let object: Map<String, Value> = serde_json::from_str(text)?;
    let error = match serde_json::from_value(object.clone().into()) {
        Ok(parsed) => return Ok(parsed),
        Err(error) => error,
    };
    let mut message = error.to_string();
    if message.starts_with("unknown field") {
        return Err(message.into());
    }
    for (rust, words) in TYPES {
        message = message.replace(rust, words);
    }
    let is_wrong = |(key, value): (&String, &Value)| {
        let alone = Map::from_iter([(key.clone(), value.clone())]);
        serde_json::from_value::<T>(alone.into()).is_err()
    };
    match object.iter().find(|&entry| is_wrong(entry)) {
        Some((key, _)) => Err(format!("{key}: {message}").into()),
        None => Err(message.into()),
    }
}

/// Parses reset options, where `None` means the default options.
pub(crate) fn parse_options<O: DeserializeOwned + Default>(options: Option<&str>) -> Result<O, EnvError> {
    let Some(text) = options else { return Ok(O::default()) };
    from_json(text).map_err(|error| EnvError::BadOption { option: "options", reason: error.to_string() })
}

/// The types in messages from `serde`, and their names in messages for people.
const TYPES: [(&str, &str); 7] = [
    ("expected f64", "expected a number"),
    ("expected u32", "expected an integer of 0 or more"),
    ("expected u64", "expected an integer of 0 or more"),
    ("expected usize", "expected an integer of 0 or more"),
    ("expected i64", "expected an integer"),
    ("expected struct", "expected an object with"),
    ("expected a map", "expected an object"),
];

/// The configuration of an environment that has rules, observation encodings and a paytable. All keys are optional.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(
    default,
    deny_unknown_fields,
    bound = "R: Default + DeserializeOwned, O: Default + DeserializeOwned, P: Default + DeserializeOwned"
)]
pub struct EnvConfig<R, O, P> {
    /// The rules. Rules that aren't listed keep their defaults.
    pub rules: R,
    /// The observation encoding.
    pub observation: O,
    /// The paytable.
    pub paytable: P,
}

/// An example configuration with settings that differ from the defaults, such as other rules, several players or side
/// bets. The examples of all games are used by contract checks, golden playthroughs and documentation pages.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The example's name. It must be unique within the game.
    pub name: &'static str,
    /// The configuration as a JSON object.
    pub config: &'static str,
    /// The reset options to try, each as a JSON object. There is at least one.
    pub options: &'static [&'static str],
}
