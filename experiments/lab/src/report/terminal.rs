//! Formats answers as text for the terminal.

use super::table::terminal;
use super::wrap::wrapped;
use houseway_exact::answer::{Answer, Block, Section};

/// Formats an answer as paragraphs, tables, and lines. Charts are omitted.
pub fn answer_text(answer: &Answer) -> String {
    let texts = answer.sections.iter().flat_map(section_texts);
    texts.collect::<Vec<_>>().join("\n")
}

fn section_texts(section: &Section) -> impl Iterator<Item = String> {
    let heading = section.heading.iter().map(|heading| format!("{heading}\n"));
    let blocks = section.blocks.iter().filter_map(|block| match block {
        Block::Text(text) => Some(wrapped(&text.replace(['*', '`'], ""))),
        Block::Lines(lines) => Some(format!("{}\n", lines.trim_end())),
        Block::Table(table) => Some(terminal(table)),
        Block::Plot(_) => None,
    });
    heading.chain(blocks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_exact::answer::TextTable;

    #[test]
    fn answers_are_paragraphs_tables_and_lines() {
        let first = Section::default().text("*EV* per `unit`.");
        let second = Section::new("Agents").table(TextTable::new(["agent"]).row(["optimum"])).lines("EV -1\n");
        let answer = Answer { json: serde_json::Value::Null, sections: vec![first, second] };
        let text = answer_text(&answer);
        assert!(text.starts_with("EV per unit.\n\nAgents\n\n"), "{text}");
        assert!(text.contains(" optimum\n") && text.ends_with("\n\nEV -1\n"), "{text}");
    }
}
