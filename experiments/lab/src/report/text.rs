//! Text for the terminal, in its width.

use super::table::terminal;
use houseway_exact::answer::{Answer, Block, Section};
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
pub(super) fn columns() -> u16 {
    let given = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || crossterm::terminal::size().ok().filter(|_| io::stdout().is_terminal()).map(|(width, _)| width);
    given.or_else(terminal).filter(|&width| width > 0).map_or(COLUMNS, |width| width.clamp(60, 200))
}

/// Wraps a paragraph for the terminal.
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
pub(super) fn wrapped_line(line: &str, indent: usize, columns: u16) -> String {
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

#[cfg(test)]
mod tests {
    use super::super::TextTable;
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
}
