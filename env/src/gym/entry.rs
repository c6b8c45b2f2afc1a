//! Registry entries of games.

use super::any::AnyEnv;
use super::config::{Example, MakeError};
use crate::rules::{RuleParameter, RuleReading};
use serde_json::{Map, Value};

/// A heading of a page, and the sources of the modules whose documentation follows it.
pub type Documentation = (&'static str, &'static [&'static str]);

/// Registry entry of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameEntry {
    /// Name used on the command line and in configurations.
    pub name: &'static str,
    /// Versioned environment id, as in [`EnvSpec::id`](crate::gym::EnvSpec::id).
    pub id: &'static str,
    /// Folder of the game within the crate's sources.
    pub folder: &'static str,
    /// Human-readable title.
    pub title: &'static str,
    /// Source of the rules.
    pub source: &'static str,
    /// Rules that are parameters.
    pub parameter_docs: &'static [RuleParameter],
    /// Rules that are readings.
    pub readings: &'static [RuleReading],
    /// Rules that are variants.
    pub variants: &'static [RuleReading],
    /// Default rules as JSON.
    pub default_rules: fn() -> Map<String, Value>,
    /// Data bundled with the game, as pairs of a kind and the names and contents of its files.
    pub data: &'static [(&'static str, &'static [(&'static str, &'static str)])],
    /// Names of the observation encodings, which are the values of the configuration key `observation`; empty if there
    /// is only a single, unnamed encoding.
    pub encodings: &'static [&'static str],
    /// Meaning of each action under the default rules.
    pub action_names: fn() -> Vec<String>,
    /// Headings on the game's page, each with the source files whose module documentation follows it.
    pub documentation: &'static [Documentation],
    /// Example configurations.
    pub examples: &'static [Example],
    /// Creates the single-agent environment from a configuration, a JSON object; `{}` is the game with all defaults.
    /// Rules are under the key `rules`; the other keys depend on the game.
    ///
    /// # Errors
    /// Returns an error if a key or value is invalid. The message names it.
    pub make: fn(config: &str) -> Result<Box<dyn AnyEnv>, MakeError>,
}

impl GameEntry {
    /// Creates the environment with another observation encoding.
    ///
    /// # Errors
    /// Returns the errors of [`GameEntry::make`].
    pub fn make_with_encoding(&self, config: &str, encoding: &str) -> Result<Box<dyn AnyEnv>, MakeError> {
        let mut config: Map<String, Value> = serde_json::from_str(config)?;
        config.insert("observation".to_owned(), encoding.into());
        (self.make)(&Value::from(config).to_string())
    }

    /// Returns the rules that are neither readings nor variants, with their defaults.
    pub fn parameters(&self) -> Map<String, Value> {
        let mut rules = (self.default_rules)();
        rules.retain(|name, _| self.readings.iter().all(|reading| reading.name != name));
        rules
    }
}
