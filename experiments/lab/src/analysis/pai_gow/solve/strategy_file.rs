//! The parts that files with strategies have in common: metadata, seals and messages.

use crate::run::{VERSION, command_line, commit};
use houseway_env::names;
use houseway_env::pai_gow::Game;
use houseway_env::seal::{Seal, SealError};
use houseway_exact::pai_gow::matchup::Question;
use houseway_exact::pai_gow::whole::Side;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const GAME: &str = "pai-gow-poker";

/// A file's metadata. All values are text.
pub(super) type Metadata = BTreeMap<String, String>;

pub(super) struct StrategyKind {
    pub(super) name: &'static str,
    /// The command that writes such a file.
    pub(super) command: &'static str,
    pub(super) format: &'static str,
    pub(super) seal: Seal,
}

impl StrategyKind {
    /// Returns the message for a file that is incomplete or of a different kind.
    pub(super) fn broken(&self, path: &str, reason: &str) -> String {
        let StrategyKind { name, command, .. } = self;
        format!("{path} is not a complete {name}: {reason}; use {command} to write one")
    }

    /// Returns the metadata of a strategy with this name and hash, with some more keys and a seal.
    pub(super) fn metadata(
        &self,
        [name, hash]: [&str; 2],
        side: Side,
        question: &Question,
        more: impl IntoIterator<Item = (&'static str, String)>,
    ) -> Metadata {
        let keys = [
            ("format", self.format.to_owned()),
            ("game", GAME.to_owned()),
            ("name", name.to_owned()),
            ("side", side.name().to_owned()),
            ("rules_hash", question.rules_hash.clone()),
            ("rules", json!(question.rules).to_string()),
            ("question", json!(question).to_string()),
            ("hash", hash.to_owned()),
            ("version", VERSION.to_owned()),
            ("commit", commit().unwrap_or_default().to_owned()),
            ("command", command_line()),
        ];
        let mut metadata: Metadata = keys.into_iter().chain(more).map(|(key, value)| (key.to_owned(), value)).collect();
        metadata.insert("seal".to_owned(), self.seal.stamp(&json!(metadata)).to_string());
        metadata
    }

    /// Checks the format, the game and the seal, which is removed.
    pub(super) fn check(&self, metadata: &mut Metadata) -> Result<(), String> {
        for (key, expected) in [("format", self.format), ("game", GAME)] {
            match metadata.get(key) {
                Some(found) if found == expected => {}
                Some(found) => return Err(format!("its {key} is '{found}', not '{expected}'")),
                None => return Err(format!("its metadata has no {key}: expected '{expected}'")),
            }
        }
        let stamp = metadata.remove("seal").ok_or(SealError::Unsealed).map_err(|error| error.to_string())?;
        let stamp = serde_json::from_str(&stamp).map_err(|error| format!("its seal is invalid: {error}"))?;
        self.seal.check(stamp, &json!(metadata)).map_err(|error| error.to_string())
    }
}

/// Returns the strategy's name.
pub(super) fn name_in(metadata: &Metadata) -> Result<&str, String> {
    let name = metadata.get("name").ok_or_else(|| "its metadata has no name".to_owned())?;
    names::check_line(name).map_err(|error| format!("its name: {error}"))?;
    Ok(name)
}

/// Checks that a strategy was made under the game's rules.
pub(super) fn check_rules(path: &str, metadata: &Metadata, game: &Game) -> Result<(), String> {
    let ours = game.rules().hash();
    let theirs = metadata.get("rules_hash").cloned().unwrap_or_default();
    if ours == theirs {
        return Ok(());
    }
    let object = |value| if let Value::Object(object) = value { object } else { Map::new() };
    let written = metadata.get("rules").and_then(|rules| serde_json::from_str(rules).ok());
    let (written, in_force) = (object(written.unwrap_or_default()), object(json!(game.rules())));
    let differs = |(key, value): (&String, &Value)| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        (in_force.get(key) != Some(value)).then(|| format!("--set {key}={text}"))
    };
    let settings: Vec<String> = written.iter().filter_map(differs).collect();
    let remedy = match settings.is_empty() {
        true => "write the table again under the rules in force".to_owned(),
        false => format!("use its rules with {}, or write the table again under these rules", settings.join(" ")),
    };
    Err(format!("{path} was made under different rules (hash {theirs}, here {ours}); {remedy}"))
}
