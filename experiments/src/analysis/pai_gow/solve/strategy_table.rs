//! Strategies stored in files, with one byte for each of the 6,972,147 hand classes (7 MB).
//!
//! The files are in the safetensors format, which many tensor libraries can read. Each contains a single tensor of
//! unsigned bytes, `settings`, with the setting (0 to 20) for each class's canonical hand, in the order of
//! [`houseway_env::cards::classes::Classes::seven`]. All metadata is text:
//!
//! | key | meaning |
//! |---|---|
//! | `format` | `houseway-strategy-2` |
//! | `game` | `pai-gow-poker` |
//! | `name` | the strategy's name |
//! | `rules_hash` | the hash of the rules under which every setting is legal |
//! | `rules` | the same rules as JSON, for people and messages (optional) |
//! | `hash` | the first 16 hex digits of the SHA-256 of the settings |
//! | `seal` | the [seal](houseway_env::seal) on all other keys as JSON, of the kind `houseway-strategy` |
//! | `question`, `side` | the question that the strategy answers, as in `houseway solve --json`, and its side (optional) |
//! | `version`, `commit`, `command` | the provenance (optional) |
//!
//! Any program can write a suit-isomorphic strategy in this format for use with `houseway solve`.

use crate::run::{VERSION, cannot_read, cannot_write_by, command_line, commit, write_atomic_with};
use houseway_env::pai_gow::Game;
use houseway_env::seal::{Seal, SealError};
use houseway_env::{files, names};
use houseway_exact::pai_gow::matchup::{Given, HashedTable, Question};
use houseway_exact::pai_gow::whole::Side;
use houseway_exact::pai_gow::{ClassTable, ClassTableError};
use safetensors::{Dtype, SafeTensors};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read, Write};
use std::path::Path;

const FORMAT: &str = "houseway-strategy-2";
/// The seal on the metadata, which includes the hash of the settings.
const SEAL: Seal = Seal::new("houseway-strategy", 2);
const GAME: &str = "pai-gow-poker";
/// The maximum file size in bytes. The settings only need half of it.
const MAX_FILE: u64 = 14_000_000;
/// The tensor's name.
const SETTINGS: &str = "settings";

/// A strategy read from or written to a file.
pub struct StrategyTable(HashedTable);

impl From<StrategyTable> for HashedTable {
    fn from(table: StrategyTable) -> HashedTable {
        table.0
    }
}

impl<'a> From<&'a StrategyTable> for Given<'a> {
    fn from(table: &'a StrategyTable) -> Given<'a> {
        Given::Table(&table.0)
    }
}

/// An error from a strategy table.
#[derive(Debug, thiserror::Error)]
pub enum StrategyTableError {
    /// The file can't be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is incomplete or of a different kind.
    #[error("{path} is not a complete strategy table: {reason}; use houseway solve --strategy to write one")]
    Broken {
        /// The file.
        path: String,
        /// The reason.
        reason: String,
    },
    /// The table was made under different rules.
    #[error("{path} was made under different rules (hash {theirs}, here {ours}); {remedy}")]
    Rules {
        /// The file.
        path: String,
        /// The hash of the table's rules.
        theirs: String,
        /// The hash of the rules in force.
        ours: String,
        /// A suggested fix.
        remedy: String,
    },
    /// The table fouls a hand.
    #[error("{path}: {error}")]
    Foul {
        /// The file.
        path: String,
        /// The error, which names the hand.
        error: ClassTableError,
    },
}

impl StrategyTable {
    /// Creates a strategy from a table and computes its hash.
    pub fn new(table: ClassTable) -> StrategyTable {
        StrategyTable(HashedTable::new(table))
    }

    /// Returns the table with its hash.
    pub fn hashed(&self) -> &HashedTable {
        &self.0
    }

    /// Returns `true` if a file looks like a complete or truncated strategy table rather than a house way.
    pub fn is_one(path: &Path) -> bool {
        let mut start = [0; 9];
        let begins = files::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok();
        // The file starts with the length of the header, followed by JSON. Text files don't contain zero bytes.
        path.extension().is_some_and(|ending| ending == "safetensors")
            || begins && start[8] == b'{' && start[4..8] == [0; 4]
    }

    /// Reads a table and checks that it is legal under the game rules.
    ///
    /// # Errors
    /// Returns an error if the file can't be read, is invalid, or has illegal settings under the rules.
    pub fn load(path: &Path, game: &Game) -> Result<StrategyTable, StrategyTableError> {
        let bytes = files::read(path, MAX_FILE).map_err(|error| cannot_read(path, error))?;
        let path = path.display().to_string();
        let broken = |reason: String| StrategyTableError::Broken { path: path.clone(), reason };
        let (metadata, settings) = parts(&bytes).map_err(broken)?;
        check_rules(&path, &metadata, game)?;
        if metadata.get("hash") != Some(&HashedTable::hash_settings(settings)) {
            return Err(broken("its settings do not match its hash".to_owned()));
        }
        let name = metadata.get("name").ok_or_else(|| broken("its metadata has no name".to_owned()))?;
        names::check_line(name).map_err(|error| broken(format!("its name: {error}")))?;
        let table =
            ClassTable::new(name, settings.to_vec()).map_err(|error: ClassTableError| broken(error.to_string()))?;
        table.check_legal(game).map_err(|error| StrategyTableError::Foul { path: path.clone(), error })?;
        Ok(StrategyTable::new(table))
    }

    /// Writes the table with its question atomically.
    ///
    /// # Errors
    /// Returns an error if the file can't be written.
    pub fn save(&self, path: &Path, side: Side, question: &Question) -> io::Result<()> {
        let header = self.header(side, question);
        let write = |file: &mut std::fs::File| {
            file.write_all(&(header.len() as u64).to_le_bytes())?;
            file.write_all(header.as_bytes())?;
            file.write_all(self.table().settings())
        };
        write_atomic_with(path, write).map_err(|error| cannot_write_by("--strategy", path, error))
    }

    /// Returns the file's header. It is built here because the library would write the keys in random order.
    fn header(&self, side: Side, question: &Question) -> String {
        let mut metadata = BTreeMap::from([
            ("format", FORMAT.to_owned()),
            ("game", GAME.to_owned()),
            ("name", self.name().to_owned()),
            ("side", side_name(side).to_owned()),
            ("rules_hash", question.rules_hash.clone()),
            ("rules", json!(question.rules).to_string()),
            ("question", json!(question).to_string()),
            ("hash", self.hash().to_owned()),
            ("version", VERSION.to_owned()),
            ("commit", commit().unwrap_or_default().to_owned()),
            ("command", command_line()),
        ]);
        metadata.insert("seal", SEAL.stamp(&json!(metadata)).to_string());
        let len = self.table().settings().len();
        let tensor = json!({ "dtype": "U8", "shape": [len], "data_offsets": [0, len] });
        let mut header = json!({ "__metadata__": metadata, SETTINGS: tensor }).to_string();
        // The format requires tensors to be aligned to eight bytes.
        header.extend(std::iter::repeat_n(' ', header.len().next_multiple_of(8) - header.len()));
        header
    }

    /// Returns the strategy's name.
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// Returns the first 16 hex digits of the SHA-256 of the settings.
    pub fn hash(&self) -> &str {
        self.0.hash()
    }

    /// Returns the settings.
    pub fn table(&self) -> &ClassTable {
        self.0.table()
    }
}

/// Returns a side's name.
pub(super) fn side_name(side: Side) -> &'static str {
    match side {
        Side::Player => "player",
        Side::Banker => "banker",
    }
}

/// Returns a file's metadata and settings, or an error message.
fn parts(bytes: &[u8]) -> Result<(HashMap<String, String>, &[u8]), String> {
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| error.to_string())?;
    let tensors = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
    let mut metadata = header.metadata().clone().unwrap_or_default();
    for (key, expected) in [("format", FORMAT), ("game", GAME)] {
        match metadata.get(key) {
            Some(found) if found == expected => {}
            Some(found) => return Err(format!("its {key} is '{found}', not '{expected}'")),
            None => return Err(format!("its metadata has no {key}: expected '{expected}'")),
        }
    }
    let stamp = metadata.remove("seal").ok_or(SealError::Unsealed).map_err(|error| error.to_string())?;
    let stamp = serde_json::from_str(&stamp).map_err(|error| format!("its seal is invalid: {error}"))?;
    SEAL.check(stamp, &json!(metadata)).map_err(|error| error.to_string())?;
    let tensor = tensors.tensor(SETTINGS).map_err(|error| error.to_string())?;
    if tensor.dtype() != Dtype::U8 {
        return Err(format!("its {SETTINGS} have type {:?}, not U8", tensor.dtype()));
    }
    Ok((metadata, tensor.data()))
}

fn check_rules(path: &str, metadata: &HashMap<String, String>, game: &Game) -> Result<(), StrategyTableError> {
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
    Err(StrategyTableError::Rules { path: path.to_owned(), theirs, ours, remedy })
}
