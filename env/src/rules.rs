//! What the rules of all games have in common.
//!
//! Rules are plain data: parameters and readings with defaults. A *reading* is one way to understand a sentence of the
//! source; it is a field whose options have names. [`RuleSet`] changes a single rule by its text, as command lines do, and
//! names a set of rules by a hash, which goes into every result.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

/// A reading of the rules: the name of its field and its options, the default first.
pub type RuleReading = (&'static str, &'static [&'static str]);

/// What is wrong with a set of rules.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RulesError {
    /// `key=value` was expected.
    #[error("'{0}' is no setting of a rule; write key=value, like commission=0.04")]
    NotAPair(String),
    /// The rule or its option does not exist; the text lists those that do.
    #[error("{0}")]
    Unknown(String),
}

/// The rules of a game: flat, with a default for every field, and unknown fields refused.
pub trait RuleSet: Clone + Default + Serialize + DeserializeOwned {
    /// The readings among the fields; what is neither reading nor variant is a parameter.
    const READINGS: &'static [RuleReading];
    /// The variants among the fields: rules that no reading of the source gives. One that has its default is not written,
    /// so that a new one changes no hash.
    const VARIANTS: &'static [RuleReading] = &[];

    /// These rules with `key=value` changed, the value as in a rules file but without quotation marks.
    ///
    /// # Errors
    /// If there is no such rule, or no such option of it.
    fn with(self, assignment: &str) -> Result<Self, RulesError> {
        let (key, value) = assignment.split_once('=').ok_or_else(|| RulesError::NotAPair(assignment.to_owned()))?;
        let table = toml::Table::try_from(self).map_err(|error| RulesError::Unknown(error.to_string()))?;
        let set = |value| -> Result<Self, toml::de::Error> {
            let mut table = table.clone();
            table.insert(key.trim().to_owned(), value);
            table.try_into()
        };
        let unknown = |error: toml::de::Error| {
            RulesError::Unknown(format!("cannot set the rule '{assignment}': {}", error.message().trim()))
        };
        let text = value.trim();
        set(toml::Value::String(text.to_owned())).or_else(|error| match text.parse::<i64>() {
            Ok(number) => set(toml::Value::Integer(number)).map_err(unknown),
            Err(_) => Err(unknown(error)),
        })
    }

    /// The rules that are not the default, as `key=value` in alphabetical order.
    fn changes(&self) -> Vec<String> {
        let table = |rules| toml::Table::try_from(rules).expect("rules are plain data");
        let (own, default) = (table(self.clone()), table(Self::default()));
        let text = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let changed = own.iter().filter(|&(key, value)| default.get(key) != Some(value));
        changed.map(|(key, value)| format!("{key}={}", text(value))).collect()
    }

    /// A stable name of these rules: the first 16 hex digits of the SHA-256 of their JSON form.
    fn hash(&self) -> String {
        let json = serde_json::to_string(self).expect("rules are plain data");
        let digest = Sha256::digest(json);
        digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The default of every rule as JSON, in the order of the fields.
    fn defaults() -> serde_json::Map<String, serde_json::Value> {
        match serde_json::to_value(Self::default()) {
            Ok(serde_json::Value::Object(rules)) => rules,
            _ => serde_json::Map::new(),
        }
    }
}
