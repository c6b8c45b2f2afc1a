//! Round robins of strategies: the results for all pairs, the ranking of the strategies, and the answer.

use crate::Ratio;
use crate::answer::{Answer, Figure, HeatMap, Section, TextTable};
use crate::format::{grouped, percent, percent_bounds};
use crate::pai_gow::matchup::{OPTIMAL, PairTotals};
use crate::pai_gow::whole::OutcomeWeights;
use serde::Serialize;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;

const BEST: &str = "best response";

/// A strategy in a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ComparedWay {
    /// The name in tables. It is unique within the comparison.
    pub name: String,
    /// The title, which names the source.
    pub title: String,
    /// The hash of all settings.
    pub hash: String,
    /// The options of the strategy's readings.
    pub readings: BTreeMap<String, String>,
}

/// The result of a pair of strategies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairResult {
    /// The player's outcomes.
    pub counts: OutcomeWeights,
    /// The weight of each deal, which is 1 unless a side mixes its settings.
    pub weight: u64,
    /// The player's EV per unit staked.
    pub ev: Ratio,
}

impl From<PairTotals> for PairResult {
    fn from(totals: PairTotals) -> PairResult {
        PairResult { ev: totals.ev(), counts: totals.counts, weight: totals.weight }
    }
}

/// The results of a comparison. The house banks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standings {
    /// The work of a house way, such as `splitting four tiles into two halves`.
    pub splitting: &'static str,
    /// The number of deals.
    pub deals: u64,
    /// The command that computes a single pair.
    pub command: String,
    /// The rules of the game.
    pub rules: Value,
    /// The hash of the rules.
    pub rules_hash: String,
    /// The rules in words, beginning with their hash.
    pub described_rules: String,
    /// The strategies.
    pub ways: Vec<ComparedWay>,
    /// The results, indexed by banker and then by player. The best response comes last among the players.
    pub columns: Vec<Vec<PairResult>>,
    /// The results of the banker's best response to each player.
    pub best_banker: Vec<PairResult>,
}

/// A way's edges on one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Standing {
    way: usize,
    /// The edge if both sides use this way.
    same: Ratio,
    /// The mean edge over all of the other side's ways.
    mean: Ratio,
    against_best: Ratio,
}

/// The costs of the other strategies, as differences in the house edge per unit staked.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Costs {
    player: usize,
    banker: usize,
    /// The house edge of the pair.
    edge: Ratio,
    /// The total that best responses gain against the pair.
    width: Ratio,
    /// The costs of all strategies that aren't in the pair.
    rows: Vec<Cost>,
}

/// A strategy's costs, each against the pair's strategy for the other side and against the best response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cost {
    way: usize,
    as_banker: [Ratio; 2],
    as_player: [Ratio; 2],
}

/// Numbers the names that occur several times.
pub fn unique_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let unique = |name: &'a str| {
        let count = counts.entry(name).or_default();
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name} ({count})") }
    };
    names.into_iter().map(unique).collect()
}

impl Standings {
    /// Returns the totals for a player and a banker. To get the best response on one side, pass the number of ways as
    /// its index. Returns `None` if both sides are best responses.
    fn totals(&self, player: usize, banker: usize) -> Option<&PairResult> {
        match self.columns.get(banker) {
            Some(column) => column.get(player),
            None => self.best_banker.get(player),
        }
    }

    /// Returns the house edge for a player and a banker, with indices as in [`Standings::totals`].
    fn edge(&self, player: usize, banker: usize) -> Option<Ratio> {
        self.totals(player, banker).map(|totals| -totals.ev)
    }

    /// Returns bounds for the house edge if both sides set optimally, the lower one first. Such a player loses at least
    /// what a best response loses to any of the bankers, and such a banker wins at most what a best response wins from
    /// any of the players. Returns `None` if there are no ways.
    fn value_bounds(&self) -> Option<[Ratio; 2]> {
        let all = self.ways.len();
        let lower = (0..all).filter_map(|banker| self.edge(all, banker)).max()?;
        let upper = (0..all).filter_map(|player| self.edge(player, all)).min()?;
        Some([lower, upper])
    }

    /// Returns the ways as bankers, sorted by the edge against the best response in descending order.
    fn bankers(&self) -> Vec<Standing> {
        let mut standings = self.standings(|way, other| self.edge(other, way));
        standings.sort_by_key(|it| (Reverse(it.against_best), it.way));
        standings
    }

    /// Returns the ways as players, sorted by the mean edge in ascending order.
    fn players(&self) -> Vec<Standing> {
        let mut standings = self.standings(|way, other| self.edge(way, other));
        standings.sort_by_key(|it| (it.mean, it.way));
        standings
    }

    fn standings(&self, edge: impl Fn(usize, usize) -> Option<Ratio>) -> Vec<Standing> {
        let ways = self.ways.len();
        let edge = |way, other| edge(way, other).expect("one of the sides isn't a best response");
        let of = |way: usize| {
            let mean = (0..ways).map(|other| edge(way, other)).sum::<Ratio>() * Ratio::new(1, ways as i128);
            Standing { way, same: edge(way, way), mean, against_best: edge(way, ways) }
        };
        (0..ways).map(of).collect()
    }

    /// Compares all strategies with the pair that loses the least to best responses. Any strategies can form this pair,
    /// such as those of `houseway equilibrium`. Returns `None` if the pair isn't close to an equilibrium, or if there are
    /// no others.
    fn costs(&self) -> Option<Costs> {
        let best = self.ways.len();
        let player = (0..best).min_by_key(|&player| (self.edge(player, best), player))?;
        let banker = (0..best).max_by_key(|&banker| (self.edge(best, banker), Reverse(banker)))?;
        let width = self.edge(player, best)? - self.edge(best, banker)?;
        let edge = self.edge(player, banker)?;
        let cost = |way: usize| {
            Some(Cost {
                way,
                as_banker: [edge - self.edge(player, way)?, edge - self.edge(best, way)?],
                as_player: [self.edge(way, banker)? - edge, self.edge(way, best)? - edge],
            })
        };
        let rows: Vec<Cost> = (0..best).filter(|way| ![player, banker].contains(way)).filter_map(cost).collect();
        // Best responses may gain 0.1% of the stake against a pair that counts as close.
        let is_close = width <= Ratio::new(1, 1_000) && !rows.is_empty();
        is_close.then_some(Costs { player, banker, edge, width, rows })
    }

    /// Returns the answer.
    pub fn answer(&self) -> Answer {
        let explanation = Section::default().detail().text(format!(
            "A *house way* is a casino's list of rules for {}. Here \
             each strategy, usually a house way, is played against each other one and itself, by player and banker. The \
             *edge* is the average loss of the player per 100 units staked, including commission. The *best response* \
             chooses the setting with the highest expected value for every hand against the other side's way.",
            self.splitting,
        ));
        let summary = Section::default()
            .text(self.verdict())
            .figure(self.figure())
            .text(format!(
                "The house edge in percent of the stake: players' ways in rows, bankers' in columns; BR is the best response \
                 to the other side's way; rules {}.",
                self.described_rules
            ))
            .table(self.by_pair(|player, banker| edge(self.edge(player, banker), 4)))
            .text(self.value_text());
        let costs = self.costs().map(|costs| {
            Section::new("The cost of each strategy").text(self.costs_text(&costs)).table(self.costs_table(&costs))
        });
        let best_mean = self.bankers().into_iter().max_by_key(|it| it.mean);
        let mean = best_mean.map_or(String::new(), |it| {
            format!(" The greatest mean edge over these players is that of {}.", self.name(it.way))
        });
        let of_bankers = Section::default().detail().text(format!(
            "The edge against a player with the same way, the mean over all players' ways, and the edge against the best \
             response, by which the table is sorted.{mean} The last column of the matrix is the edge of the banker's best \
             response to each player, an upper bound for every banker's way."
        ));
        let of_players = Section::default().detail().text(
            "The edge against a banker with the same way, the mean over all bankers' ways, by which the table is sorted, and \
             the edge of the banker's best response. Lower is better for the player.",
        );
        let outcomes = Section::new("Wins, pushes and losses").detail().text(
            "The player's wins / pushes / losses in percent of all deals, with the player's ways in rows and the banker's in \
             columns. Exact numbers for every pair are in [tables/pairs.csv](tables/pairs.csv).",
        );
        let method = Section::new("Method").detail().text(format!(
            "Nothing is simulated or estimated: each cell is computed over all {} deals. Best responses have bounds instead \
             of a cell against each other, since each is a response to a given way. To recompute one cell in seconds:",
            grouped(self.deals),
        ));
        let sections = [
            Section::new("For the house").table(self.standings_table("banker's way", self.bankers())),
            of_bankers,
            Section::new("For players").table(self.standings_table("player's way", self.players())),
            of_players,
            outcomes.table(self.by_pair(|player, banker| self.outcomes(player, banker))),
            Section::new("Strategies").detail().table(self.entrants()),
            method.lines(&self.command),
        ];
        Answer::new(self.json(), [explanation, summary].into_iter().chain(costs).chain(sections)).titled(
            match self.ways.len() {
                1 => "Comparison of a strategy with best responses".to_owned(),
                number => format!("Comparison of {number} strategies"),
            },
        )
    }

    /// Summarizes which ways are best and worst for the house.
    fn verdict(&self) -> String {
        let (bankers, players) = (self.bankers(), self.players());
        let (Some(best), Some(worst)) = (bankers.first(), bankers.last()) else { return String::new() };
        if self.ways.len() == 1 {
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

    /// Explains the bounds for optimal play on both sides.
    fn value_text(&self) -> String {
        let Some(bounds) = self.value_bounds() else { return String::new() };
        let [lower, upper] = percent_bounds(bounds, 6);
        format!(
            "If both sides set optimally against each other, the edge is between {lower} and {upper}. It is at least the greatest \
             edge against a best response, and at most the smallest edge of a banker's best response, so every \
             strategy in the comparison can narrow it down. `houseway equilibrium` computes it, or narrow bounds on it.",
        )
    }

    /// Explains the table of costs.
    fn costs_text(&self, costs: &Costs) -> String {
        let Costs { player, banker, edge: of_pair, width, .. } = costs;
        format!(
            "{} as the player and {} as the banker are close to an equilibrium: best responses gain {:.2e} stakes against \
             the two together. The table shows how much each other strategy loses compared with this pair's edge of {}%, \
             against the pair's strategy for the other side and against the best response. As an estimate of the cost compared \
             with an exact equilibrium, these numbers are accurate to {:.2e} stakes.",
            self.name(*player),
            self.name(*banker),
            width.value(),
            edge(Some(*of_pair), 4),
            width.value(),
        )
    }

    fn costs_table(&self, costs: &Costs) -> TextTable {
        let header = [
            "strategy",
            "banker, against the equilibrium",
            "against a best response",
            "player, against the equilibrium",
            "against a best response",
        ];
        costs.rows.iter().fold(TextTable::new(header).right_from(1), |table, row| {
            let cells = row.as_banker.iter().chain(&row.as_player).map(|&cost| edge(Some(cost), 4) + "%");
            table.row([self.name(row.way).to_owned()].into_iter().chain(cells))
        })
    }

    /// Creates a table with one row per player and one column per banker. Ways are numbered to keep the columns narrow.
    fn by_pair(&self, cell: impl Fn(usize, usize) -> String) -> TextTable {
        let (ways, all) = (self.ways.len(), self.ways.len() + 1);
        let number = |way: usize| if way < ways { (way + 1).to_string() } else { "BR".to_owned() };
        let header = ["player \\ banker".to_owned()].into_iter().chain((0..all).map(number));
        (0..all).fold(TextTable::new(header).right_from(1), |table, player| {
            let name = if player < ways { self.name(player) } else { BEST };
            let cells = (0..all).map(|banker| cell(player, banker));
            table.row([format!("{} {name}", number(player))].into_iter().chain(cells))
        })
    }

    fn outcomes(&self, player: usize, banker: usize) -> String {
        let Some(totals) = self.totals(player, banker) else { return String::new() };
        let share = |count: u128| format!("{:.2}", 100.0 * count as f64 / totals.counts.all() as f64);
        [totals.counts.wins, totals.counts.pushes, totals.counts.losses].map(share).join(" / ")
    }

    /// Returns the ways with their edges.
    fn standings_table(&self, header: &str, standings: Vec<Standing>) -> TextTable {
        let rows = standings.into_iter().map(|it| {
            let [same, mean, best] = [it.same, it.mean, it.against_best].map(|it| edge(Some(it), 4) + "%");
            [self.name(it.way).to_owned(), same, mean, best]
        });
        TextTable::new([header, "same way", "mean", "best response"]).right_from(1).rows(rows)
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
    fn figure(&self) -> Figure {
        let value = |player, banker| self.edge(player, banker).map_or(f64::NAN, |edge| edge.value());
        let all = self.ways.len() + 1;
        let values = (0..all).map(|player| (0..all).map(|banker| value(player, banker)).collect()).collect();
        let names: Vec<String> = self.ways.iter().map(|way| way.name.clone()).chain([BEST.to_owned()]).collect();
        let chart = HeatMap::new(("player", names.clone()), ("banker", names), values);
        let chart = match self.value_bounds() {
            Some(bounds) => chart.text(self.ways.len(), self.ways.len(), short_bounds(bounds)),
            None => chart,
        };
        Figure::new("House edge by player and banker", chart.percent().places(3).spread())
            .note(
                "Exact. Blue: good for the house. Best response: optimal play against the other side's way. If both sides \
                 play optimally, the edge is within the bounds in the corner.",
            )
            .named("edges", "The house's edge for each player's way and each banker's way")
    }

    /// Returns the integers for every pair. If a strategy is mixed, the last column has the weight of a deal.
    pub fn rows(&self) -> Vec<Vec<String>> {
        let is_weighted = self.columns.iter().flatten().chain(&self.best_banker).any(|totals| totals.weight != 1);
        let header = ["player", "banker", "wins", "pushes", "losses", "copies_front", "copies_back", "edge"];
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        if is_weighted {
            rows[0].push("weight".to_owned());
        }
        for (player, banker, totals) in self.results() {
            let counts = &totals.counts;
            let integers = [counts.wins, counts.pushes, counts.losses, counts.copies_front, counts.copies_back];
            let mut row = vec![player.to_owned(), banker.to_owned()];
            row.extend(integers.map(|count| count.to_string()));
            row.push((-totals.ev.value()).to_string());
            if is_weighted {
                row.push(totals.weight.to_string());
            }
            rows.push(row);
        }
        rows
    }

    /// Returns all results with the names of the player and the banker.
    pub fn results(&self) -> impl Iterator<Item = (&str, &str, &PairResult)> {
        self.pairs()
            .filter_map(|(player, banker)| Some((self.name(player), self.name(banker), self.totals(player, banker)?)))
    }

    /// Returns the indices of all players and bankers, including the best responses.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let all = self.ways.len() + 1;
        (0..all).flat_map(move |player| (0..all).map(move |banker| (player, banker)))
    }

    fn json(&self) -> Value {
        let ways = self.ways.len();
        let ev = |player, banker| self.totals(player, banker).map(|totals: &PairResult| totals.ev.value());
        let matrix: Vec<Vec<Option<f64>>> =
            (0..ways).map(|player| (0..ways).map(|banker| ev(player, banker)).collect()).collect();
        let standing = |it: Standing| {
            json!({
                "way": self.ways[it.way].name,
                "edge_same": it.same.value(),
                "edge_mean": it.mean.value(),
                "edge_best": it.against_best.value(),
            })
        };
        json!({
            "ways": self.ways.iter().map(|way| way.name.as_str()).collect::<Vec<_>>(),
            "entrants": self.ways,
            "rules": self.rules,
            "rules_hash": self.rules_hash,
            "ev": matrix,
            "optimal_player": (0..ways).map(|banker| ev(ways, banker)).collect::<Vec<_>>(),
            "optimal_banker": (0..ways).map(|player| ev(player, ways)).collect::<Vec<_>>(),
            "value_bounds": self.value_bounds().map(|[lowest_edge, highest_edge]| {
                let (lower, upper) = (-highest_edge, -lowest_edge);
                json!({
                    "lower": lower.value(),
                    "upper": upper.value(),
                    "lower_exact": lower.to_json(),
                    "upper_exact": upper.to_json(),
                })
            }),
            "costs": self.costs_json(),
            "bankers": self.bankers().into_iter().map(standing).collect::<Vec<_>>(),
            "players": self.players().into_iter().map(standing).collect::<Vec<_>>(),
            "outcomes": self.results().map(result_json).collect::<Vec<_>>(),
        })
    }

    /// Returns the costs as JSON, or `null`.
    fn costs_json(&self) -> Value {
        let Some(Costs { player, banker, edge, width, rows }) = self.costs() else { return Value::Null };
        let both = |[equilibrium, best]: [Ratio; 2]| {
            json!({
                "equilibrium": equilibrium.value(),
                "equilibrium_exact": equilibrium.to_json(),
                "best_response": best.value(),
                "best_response_exact": best.to_json(),
            })
        };
        let row = |row: &Cost| json!({ "way": self.name(row.way), "banker": both(row.as_banker), "player": both(row.as_player) });
        json!({
            "player": self.name(player),
            "banker": self.name(banker),
            "edge_exact": edge.to_json(),
            "nash_conv_exact": width.to_json(),
            "ways": rows.iter().map(row).collect::<Vec<_>>(),
        })
    }

    /// Returns a way's name, or the best response's.
    fn name(&self, way: usize) -> &str {
        self.ways.get(way).map_or(OPTIMAL, |way| &way.name)
    }
}

fn result_json((player, banker, result): (&str, &str, &PairResult)) -> Value {
    let PairResult { counts, weight, ev } = result;
    let mut json = counts.json();
    json.insert("player".to_owned(), player.into());
    json.insert("banker".to_owned(), banker.into());
    json.insert("ev_exact".to_owned(), ev.to_json());
    if *weight != 1 {
        json.insert("weight".to_owned(), weight.to_string().into());
    }
    json.into()
}

/// Formats bounds for an edge in a small cell. Bounds that are equal when rounded are written once.
fn short_bounds(bounds: [Ratio; 2]) -> String {
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

/// Formats an edge as a percentage without the percent sign.
fn edge(edge: Option<Ratio>, places: usize) -> String {
    edge.map_or(String::new(), |edge| format!("{:.places$}", 100.0 * edge.value()))
}

#[cfg(test)]
mod tests;
