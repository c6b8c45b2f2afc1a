//! Tables for reports and for the terminal.

use comfy_table::{CellAlignment, ContentArrangement, TableComponent, presets};
use houseway_exact::answer::TextTable;

/// Width of the terminal, in characters.
pub(super) const COLUMNS: u16 = 80;

/// Formats a table as Markdown with aligned columns.
pub fn markdown(table: &TextTable) -> String {
    let escape = |row: &Vec<String>| row.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
    let rows: Vec<Vec<String>> = std::iter::once(&table.header).chain(&table.rows).map(escape).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).fold(1, usize::max);
    let widths: Vec<usize> = (0..table.header.len()).map(width).collect();
    let cell = |column: usize, text: &str| match table.right.contains(&column) {
        true => format!(" {text:>width$} |", width = widths[column]),
        false => format!(" {text:<width$} |", width = widths[column]),
    };
    let rule = |column: usize| match table.right.contains(&column) {
        true => format!("{}:|", "-".repeat(widths[column] + 1)),
        false => format!(":{}|", "-".repeat(widths[column] + 1)),
    };
    let line = |row: &Vec<String>| -> String {
        let cells: String = row.iter().enumerate().map(|(column, text)| cell(column, text)).collect();
        format!("|{cells}\n")
    };
    let rule: String = (0..table.header.len()).map(rule).collect();
    let body: String = rows[1..].iter().map(line).collect();
    format!("{}|{rule}\n{body}", line(&rows[0]))
}

/// Formats a table for a terminal of 80 columns. A table that is too wide loses half of the space between its columns; if that
/// is not enough, long cells are wrapped.
pub fn terminal(table: &TextTable) -> String {
    let mut grid = comfy_table::Table::new();
    grid.load_preset(presets::UTF8_HORIZONTAL_ONLY);
    grid.set_header(&table.header).add_rows(&table.rows);
    grid.remove_style(TableComponent::HorizontalLines).remove_style(TableComponent::MiddleIntersections);
    for column in &table.right {
        if let Some(column) = grid.column_mut(*column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    if grid.lines().any(|line| line.chars().count() > usize::from(COLUMNS)) {
        grid.column_iter_mut().for_each(|column| _ = column.set_padding((0, 1)));
    }
    grid.set_content_arrangement(ContentArrangement::Dynamic).set_width(COLUMNS);
    let lines: Vec<String> = grid.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_tables_fit_eighty_columns() {
        let long = "the highest pair in front and the rest behind, unless the rest is two pairs or better ".repeat(2);
        let table = TextTable::new(["front", "rule", "EV"]).right(2).row(["7c 7d", &long, "-0.0272"]).row(["As Kd"]);
        let text = terminal(&table);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.contains("-0.0272") && text.lines().count() > 5, "{text}");
    }

    #[test]
    fn names_stay_whole_beside_many_numbers() {
        let row = [&["3 ballys-atlantic-city"], &["2.690"; 8][..]].concat();
        let header = [&["player"], &["1"; 8][..]].concat();
        let text = terminal(&TextTable::new(header).right_from(1).row(row));
        assert!(
            text.contains("3 ballys-atlantic-city") && text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
    }

    #[test]
    fn columns_of_numbers_are_right_aligned() {
        let table = TextTable::new(["agent", "EV"]).right(1).row(["optimum", "-2.4%"]).row(["a", "-29.1%"]);
        let text = terminal(&table);
        assert!(text.contains("  -2.4%\n") && text.contains(" -29.1%\n"), "{text}");
    }
}
