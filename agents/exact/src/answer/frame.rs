//! Data frames, which hold columns of numbers and text for further computation.

use serde_json::{Map, Value};

/// A set of columns with equal length, and facts that apply to all rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// The columns and their names, in order.
    pub columns: Vec<(&'static str, Column)>,
    /// Additional values by name. Fractions and integers with more than 53 bits are stored as text, as in an
    /// [`Answer`](super::Answer)'s JSON.
    pub facts: Map<String, Value>,
}

/// A column in a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The cells in row-major order.
    pub cells: Cells,
    /// The number of cells per row, or `None` for a plain column with one cell per row.
    pub width: Option<usize>,
}

/// The cells in a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Booleans.
    Bool(Vec<bool>),
    /// Small numbers, such as cards.
    U8(Vec<u8>),
    /// Integers.
    I64(Vec<i64>),
    /// Floats.
    F64(Vec<f64>),
    /// Strings.
    Text(Vec<String>),
}

impl Cells {
    /// Returns the number of cells.
    fn len(&self) -> usize {
        match self {
            Cells::Bool(cells) => cells.len(),
            Cells::U8(cells) => cells.len(),
            Cells::I64(cells) => cells.len(),
            Cells::F64(cells) => cells.len(),
            Cells::Text(cells) => cells.len(),
        }
    }
}

macro_rules! cells_from {
    ($($variant:ident $type:ty),*) => { $(
        impl From<Vec<$type>> for Cells {
            fn from(cells: Vec<$type>) -> Cells {
                Cells::$variant(cells)
            }
        }

        impl FromIterator<$type> for Cells {
            fn from_iter<I: IntoIterator<Item = $type>>(cells: I) -> Cells {
                Cells::$variant(cells.into_iter().collect())
            }
        }
    )* };
}

cells_from!(Bool bool, U8 u8, I64 i64, F64 f64, Text String);

impl Column {
    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.cells.len() / self.width.unwrap_or(1).max(1)
    }
}

impl Frame {
    /// Adds a column with one cell per row.
    #[must_use]
    pub fn column(mut self, name: &'static str, cells: impl Into<Cells>) -> Frame {
        self.columns.push((name, Column { cells: cells.into(), width: None }));
        self
    }

    /// Adds a column with several cells per row, given in row-major order.
    #[must_use]
    pub fn wide(mut self, name: &'static str, width: usize, cells: impl Into<Cells>) -> Frame {
        self.columns.push((name, Column { cells: cells.into(), width: Some(width) }));
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn fact(mut self, name: &str, value: impl Into<Value>) -> Frame {
        self.facts.insert(name.to_owned(), value.into());
        self
    }

    /// Returns the column with the given name.
    pub fn get(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|(other, _)| *other == name).map(|(_, column)| column)
    }
}
