//! The results of a comparison, and the ranking of the strategies.

use super::contest::Contest;
use crate::run::{RunFolder, make_folder, write_atomic};
use houseway_env::pai_gow::Rules;
use houseway_exact::Ratio;
use houseway_exact::pai_gow::matchup::{OPTIMAL, PairTotals};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;

/// A way in the comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ComparedWay {
    /// The name in tables. It is unique within the comparison.
    pub(super) name: String,
    pub(super) title: String,
    pub(super) hash: String,
    pub(super) readings: BTreeMap<String, String>,
}

/// The results from a comparison. EVs are from the player's point of view, per unit staked, with the house as banker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standings {
    pub(super) rules: Rules,
    pub(super) ways: Vec<ComparedWay>,
    /// The totals, indexed by banker and then by player. The best response comes last among the players.
    pub(super) columns: Vec<Vec<PairTotals>>,
    /// The totals for the banker's best response to each player.
    pub(super) best_banker: Vec<PairTotals>,
}

/// A way's results on one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The way's index.
    pub way: usize,
    /// The edge if both sides use this way.
    pub same: Ratio,
    /// The mean edge over all of the other side's ways.
    pub mean: Ratio,
    /// The edge against the other side's best response.
    pub against_best: Ratio,
}

impl Standings {
    pub(super) fn new(contest: &Contest, columns: Vec<Vec<PairTotals>>, best_banker: Vec<PairTotals>) -> Standings {
        let ways = contest.ways.iter().zip(&contest.names).map(|(way, name)| ComparedWay {
            name: name.clone(),
            title: way.title().to_owned(),
            hash: way.hash().to_owned(),
            readings: way.readings(),
        });
        Standings { rules: contest.game.rules(), ways: ways.collect(), columns, best_banker }
    }

    /// Returns the number of ways.
    pub fn len(&self) -> usize {
        self.ways.len()
    }

    /// Returns `true` if there are no ways.
    pub fn is_empty(&self) -> bool {
        self.ways.is_empty()
    }

    /// Returns the totals for a player and a banker. To get the best response on one side, pass the number of ways as
    /// its index. Returns `None` if both sides are best responses.
    pub fn answer(&self, player: usize, banker: usize) -> Option<&PairTotals> {
        match self.columns.get(banker) {
            Some(column) => column.get(player),
            None => self.best_banker.get(player),
        }
    }

    /// Returns the house edge for a player and a banker, with indices as in [`Standings::answer`].
    pub fn edge(&self, player: usize, banker: usize) -> Option<Ratio> {
        self.answer(player, banker).map(|answer| -answer.ev())
    }

    /// Returns bounds for the house edge if both sides set optimally, the lower one first. Such a player loses at least
    /// what a best response loses to any of the bankers, and such a banker wins at most what a best response wins from
    /// any of the players. Returns `None` if there are no ways.
    pub fn value_bounds(&self) -> Option<[Ratio; 2]> {
        let all = self.len();
        let lower = (0..all).filter_map(|banker| self.edge(all, banker)).max()?;
        let upper = (0..all).filter_map(|player| self.edge(player, all)).min()?;
        Some([lower, upper])
    }

    /// Returns the ways as bankers, sorted by the edge against the best response in descending order.
    pub fn bankers(&self) -> Vec<Standing> {
        let mut standings = self.standings(|way, other| self.edge(other, way));
        standings.sort_by_key(|it| (std::cmp::Reverse(it.against_best), it.way));
        standings
    }

    /// Returns the ways as players, sorted by the mean edge in ascending order.
    pub fn players(&self) -> Vec<Standing> {
        let mut standings = self.standings(|way, other| self.edge(way, other));
        standings.sort_by_key(|it| (it.mean, it.way));
        standings
    }

    fn standings(&self, edge: impl Fn(usize, usize) -> Option<Ratio>) -> Vec<Standing> {
        let ways = self.len();
        let edge = |way, other| edge(way, other).unwrap_or(Ratio::ZERO);
        let of = |way: usize| {
            let sum = (0..ways).fold(Ratio::ZERO, |sum, other| sum + edge(way, other));
            let mean = Ratio::new(sum.numerator(), sum.denominator() * ways as i128);
            Standing { way, same: edge(way, way), mean, against_best: edge(way, ways) }
        };
        (0..ways).map(of).collect()
    }

    /// Returns the results in the format of `houseway compare --json`.
    pub fn json(&self) -> Value {
        let (ways, all) = (self.len(), self.len() + 1);
        let ev = |player, banker| self.answer(player, banker).map(|answer: &PairTotals| answer.ev().value());
        let matrix: Vec<Vec<Option<f64>>> =
            (0..ways).map(|player| (0..ways).map(|banker| ev(player, banker)).collect()).collect();
        let cells = (0..all).flat_map(|player| (0..all).map(move |banker| (player, banker)));
        let outcomes =
            cells.filter_map(|(player, banker)| Some(self.cell_json(player, banker, self.answer(player, banker)?)));
        let entrant = |way: &ComparedWay| json!({ "name": way.name, "title": way.title, "hash": way.hash, "readings": way.readings });
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
            "entrants": self.ways.iter().map(entrant).collect::<Vec<_>>(),
            "rules_hash": self.rules.hash(),
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
            "outcomes": outcomes.collect::<Vec<_>>(),
        })
    }

    fn cell_json(&self, player: usize, banker: usize, answer: &PairTotals) -> Value {
        let mut json = json!({
            "player": self.name(player),
            "banker": self.name(banker),
            "wins": answer.counts.wins.to_string(),
            "pushes": answer.counts.pushes.to_string(),
            "losses": answer.counts.losses.to_string(),
            "copies_front": answer.counts.copies_front.to_string(),
            "copies_back": answer.counts.copies_back.to_string(),
            "ev_exact": answer.ev().to_json(),
        });
        if answer.weight != 1 {
            json["weight"] = answer.weight.to_string().into();
        }
        json
    }

    /// Returns a way's name, or the best response's.
    pub(super) fn name(&self, way: usize) -> &str {
        self.ways.get(way).map_or(OPTIMAL, |way| &way.name)
    }

    /// Writes the integers for every pair to the run's folder. If a strategy is mixed, the last column has the weight of a
    /// deal.
    pub(super) fn save_table(&self, run: &RunFolder) -> io::Result<()> {
        make_folder(&run.file("tables"))?;
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut answers = self.columns.iter().flatten().chain(&self.best_banker);
        let weight = answers.any(|answer| answer.weight != 1).then_some("weight");
        let header = ["player", "banker", "wins", "pushes", "losses", "copies_front", "copies_back", "edge"];
        writer.write_record(header.into_iter().chain(weight))?;
        for player in 0..=self.len() {
            for banker in 0..=self.len() {
                let Some(answer) = self.answer(player, banker) else { continue };
                let counts = &answer.counts;
                let integers = [counts.wins, counts.pushes, counts.losses, counts.copies_front, counts.copies_back];
                let cells = integers.map(|count| count.to_string());
                let edge = (-answer.ev().value()).to_string();
                let names = [self.name(player), self.name(banker)];
                let of_deal = answer.weight.to_string();
                let row = names.into_iter().chain(cells.iter().map(String::as_str)).chain([edge.as_str()]);
                writer.write_record(row.chain(weight.map(|_| of_deal.as_str())))?;
            }
        }
        let text = writer.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
        write_atomic(&run.file("tables/pairs.csv"), text)
    }
}
