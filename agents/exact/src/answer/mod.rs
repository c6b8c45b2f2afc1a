//! Results as plain data: a JSON document for programs, and sections with text, tables, and charts for people.
//!
//! A solver builds an [`Answer`], which the terminal, the Markdown report, Python and the web app each render in their
//! own way. A [`Frame`] holds columns of numbers for further computation.
//!
//! ```
//! use houseway_exact::answer::{Section, TextTable};
//!
//! let table = TextTable::new(["agent", "EV"]).right(1).row(["house way", "-2.72%"]).row(["optimum", "-2.43%"]);
//! let section = Section::new("Agents").text("EV per unit staked.").table(table);
//! assert_eq!(section.blocks.len(), 2);
//! ```

mod chart;

pub use chart::{Axis, Bar, BarChart, BarSeries, CellText, Chart, HeatMap, LineChart, Marker, Reference, Series};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The result of a computation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The title. It is empty for answers that are only printed and begin with a summary.
    #[serde(skip)]
    pub title: String,
    /// The JSON document for programs.
    pub json: serde_json::Value,
    /// The same result in sections for people. The first section has no heading and contains the summary.
    pub sections: Vec<Section>,
}

impl Answer {
    /// Creates an answer without a title.
    pub fn new(json: serde_json::Value, sections: impl IntoIterator<Item = Section>) -> Answer {
        Answer { title: String::new(), json, sections: sections.into_iter().collect() }
    }

    /// Sets the title.
    #[must_use]
    pub fn titled(self, title: impl Into<String>) -> Answer {
        Answer { title: title.into(), ..self }
    }
}

/// A section of an answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Section {
    /// The heading, if there is one.
    pub heading: Option<String>,
    /// The contents, in order.
    pub blocks: Vec<Block>,
    /// `true` if the section is left out in the terminal. A section without a heading continues the one before it, so
    /// that a part of a section can be left out.
    #[serde(skip)]
    pub detail: bool,
}

/// A piece of a section's content.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Block {
    /// A paragraph. Emphasis and code use Markdown syntax.
    Text(String),
    /// Preformatted text.
    Lines(String),
    /// A table.
    Table(TextTable),
    /// A figure.
    #[serde(rename = "plot")]
    Figure(Figure),
}

/// A chart with a title and a file name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The file name without an extension. It is empty in a saved figure, as is the alternative text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The alternative text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub alt: String,
    /// The title.
    pub title: String,
    /// A remark about the numbers, shown in small print. It may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The chart.
    pub chart: Chart,
}

impl Figure {
    /// Creates a figure without a name or a note.
    pub fn new(title: impl Into<String>, chart: impl Into<Chart>) -> Figure {
        let empty = String::new;
        Figure { name: empty(), alt: empty(), title: title.into(), note: empty(), chart: chart.into() }
    }

    /// Sets the note, such as the source of the numbers.
    pub fn note(self, note: impl Into<String>) -> Figure {
        Figure { note: note.into(), ..self }
    }

    /// Sets the file name and the alternative text.
    pub fn named(self, name: impl Into<String>, alt: impl Into<String>) -> Figure {
        Figure { name: name.into(), alt: alt.into(), ..self }
    }
}

impl Section {
    /// Creates an empty section with the given heading.
    pub fn new(heading: impl Into<String>) -> Section {
        Section { heading: Some(heading.into()), ..Section::default() }
    }

    /// Leaves the section out in the terminal.
    #[must_use]
    pub fn detail(self) -> Section {
        Section { detail: true, ..self }
    }

    fn with(mut self, block: Block) -> Section {
        self.blocks.push(block);
        self
    }

    /// Adds a paragraph.
    pub fn text(self, text: impl Into<String>) -> Section {
        self.with(Block::Text(text.into()))
    }

    /// Adds preformatted text.
    pub fn lines(self, text: impl Into<String>) -> Section {
        self.with(Block::Lines(text.into()))
    }

    /// Adds a table.
    pub fn table(self, table: TextTable) -> Section {
        self.with(Block::Table(table))
    }

    /// Adds a figure.
    pub fn figure(self, figure: Figure) -> Section {
        self.with(Block::Figure(figure))
    }
}

/// A set of columns with equal length, and facts that apply to all rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// The columns and their names, in order.
    pub columns: Vec<(&'static str, Column)>,
    /// Additional values by name. Fractions and integers with more than 53 bits are stored as text, as in an
    /// [`Answer`]'s JSON.
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
    pub fn column<T>(mut self, name: &'static str, cells: impl IntoIterator<Item = T>) -> Frame
    where
        Cells: FromIterator<T>,
    {
        self.columns.push((name, Column { cells: cells.into_iter().collect(), width: None }));
        self
    }

    /// Adds a column with several cells per row, given in row-major order.
    #[must_use]
    pub fn wide<T>(mut self, name: &'static str, width: usize, cells: impl IntoIterator<Item = T>) -> Frame
    where
        Cells: FromIterator<T>,
    {
        self.columns.push((name, Column { cells: cells.into_iter().collect(), width: Some(width) }));
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

/// A table with a header and text cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TextTable {
    /// The header.
    pub header: Vec<String>,
    /// The indices of the right-aligned columns.
    pub right: Vec<usize>,
    /// The rows. Each has as many cells as the header.
    #[serde(default)]
    pub rows: Vec<Vec<String>>,
    /// The indices of the columns that are left out in the terminal.
    #[serde(skip)]
    pub detail: Vec<usize>,
    /// The indices of the columns that are also left out in a terminal that is too narrow for all.
    #[serde(skip)]
    pub spare: Vec<usize>,
    /// The number of rows to show in the terminal, or `None` to show all.
    #[serde(skip)]
    pub top: Option<usize>,
}

impl TextTable {
    /// Creates a table without rows.
    pub fn new(header: impl IntoIterator<Item: Into<String>>) -> TextTable {
        let header = header.into_iter().map(Into::into).collect();
        TextTable { header, right: vec![], rows: vec![], detail: vec![], spare: vec![], top: None }
    }

    /// Right-aligns a column.
    pub fn right(mut self, column: usize) -> TextTable {
        self.right.push(column);
        self
    }

    /// Right-aligns the given column and all columns after it.
    pub fn right_from(self, column: usize) -> TextTable {
        (column..self.header.len()).fold(self, TextTable::right)
    }

    /// Leaves out a column in the terminal.
    pub fn detail(mut self, column: usize) -> TextTable {
        self.detail.push(column);
        self
    }

    /// Leaves out a column in a terminal that is too narrow for all columns.
    pub fn spare(mut self, column: usize) -> TextTable {
        self.spare.push(column);
        self
    }

    /// Shows only the first rows in the terminal.
    pub fn top(self, rows: usize) -> TextTable {
        TextTable { top: Some(rows), ..self }
    }

    /// Adds a row. Missing cells are left empty, and cells beyond the header are dropped.
    pub fn row(mut self, cells: impl IntoIterator<Item: Into<String>>) -> TextTable {
        let mut row: Vec<String> = cells.into_iter().map(Into::into).collect();
        row.resize(self.header.len(), String::new());
        self.rows.push(row);
        self
    }

    /// Adds rows as [`TextTable::row`] does.
    pub fn rows(self, rows: impl IntoIterator<Item: IntoIterator<Item: Into<String>>>) -> TextTable {
        rows.into_iter().fold(self, TextTable::row)
    }
}
