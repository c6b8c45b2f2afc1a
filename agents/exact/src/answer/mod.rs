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
mod frame;
mod table;

pub use chart::{Axis, Bar, BarChart, BarSeries, CellText, Chart, HeatMap, LineChart, Marker, Reference, Series};
pub use frame::{Cells, Column, Frame};
pub use table::TextTable;

use serde::{Deserialize, Serialize};

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
