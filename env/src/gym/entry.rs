//! Entries in the registry of games.

use super::rounds::{Episodes, Rounds};
use super::{Env, EnvError};
use crate::names::{self, InvalidText};
use crate::rules::{RuleReading, RuleTable};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt::Write as _;

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
    /// The rules.
    pub rules: RuleTable,
    /// The data bundled with the game. Each item consists of a kind and the names and contents of its files.
    pub data: &'static [(&'static str, &'static [(&'static str, &'static str)])],
    /// The names of the observation encodings, as used for the `observation` key in configurations. Empty if the game
    /// has only one encoding.
    pub encodings: &'static [&'static str],
    /// Returns the meaning of each action under the default rules.
    pub action_names: fn() -> Vec<String>,
    /// The sections of the game's documentation, as headings with Markdown: the rules, the environment and the
    /// observations.
    pub documentation: &'static [(&'static str, &'static str)],
    /// The example configurations.
    pub examples: &'static [Example],
    /// Creates the single-agent environment from a configuration given as a JSON object. `{}` uses all defaults. Rules
    /// are listed under the key `rules`, and all other keys depend on the game.
    ///
    /// # Errors
    /// Returns an error that names the invalid key or value.
    pub make: fn(config: &str) -> Result<Box<dyn Env>, MakeError>,
    /// A game with several seats as one person plays it. This is `None` for all other games, because they are played as
    /// the [`Episodes`] of their environment.
    pub seated: Option<Seated>,
}

/// A table at which one person plays with others.
#[derive(Clone, Copy, Debug)]
pub struct Seated {
    /// The name of the game that is played at the table. Its rules are listed under the key `game` of the configuration,
    /// and those of the table under the key `rules`.
    pub game: &'static str,
    /// Creates the table. The configuration is a JSON object with the same keys as for [`GameEntry::make`].
    pub make: fn(config: &str) -> Result<Box<dyn Rounds>, MakeError>,
}

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
            Some(seated) => (seated.make)(config),
            None => Ok(Box::new(Episodes::new((self.make)(config)?))),
        }
    }

    /// Returns the readings, and the variants that are a choice between options.
    pub fn choices(&self) -> impl Iterator<Item = &RuleReading> {
        self.rules.readings.iter().chain(self.rules.variants.iter().filter(|variant| variant.options.len() > 1))
    }

    /// Returns the default values of all other rules.
    pub fn parameters(&self) -> Map<String, Value> {
        let mut rules = (self.rules.defaults)();
        rules.retain(|name, _| self.choices().all(|rule| rule.name != name));
        rules
    }

    /// Returns the rules of the game in words, as Markdown.
    pub fn rules_text(&self) -> String {
        format!("# {}\n{}", self.title, sections(self.documentation.get(..1).unwrap_or_default()))
    }

    /// Returns the sections on actions and observations, as Markdown.
    pub fn layout(&self) -> String {
        let documentation = self.documentation.get(1..).unwrap_or_default();
        format!("# {}\n{}{}", self.title, sections(documentation), self.actions_section())
    }

    /// Returns the section that explains each action. Four or more actions whose names only differ in numbers share a row.
    fn actions_section(&self) -> String {
        let mut text = "\n## Actions\n\n| action | meaning |\n|---:|---|\n".to_owned();
        let names = (self.action_names)();
        let without_digits = |name: &String| name.replace(|c: char| c.is_ascii_digit(), "");
        let mut action = 0;
        for similar in names.chunk_by(|a, b| without_digits(a) == without_digits(b)) {
            if let [first, _, _, .., last] = similar {
                let _ = writeln!(text, "| {action} to {} | {first}, ..., {last} |", action + similar.len() - 1);
            } else {
                for (i, name) in similar.iter().enumerate() {
                    let _ = writeln!(text, "| {} | {name} |", action + i);
                }
            }
            action += similar.len();
        }
        text
    }
}

/// The [`GameEntry::documentation`] that is next to the source file.
macro_rules! pages {
    () => {
        &[
            ("Rules", include_str!("rules.md")),
            ("Environment", include_str!("environment.md")),
            ("Observations", include_str!("observations.md")),
        ]
    };
}
pub(crate) use pages;

/// Returns a section for each heading.
fn sections(documentation: &[(&str, &str)]) -> String {
    documentation.iter().map(|(heading, text)| format!("\n## {heading}\n\n{text}")).collect()
}

/// The error returned if an environment can't be created from a configuration.
pub type MakeError = Box<dyn std::error::Error + Send + Sync>;

/// Parses a JSON object in which all keys are optional, such as an environment's configuration.
///
/// # Errors
/// Returns a message for people who wrote a dict rather than JSON. It names the key, and neither lines nor Rust types.
pub fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, MakeError> {
    match serde_json::from_str(text)? {
        Value::Object(object) => Ok(from_object(object)?),
        other => Err(format!("expected an object of keys and values instead of {other}").into()),
    }
}

/// Like [`from_json`], for an object that is already parsed.
///
/// # Errors
/// Returns an error under the same conditions.
pub fn from_object<T: DeserializeOwned>(object: Map<String, Value>) -> Result<T, InvalidText> {
    let whole = Value::from(object);
    let mut message = match serde_json::from_value(whole.clone()) {
        Ok(parsed) => return Ok(parsed),
        Err(error) => error.to_string(),
    };
    // The message of an object that only has the value at a path.
    let message_at = |path: &[&String], value: &Value| {
        let object = |inner, key: &&String| Value::from(Map::from_iter([((**key).clone(), inner)]));
        serde_json::from_value::<T>(path.iter().rev().fold(value.clone(), object)).err().map(|error| error.to_string())
    };
    // Rules and options are objects in the configuration, so a key within them says more.
    let (mut path, mut value) = (Vec::new(), &whole);
    while let Value::Object(entries) = value {
        let is_wrong = |(key, inner): &(&String, &Value)| {
            message_at(&[&path[..], &[*key]].concat(), inner).as_ref() == Some(&message)
        };
        let Some((key, inner)) = entries.iter().find(is_wrong) else { break };
        path.push(key);
        value = inner;
    }
    // Only the message about an unknown name has the list of names.
    if message.ends_with("expected string or map") {
        let named = message_at(&path, &value.to_string().into());
        message = named.filter(|named| named.starts_with("unknown variant")).unwrap_or(message);
    }
    // The message itself names an unknown field.
    path.pop_if(|_| message.starts_with("unknown field"));
    let place: String = path.iter().map(|key| format!("{key}.")).collect();
    let colon = if place.is_empty() { "" } else { ": " };
    Err(InvalidText(format!("{}{colon}{}", place.trim_end_matches('.'), names::plain(&message))))
}

/// Parses reset options, where `None` means the default options.
pub(crate) fn parse_options<O: DeserializeOwned + Default>(options: Option<&str>) -> Result<O, EnvError> {
    let Some(text) = options else { return Ok(O::default()) };
    from_json(text).map_err(|error| EnvError::BadOption { option: "options", reason: error.to_string() })
}

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
