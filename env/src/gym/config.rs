//! Environment configurations in JSON.

use super::EnvError;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

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
