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

use serde::Serialize;

/// The result of a computation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The JSON document for programs.
    pub json: serde_json::Value,
    /// The same result in sections for people. The first section has no heading and contains the summary.
    pub sections: Vec<Section>,
}

/// A section of an answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Section {
    /// The heading, if there is one.
    pub heading: Option<String>,
    /// The contents, in order.
    pub blocks: Vec<Block>,
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
    Plot(Plot),
}

/// A chart with a title and a file name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plot {
    /// The file name without an extension.
    pub name: &'static str,
    /// The alternative text.
    pub alt: &'static str,
    /// The title.
    pub title: String,
    /// A remark about the numbers, shown in small print.
    pub note: String,
    /// The chart.
    pub chart: Chart,
}

impl Section {
    /// Creates an empty section with the given heading.
    pub fn new(heading: impl Into<String>) -> Section {
        Section { heading: Some(heading.into()), blocks: vec![] }
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
    pub fn plot(self, plot: Plot) -> Section {
        self.with(Block::Plot(plot))
    }
}
