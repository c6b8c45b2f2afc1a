//! What Blind, Trips and the progressive win, as data.
//!
//! A paytable is a TOML file of rows, each a category of five cards and its odds to one, in whole or half stakes:
//!
//! ```toml
//! name = "mine"
//! title = "My table"
//! source = "the table cloth"
//!
//! [[row]]
//! hand = "flush"
//! odds = 1.5
//! ```
//!
//! In rules a paytable is written as the name of one that comes with the crate, as the path of a file that ends in `.toml`,
//! or in full.

use crate::rank::Category;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;
use toml::Spanned;

/// The highest odds that a table may pay.
const HIGHEST_ODDS: f64 = 10_000.0;
/// Categories of natural cards; five aces need a joker.
const CATEGORIES: usize = Category::RoyalFlush as usize + 1;

/// Names and texts of the paytables that come with the crate: of the Blind, then of Trips, the default one first.
pub const PAYTABLES: [(&str, &str); 5] = [
    ("ultimate-blind", include_str!("../../paytables/ultimate-blind.toml")),
    ("ultimate-trips-30-8-7-4-3", include_str!("../../paytables/ultimate-trips-30-8-7-4-3.toml")),
    ("ultimate-trips-30-9-7-4-3", include_str!("../../paytables/ultimate-trips-30-9-7-4-3.toml")),
    ("ultimate-trips-30-8-6-5-3", include_str!("../../paytables/ultimate-trips-30-8-6-5-3.toml")),
    ("ultimate-trips-20-7-6-5-3", include_str!("../../paytables/ultimate-trips-20-7-6-5-3.toml")),
];

/// A row of a paytable.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PayRow {
    /// The hand that is paid.
    pub hand: Category,
    /// What is won for a stake of one, a multiple of a half.
    pub odds: f64,
}

/// A paytable. Tables are equal if their names and rows are.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "Written", try_from = "Source")]
pub struct Paytable {
    name: String,
    title: String,
    source: String,
    /// By category: half stakes won, or none without a row.
    halves: [Option<u32>; CATEGORIES],
}

impl PartialEq for Paytable {
    fn eq(&self, other: &Paytable) -> bool {
        (&self.name, &self.halves) == (&other.name, &other.halves)
    }
}

impl Eq for Paytable {}

/// A paytable as rules write it: what decides results, and no texts.
#[derive(Serialize)]
struct Written {
    name: String,
    row: Vec<PayRow>,
}

/// A paytable as rules read it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Source {
    Name(String),
    Full(PaytableFile),
}

/// A paytable as it stands in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PaytableFile {
    name: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    source: String,
    row: Vec<RowFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RowFile {
    hand: Category,
    odds: f64,
}

/// As [`PaytableFile`], with the places of the rows for errors.
#[derive(Deserialize)]
struct Places {
    row: Vec<Spanned<toml::Value>>,
}

/// What is wrong with a paytable.
#[derive(Debug, thiserror::Error)]
pub enum PaytableError {
    /// The file is no paytable: a word is unknown, or something is missing. The text names line and column.
    #[error("{0}a paytable has name, title and source, and for each [[row]] a hand and its odds")]
    Format(#[from] toml::de::Error),
    /// A row makes no sense.
    #[error("{place}{problem}")]
    Row {
        /// The line if it is known, as "line 5: ".
        place: String,
        /// What is wrong and what would be right.
        problem: String,
    },
    /// No paytable of this name.
    #[error("there is no paytable '{0}'; choose among {names}, or name a file that ends in .toml", names = PAYTABLES.map(|(name, _)| name).join(", "))]
    Unknown(String),
    /// The file cannot be read.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
}

impl Paytable {
    /// The paytable of this name that comes with the crate.
    ///
    /// # Errors
    /// [`PaytableError::Unknown`], with the names that there are.
    pub fn named(name: &str) -> Result<Paytable, PaytableError> {
        let found = PAYTABLES.iter().find(|(known, _)| *known == name);
        found.map_or_else(|| Err(PaytableError::Unknown(name.to_owned())), |(_, text)| text.parse())
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read or is no paytable.
    pub fn read(path: &Path) -> Result<Paytable, PaytableError> {
        let io = |error| PaytableError::Io { path: path.display().to_string(), error };
        std::fs::read_to_string(path).map_err(io)?.parse()
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The title for people.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Where it comes from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What a hand of this category wins for a stake of one, in halves of it; none if the table has no row for it.
    pub fn halves(&self, hand: Category) -> Option<u32> {
        self.halves.get(hand as usize).copied().flatten()
    }

    /// The rows, the best hand first.
    pub fn rows(&self) -> Vec<PayRow> {
        let row = |hand: Category| self.halves(hand).map(|halves| PayRow { hand, odds: f64::from(halves) / 2.0 });
        Category::ALL.into_iter().rev().filter_map(row).collect()
    }

    /// Checks the rows; `line` gives the place of a row.
    fn build(file: PaytableFile, line: impl Fn(usize) -> String) -> Result<Paytable, PaytableError> {
        let mut halves = [None; CATEGORIES];
        if file.row.is_empty() {
            let problem = "a paytable needs a row; add a [[row]] with hand and odds".to_owned();
            return Err(PaytableError::Row { place: String::new(), problem });
        }
        for (i, RowFile { hand, odds }) in file.row.into_iter().enumerate() {
            let error = |problem| Err(PaytableError::Row { place: line(i), problem });
            let Some(place) = halves.get_mut(hand as usize) else {
                return error(format!("{hand} cannot be held without a joker; leave the row out"));
            };
            if place.is_some() {
                return error(format!("there are two rows for {hand}; leave one out"));
            }
            if !(0.0..=HIGHEST_ODDS).contains(&odds) || (2.0 * odds).fract() != 0.0 {
                return error(format!(
                    "{odds} are no odds; write what is won for one, in halves from 0 to {HIGHEST_ODDS}"
                ));
            }
            *place = Some((2.0 * odds) as u32);
        }
        Ok(Paytable { name: file.name, title: file.title, source: file.source, halves })
    }
}

impl FromStr for Paytable {
    type Err = PaytableError;

    fn from_str(text: &str) -> Result<Paytable, PaytableError> {
        let file: PaytableFile = toml::from_str(text)?;
        let spans: Vec<Range<usize>> = toml::from_str::<Places>(text)?.row.iter().map(Spanned::span).collect();
        Paytable::build(file, |row| {
            let before = text.get(..spans[row].start).unwrap_or_default();
            format!("line {}: ", before.matches('\n').count() + 1)
        })
    }
}

impl From<Paytable> for Written {
    fn from(table: Paytable) -> Written {
        Written { row: table.rows(), name: table.name }
    }
}

impl TryFrom<Source> for Paytable {
    type Error = PaytableError;

    fn try_from(source: Source) -> Result<Paytable, PaytableError> {
        match source {
            Source::Name(name) if name.ends_with(".toml") => Paytable::read(Path::new(&name)),
            Source::Name(name) => Paytable::named(&name),
            Source::Full(file) => Paytable::build(file, |row| format!("row {}: ", row + 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_the_crate_are_read_by_name() {
        for (name, _) in PAYTABLES {
            let table = Paytable::named(name).unwrap();
            assert_eq!(table.name(), name);
            assert!(!table.title().is_empty() && !table.source().is_empty());
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("paytables/{name}.toml"));
            assert_eq!(Paytable::read(&path).unwrap(), table);
        }
        let blind = Paytable::named("ultimate-blind").unwrap();
        assert_eq!(blind.halves(Category::Flush), Some(3));
        assert_eq!((blind.halves(Category::ThreeOfAKind), blind.halves(Category::FiveAces)), (None, None));
        assert_eq!(blind.rows()[0], PayRow { hand: Category::RoyalFlush, odds: 500.0 });
    }

    #[test]
    fn bad_tables_are_refused_with_line_and_remedy() {
        let good = "name = 'x'\ntitle = 'x'\nsource = 'x'\n[[row]]\nhand = 'straight'\nodds = 2\n";
        assert!(good.parse::<Paytable>().is_ok());
        let cases = [
            (good.replace("straight", "strait"), "line 5", "three-of-a-kind"),
            (good.replace("odds", "odd"), "line 6", "expected `hand` or `odds`"),
            (good.replace("odds = 2", "odds = -2"), "line 4", "halves from 0"),
            (good.replace("odds = 2", "odds = 1.25"), "line 4", "halves from 0"),
            (good.replace("straight", "five-aces"), "line 4", "joker"),
            (good.to_owned() + "[[row]]\nhand = 'straight'\nodds = 3\n", "line 7", "leave one out"),
            ("name = 'x'\ntitle = 'x'\nsource = 'x'\nrow = []\n".to_owned(), "", "needs a row"),
        ];
        for (text, line, part) in cases {
            let error = text.parse::<Paytable>().unwrap_err().to_string();
            assert!(error.contains(line) && error.contains(part), "expected {line}, {part}: {error}");
        }
        assert!(Paytable::named("trips").unwrap_err().to_string().contains("ultimate-blind"));
        assert!(Paytable::read(Path::new("no/such/file.toml")).unwrap_err().to_string().contains("no/such/file"));
    }
}
