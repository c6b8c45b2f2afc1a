//! Paytables as data: what a bet pays on which hand.
//!
//! A paytable is a TOML file of rows, each a hand (or a wager) and its odds to one:
//!
//! ```toml
//! name = "mine"
//! title = "My table"
//! source = "the table cloth"
//!
//! [[row]]
//! hand = "full-house"
//! odds = 7
//! ```
//!
//! What can be paid is a type of the game's, which says by [`Paid`] which tables come with the crate.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use toml::Spanned;

/// The highest odds that a table may pay.
const HIGHEST_ODDS: u32 = 1_000_000;

/// Something that a paytable has a row for.
pub trait Paid: Copy + Eq + fmt::Debug + fmt::Display + Serialize + DeserializeOwned {
    /// Names and texts of the paytables that come with the crate; the first one is the default.
    const TABLES: &'static [(&'static str, &'static str)];
}

/// A row of a paytable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct PayRow<H> {
    /// The hand that is paid.
    pub hand: H,
    /// What is won for a stake of one, which is returned besides; 0 returns the stake alone.
    pub odds: u32,
}

/// A paytable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Paytable<H> {
    name: String,
    title: String,
    source: String,
    rows: Vec<PayRow<H>>,
}

/// A paytable as it stands in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound = "H: DeserializeOwned")]
struct PaytableFile<H> {
    name: String,
    title: String,
    source: String,
    row: Spanned<Vec<RowFile<H>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound = "H: DeserializeOwned")]
struct RowFile<H> {
    hand: Spanned<H>,
    odds: Spanned<i64>,
}

/// What is wrong with a paytable.
#[derive(Debug, thiserror::Error)]
pub enum PaytableError {
    /// The file is no paytable: a word is unknown, or something is missing. The text names line and column.
    #[error("{0}a paytable has name, title and source, and for each [[row]] a hand and its odds")]
    Format(#[from] toml::de::Error),
    /// A row makes no sense.
    #[error("line {line}: {problem}")]
    Row {
        /// The line, from 1.
        line: usize,
        /// What is wrong and what would be right.
        problem: String,
    },
    /// No paytable of this name.
    #[error("there is no paytable '{name}'; choose among {known}, or read one from a file")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// The file cannot be read.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
}

impl<H: Paid> Paytable<H> {
    /// The paytable of this name that comes with the crate.
    ///
    /// # Errors
    /// [`PaytableError::Unknown`], with the names that there are.
    pub fn named(name: &str) -> Result<Paytable<H>, PaytableError> {
        let known = || H::TABLES.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let unknown = || PaytableError::Unknown { name: name.to_owned(), known: known() };
        H::TABLES.iter().find(|(known, _)| *known == name).ok_or_else(unknown)?.1.parse()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read or is no paytable.
    pub fn read(path: &std::path::Path) -> Result<Paytable<H>, PaytableError> {
        let text = std::fs::read_to_string(path);
        text.map_err(|error| PaytableError::Io { path: path.display().to_string(), error })?.parse()
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

    /// The rows in the order of the file.
    pub fn rows(&self) -> &[PayRow<H>] {
        &self.rows
    }

    /// What is won for one staked on a hand, if the table has a row for it.
    pub fn odds(&self, hand: H) -> Option<u32> {
        self.rows.iter().find(|row| row.hand == hand).map(|row| row.odds)
    }
}

impl<H: Paid> Default for Paytable<H> {
    /// The first of the tables that come with the crate.
    fn default() -> Paytable<H> {
        H::TABLES[0].1.parse().expect("a test reads the paytables of the crate")
    }
}

impl<H: Paid> std::str::FromStr for Paytable<H> {
    type Err = PaytableError;

    fn from_str(text: &str) -> Result<Paytable<H>, PaytableError> {
        let file: PaytableFile<H> = toml::from_str(text)?;
        let error = |span: Range<usize>, problem: String| {
            let line = text.get(..span.start).unwrap_or_default().matches('\n').count() + 1;
            Err(PaytableError::Row { line, problem })
        };
        let mut rows: Vec<PayRow<H>> = Vec::new();
        if file.row.get_ref().is_empty() {
            return error(file.row.span(), "a paytable needs a row; add a [[row]] with hand and odds".to_owned());
        }
        for row in file.row.into_inner() {
            let hand = *row.hand.get_ref();
            if rows.iter().any(|other| other.hand == hand) {
                return error(row.hand.span(), format!("there are two rows for '{hand}'; leave one out"));
            }
            match u32::try_from(*row.odds.get_ref()) {
                Ok(odds) if odds <= HIGHEST_ODDS => rows.push(PayRow { hand, odds }),
                _ => {
                    let odds = row.odds.get_ref();
                    let problem = format!("{odds} are no odds; write what is won for one, 0 to {HIGHEST_ODDS}");
                    return error(row.odds.span(), problem);
                }
            }
        }
        Ok(Paytable { name: file.name, title: file.title, source: file.source, rows })
    }
}
