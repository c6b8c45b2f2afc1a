//! Formats comparison results for a terminal with 80 columns.

use super::standings::{Standing, Standings};
use crate::report::{TextTable, terminal, wrapped};
use houseway_exact::Ratio;
use std::path::Path;

impl Standings {
    /// Formats the results. The report is in `folder`.
    pub fn text(&self, folder: &Path) -> String {
        let costs = self.costs().map_or(String::new(), |costs| {
            format!("\n{}\n{}", wrapped(&self.costs_text(&costs)), terminal(&self.costs_table(&costs)))
        });
        format!(
            "House edge in percent of the stake: players' ways in rows, bankers' in\n\
             columns; * is the best response to the other side; rules {}\n{}\n{}\n{}\nFor the house\n{}\nFor players\n{}{costs}\nThe report: {}\n",
            self.rules.hash(),
            terminal(&self.matrix_terminal()),
            wrapped(&self.value_text().replace('`', "")),
            wrapped(&self.verdict().replace("**", "")),
            terminal(&self.standings_table("banker's way", self.bankers())),
            terminal(&self.standings_table("player's way", self.players())),
            folder.join("report.md").display()
        )
    }

    fn matrix_terminal(&self) -> TextTable {
        let letters: Vec<String> = (0..self.len()).map(|i| (i + 1).to_string()).chain(["*".to_owned()]).collect();
        let header = ["player"].into_iter().chain(letters.iter().map(String::as_str));
        let mut table = (1..=letters.len()).fold(TextTable::new(header), TextTable::right);
        for (player, letter) in letters.iter().enumerate() {
            let name = format!("{letter} {}", if player < self.len() { self.name(player) } else { "best response" });
            let cells: Vec<String> = (0..letters.len()).map(|banker| edge(self.edge(player, banker), 3)).collect();
            table = table.row([name.as_str()].into_iter().chain(cells.iter().map(String::as_str)));
        }
        table
    }

    /// Returns the ways with their edges.
    pub(super) fn standings_table(&self, header: &str, standings: Vec<Standing>) -> TextTable {
        let header = [header, "same way", "mean", "best response"];
        let mut table = (1..=3).fold(TextTable::new(header), TextTable::right);
        for it in standings {
            let [same, mean, best] = [it.same, it.mean, it.against_best].map(|it| edge(Some(it), 4) + "%");
            table = table.row([self.name(it.way), &same, &mean, &best]);
        }
        table
    }
}

/// Formats an edge as a percentage without the percent sign.
pub(super) fn edge(edge: Option<Ratio>, places: usize) -> String {
    edge.map_or(String::new(), |edge| format!("{:.places$}", 100.0 * edge.value()))
}
