//! Strategies stored in files, with one byte for each of the 6,972,147 hand classes (7 MB).
//!
//! The format is described in the book (`experiments/book/src/reference/files.md`).

use super::strategy_file::{Metadata, StrategyKind, check_rules, name_in};
use crate::run::{cannot_read, cannot_write_by, write_atomic_with};
use houseway_env::cards::classes::Classes;
use houseway_env::files;
use houseway_env::pai_gow::{Game, Setting};
use houseway_env::rules::short_hash;
use houseway_env::seal::Seal;
use houseway_exact::pai_gow::matchup::{ClassSink, Pair, Question};
use houseway_exact::pai_gow::whole::{ClassCounts, Play, Side};
use houseway_exact::pai_gow::{ClassTable, Tabulated};
use safetensors::{Dtype, SafeTensors};
use serde_json::json;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering};

/// The seal on the metadata includes the hash of the settings.
const KIND: StrategyKind = StrategyKind {
    name: "strategy table",
    command: "houseway solve --strategy",
    format: "houseway-strategy-2",
    seal: Seal::new("houseway-strategy", 2),
};
/// The maximum file size in bytes. The settings only need half of it.
const MAX_FILE: u64 = 14_000_000;
/// The tensor's name.
const SETTINGS: &str = "settings";

/// Strategies over classes in files.
pub struct StrategyTable;

impl StrategyTable {
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

    /// Writes a strategy over classes with its question atomically.
    pub fn save(strategy: &Tabulated, path: &Path, side: Side, question: &Question) -> io::Result<()> {
        let Play::Classes(table) = strategy.play() else { unreachable!("only tables over classes are saved") };
        let metadata = KIND.metadata([strategy.name(), strategy.hash()], side, question, []);
        let len = table.settings().len();
        let tensor = json!({ "dtype": "U8", "shape": [len], "data_offsets": [0, len] });
        // The header is built here because the library would write the keys in random order.
        let mut header = json!({ "__metadata__": metadata, SETTINGS: tensor }).to_string();
        // The format requires tensors to be aligned to eight bytes.
        header.extend(std::iter::repeat_n(' ', header.len().next_multiple_of(8) - header.len()));
        let write = |file: &mut std::fs::File| {
            file.write_all(&(header.len() as u64).to_le_bytes())?;
            file.write_all(header.as_bytes())?;
            file.write_all(table.settings())
        };
        write_atomic_with(path, write).map_err(|error| cannot_write_by("--strategy", path, error))
    }
}

/// Returns a file's metadata and settings, or an error message.
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

/// A sink that collects the setting chosen for each class during a pass.
pub struct StrategySink(Vec<AtomicU8>);

impl Default for StrategySink {
    fn default() -> StrategySink {
        StrategySink((0..Classes::seven().len()).map(|_| AtomicU8::new(u8::MAX)).collect())
    }
}

impl ClassSink for StrategySink {
    fn put(&self, classes: &[ClassCounts], settings: &[Setting]) {
        let index = Classes::seven();
        for (class, setting) in classes.iter().zip(settings) {
            self.0[index.index(class.hand.set())].store(setting.index() as u8, Ordering::Relaxed);
        }
    }
}

impl StrategySink {
    /// Returns the table for the side that the pass enumerated.
    pub fn table(self, pair: &Pair<'_>) -> Tabulated {
        let name = match pair.own() {
            Some(own) => own.name().to_owned(),
            None => format!("optimal {} against {}", pair.side().name(), pair.other().name()),
        };
        let settings = self.0.into_iter().map(AtomicU8::into_inner).collect();
        ClassTable::new(&name, settings).expect("every class was visited").into()
    }
}
