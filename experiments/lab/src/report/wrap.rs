//! Wraps text to the width of a terminal.

/// The width of the terminal in characters.
pub(super) const COLUMNS: u16 = 80;

/// Wraps a paragraph for the terminal.
pub fn wrapped(text: &str) -> String {
    wrapped_line(&text.split_whitespace().collect::<Vec<_>>().join(" "), 0)
}

/// Wraps every line of a text for the terminal. Continuation lines are indented by two more spaces.
pub fn wrapped_lines(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len() + 2;
    text.lines().map(|line| wrapped_line(line, indent(line))).collect()
}

/// Wraps a line between words, or after `|` or `,` if a single word doesn't fit on a line. Continuation lines are
/// indented by `indent` columns.
pub(super) fn wrapped_line(line: &str, indent: usize) -> String {
    let columns = usize::from(COLUMNS);
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
    use super::*;

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
    fn lines_are_wrapped_with_an_indent() {
        let line = format!("  --set bets={}, the first by default", ["four_of_a_kind"; 9].join("|"));
        let text = wrapped_lines(&format!("short\n{line}\n"));
        assert!(text.starts_with("short\n  --set bets=four_of_a_kind|"), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() > 3 && lines.iter().all(|line| line.chars().count() <= 80), "{text}");
        assert!(lines[2..].iter().all(|line| line.starts_with("    ")), "{text}");
        let joined: String = text.split_whitespace().collect();
        assert_eq!(joined, format!("short{line}").split_whitespace().collect::<String>());
    }
}
