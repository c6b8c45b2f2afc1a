//! Formats search results for a terminal with 80 columns.

use super::findings::{Findings, words_a_rule};
use crate::report::{TextTable, terminal, wrapped, wrapped_lines};
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::search::FoundList;
use std::path::Path;

impl Findings {
    /// Formats the results. The report and the house ways are in `folder`.
    pub fn text(&self, folder: &Path) -> String {
        let sheet = match &self.lists[..] {
            [one] => format!("\n{}", sheet(one, self.is_mean())),
            _ => String::new(),
        };
        format!(
            "{}\n{}{sheet}\nThe report: {}\nThe house ways: {}\n",
            wrapped(&self.verdict()),
            terminal(&self.front_table()),
            folder.join("report.md").display(),
            folder.join("ways").display(),
        )
    }

    /// Summarizes the lists.
    pub(super) fn verdict(&self) -> String {
        let best = percent(self.best.value(), 4);
        let (Some(first), Some(last)) = (self.lists.first(), self.lists.last()) else { return String::new() };
        let best = if self.is_mean() {
            format!("the best responses have a mean EV of {best}")
        } else {
            format!("the best response has an EV of {best}")
        };
        let longest = match self.lists.len() {
            1 => String::new(),
            _ => format!(", one of {} rules {}", last.rules(), percent(last.regret.value(), 4)),
        };
        let rules = if first.rules() == 1 { "rule" } else { "rules" };
        format!(
            "As the {} against {}: {best} of the stake. The best list found of {} {rules} loses {} of the stake{longest}. All losses \
             are exact.",
            self.seat,
            self.against,
            first.rules(),
            percent(first.regret.value(), 4),
        )
    }

    /// Returns the lists with their losses.
    pub(super) fn front_table(&self) -> TextTable {
        let header = ["rules", "bounds", "words a rule", "EV lost", "at least", "the next rule gains"];
        let mut table = (0..6).fold(TextTable::new(header), TextTable::right);
        for list in &self.lists {
            table = table.row([
                list.rules().to_string(),
                list.bounds().to_string(),
                format!("{:.0}", words_a_rule(list)),
                percent(list.regret.value(), 4),
                percent(list.bound, 4),
                list.next.as_ref().map_or(String::new(), |(_, gain)| percent(*gain, 4)),
            ]);
        }
        table
    }
}

/// Returns a list's rules with their prices, which are averaged if there are several opponents.
fn sheet(list: &FoundList, is_mean: bool) -> String {
    let mean = if is_mean { " in the mean over the opponents" } else { "" };
    let rule = |i: usize| {
        let survey = &list.way.survey().rules[i];
        let price = list
            .without(i)
            .map_or(String::new(), |loss| format!("; without it {} more are lost{mean}", percent(loss, 4)));
        format!("{}. {}\n   ({} hands{price})\n", i + 1, survey.text, grouped(survey.hands))
    };
    wrapped_lines(&(0..list.rules()).map(rule).collect::<String>())
}
