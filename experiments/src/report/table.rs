//! Tables for reports and for the terminal.

use comfy_table::{CellAlignment, ContentArrangement, TableComponent, presets};
use serde::{Deserialize, Serialize};

/// Maximum width of a table on the terminal.
const COLUMNS: u16 = 80;

/// Wraps a paragraph for the terminal.
pub fn wrapped(text: &str) -> String {
    let (mut lines, mut width) = (String::new(), 0);
    for word in text.split_whitespace() {
        let letters = word.chars().count();
        if width > 0 && width + 1 + letters > usize::from(COLUMNS) {
            lines.push('\n');
            width = 0;
        }
        if width > 0 {
            lines.push(' ');
            width += 1;
        }
        lines += word;
        width += letters;
    }
    lines + "\n"
}

/// Table of texts with a header.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    header: Vec<String>,
    /// Indices of right-aligned columns.
    right: Vec<usize>,
    #[serde(default)]
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table without rows.
    pub fn new<'a>(header: impl IntoIterator<Item = &'a str>) -> Table {
        Table { header: header.into_iter().map(str::to_owned).collect(), right: Vec::new(), rows: Vec::new() }
    }

    /// Right-aligns a column, as for numbers.
    pub fn right(mut self, column: usize) -> Table {
        self.right.push(column);
        self
    }

    /// Adds a row. Missing cells are empty, cells beyond the header are dropped.
    pub fn row<'a>(mut self, cells: impl IntoIterator<Item = &'a str>) -> Table {
        let mut row: Vec<String> = cells.into_iter().map(str::to_owned).collect();
        row.resize(self.header.len(), String::new());
        self.rows.push(row);
        self
    }

    /// Formats the table as Markdown with aligned columns.
    pub fn markdown(&self) -> String {
        let escape = |row: &Vec<String>| row.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
        let rows: Vec<Vec<String>> = std::iter::once(&self.header).chain(&self.rows).map(escape).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).fold(1, usize::max);
        let widths: Vec<usize> = (0..self.header.len()).map(width).collect();
        let cell = |column: usize, text: &str| match self.right.contains(&column) {
            true => format!(" {text:>width$} |", width = widths[column]),
            false => format!(" {text:<width$} |", width = widths[column]),
        };
        let rule = |column: usize| match self.right.contains(&column) {
            true => format!("{}:|", "-".repeat(widths[column] + 1)),
            false => format!(":{}|", "-".repeat(widths[column] + 1)),
        };
        let line = |row: &Vec<String>| -> String {
            let cells: String = row.iter().enumerate().map(|(column, text)| cell(column, text)).collect();
            format!("|{cells}\n")
        };
        let rule: String = (0..self.header.len()).map(rule).collect();
        let body: String = rows[1..].iter().map(line).collect();
        format!("{}|{rule}\n{body}", line(&rows[0]))
    }

    /// Formats the table for a terminal of 80 columns; long cells are wrapped.
    pub fn terminal(&self) -> String {
        let mut table = comfy_table::Table::new();
        table.load_preset(presets::UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(COLUMNS).set_header(&self.header).add_rows(&self.rows);
        table.remove_style(TableComponent::HorizontalLines).remove_style(TableComponent::MiddleIntersections);
        for column in &self.right {
            if let Some(column) = table.column_mut(*column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
        lines.concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_tables_fit_eighty_columns() {
        let long = "the highest pair in front and the rest behind, unless the rest is two pairs or better ".repeat(2);
        let table = Table::new(["front", "rule", "EV"]).right(2).row(["7c 7d", &long, "-0.0272"]).row(["As Kd"]);
        let text = table.terminal();
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.contains("-0.0272") && text.lines().count() > 5, "{text}");
    }

    #[test]
    fn paragraphs_are_wrapped_between_words() {
        let text = wrapped(&"seven cards are split ".repeat(20));
        assert!(
            text.lines().count() > 4 && text.lines().all(|line| line.len() <= 80 && !line.ends_with(' ')),
            "{text}"
        );
        assert_eq!((wrapped(""), wrapped("one  two")), ("\n".to_owned(), "one two\n".to_owned()));
    }

    #[test]
    fn columns_of_numbers_are_right_aligned() {
        let text = Table::new(["agent", "EV"]).right(1).row(["optimum", "-2.4%"]).row(["a", "-29.1%"]).terminal();
        assert!(text.contains("  -2.4%\n") && text.contains(" -29.1%\n"), "{text}");
    }
}
