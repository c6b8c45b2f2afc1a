//! Standings as a report, for readers who do not program.

use super::standings::{Standing, Standings};
use super::text::edge;
use crate::plot::{Figure, HeatMap};
use crate::report::{Report, Table};
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::matchup::DEALS;

/// The row and column of the best play.
const BEST: &str = "best play";

impl Standings {
    /// The report, as it is written into the run's folder.
    pub fn report(&self) -> Report {
        Report::new(format!("{} house ways against each other", self.len()))
            .text(
                "A *house way* is a casino's list of rules for splitting seven cards into a hand of five and a hand of two. \
                 Here each way is followed by the player against each way followed by the banker. The *edge* is what the house \
                 keeps on average of every 100 units staked, commission included. *Best play* is the setting with the highest \
                 expected value of each single hand against the other side's way.",
            )
            .text(self.verdict())
            .figure("edges", "The house's edge for each player's way and each banker's way", self.figure())
            .table(self.matrix())
            .heading("For the house")
            .text(self.bankers_text())
            .table(self.standings_table("the house banks by", self.bankers()))
            .heading("For players")
            .text(self.players_text())
            .table(self.standings_table("the player sets by", self.players()))
            .heading("Wins, pushes and losses")
            .text(
                "The player's share of wins / pushes / losses over all deals, in per cent; the player's way down, the banker's \
                 across. Every pair with its integers: [tables/pairs.csv](tables/pairs.csv).",
            )
            .table(self.outcomes())
            .heading("The ways")
            .table(self.entrants())
            .heading("How this was counted")
            .text(format!(
                "Nothing here is simulated or estimated: each cell is a count of all {} deals. The two best plays against each \
                 other have no cell, since each is the answer to a way that is named. One cell can be counted again, in \
                 seconds, with:",
                grouped(DEALS),
            ))
            .code("houseway solve --player WAY --banker WAY")
    }

    /// Best and worst for the house, in a sentence or two.
    pub(super) fn verdict(&self) -> String {
        let (bankers, players) = (self.bankers(), self.players());
        let (Some(best), Some(worst)) = (bankers.first(), bankers.last()) else { return String::new() };
        if self.len() == 1 {
            return format!(
                "Banking by {}, the house keeps {}% of the stake from a player who sets by the same way, and {}% from one \
                 who plays his best.",
                self.name(0),
                edge(Some(best.same), 4),
                edge(Some(best.against_best), 4)
            );
        }
        let (easy, hard) = (players.first().unwrap_or(best), players.last().unwrap_or(worst));
        format!(
            "**Best for the house to bank by is {}, worst {}:** against the best play the edge is {}% and {}% of the stake, a \
             difference of {} units in 1,000 games of one unit. Among players, {} loses least to these bankers ({}% in the \
             mean) and {} most ({}%).",
            self.name(best.way),
            self.name(worst.way),
            edge(Some(best.against_best), 4),
            edge(Some(worst.against_best), 4),
            units(best.against_best.value() - worst.against_best.value()),
            self.name(easy.way),
            edge(Some(easy.mean), 4),
            self.name(hard.way),
            edge(Some(hard.mean), 4),
        )
    }

    fn bankers_text(&self) -> String {
        let best_mean = self.bankers().into_iter().max_by_key(|it: &Standing| it.mean);
        let mean = best_mean.map_or(String::new(), |it| {
            format!(" In the mean over these players the greatest edge is that of {}.", self.name(it.way))
        });
        format!(
            "The edge if the player sets by the same way, in the mean over all ways of players here, and against the best play \
             there is; ordered by the last.{mean} What the best banker would have over each player stands in the last column of \
             the matrix: no banker's way can have more."
        )
    }

    fn players_text(&self) -> String {
        "The edge if the banker sets by the same way, in the mean over all banking ways here, and if the banker plays his best \
         against it; ordered by the mean. Less is better for the player."
            .to_owned()
    }

    fn labels(&self) -> Vec<String> {
        (0..self.len()).map(|way| self.name(way).to_owned()).chain([BEST.to_owned()]).collect()
    }

    /// A table by player and banker.
    fn by_pair(&self, cell: impl Fn(usize, usize) -> String) -> Table {
        let labels = self.labels();
        let header = ["player \\ banker"].into_iter().chain(labels.iter().map(String::as_str));
        let mut table = (1..=labels.len()).fold(Table::new(header), Table::right);
        for (player, label) in labels.iter().enumerate() {
            let cells: Vec<String> = (0..labels.len()).map(|banker| cell(player, banker)).collect();
            table = table.row([label.as_str()].into_iter().chain(cells.iter().map(String::as_str)));
        }
        table
    }

    fn matrix(&self) -> Table {
        self.by_pair(|player, banker| self.edge(player, banker).map_or(String::new(), |it| percent(it.value(), 4)))
    }

    fn outcomes(&self) -> Table {
        self.by_pair(|player, banker| {
            let Some(answer) = self.answer(player, banker) else { return String::new() };
            let share = |count: u64| format!("{:.2}", 100.0 * count as f64 / answer.counts.deals() as f64);
            let [wins, pushes, losses] = [answer.counts.wins, answer.counts.pushes, answer.counts.losses].map(share);
            format!("{wins} / {pushes} / {losses}")
        })
    }

    fn entrants(&self) -> Table {
        let mut table = Table::new(["name", "casino", "open choices", "hash"]);
        for way in &self.ways {
            let readings: Vec<String> = way.readings.iter().map(|(name, option)| format!("{name}={option}")).collect();
            table = table.row([way.name.as_str(), &way.title, &readings.join(", "), &way.hash]);
        }
        table
    }

    /// The matrix of edges as a heat map.
    pub fn figure(&self) -> Figure {
        let value = |player, banker| self.edge(player, banker).map_or(f64::NAN, |edge| edge.value());
        let all = self.len() + 1;
        let values = (0..all).map(|player| (0..all).map(|banker| value(player, banker)).collect()).collect();
        let chart = HeatMap::new(("player sets by", self.labels()), ("banker sets by", self.labels()), values);
        Figure::new("The house's edge, house way against house way", chart.percent().places(3).spread())
            .note("Exact. Blue: good for the house. Best play: the best answer to the other side's way.")
    }
}

/// Units in 1,000 games.
fn units(ev: f64) -> String {
    format!("{:.4}", 1e3 * ev)
}
