//! All 6,972,147 hand classes for one side, with the counts of all their settings, as a Parquet file.
//!
//! The format is described in the book (`experiments/book/src/reference/files.md`), and in the file's metadata. A card
//! beside the file, with the extension [`CARD`], describes it for readers. It also gives the size of the validation part
//! that [`RankSplit`](houseway_env::pai_gow::RankSplit) holds out by default.

mod rows;
mod spill;

use crate::run::{VERSION, cannot_write_by, command_line, commit, folder_of, write_atomic_by, write_atomic_with};
use houseway_env::cards::classes::Classes;
use houseway_env::pai_gow::Setting;
use houseway_env::seal::Seal;
use houseway_exact::pai_gow::matchup::Pair;
use houseway_exact::pai_gow::whole::{Payoff, Shard};
use parquet::basic::{Compression, Encoding};
use parquet::data_type::{DoubleType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use rows::{Checksums, Rows, Sizes, add_sizes, describe};
use serde_json::json;
use spill::{Groups, Spill};
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub(super) const CARD: &str = "md";

const FORMAT: &str = "houseway-classes-2";
const STOPPED: &str = "stopped before the class table was complete; nothing was written";
/// The seal on the metadata, which includes the checksums of the columns.
const SEAL: Seal = Seal::new("houseway-classes", 2);

const SCHEMA: &str = "message classes {
    REQUIRED INT32 class;
    REQUIRED group cards (LIST) { REPEATED group list { REQUIRED INT32 element (INTEGER(8,false)); } }
    REQUIRED INT32 orbit (INTEGER(8,false));
    REQUIRED group wins (LIST) { REPEATED group list { REQUIRED INT32 element; } }
    REQUIRED group losses (LIST) { REPEATED group list { REQUIRED INT32 element; } }
    REQUIRED INT32 best (INTEGER(8,false));
    REQUIRED DOUBLE best_ev;
    REQUIRED INT32 way (INTEGER(8,false));
    REQUIRED DOUBLE way_ev;
}";

/// Collects all classes during a pass and writes them afterwards.
pub struct ClassesWriter<'a> {
    path: &'a Path,
    /// The sink for the pass.
    pub spill: Spill<'a>,
    payoff: Payoff,
    stop: &'a AtomicBool,
}

impl<'a> ClassesWriter<'a> {
    /// Prepares for a pass. Until they are written, the classes are kept in an unnamed file in the folder of
    /// `path`. The file grows to 0.9 GB.
    pub fn new(pair: &'a Pair<'_>, path: &'a Path, stop: &'a AtomicBool) -> io::Result<ClassesWriter<'a>> {
        // If this side plays optimally, compare it with the other side's strategy on the same hands.
        let way = if pair.own().is_some() { None } else { Some(pair.other.play()) };
        let spill = Spill::new(folder_of(path), way, stop).map_err(|error| cannot_write_by("--table", path, error))?;
        Ok(ClassesWriter { path, spill, payoff: pair.payoff, stop })
    }

    /// Returns the error if a write has failed. A failed write also stops the pass.
    pub fn failure(&self) -> Option<io::Error> {
        Some(cannot_write_by("--table", self.path, self.spill.failure()?))
    }

    /// Writes the file atomically. Calls `tell` with the number of classes written and the total.
    pub fn write(self, pair: &Pair<'_>, part: Option<Shard>, tell: &dyn Fn(u64, u64)) -> io::Result<()> {
        let (path, payoff, stop) = (self.path, self.payoff, self.stop);
        let (mut about, mut sizes) = (metadata(pair, part), Sizes::default());
        let go_on = |classes: usize| {
            tell(classes as u64, Classes::seven().len() as u64);
            match stop.load(Ordering::Relaxed) {
                true => Err(ParquetError::General(STOPPED.to_owned())),
                false => Ok(()),
            }
        };
        let write = |file: &mut File| -> Result<(), ParquetError> {
            sizes = write_groups(file, self.spill.into_groups()?, &mut about, payoff, &go_on)?;
            Ok(())
        };
        write_atomic_with(path, write).map_err(|error: ParquetError| match error {
            // A failed write also sets the flag.
            ParquetError::External(error) if error.is::<io::Error>() => {
                cannot_write_by("--table", path, *error.downcast::<io::Error>().expect("it is this kind of error"))
            }
            _ if stop.load(Ordering::Relaxed) => io::Error::other(STOPPED),
            error => io::Error::other(format!("the class table could not be encoded: {error}")),
        })?;
        let card = path.with_extension(CARD);
        write_atomic_by("--table", &card, describe(path, &about, &pair.question, sizes))
    }
}

/// Calls `go_on` with the number of classes before each group, which returns an error if writing was stopped.
fn write_groups(
    file: &mut File,
    mut groups: Groups,
    about: &mut BTreeMap<&'static str, String>,
    payoff: Payoff,
    go_on: &dyn Fn(usize) -> Result<(), ParquetError>,
) -> Result<Sizes, ParquetError> {
    let schema = Arc::new(parse_message_type(SCHEMA)?);
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties()))?;
    let (mut checksums, mut sizes) = (Checksums::default(), Sizes::default());
    let mut rows = Rows::read(&mut groups, 0, payoff)?;
    for group in 0..groups.of_group.len() {
        go_on(group * spill::GROUP)?;
        let following = group + 1;
        // Sort the next group while this one is being encoded.
        let next = std::thread::scope(|scope| {
            let groups = &mut groups;
            let read = scope.spawn(move || match following < groups.of_group.len() {
                true => Rows::read(groups, following, payoff),
                false => Ok(Rows::default()),
            });
            if !rows.class.is_empty() {
                let mut writer = writer.next_row_group()?;
                write_rows(&mut writer, &rows)?;
                writer.close()?;
                checksums.add(&rows);
                add_sizes(&mut sizes, &rows);
            }
            Ok::<_, ParquetError>(read.join().expect("reading does not panic")?)
        })?;
        rows = next;
    }
    go_on(Classes::seven().len())?;
    about.insert("sha256", checksums.json().to_string());
    let seal = SEAL.stamp(&json!(about)).to_string();
    about.insert("seal", seal);
    for (key, value) in about {
        writer.append_key_value_metadata(KeyValue::new(format!("houseway.{key}"), value.clone()));
    }
    writer.close()?;
    Ok(sizes)
}

fn write_rows(writer: &mut SerializedRowGroupWriter<'_, &mut File>, rows: &Rows) -> Result<(), ParquetError> {
    let Rows { class, cards, orbit, wins, losses, best, best_ev, way, way_ev } = rows;
    write_numbers(writer, class)?;
    write_lists(writer, cards, 7)?;
    write_numbers(writer, orbit)?;
    write_lists(writer, wins, Setting::COUNT)?;
    write_lists(writer, losses, Setting::COUNT)?;
    for (setting, ev) in [(best, best_ev), (way, way_ev)] {
        write_numbers(writer, setting)?;
        let mut column = writer.next_column()?.expect("the schema has this column");
        column.typed::<DoubleType>().write_batch(ev, None, None)?;
        column.close()?;
    }
    Ok(())
}

fn write_numbers(writer: &mut SerializedRowGroupWriter<'_, &mut File>, numbers: &[i32]) -> Result<(), ParquetError> {
    let mut column = writer.next_column()?.expect("the schema has this column");
    column.typed::<Int32Type>().write_batch(numbers, None, None)?;
    column.close()
}

fn write_lists(
    writer: &mut SerializedRowGroupWriter<'_, &mut File>,
    numbers: &[i32],
    each: usize,
) -> Result<(), ParquetError> {
    // Definition level 1 marks an element as present. Repetition level 0 starts a new list.
    let there = vec![1; numbers.len()];
    let repeated: Vec<i16> = (0..numbers.len()).map(|i| i16::from(i % each != 0)).collect();
    let mut column = writer.next_column()?.expect("the schema has this column");
    column.typed::<Int32Type>().write_batch(numbers, Some(&there), Some(&repeated))?;
    column.close()
}

fn properties() -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_max_row_group_row_count(None)
        .set_column_dictionary_enabled(ColumnPath::from("class"), false)
        .set_column_encoding(ColumnPath::from("class"), Encoding::DELTA_BINARY_PACKED);
    for list in ["wins", "losses"] {
        let path = ColumnPath::new([list, "list", "element"].map(str::to_owned).to_vec());
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_statistics_enabled(path, EnabledStatistics::None);
    }
    for ev in ["best_ev", "way_ev"] {
        properties = properties.set_column_dictionary_enabled(ColumnPath::from(ev), false);
    }
    properties.build()
}

fn metadata(pair: &Pair<'_>, part: Option<Shard>) -> BTreeMap<&'static str, String> {
    let (way, question) = (pair.own().unwrap_or(&pair.other), &pair.question);
    let side = pair.side().name();
    let settings: Vec<(usize, usize)> = Setting::all().map(Setting::positions).collect();
    let columns = json!({
        "class": "index of the class, as Houseway numbers classes of hands equal up to a permutation of suits",
        "cards": "the canonical hand in the order in which positions are counted; 4 * rank + suit with rank 0 (two) to 12 \
                  (ace) and suit 0 clubs, 1 diamonds, 2 hearts, 3 spades; 52 is the joker",
        "orbit": "hands in the class; those of all classes are 154143080",
        "wins": "for each of the 21 settings, hands of the other side (of 53524680) that lose both comparisons; -1 for a foul",
        "losses": "for each of the 21 settings, hands of the other side that win both comparisons; -1 for a foul",
        "best": format!("setting with the highest EV for the {side}, the lowest of equal ones"),
        "best_ev": format!("the {side}'s EV of it, per unit that the player stakes, after the commission"),
        "way": format!("setting of the strategy {} (hash {})", way.name(), way.hash()),
        "way_ev": format!("the {side}'s EV of it"),
    });
    BTreeMap::from([
        ("format", FORMAT.to_owned()),
        ("side", side.to_owned()),
        ("question", json!(question).to_string()),
        ("rules", json!(question.rules).to_string()),
        ("rules_hash", question.rules_hash.clone()),
        ("way", way.name().to_owned()),
        ("way_hash", way.hash().to_owned()),
        ("settings", format!("positions of the two cards in front, by setting: {}", json!(settings))),
        ("columns", columns.to_string()),
        ("shard", part.map_or(String::new(), |part| part.to_string())),
        ("version", VERSION.to_owned()),
        ("commit", commit().unwrap_or_default().to_owned()),
        ("command", command_line()),
    ])
}
