//! The answer to whether a house way is complete and legal.

use crate::answer::{Answer, Section, TextTable};
use crate::format::{grouped, percent};
use houseway_env::pai_gow::house_way::StyleWarning;
use serde_json::{Value, json};

/// A house way that was applied to all hands.
#[derive(Clone, Debug, Default)]
pub struct CheckedWay {
    /// The name.
    pub name: String,
    /// The title.
    pub title: String,
    /// The publication that contains the rules.
    pub source: String,
    /// The hash of the rules of the game.
    pub rules_hash: String,
    /// The rules of the game in words, with their hash.
    pub rules_in_force: String,
    /// The number of hands.
    pub hands: u64,
    /// The number of hands without a rule.
    pub uncovered: u64,
    /// The number of hands that are set foul.
    pub fouls: u64,
    /// The name of each rule and the number of hands that it sets.
    pub rules: Vec<(String, u64)>,
    /// The combinations of options that leave hands without a rule, as JSON and as lines of text.
    pub gaps: (Vec<Value>, String),
    /// The warnings about rules.
    pub warnings: Vec<StyleWarning>,
}

impl CheckedWay {
    /// Returns the answer.
    pub fn answer(&self) -> Answer {
        let rules = self.rules.iter().map(|(name, hands)| json!({ "name": name, "hands": hands.to_string() }));
        let warning = |it: &StyleWarning| json!({ "rule": it.rule, "line": it.line, "message": it.message });
        let (gaps, gap_lines) = &self.gaps;
        let json = json!({
            "way": self.name,
            "source": self.source,
            "rules_hash": self.rules_hash,
            "hands": self.hands.to_string(),
            "uncovered": self.uncovered.to_string(),
            "fouls": self.fouls.to_string(),
            "gaps": gaps,
            "rules": rules.collect::<Vec<_>>(),
            "warnings": self.warnings.iter().map(warning).collect::<Vec<_>>(),
        });
        let mut table = TextTable::new(["rule", "hands", "share"]).right_from(1);
        for (name, hands) in &self.rules {
            table = table.row([name.clone(), grouped(*hands), percent(*hands as f64 / self.hands as f64, 4)]);
        }
        let counts = [self.hands, self.uncovered, self.fouls].map(grouped);
        let mut lines =
            format!("{} hands: {} without a rule, {} set foul.\n{gap_lines}", counts[0], counts[1], counts[2]);
        for StyleWarning { rule, line, message } in &self.warnings {
            let place = rule.as_ref().map_or(format!("line {line}"), |rule| format!("line {line}, rule \"{rule}\""));
            lines += &format!("warning: {place}: {message}\n");
        }
        lines += &format!("rules  {}", self.rules_in_force);
        let title = format!("{} (source: {})", self.title, self.source);
        Answer::new(json, [Section::default().text(title).table(table).lines(lines)])
    }
}
