//! Mixed strategies stored in Parquet files, which the book describes (`experiments/book/src/reference/files.md`).

use super::strategy_table::{Metadata, StrategyKind, check_rules, name_in};
use crate::columns::{Column, Values, write_parquet_with};
use crate::run::{cannot_read, write_atomic_with};
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::files;
use houseway_env::pai_gow::{Game, Hand, SetHand, Setting};
use houseway_env::seal::Seal;
use houseway_exact::pai_gow::MixedTable;
use houseway_exact::pai_gow::matchup::Question;
use houseway_exact::pai_gow::whole::Side;
use parquet::basic::{Compression, Encoding};
use parquet::column::reader::ColumnReader;
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnPath;
use serde_json::json;
use std::fs::File;
use std::io::{self, Read};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The maximum length of a text in bytes. Seven cards with spaces have 20.
const MAX_TEXT: usize = 30;

const KIND: StrategyKind = StrategyKind {
    name: "mixed strategy",
    command: "houseway equilibrium",
    format: "houseway-mixed-1",
    seal: Seal::new("houseway-mixed", 1),
};
const PREFIX: &str = "houseway.";
/// The maximum file size in bytes. A strategy that mixes all legal settings of all hands needs less.
const MAX_FILE: u64 = 64_000_000;
/// The first bytes of a Parquet file.
const MAGIC: &[u8] = b"PAR1";
const COLUMNS: [&str; 6] = ["profile", "hand", "hands", "setting", "front", "weight"];

pub struct MixedFile;

impl MixedFile {
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
        let columns = Rows::new(table, game).columns();
        write_atomic_with(path, |file| write_parquet_with(&columns, &metadata, properties(), file))
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
        let mut metadata = metadata_in(&reader);
        KIND.check(&mut metadata).map_err(broken)?;
        check_rules(&path, &metadata, game)?;
        let name = name_in(&metadata).map_err(broken)?;
        if metadata.get("sum") != Some(&MixedTable::WHOLE.to_string()) {
            return Err(broken(format!("the sum of its weights isn't {}", MixedTable::WHOLE)));
        }
        let rows = without_panics(|| Rows::read(&reader)).map_err(broken)?;
        let table = rows.table(name, game).map_err(broken)?;
        table.check_legal(game).map_err(|error| format!("{path}: {error}"))?;
        if metadata.get("hash") != Some(&table.hash()) {
            return Err(broken("its weights do not match its hash".to_owned()));
        }
        Ok(table)
    }
}

#[derive(Default)]
struct Rows {
    profile: Vec<u64>,
    hand: Vec<String>,
    hands: Vec<u64>,
    setting: Vec<u64>,
    front: Vec<String>,
    weight: Vec<u64>,
}

impl Rows {
    fn new(table: &MixedTable, game: &Game) -> Rows {
        let mut rows = Rows::default();
        for profile in Profile::all() {
            let hand = Hand::representative(profile);
            for (setting, weight) in table.settings(game, hand) {
                rows.profile.push(profile.index() as u64);
                rows.hand.push(hand.to_string());
                rows.hands.push(Profiles::get().hands(profile));
                rows.setting.push(setting.index() as u64);
                rows.front.push(setting.front(hand).to_string());
                rows.weight.push(weight.into());
            }
        }
        rows
    }

    fn columns(self) -> [Column; COLUMNS.len()] {
        let Rows { profile, hand, hands, setting, front, weight } = self;
        let [profile, hands, setting, weight] = [profile, hands, setting, weight].map(Values::Unsigned);
        let [hand, front] = [hand, front].map(Values::Texts);
        let values = [profile, hand, hands, setting, front, weight];
        let mut names = COLUMNS.into_iter();
        values.map(|values| Column::new(names.next().expect("every column has a name"), values))
    }

    /// Reads all rows, or returns the reason why that's impossible.
    fn read(reader: &SerializedFileReader<File>) -> Result<Rows, String> {
        let schema = reader.metadata().file_metadata().schema_descr_ptr();
        let names: Vec<&str> = schema.columns().iter().map(|column| column.name()).collect();
        if names != COLUMNS {
            return Err(format!("its columns are {}, not {}", names.join(", "), COLUMNS.join(", ")));
        }
        let found = reader.metadata().file_metadata().num_rows();
        let max = usize::try_from(found).ok().filter(|&found| found <= PROFILES * Setting::COUNT);
        let max = max.ok_or_else(|| format!("invalid number of rows {found}"))?;
        // The groups say how many rows they have, so nothing is read if they have more than the file admits.
        let of_groups = reader.metadata().row_groups().iter().map(|group| usize::try_from(group.num_rows()).ok());
        if of_groups.sum::<Option<usize>>() != Some(max) {
            return Err("its row groups have another number of rows".to_owned());
        }
        let mut rows = Rows::default();
        for group in 0..reader.num_row_groups() {
            let group = reader.get_row_group(group).map_err(|error| error.to_string())?;
            let len = group.metadata().num_rows() as usize;
            for (i, name) in COLUMNS.into_iter().enumerate() {
                let column = group.get_column_reader(i).map_err(|error| error.to_string())?;
                rows.append(name, column, len).map_err(|error| format!("its column '{name}': {error}"))?;
            }
        }
        let len = rows.profile.len();
        let others = [rows.hand.len(), rows.hands.len(), rows.setting.len(), rows.front.len(), rows.weight.len()];
        if others.into_iter().any(|other| other != len) {
            Err("its columns differ in length".to_owned())
        } else {
            Ok(rows)
        }
    }

    /// Appends up to `max` values of a column in a row group. A text longer than a hand is refused before it is copied,
    /// because a small file can repeat a long one in every row.
    fn append(&mut self, name: &str, column: ColumnReader, max: usize) -> Result<(), ParquetError> {
        let numbers = match name {
            "profile" => &mut self.profile,
            "hands" => &mut self.hands,
            "setting" => &mut self.setting,
            "weight" => &mut self.weight,
            _ => {
                let texts = if name == "hand" { &mut self.hand } else { &mut self.front };
                let ColumnReader::ByteArrayColumnReader(mut reader) = column else {
                    return Err(ParquetError::General("expected texts".to_owned()));
                };
                let mut values = vec![];
                reader.read_records(max, None, None, &mut values)?;
                for value in values {
                    if value.len() > MAX_TEXT {
                        return Err(ParquetError::General(format!("a text has {} bytes", value.len())));
                    }
                    texts.push(value.as_utf8()?.to_owned());
                }
                return Ok(());
            }
        };
        let ColumnReader::Int64ColumnReader(mut reader) = column else {
            return Err(ParquetError::General("expected integers".to_owned()));
        };
        let mut values = vec![];
        reader.read_records(max, None, None, &mut values)?;
        numbers.extend(values.into_iter().map(|value| value as u64));
        Ok(())
    }

    /// Returns the strategy, or the reason why the rows aren't one.
    fn table(&self, name: &str, game: &Game) -> Result<MixedTable, String> {
        let mut profiles: Vec<Vec<(SetHand, u16)>> = vec![vec![]; PROFILES];
        let mut last = None;
        for row in 0..self.profile.len() {
            let wrong = |what: &str| format!("row {row}: {what}");
            let (index, setting) = (self.profile[row] as usize, self.setting[row] as usize);
            let sets = profiles.get_mut(index).ok_or_else(|| wrong(&format!("invalid profile {index}")))?;
            let setting = Setting::from_index(setting).ok_or_else(|| wrong(&format!("invalid setting {setting}")))?;
            let place = (index, setting.index());
            if last.replace(place).is_some_and(|last| last >= place) {
                return Err(wrong("the rows are not sorted by profile and setting"));
            }
            let profile = Profile::from_index(index);
            let hand = Hand::representative(profile);
            let derived =
                [hand.to_string(), Profiles::get().hands(profile).to_string(), setting.front(hand).to_string()];
            let found = [self.hand[row].clone(), self.hands[row].to_string(), self.front[row].clone()];
            if let Some((derived, found)) = derived.iter().zip(&found).find(|(derived, found)| derived != found) {
                return Err(wrong(&format!("'{found}' contradicts the profile and setting, which give '{derived}'")));
            }
            let weight = u16::try_from(self.weight[row]).ok().filter(|&weight| weight > 0);
            let weight = weight.ok_or_else(|| wrong(&format!("invalid weight {}", self.weight[row])))?;
            let set = game.set(hand, setting);
            match sets.iter_mut().find(|(other, _)| *other == set) {
                Some(_) => return Err(wrong("another setting makes the same back and front; add up their weights")),
                None => sets.push((set, weight)),
            }
        }
        MixedTable::new(name, profiles).map_err(|error| error.to_string())
    }
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

/// Returns the file's metadata without the prefix.
fn metadata_in(reader: &SerializedFileReader<File>) -> Metadata {
    let pairs = reader.metadata().file_metadata().key_value_metadata().into_iter().flatten();
    pairs.filter_map(|pair| Some((pair.key.strip_prefix(PREFIX)?.to_owned(), pair.value.clone()?))).collect()
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
