//! Writes the lists that a search finds in the house way language.

use super::condition::{Quantity, Range, Ranges};
use super::fits::Fits;
use super::list::FoundRule;
use super::sentence::{condition, sentence};
use super::vocabulary::Play;
use houseway_env::cards::Rank;
use houseway_env::pai_gow::house_way::Shape;
use std::fmt::Write;

/// Returns the text of a rule in the house way language. `number` makes its name unique, and `fits` contains the fits
/// of its plays for each case.
pub(super) fn rule_toml(rule: &FoundRule, play: &Play, number: usize, fits: &[Fits]) -> String {
    let is_first = number == 1;
    let text = sentence(rule, play, is_first, fits);
    let name = condition(&rule.by_ranges(), is_first);
    let mut toml = format!("[[rule]]\nname = \"{number}. {name}\"\ntext = \"{text}\"\n");
    let cases: Vec<String> = rule.by_ranges().iter().map(|(shapes, ranges)| when(shapes, ranges)).collect();
    match &cases[..] {
        [all] if all.is_empty() => {}
        [one] => {
            let _ = writeln!(toml, "when = {{ {one} }}");
        }
        many => {
            let lines: String = many.iter().map(|case| format!("    {{ {case} }},\n")).collect();
            let _ = write!(toml, "when = [\n{lines}]\n");
        }
    }
    let _ = writeln!(toml, "play = {}", play.toml());
    if play.prefers_back() {
        toml += "prefer = \"back\"\n";
    }
    toml
}

/// Formats a condition without its braces. Empty for all hands.
fn when(shapes: &[Shape], ranges: &Ranges) -> String {
    let mut parts = Vec::new();
    if shapes.len() < Shape::ALL.len() {
        let names: Vec<String> = shapes.iter().map(|shape| format!("\"{}\"", shape.name())).collect();
        parts.push(match &names[..] {
            [one] => format!("shape = {one}"),
            many => format!("shape = [{}]", many.join(", ")),
        });
    }
    parts.extend(ranges.0.iter().map(|&range| format!("{} = \"{}\"", range.of.name(), value(range))));
    parts.join(", ")
}

fn value(range: Range) -> String {
    let word = |value: u8| match range.of {
        Quantity::PairSum => (value + Quantity::MIN_SUM).to_string(),
        _ => match Rank::from_index(value.into()) {
            Rank::Ten => "10".to_owned(),
            rank => rank.to_string(),
        },
    };
    if range.low == range.high { word(range.low) } else { format!("{}-{}", word(range.low), word(range.high)) }
}
