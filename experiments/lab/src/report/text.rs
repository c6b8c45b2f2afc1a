//! Text for the terminal, in its width, and tables for reports and for the terminal.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, TableComponent, Width, presets};
use houseway_exact::answer::{Answer, Block, Section, TextTable};
use std::io::{self, IsTerminal};

/// Formats an answer as paragraphs, tables, and lines. Figures and details are left out.
pub fn answer_text(answer: &Answer) -> String {
    let title = Some(wrapped(&answer.title)).filter(|_| !answer.title.is_empty());
    let sections = answer.sections.iter().filter(|section| !section.detail).flat_map(section_texts);
    title.into_iter().chain(sections).collect::<Vec<_>>().join("\n")
}

fn section_texts(section: &Section) -> impl Iterator<Item = String> {
    let heading = section.heading.iter().map(|heading| format!("{heading}\n"));
    let blocks = section.blocks.iter().filter_map(|block| match block {
        Block::Text(text) => Some(wrapped(&plain(text))),
        // Other lines are laid out for 80 columns.
        Block::Lines(lines) if columns() < COLUMNS => Some(wrapped_lines(lines.trim_end())),
        Block::Lines(lines) => Some(format!("{}\n", lines.trim_end())),
        Block::Table(table) => Some(terminal(table)),
        Block::Figure(_) => None,
    });
    heading.chain(blocks)
}

/// Removes the marks of emphasis and code, and the targets of links.
fn plain(text: &str) -> String {
    let mut parts = text.split("](");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let link = plain.rfind('[').unwrap_or(plain.len());
        plain = plain[..link].to_owned() + plain[link..].trim_start_matches('[');
        plain += part.split_once(')').map_or(part, |(_, rest)| rest);
    }
    plain.replace(['*', '`'], "")
}

/// Joins words with commas and a final "and".
pub fn and_list(words: &[String]) -> String {
    match words {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => words.concat(),
    }
}

/// The width of the output in characters if it goes to a file or another program.
const COLUMNS: u16 = 80;
/// The maximum width of a paragraph in characters. Longer lines are hard to read.
const MAX_TEXT: u16 = 100;

/// Returns the width of the terminal in characters, or of the environment variable `COLUMNS`, between 60 and 200.
fn columns() -> u16 {
    let given = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || crossterm::terminal::size().ok().filter(|_| io::stdout().is_terminal()).map(|(width, _)| width);
    given.or_else(terminal).filter(|&width| width > 0).map_or(COLUMNS, |width| width.clamp(60, 200))
}

pub fn wrapped(text: &str) -> String {
    wrapped_line(&text.split_whitespace().collect::<Vec<_>>().join(" "), 0, columns())
}

/// Wraps every line of a text for the terminal. Continuation lines are indented by two more spaces.
pub fn wrapped_lines(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len() + 2;
    let width = columns();
    text.lines().map(|line| wrapped_line(line, indent(line), width)).collect()
}

/// Wraps a line between words, or after `|` or `,` if a single word doesn't fit on a line. Continuation lines are
/// indented by `indent` columns.
fn wrapped_line(line: &str, indent: usize, columns: u16) -> String {
    let columns = usize::from(columns.min(MAX_TEXT));
    let (mut lines, mut width) = (String::new(), 0);
    for word in line.split_inclusive(' ') {
        let pieces: Vec<&str> = match word.chars().count() + indent > columns {
            true => word.split_inclusive(['|', ',']).collect(),
            false => vec![word],
        };
        for piece in pieces {
            if width > indent && width + piece.trim_end().chars().count() > columns {
                lines.truncate(lines.trim_end().len());
                lines += &format!("\n{:indent$}", "");
                width = indent;
            }
            lines += piece;
            width += piece.chars().count();
        }
    }
    lines.truncate(lines.trim_end().len());
    lines + "\n"
}

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

/// Formats a table for the terminal, without the columns and rows that are details. If the table is too wide, its spare
/// columns are left out, and the space between the others is halved. If that isn't enough, long cells are wrapped between words. A table that is
/// still too wide is printed as a list of its cells.
pub fn terminal(table: &TextTable) -> String {
    in_columns(table, columns())
}

/// Formats a table like [`terminal`], in the given width.
pub fn in_columns(table: &TextTable, columns: u16) -> String {
    let mut shown = without(table, &table.detail);
    if !fits(&grid(&shown), columns) {
        shown = without(table, &[&table.detail[..], &table.spare].concat());
    }
    match table.rows.len() - shown.rows.len() {
        0 => lay_out(&shown, columns),
        more => format!("{} and {more} more\n", lay_out(&shown, columns)),
    }
}

/// Returns a table without the given columns and without rows that are details.
fn without(table: &TextTable, columns: &[usize]) -> TextTable {
    let columns: Vec<usize> = (0..table.header.len()).filter(|column| !columns.contains(column)).collect();
    let cells = |row: &Vec<String>| columns.iter().map(|&column| row[column].clone()).collect::<Vec<_>>();
    let right = (0..columns.len()).filter(|&i| table.right.contains(&columns[i]));
    let shown = right.fold(TextTable::new(cells(&table.header)), TextTable::right);
    table.rows.iter().take(table.top.unwrap_or(usize::MAX)).map(cells).fold(shown, TextTable::row)
}

/// Returns a table in its natural width.
fn grid(table: &TextTable) -> comfy_table::Table {
    let mut grid = comfy_table::Table::new();
    grid.load_preset(presets::UTF8_HORIZONTAL_ONLY);
    grid.set_header(&table.header).add_rows(&table.rows);
    grid.remove_style(TableComponent::HorizontalLines).remove_style(TableComponent::MiddleIntersections);
    for column in &table.right {
        if let Some(column) = grid.column_mut(*column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    grid
}

fn fits(grid: &comfy_table::Table, columns: u16) -> bool {
    grid.lines().all(|line| line.chars().count() <= columns.into())
}

fn lay_out(table: &TextTable, columns: u16) -> String {
    let mut grid = grid(table);
    if !fits(&grid, columns) {
        let widths = narrowest(table);
        // Columns are separated by a space.
        if widths.iter().sum::<u16>() + widths.len() as u16 > columns + 1 {
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
    fn answers_are_paragraphs_tables_and_lines() {
        let first = Section::default().text("*EV* per [`unit`](units.md).");
        let second = Section::new("Agents").table(TextTable::new(["agent"]).row(["optimum"])).lines("EV -1\n");
        let detail = Section::new("Method").text("Nothing is simulated.").detail();
        let answer = Answer::new(serde_json::Value::Null, [first, detail, second]);
        let text = answer_text(&answer);
        assert!(text.starts_with("EV per unit.\n\nAgents\n\n"), "{text}");
        assert!(text.contains(" optimum\n") && text.ends_with("\n\nEV -1\n"), "{text}");
        assert!(answer_text(&answer.titled("Agents of a run")).starts_with("Agents of a run\n\nEV per"));
    }

    #[test]
    fn the_last_word_follows_and() {
        for (words, list) in
            [(vec![], ""), (vec!["a"], "a"), (vec!["a", "b"], "a and b"), (vec!["a", "b", "c"], "a, b and c")]
        {
            assert_eq!(and_list(&words.into_iter().map(str::to_owned).collect::<Vec<_>>()), list);
        }
    }

    #[test]
    fn paragraphs_are_wrapped_between_words() {
        let text = wrapped(&"seven cards are split ".repeat(20));
        assert!(
            text.lines().count() > 4 && text.lines().all(|line| line.len() <= 100 && !line.ends_with(' ')),
            "{text}"
        );
        assert_eq!((wrapped(""), wrapped("one  two")), ("\n".to_owned(), "one two\n".to_owned()));
    }

    #[test]
    fn lines_are_wrapped_with_an_indent() {
        let line = format!("  --set bets={}, the first by default", ["four_of_a_kind"; 9].join("|"));
        let text = wrapped_lines(&format!("short\n{line}\n"));
        assert!(text.starts_with("short\n  --set bets=four_of_a_kind|"), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() > 2 && lines.iter().all(|line| line.chars().count() <= 100), "{text}");
        assert!(lines[2..].iter().all(|line| line.starts_with("    ")), "{text}");
        let joined: String = text.split_whitespace().collect();
        assert_eq!(joined, format!("short{line}").split_whitespace().collect::<String>());
    }

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
    fn a_table_whose_words_just_fit_is_no_wider_than_the_terminal() {
        let table = TextTable::new(["reading", "option"]).row(["a".repeat(28), "b".repeat(27)]);
        for columns in 56..62 {
            let text = in_columns(&table, columns);
            assert!(text.lines().all(|line| line.chars().count() <= columns.into()), "{columns}\n{text}");
        }
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
    fn spare_columns_are_left_out_in_a_narrow_terminal() {
        let table = TextTable::new(["back", "back is", "EV"]).right(2).spare(1).row(["Ks Kh 6s", "two pairs", "+0.3"]);
        assert!(in_columns(&table, 29).contains(" Ks Kh 6s   two pairs   +0.3\n"));
        assert!(in_columns(&table, 28).contains(" Ks Kh 6s   +0.3\n"));
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
