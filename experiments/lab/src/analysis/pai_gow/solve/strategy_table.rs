//! Strategies stored in files, with one byte for each of the 6,972,147 hand classes (7 MB), and what they have in common
//! with files of mixed strategies: metadata, seals and messages.
//!
//! The formats are described in the book (`experiments/book/src/reference/files.md`).

use crate::run::{VERSION, cannot_read, command_line, commit, write_atomic_by};
use houseway_env::pai_gow::Game;
use houseway_env::rules::short_hash;
use houseway_env::seal::{Seal, SealError};
use houseway_env::{files, names};
use houseway_exact::pai_gow::matchup::Question;
use houseway_exact::pai_gow::whole::{Play, Side};
use houseway_exact::pai_gow::{ClassTable, Tabulated};
use safetensors::{Dtype, SafeTensors};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

const GAME: &str = "pai-gow-poker";

pub(super) type Metadata = BTreeMap<String, String>;

pub(super) struct StrategyKind {
    pub(super) name: &'static str,
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

pub(super) fn name_in(metadata: &Metadata) -> Result<&str, String> {
    let name = metadata.get("name").ok_or_else(|| "its metadata has no name".to_owned())?;
    names::check_line(name).map_err(|error| format!("its name: {error}"))?;
    Ok(name)
}

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

/// The seal on the metadata includes the hash of the settings.
const KIND: StrategyKind = StrategyKind {
    name: "strategy table",
    command: "houseway solve --strategy",
    format: "houseway-strategy-2",
    seal: Seal::new("houseway-strategy", 2),
};
/// The maximum file size in bytes. The settings only need half of it.
const MAX_FILE: u64 = 14_000_000;
const SETTINGS: &str = "settings";

/// Returns `true` if a file looks like a complete or truncated strategy table rather than a house way.
pub fn is_one(path: &Path) -> bool {
    let mut start = [0; 9];
    let begins = files::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok();
    // The file starts with the length of the header, followed by JSON. Text files don't contain zero bytes.
    path.extension().is_some_and(|ending| ending == "safetensors")
        || begins && start[8] == b'{' && start[4..8] == [0; 4]
}

/// Reads a table and checks that it is legal under the game rules.
pub fn load(path: &Path, game: &Game) -> Result<Tabulated, String> {
    let bytes = files::read(path, MAX_FILE).map_err(|error| cannot_read(path, error).to_string())?;
    let path = path.display().to_string();
    let broken = |reason: String| KIND.broken(&path, &reason);
    let (metadata, settings) = parts(&bytes).map_err(broken)?;
    check_rules(&path, &metadata, game)?;
    if metadata.get("hash") != Some(&short_hash([settings])) {
        return Err(broken("its settings do not match its hash".to_owned()));
    }
    let name = name_in(&metadata).map_err(broken)?;
    let table = ClassTable::new(name, settings.to_vec()).map_err(|error| broken(error.to_string()))?;
    table.check_legal(game).map_err(|error| format!("{path}: {error}"))?;
    Ok(table.into())
}

pub fn save(strategy: &Tabulated, path: &Path, side: Side, question: &Question) -> io::Result<()> {
    let Play::Classes(table) = strategy.play() else { unreachable!("only tables over classes are saved") };
    let metadata = KIND.metadata([strategy.name(), strategy.hash()], side, question, []);
    let len = table.settings().len();
    let tensor = json!({ "dtype": "U8", "shape": [len], "data_offsets": [0, len] });
    // The header is built here because the library would write the keys in random order.
    let mut header = json!({ "__metadata__": metadata, SETTINGS: tensor }).to_string();
    // The format requires tensors to be aligned to eight bytes.
    header.extend(std::iter::repeat_n(' ', header.len().next_multiple_of(8) - header.len()));
    let length = (header.len() as u64).to_le_bytes();
    write_atomic_by("--strategy", path, [&length, header.as_bytes(), table.settings()].concat())
}

fn parts(bytes: &[u8]) -> Result<(Metadata, &[u8]), String> {
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| error.to_string())?;
    let tensors = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
    let mut metadata: Metadata = header.metadata().clone().unwrap_or_default().into_iter().collect();
    KIND.check(&mut metadata)?;
    let tensor = tensors.tensor(SETTINGS).map_err(|error| error.to_string())?;
    if tensor.dtype() != Dtype::U8 {
        return Err(format!("its {SETTINGS} have type {:?}, not U8", tensor.dtype()));
    }
    Ok((metadata, tensor.data()))
}
