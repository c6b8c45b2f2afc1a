//! Mixed strategies stored in Parquet files, which the book describes (`experiments/book/src/reference/files.md`).

use super::strategy_table::{Metadata, StrategyKind, check_rules, name_in};
use crate::columns::{Column, Values, to_parquet_with};
use crate::run::{cannot_read, write_atomic};
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::files;
use houseway_env::pai_gow::{Game, Hand, SetHand, Setting};
use houseway_env::seal::Seal;
use houseway_exact::pai_gow::MixedTable;
use houseway_exact::pai_gow::matchup::Question;
use houseway_exact::pai_gow::whole::Side;
use parquet::basic::{Compression, Encoding};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Row, RowAccessor};
use parquet::schema::types::ColumnPath;
use serde_json::json;
use std::fs::File;
use std::io::{self, Read};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

const KIND: StrategyKind = StrategyKind {
    name: "mixed strategy",
    command: "houseway equilibrium",
    format: "houseway-mixed-1",
    seal: Seal::new("houseway-mixed", 1),
};
const PREFIX: &str = "houseway.";
/// The maximum file size in bytes. A strategy that mixes all legal settings of all hands needs less.
const MAX_FILE: u64 = 64_000_000;
const MAGIC: &[u8] = b"PAR1";
const COLUMNS: [&str; 6] = ["profile", "hand", "hands", "setting", "front", "weight"];

/// Returns `true` if a file looks like a Parquet file rather than a house way.
pub fn is_one(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    let begins = files::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok();
    path.extension().is_some_and(|ending| ending == "parquet") || begins && start == MAGIC
}

/// Writes a strategy with its question atomically. The strategy must be legal under the game's rules.
pub fn save(table: &MixedTable, game: &Game, path: &Path, side: Side, question: &Question) -> io::Result<()> {
    let more = [("sum", MixedTable::WHOLE.to_string()), ("columns", descriptions())];
    let metadata = KIND.metadata([table.name(), &table.hash()], side, question, more);
    let metadata: Vec<(String, String)> =
        metadata.into_iter().map(|(key, value)| (format!("{PREFIX}{key}"), value)).collect();
    write_atomic(path, to_parquet_with(&columns(table, game), &metadata, properties())?)
}

/// Reads a strategy and checks that it is complete and legal under the game's rules.
pub fn load(path: &Path, game: &Game) -> Result<MixedTable, String> {
    let file = files::open(path).map_err(|error| cannot_read(path, error).to_string())?;
    let length = file.metadata().map_err(|error| cannot_read(path, error).to_string())?.len();
    let path = path.display().to_string();
    let broken = |reason: String| KIND.broken(&path, &reason);
    if length > MAX_FILE {
        return Err(broken(format!("it has {length} bytes, more than the maximum of {MAX_FILE}")));
    }
    let open = || SerializedFileReader::new(file).map_err(|error| error.to_string());
    let reader = without_panics(open).map_err(broken)?;
    let pairs = reader.metadata().file_metadata().key_value_metadata().into_iter().flatten();
    let pair = |pair: &KeyValue| Some((pair.key.strip_prefix(PREFIX)?.to_owned(), pair.value.clone()?));
    let mut metadata: Metadata = pairs.filter_map(pair).collect();
    KIND.check(&mut metadata).map_err(broken)?;
    check_rules(&path, &metadata, game)?;
    let name = name_in(&metadata).map_err(broken)?;
    if metadata.get("sum") != Some(&MixedTable::WHOLE.to_string()) {
        return Err(broken(format!("the sum of its weights isn't {}", MixedTable::WHOLE)));
    }
    let table = without_panics(|| table(&reader, name, game)).map_err(broken)?;
    table.check_legal(game).map_err(|error| format!("{path}: {error}"))?;
    if metadata.get("hash") != Some(&table.hash()) {
        return Err(broken("its weights do not match its hash".to_owned()));
    }
    Ok(table)
}

/// Returns what follows from the profile and the setting in a row: the hand, the number of hands, and the front.
fn derived(profile: Profile, setting: Setting) -> (String, u64, String) {
    let hand = Hand::representative(profile);
    (hand.to_string(), Profiles::get().hands(profile), setting.front(hand).to_string())
}

/// Returns the columns, with a row for each setting of a profile.
fn columns(table: &MixedTable, game: &Game) -> [Column; COLUMNS.len()] {
    let (mut profiles, mut settings, mut weights) = (vec![], vec![], vec![]);
    let (mut hands, mut counts, mut fronts) = (vec![], vec![], vec![]);
    for profile in Profile::all() {
        for (setting, weight) in table.settings(game, Hand::representative(profile)) {
            let (hand, count, front) = derived(profile, setting);
            profiles.push(profile.index() as u64);
            hands.push(hand);
            counts.push(count);
            settings.push(setting.index() as u64);
            fronts.push(front);
            weights.push(weight.into());
        }
    }
    let values = [
        Values::Unsigned(profiles),
        Values::Texts(hands),
        Values::Unsigned(counts),
        Values::Unsigned(settings),
        Values::Texts(fronts),
        Values::Unsigned(weights),
    ];
    let mut names = COLUMNS.into_iter();
    values.map(|values| Column::new(names.next().expect("every column has a name"), values))
}

/// Returns the numbers and texts of a row, in the order of their columns.
fn cells(row: &Row) -> Result<([u64; 4], [String; 2]), ParquetError> {
    let numbers = [row.get_ulong(0)?, row.get_ulong(2)?, row.get_ulong(3)?, row.get_ulong(5)?];
    Ok((numbers, [row.get_string(1)?.clone(), row.get_string(4)?.clone()]))
}

/// Reads the strategy, or returns the reason why the rows aren't one. As they have to be sorted, there can't be more than
/// there are settings.
fn table(reader: &SerializedFileReader<File>, name: &str, game: &Game) -> Result<MixedTable, String> {
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let names: Vec<&str> = schema.columns().iter().map(|column| column.name()).collect();
    if names != COLUMNS {
        return Err(format!("its columns are {}, not {}", names.join(", "), COLUMNS.join(", ")));
    }
    let mut profiles: Vec<Vec<(SetHand, u16)>> = vec![vec![]; PROFILES];
    let mut last = None;
    for (number, row) in reader.get_row_iter(None).map_err(|error| error.to_string())?.enumerate() {
        let wrong = |what: &str| format!("row {number}: {what}");
        let cells = row.and_then(|row| cells(&row)).map_err(|error| wrong(&error.to_string()))?;
        let ([index, hands, setting, weight], [hand, front]) = cells;
        let (index, setting) = (index as usize, setting as usize);
        let sets = profiles.get_mut(index).ok_or_else(|| wrong(&format!("invalid profile {index}")))?;
        let setting = Setting::from_index(setting).ok_or_else(|| wrong(&format!("invalid setting {setting}")))?;
        let place = (index, setting.index());
        if last.replace(place).is_some_and(|last| last >= place) {
            return Err(wrong("the rows are not sorted by profile and setting"));
        }
        let profile = Profile::from_index(index);
        let (own_hand, own_hands, own_front) = derived(profile, setting);
        for (found, derived) in [(hand, own_hand), (hands.to_string(), own_hands.to_string()), (front, own_front)] {
            if found != derived {
                // Valid texts have at most 20 characters, but a damaged file can have texts of any length.
                return Err(wrong(&format!(
                    "'{found:.30}' contradicts the profile and setting, which give '{derived}'"
                )));
            }
        }
        let small = u16::try_from(weight).ok().filter(|&weight| weight > 0);
        let weight = small.ok_or_else(|| wrong(&format!("invalid weight {weight}")))?;
        let set = game.set(Hand::representative(profile), setting);
        match sets.iter_mut().find(|(other, _)| *other == set) {
            Some(_) => return Err(wrong("another setting makes the same back and front; add up their weights")),
            None => sets.push((set, weight)),
        }
    }
    MixedTable::new(name, profiles).map_err(|error| error.to_string())
}

/// Calls a function that reads a file. The Parquet library panics on some damaged files, which is reported as an error.
fn without_panics<T>(read: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    // The hook is shared by all threads, so only one of them may replace it at a time.
    static HOOK: Mutex<()> = Mutex::new(());
    let _guard = HOOK.lock().unwrap_or_else(PoisonError::into_inner);
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| ()));
    let result = panic::catch_unwind(AssertUnwindSafe(read));
    panic::set_hook(hook);
    result.unwrap_or_else(|_| Err("its pages are damaged".to_owned()))
}

/// Returns the encodings. The rows are sorted, so texts share their beginnings with the row before.
fn properties() -> WriterProperties {
    let encode = |builder: WriterPropertiesBuilder, (column, encoding): (&str, Encoding)| {
        let path = ColumnPath::from(column);
        builder.set_column_dictionary_enabled(path.clone(), false).set_column_encoding(path, encoding)
    };
    let encodings = [("profile", Encoding::DELTA_BINARY_PACKED), ("hand", Encoding::DELTA_BYTE_ARRAY)];
    let builder = WriterProperties::builder().set_compression(Compression::SNAPPY);
    encodings.into_iter().fold(builder, encode).build()
}

fn descriptions() -> String {
    json!({
        "profile": "index of the profile, as Houseway numbers what decides the strengths of all settings of a hand",
        "hand": "a hand with this profile",
        "hands": "hands with this profile; those of all profiles are 154143080",
        "setting": "index of a setting of this hand",
        "front": "the two cards that it puts in front",
        "weight": "probability of the setting in units of 1/4096; those of a profile add up to 4096",
    })
    .to_string()
}
