//! All 6,972,147 hand classes for one side, with the counts of all their settings, as a Parquet file.
//!
//! The format is described in the book (`experiments/book/src/reference/files.md`), and in the file's metadata. A card
//! beside the file, with the extension [`CARD`], describes it for readers. It also gives the size of the validation part
//! that [`RankSplit`](houseway_env::pai_gow::RankSplit) holds out by default.

mod spill;

use crate::columns::write_lists;
use crate::report::Report;
use crate::run::{VERSION, cannot_write_by, command_line, commit, folder_of, write_atomic_by, write_atomic_with};
use houseway_env::cards::classes::{Classes, orbit};
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Hand, RankSplit, Setting, settings_in};
use houseway_env::seal::{Seal, hex};
use houseway_exact::answer::{Section, TextTable};
use houseway_exact::format::grouped;
use houseway_exact::pai_gow::BANKER_HANDS;
use houseway_exact::pai_gow::matchup::{Pair, Question};
use houseway_exact::pai_gow::whole::{Payoff, Shard};
use parquet::basic::{Compression, Encoding};
use parquet::data_type::{DoubleType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use spill::{GROUP, Groups, Record, Spill};
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
        go_on(group * GROUP)?;
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
    write_integers(writer, class, 1)?;
    write_integers(writer, cards, 7)?;
    write_integers(writer, orbit, 1)?;
    write_integers(writer, wins, Setting::COUNT)?;
    write_integers(writer, losses, Setting::COUNT)?;
    for (setting, ev) in [(best, best_ev), (way, way_ev)] {
        write_integers(writer, setting, 1)?;
        let mut column = writer.next_column()?.expect("the schema has this column");
        column.typed::<DoubleType>().write_batch(ev, None, None)?;
        column.close()?;
    }
    Ok(())
}

/// Writes a column, whose lists have a given length unless it is 1.
fn write_integers(
    writer: &mut SerializedRowGroupWriter<'_, &mut File>,
    numbers: &[i32],
    each: usize,
) -> Result<(), ParquetError> {
    let mut column = writer.next_column()?.expect("the schema has this column");
    match each {
        1 => drop(column.typed::<Int32Type>().write_batch(numbers, None, None)?),
        each => write_lists(numbers, each, column.typed::<Int32Type>())?,
    }
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
        "wins": "for each of the 21 settings, hands of the other side (of 53524680) against which it wins under the rules; -1 for a foul",
        "losses": "for each of the 21 settings, hands of the other side against which it loses; -1 for a foul",
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

/// The placeholder for the wins and losses of a foul.
const FOUL: i32 = -1;

/// A group's columns in class order, leaving out classes that weren't enumerated.
#[derive(Default)]
struct Rows {
    class: Vec<i32>,
    /// The cards, with seven per row.
    cards: Vec<i32>,
    orbit: Vec<i32>,
    /// The wins, with 21 per row.
    wins: Vec<i32>,
    /// The losses, with 21 per row.
    losses: Vec<i32>,
    best: Vec<i32>,
    best_ev: Vec<f64>,
    way: Vec<i32>,
    way_ev: Vec<f64>,
}

impl Rows {
    fn read(groups: &mut Groups, group: usize, payoff: Payoff) -> io::Result<Rows> {
        let mut records: Vec<Record> = Vec::with_capacity(GROUP);
        groups.read(group, |record| records.push(record))?;
        records.sort_unstable_by_key(|record| record.place);
        let mut rows = Rows::default();
        rows.wins.reserve(records.len() * Setting::COUNT);
        rows.losses.reserve(records.len() * Setting::COUNT);
        for record in &records {
            rows.push(group * GROUP + record.place, record, payoff);
        }
        Ok(rows)
    }

    fn push(&mut self, class: usize, record: &Record, payoff: Payoff) {
        let hand = Hand::new(Classes::seven().hand(class)).expect("a class has seven cards");
        self.class.push(class as i32);
        self.cards.extend(hand.cards().map(|card| card.index() as i32));
        self.orbit.push(orbit(hand.set()) as i32);
        let start = self.wins.len();
        self.wins.resize(start + Setting::COUNT, FOUL);
        self.losses.resize(start + Setting::COUNT, FOUL);
        let mut best: Option<(i64, usize)> = None;
        let mut way_gain = 0;
        for (setting, &(wins, losses)) in settings_in(record.legal).zip(&record.counts) {
            let i = setting.index();
            (self.wins[start + i], self.losses[start + i]) = (wins as i32, losses as i32);
            let gain = payoff.gain(wins.into(), losses.into());
            // If several settings are equally good, keep the first one.
            if best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, i));
            }
            if i == usize::from(record.way) {
                way_gain = gain;
            }
        }
        let (best_gain, best) = best.expect("every hand has a legal setting");
        let stakes = BANKER_HANDS as f64 * f64::from(Rate::WHOLE);
        let ev = |gain: i64| gain as f64 / stakes - payoff.fee().value();
        self.best.push(best as i32);
        self.best_ev.push(ev(best_gain));
        self.way.push(record.way.into());
        self.way_ev.push(ev(way_gain));
    }
}

/// The SHA-256 of each column's values, in row order.
#[derive(Default)]
struct Checksums([Sha256; COLUMNS.len()]);

const COLUMNS: [&str; 9] = ["class", "cards", "orbit", "wins", "losses", "best", "best_ev", "way", "way_ev"];

impl Checksums {
    fn add(&mut self, rows: &Rows) {
        let Rows { class, cards, orbit, wins, losses, best, best_ev, way, way_ev } = rows;
        let wide = |numbers: &[i32]| -> Vec<u8> { numbers.iter().flat_map(|number| number.to_le_bytes()).collect() };
        // Encodes a column of type uint8.
        let narrow = |numbers: &[i32]| -> Vec<u8> { numbers.iter().map(|&number| number as u8).collect() };
        let real = |numbers: &[f64]| -> Vec<u8> { numbers.iter().flat_map(|number| number.to_le_bytes()).collect() };
        let columns = [
            wide(class),
            narrow(cards),
            narrow(orbit),
            wide(wins),
            wide(losses),
            narrow(best),
            real(best_ev),
            narrow(way),
            real(way_ev),
        ];
        self.0.iter_mut().zip(columns).for_each(|(sum, column)| sum.update(column));
    }

    fn json(self) -> Value {
        COLUMNS.into_iter().zip(self.0.map(|sum| hex(&sum.finalize()))).collect()
    }
}

/// The split whose size is stated.
const SPLIT: RankSplit = RankSplit { held_out: 0.1, seed: 0 };

/// The numbers of classes and of hands in the training part, and in the validation part, which the split holds out.
type Sizes = [[u64; 2]; 2];

fn add_sizes(sizes: &mut Sizes, rows: &Rows) {
    for (&class, &orbit) in rows.class.iter().zip(&rows.orbit) {
        let hand = Hand::new(Classes::seven().hand(class as usize)).expect("a class has seven cards");
        let [classes, hands] = &mut sizes[usize::from(SPLIT.is_held_out(hand))];
        *classes += 1;
        *hands += orbit as u64;
    }
}

/// Returns the card of the table in the file `path`. `about` is the file's metadata.
fn describe(
    path: &Path,
    about: &BTreeMap<&'static str, String>,
    question: &Question,
    [training, validation]: Sizes,
) -> String {
    let text = |key: &str| about.get(key).map_or("", String::as_str);
    let json = |key: &str| -> Map<String, Value> { serde_json::from_str(text(key)).unwrap_or_default() };
    let (columns, checksums) = (json("columns"), json("sha256"));
    let word = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let part = match text("shard") {
        "" => String::new(),
        shard => format!(" This is shard {shard}."),
    };
    let all = [training[0] + validation[0], training[1] + validation[1]];
    let code = |key: &str| format!("`{}`", text(key));
    let about = Section::default().text(format!(
        "The exact wins and losses of all 21 settings of the {}'s hands in Pai Gow Poker, with one row per class. A class \
         contains the hands that are equal up to a permutation of suits.{part}",
        text("side")
    ));
    let meaning =
        |name: &str| [format!("`{name}`"), word(columns.get(name)), format!("`{}`", word(checksums.get(name)))];
    let meanings = TextTable::new(["column", "meaning", "SHA-256 of its values"]).rows(COLUMNS.map(meaning));
    let columns = Section::new("Columns").table(meanings).text(format!(
        "The checksums are those of the values row by row, in little-endian order. Settings are numbered by the {}.",
        text("settings")
    ));
    let parts = [("all", all), ("training", training), ("validation", validation)];
    let row = |(name, [classes, hands]): (&str, [u64; 2])| [name.to_owned(), grouped(classes), grouped(hands)];
    let parts = TextTable::new(["part", "rows", "hands"]).right_from(1).rows(parts.map(row));
    let size = Section::new("Size").table(parts).text(format!(
        "The split puts hands with the same ranks into the same part, because they often have nearly the same EVs. In Python, \
         `houseway.tables.is_held_out(cards, {0}, {1})` returns `True` for the validation part, and so does \
         `RankSplit {{ held_out: {0:?}, seed: {1} }}` in the crate houseway-env.",
        SPLIT.held_out, SPLIT.seed
    ));
    let game = TextTable::new(["", ""])
        .row(["player", &strategy(&question.player, question.player_hash.as_ref())])
        .row(["banker", &strategy(&question.banker, question.banker_hash.as_ref())])
        .row(["strategy in the column `way`", &format!("{}, hash {}", text("way"), code("way_hash"))])
        .row(["rules", &code("rules")])
        .row(["hash of the rules", &code("rules_hash")]);
    let provenance = TextTable::new(["", ""])
        .row(["command", &code("command")])
        .row(["format", &code("format")])
        .row(["version", &format!("houseway {}, commit {}", text("version"), text("commit"))]);
    let origin = [Section::new("Game").table(game), Section::new("Provenance").table(provenance)];
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Report::new(format!("Class table {name}"), [about, columns, size].into_iter().chain(origin)).markdown()
}

/// Describes the strategy of a side. A best response has no hash.
fn strategy(name: &str, hash: Option<&String>) -> String {
    hash.map_or_else(|| name.to_owned(), |hash| format!("{name}, hash `{hash}`"))
}
