//! Writes the report on a comparison. It is meant for readers who don't program.

use super::standings::{Standing, Standings};
use super::text::edge;
use crate::analysis::pai_gow::units::percent_bounds;
use crate::plot::{Figure, HeatMap};
use crate::report::{Report, TextTable};
use houseway_exact::Ratio;
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::DEALS;

/// The label for the best response.
const BEST: &str = "best response";

impl Standings {
    /// Returns the report to write to the run's folder.
    pub fn report(&self) -> Report {
        let report = Report::new(format!("Comparison of {} strategies", self.len()))
            .text(
                "A *house way* is a casino's list of rules for splitting seven cards into a hand of five and a hand \
                 of two. Here each strategy, usually a house way, is played against each other one and itself, by player \
                 and banker. The *edge* is the average \
                 loss of the player per 100 units staked, including commission. The *best response* chooses the \
                 setting with the highest expected value for every hand against the other side's way.",
            )
            .text(self.verdict())
            .figure("edges", "The house's edge for each player's way and each banker's way", self.figure())
            .table(self.matrix())
            .text(self.value_text());
        let report = match self.costs() {
            Some(costs) => report
                .heading("The cost of each strategy")
                .text(self.costs_text(&costs))
                .table(self.costs_table(&costs)),
            None => report,
        };
        report
            .heading("For the house")
            .text(self.bankers_text())
            .table(self.standings_table("banker's way", self.bankers()))
            .heading("For players")
            .text(self.players_text())
            .table(self.standings_table("player's way", self.players()))
            .heading("Wins, pushes and losses")
            .text(
                "The player's wins / pushes / losses in percent of all deals, with the player's ways in rows and the \
                 banker's in columns. Exact numbers for every pair are in [tables/pairs.csv](tables/pairs.csv).",
            )
            .table(self.outcomes())
            .heading("Strategies")
            .table(self.entrants())
            .heading("Method")
            .text(format!(
                "Nothing is simulated or estimated: each cell is computed over all {} deals. Best responses have \
                 bounds instead of a cell against each other, since each is a response to a given way. To recompute \
                 one cell in seconds:",
                grouped(DEALS),
            ))
            .code("houseway solve --player WAY --banker WAY")
    }

    /// Summarizes which ways are best and worst for the house.
    pub(super) fn verdict(&self) -> String {
        let (bankers, players) = (self.bankers(), self.players());
        let (Some(best), Some(worst)) = (bankers.first(), bankers.last()) else { return String::new() };
        if self.len() == 1 {
            return format!(
                "Banking with {}, the house has an edge of {}% of the stake against a player with the same way, and \
                 {}% against the best response.",
                self.name(0),
                edge(Some(best.same), 4),
                edge(Some(best.against_best), 4)
            );
        }
        let (easy, hard) = (players.first().unwrap_or(best), players.last().unwrap_or(worst));
        format!(
            "**The best way for the house is {}, the worst is {}:** against the best response, the edge is {}% and \
             {}% of the stake, a difference of {} units per 1,000 games of one unit. Among players, {} has the \
             smallest mean loss to these bankers ({}%) and {} the greatest ({}%).",
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
            format!(" The greatest mean edge over these players is that of {}.", self.name(it.way))
        });
        format!(
            "The edge against a player with the same way, the mean over all players' ways, and the edge against the \
             best response, by which the table is sorted.{mean} The last column of the matrix is the edge of the \
             banker's best response to each player, an upper bound for every banker's way."
        )
    }

    /// Explains the bounds for optimal play on both sides.
    pub(super) fn value_text(&self) -> String {
        let Some(bounds) = self.value_bounds() else { return String::new() };
        let [lower, upper] = percent_bounds(bounds, 6);
        format!(
            "If both sides set optimally against each other, the edge is between {lower} and {upper}. It is at least the greatest \
             edge against a best response, and at most the smallest edge of a banker's best response, so every \
             strategy in the comparison can narrow it down. The strategies of `houseway equilibrium` bring the bounds \
             close together.",
        )
    }

    fn players_text(&self) -> String {
        "The edge against a banker with the same way, the mean over all bankers' ways, by which the table is sorted, \
         and the edge of the banker's best response. Lower is better for the player."
            .to_owned()
    }

    fn labels(&self) -> Vec<String> {
        (0..self.len()).map(|way| self.name(way).to_owned()).chain([BEST.to_owned()]).collect()
    }

    /// Creates a table with one row per player and one column per banker.
    fn by_pair(&self, cell: impl Fn(usize, usize) -> String) -> TextTable {
        let labels = self.labels();
        let header = ["player \\ banker"].into_iter().chain(labels.iter().map(String::as_str));
        let mut table = (1..=labels.len()).fold(TextTable::new(header), TextTable::right);
        for (player, label) in labels.iter().enumerate() {
            let cells: Vec<String> = (0..labels.len()).map(|banker| cell(player, banker)).collect();
            table = table.row([label.as_str()].into_iter().chain(cells.iter().map(String::as_str)));
        }
        table
    }

    fn matrix(&self) -> TextTable {
        self.by_pair(|player, banker| match (self.edge(player, banker), self.value_bounds()) {
            (Some(edge), _) => percent(edge.value(), 4),
            (None, Some(bounds)) => percent_bounds(bounds, 4).join(" to "),
            (None, None) => String::new(),
        })
    }

    fn outcomes(&self) -> TextTable {
        self.by_pair(|player, banker| {
            let Some(answer) = self.answer(player, banker) else { return String::new() };
            let share = |count: u128| format!("{:.2}", 100.0 * count as f64 / answer.counts.all() as f64);
            let [wins, pushes, losses] = [answer.counts.wins, answer.counts.pushes, answer.counts.losses].map(share);
            format!("{wins} / {pushes} / {losses}")
        })
    }

    fn entrants(&self) -> TextTable {
        let mut table = TextTable::new(["name", "source", "readings", "hash"]);
        for way in &self.ways {
            let readings: Vec<String> = way.readings.iter().map(|(name, option)| format!("{name}={option}")).collect();
            // A table's title is its name.
            let source = if way.name.starts_with(&way.title) { "" } else { &way.title };
            table = table.row([way.name.as_str(), source, &readings.join(", "), &way.hash]);
        }
        table
    }

    /// Draws the matrix of edges as a heat map.
    pub fn figure(&self) -> Figure {
        let value = |player, banker| self.edge(player, banker).map_or(f64::NAN, |edge| edge.value());
        let all = self.len() + 1;
        let values = (0..all).map(|player| (0..all).map(|banker| value(player, banker)).collect()).collect();
        let chart = HeatMap::new(("player", self.labels()), ("banker", self.labels()), values);
        let chart = match self.value_bounds() {
            Some(bounds) => chart.text(self.len(), self.len(), short_bounds(bounds)),
            None => chart,
        };
        Figure::new("House edge by player and banker", chart.percent().places(3).spread()).note(
            "Exact. Blue: good for the house. Best response: optimal play against the other side's way. If both sides play \
             optimally, the edge is within the bounds in the corner.",
        )
    }
}

/// Formats bounds for an edge in a small cell. Bounds that are equal when rounded are written once.
pub(super) fn short_bounds(bounds: [Ratio; 2]) -> String {
    let [lower, upper] = bounds.map(|bound| percent(bound.value(), 3));
    if lower == upper {
        return lower;
    }
    let [lower, upper] = bounds.map(|bound| edge(Some(bound), 2));
    format!("{lower}\u{2013}{upper}%")
}

/// Converts an EV to units per 1,000 games.
fn units(ev: f64) -> String {
    format!("{:.4}", 1e3 * ev)
}
