//! Tables formatted for reports and for the terminal.

use super::text::{columns, wrapped_line};
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, TableComponent, Width, presets};
use houseway_exact::answer::TextTable;

/// Formats a table as Markdown with aligned columns.
pub fn markdown(table: &TextTable) -> String {
    let escape =
        |row: &Vec<String>| row.iter().map(|cell| without_html(cell).replace('|', "\\|").replace('\n', " ")).collect();
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

/// Escapes a Markdown text so that no `<` outside of code starts an HTML tag.
pub(super) fn without_html(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for (i, part) in text.split('`').enumerate() {
        if i > 0 {
            plain.push('`');
        }
        let tag = |(at, _): &(usize, &str)| {
            part[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'))
        };
        let mut done = 0;
        // The odd parts are code spans.
        for (at, _) in part.match_indices('<').filter(|found| i % 2 == 0 && tag(found)) {
            plain += &part[done..at];
            plain += "&lt;";
            done = at + 1;
        }
        plain += &part[done..];
    }
    plain
}

/// Formats a table for the terminal, without the columns and rows that are details. If the table is too wide,
/// the space between its columns is halved. If that isn't enough, long cells are wrapped between words. A table that is
/// still too wide is printed as a list of its cells.
pub fn terminal(table: &TextTable) -> String {
    in_columns(table, columns())
}

fn in_columns(table: &TextTable, columns: u16) -> String {
    let shown = without_details(table);
    match table.rows.len() - shown.rows.len() {
        0 => lay_out(&shown, columns),
        more => format!("{} and {more} more\n", lay_out(&shown, columns)),
    }
}

fn without_details(table: &TextTable) -> TextTable {
    let columns: Vec<usize> = (0..table.header.len()).filter(|column| !table.detail.contains(column)).collect();
    let cells = |row: &Vec<String>| columns.iter().map(|&column| row[column].clone()).collect::<Vec<_>>();
    let right = (0..columns.len()).filter(|&i| table.right.contains(&columns[i]));
    let shown = right.fold(TextTable::new(cells(&table.header)), TextTable::right);
    table.rows.iter().take(table.top.unwrap_or(usize::MAX)).map(cells).fold(shown, TextTable::row)
}

fn lay_out(table: &TextTable, columns: u16) -> String {
    let mut grid = comfy_table::Table::new();
    grid.load_preset(presets::UTF8_HORIZONTAL_ONLY);
    grid.set_header(&table.header).add_rows(&table.rows);
    grid.remove_style(TableComponent::HorizontalLines).remove_style(TableComponent::MiddleIntersections);
    for column in &table.right {
        if let Some(column) = grid.column_mut(*column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    if grid.lines().any(|line| line.chars().count() > usize::from(columns)) {
        let widths = narrowest(table);
        if widths.iter().sum::<u16>() > columns {
            return as_list(table, columns);
        }
        for (column, width) in grid.column_iter_mut().zip(widths) {
            column.set_padding((0, 1)).set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width)));
        }
    }
    grid.set_content_arrangement(ContentArrangement::Dynamic).set_width(columns);
    let lines: Vec<String> = grid.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
    lines.concat()
}

/// Returns the smallest column widths at which no word has to be broken. Each of them includes a space after the
/// column.
fn narrowest(table: &TextTable) -> Vec<u16> {
    let longest_word = |cell: &String| cell.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
    let cells =
        |column: usize| std::iter::once(&table.header).chain(&table.rows).filter_map(move |row| row.get(column));
    (0..table.header.len()).map(|column| cells(column).map(longest_word).max().unwrap_or(0) as u16 + 1).collect()
}

/// Formats a table with one cell per line, each preceded by its heading.
fn as_list(table: &TextTable, columns: u16) -> String {
    let heading = table.header.iter().map(|heading| heading.chars().count()).max().unwrap_or(0);
    let row = |row: &Vec<String>| -> String {
        let cells = table.header.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
        cells.map(|(name, cell)| wrapped_line(&format!("{name:heading$}  {cell}"), heading + 2, columns)).collect()
    };
    table.rows.iter().map(row).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_tables_fit_their_columns() {
        let long = "the highest pair in front and the rest behind, unless the rest is two pairs or better ".repeat(2);
        let table = TextTable::new(["front", "rule", "EV"]).right(2).row(["7c 7d", &long, "-0.0272"]).row(["As Kd"]);
        let text = in_columns(&table, 80);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.contains("-0.0272") && text.lines().count() > 5, "{text}");
        for columns in [60, 80, 120, 200] {
            let text = in_columns(&table, columns);
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= columns.into() && widest + 12 > columns.into(), "{widest}\n{text}");
        }
    }

    #[test]
    fn no_word_or_number_is_broken() {
        let number = "8,250,459,031,214,400";
        let fits = TextTable::new(["strategy", "wins", "losses"]).right_from(1).row([
            "a house way with a long name",
            number,
            number,
        ]);
        let text = in_columns(&fits, 80);
        assert!(text.lines().all(|line| line.chars().count() <= 80) && text.matches(number).count() == 2, "{text}");
        let wide = TextTable::new(["strategy", "wins", "pushes", "losses", "deals"])
            .right_from(1)
            .row(["best", number, number, number, number]);
        let text = in_columns(&wide, 80);
        assert!(text.starts_with("strategy  best\nwins      8,250"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80) && text.matches(number).count() == 4, "{text}");
    }

    #[test]
    fn details_are_left_out_in_the_terminal() {
        let table = TextTable::new(["agent", "source", "EV"]).right(2).detail(1).top(1);
        let table = table.row(["optimum", "exact", "-2.4%"]).row(["random", "exact", "-29.1%"]);
        let text = in_columns(&table, 80);
        assert!(text.contains(" optimum   -2.4%\n") && text.ends_with("\n and 1 more\n"), "{text}");
        assert!(!text.contains("exact") && !text.contains("random"), "{text}");
        assert!(markdown(&table).contains("| random  | exact  | -29.1% |"), "{}", markdown(&table));
    }

    #[test]
    fn cells_are_neither_columns_nor_html() {
        let text = markdown(&TextTable::new(["a"]).row(["x | <script>alert(1)</script> `Vec<u8>` 1 < 2"]));
        assert!(text.contains("x \\| &lt;script>alert(1)&lt;/script> `Vec<u8>` 1 < 2"), "{text}");
    }

    #[test]
    fn names_stay_whole_beside_many_numbers() {
        let row = [&["3 ballys-atlantic-city"], &["2.690"; 8][..]].concat();
        let header = [&["player"], &["1"; 8][..]].concat();
        let text = in_columns(&TextTable::new(header).right_from(1).row(row), 80);
        assert!(
            text.contains("3 ballys-atlantic-city") && text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
    }

    #[test]
    fn columns_of_numbers_are_right_aligned() {
        let table = TextTable::new(["agent", "EV"]).right(1).row(["optimum", "-2.4%"]).row(["a", "-29.1%"]);
        let text = in_columns(&table, 80);
        assert!(text.contains("  -2.4%\n") && text.contains(" -29.1%\n"), "{text}");
    }
}
