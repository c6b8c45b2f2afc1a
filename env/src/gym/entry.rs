//! Entries of games.

use super::any::AnyEnv;
use super::config::{Example, MakeError};
use crate::rules::{RuleParameter, RuleReading};
use serde_json::{Map, Value};

/// A heading of a page, and the source text of the modules whose documentation follows it.
pub type Documentation = (&'static str, &'static [&'static str]);

/// Entry of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameEntry {
    /// Name on the command line and in configs.
    pub name: &'static str,
    /// Versioned id of the environment, as [`EnvSpec::id`](crate::gym::EnvSpec::id).
    pub id: &'static str,
    /// Folder of the game in this crate's sources.
    pub folder: &'static str,
    /// Title for people.
    pub title: &'static str,
    /// Source of its rules.
    pub source: &'static str,
    /// The parameters among its rules.
    pub parameter_docs: &'static [RuleParameter],
    /// The readings among its rules.
    pub readings: &'static [RuleReading],
    /// The variants among its rules.
    pub variants: &'static [RuleReading],
    /// Its rules by default, as JSON.
    pub default_rules: fn() -> Map<String, Value>,
    /// Data that comes with the game: what kind, and the name and text of each file.
    pub data: &'static [(&'static str, &'static [(&'static str, &'static str)])],
    /// Names of its observation encodings, the values of the key `observation` of its configurations; empty if there is one
    /// only, which has no name.
    pub encodings: &'static [&'static str],
    /// Meaning of each action under the default rules.
    pub action_names: fn() -> Vec<String>,
    /// Headings of the page of the game, and the source files whose module documentation follows each.
    pub documentation: &'static [Documentation],
    /// Examples.
    pub examples: &'static [Example],
    /// Makes the environment for one agent from a configuration, a JSON object; `{}` is the game with all defaults. Rules
    /// are under the key `rules`; the other keys depend on the game.
    ///
    /// # Errors
    /// Returns an error if a key or a value is invalid; the message names it.
    pub make: fn(config: &str) -> Result<Box<dyn AnyEnv>, MakeError>,
}

impl GameEntry {
    /// Makes the environment with another encoding of observations.
    ///
    /// # Errors
    /// Returns the errors of [`GameEntry::make`].
    pub fn make_with_encoding(&self, config: &str, encoding: &str) -> Result<Box<dyn AnyEnv>, MakeError> {
        let mut config: Map<String, Value> = serde_json::from_str(config)?;
        config.insert("observation".to_owned(), encoding.into());
        (self.make)(&Value::from(config).to_string())
    }

    /// The rules that are neither readings nor variants, with their defaults.
    pub fn parameters(&self) -> Map<String, Value> {
        let mut rules = (self.default_rules)();
        rules.retain(|name, _| self.readings.iter().all(|reading| reading.name != name));
        rules
    }
}
