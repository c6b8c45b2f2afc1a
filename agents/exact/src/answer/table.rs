//! Text tables.

use serde::{Deserialize, Serialize};

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
    /// The number of rows to show in the terminal, or `None` to show all.
    #[serde(skip)]
    pub top: Option<usize>,
}

impl TextTable {
    /// Creates a table without rows.
    pub fn new(header: impl IntoIterator<Item: Into<String>>) -> TextTable {
        let header = header.into_iter().map(Into::into).collect();
        TextTable { header, right: vec![], rows: vec![], detail: vec![], top: None }
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
}
