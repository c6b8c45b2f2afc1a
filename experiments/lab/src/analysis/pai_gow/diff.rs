//! Finds and formats the differences between two strategies.

use super::example::{ExampleCells, example_json};
use super::seat::WaySide;
use super::units::{change, change_per_thousand, part, share_of_stake};
use crate::report::{TextTable, terminal};
use houseway_env::pai_gow::Game;
use houseway_exact::Ratio;
use houseway_exact::format::grouped;
use houseway_exact::pai_gow::audit::{ChangeCounts, Difference, Group, Sample, difference, ev_of};
use houseway_exact::pai_gow::whole::Run;
use houseway_exact::pai_gow::{HANDS, Tabulated};
use houseway_exact::solver::SolverError;
use serde_json::{Map, Value, json};

/// The maximum number of hand groups shown on the terminal.
const SHOWN: usize = 10;
/// The maximum number of hand groups in the JSON.
const LISTED: usize = 50;

/// Two strategies for the same side, and their common opponent.
pub struct Comparison {
    game: Game,
    seat: WaySide,
    from: Tabulated,
    to: Tabulated,
    opponent: Tabulated,
}

/// The differences between two strategies. EVs are from their side's point of view.
pub struct Changes {
    comparison: Comparison,
    counts: Difference,
}

impl Comparison {
    /// Creates a comparison of the first two strategies. The third one is their opponent.
    pub fn new(game: Game, seat: WaySide, [from, to, opponent]: [Tabulated; 3]) -> Comparison {
        Comparison { game, seat, from, to, opponent }
    }

    /// Evaluates the differences. Returns `None` if the run is cancelled.
    pub fn count(self, run: &Run<'_>) -> Result<Option<Changes>, SolverError> {
        let whole = self.opponent.pass(&self.game, self.seat.side()).map_err(SolverError::invalid)?;
        let (plays, payoff) = ([self.from.play(), self.to.play()], self.seat.payoff(&self.game.rules()));
        let counts = difference(&whole, plays, payoff, run);
        Ok(counts.ok().map(|counts| Changes { comparison: self, counts }))
    }
}

impl Changes {
    pub fn ev_change(&self) -> Ratio {
        let [from, to] = self.evs();
        to - from
    }

    /// Returns both strategies' EVs.
    fn evs(&self) -> [Ratio; 2] {
        let payoff = self.comparison.seat.payoff(&self.comparison.game.rules());
        [self.counts.from, self.counts.to].map(|counts| counts.ev(payoff))
    }

    /// Returns the exact counts.
    pub fn counts(&self) -> &Difference {
        &self.counts
    }

    /// For each of the two strategies, returns the name of the rule that sets the hand, or `None` if the strategy has
    /// no rules.
    fn rules_of(&self, sample: &Sample) -> [Option<&str>; 2] {
        let Comparison { from, to, .. } = &self.comparison;
        [from, to].map(|strategy| Some(strategy.way()?.rule(sample.hand).name.as_str()))
    }

    /// Returns the differences in the format of `houseway diff --json`.
    pub fn json(&self) -> Value {
        let Comparison { game, seat, from, to, opponent } = &self.comparison;
        let [from, to, opponent] = [from, to, opponent].map(strategy_json);
        let [ev_from, ev_to] = self.evs();
        let change = &self.counts.change;
        json!({
            "from": from,
            "to": to,
            "opponent": opponent,
            "as": seat.name(),
            "rules_hash": game.rules().hash(),
            "ev_from": ev_from.value(),
            "ev_to": ev_to.value(),
            "ev_change": self.ev_change().value(),
            "ev_change_exact": self.ev_change().to_json(),
            "hands_changed": change.hands.to_string(),
            "better": change.better.to_string(),
            "worse": change.worse.to_string(),
            "classes": self.counts.groups.iter().take(LISTED).map(|group| self.class_json(group)).collect::<Vec<_>>(),
        })
    }

    fn class_json(&self, group: &Changed) -> Value {
        let mut json = group_json(group, ["from", "to"]);
        let [from, to] = self.rules_of(&group.2);
        json.insert("from_rule".to_owned(), from.into());
        json.insert("to_rule".to_owned(), to.into());
        json.into()
    }

    /// Formats the differences for the terminal.
    pub fn text(&self) -> String {
        let Comparison { game, seat, from, to, opponent } = &self.comparison;
        let [from, to, opponent] = [from, to, opponent].map(|strategy| strategy.name());
        let [ev_from, ev_to] = self.evs();
        let change_counts = &self.counts.change;
        let head =
            format!("{from} -> {to}, as the {}, against {opponent}\nrules {}\n\n", seat.name(), game.rules().hash());
        if change_counts.hands == 0 {
            return format!(
                "{head}No hand is set differently: the EV remains {} of the stake.\n",
                share_of_stake(ev_from, 6)
            );
        }
        let summary = format!(
            "EV     {} -> {} of the stake\n\
             change {}: {} units per 1,000 games of one unit\n\
             hands  {} set differently ({}): {} better, {} worse\n",
            share_of_stake(ev_from, 6),
            share_of_stake(ev_to, 6),
            change(self.ev_change(), 6),
            change_per_thousand(self.ev_change()),
            grouped(change_counts.hands),
            part(change_counts.hands, HANDS, 4),
            grouped(change_counts.better),
            grouped(change_counts.worse),
        );
        let more = self.counts.groups.len().saturating_sub(SHOWN);
        let more = if more == 0 { String::new() } else { format!("and {more} more kinds of hands\n") };
        format!("{head}{summary}\n{}{more}", terminal(&self.table()))
    }

    fn table(&self) -> TextTable {
        groups_table(["before", "after"], self.counts.groups.iter().take(SHOWN))
    }
}

/// A group of hands that two strategies set differently, with the effect on it and an example.
pub(super) type Changed = (Group, ChangeCounts, Sample);

/// Returns a group as JSON. The two names are those of the strategies in the keys of the example.
pub(super) fn group_json((group, change, sample): &Changed, [from, to]: [&str; 2]) -> Map<String, Value> {
    let mut json = Map::new();
    for (key, value) in [
        ("class", group.to_string()),
        ("hands", change.hands.to_string()),
        ("better", change.better.to_string()),
        ("worse", change.worse.to_string()),
    ] {
        json.insert(key.to_owned(), value.into());
    }
    json.insert("ev_change".to_owned(), group_ev(change).value().into());
    let settings = [(from, sample.plays, sample.ev()), (to, sample.other, sample.other_ev())];
    json.extend(example_json(sample.hand, settings));
    json
}

/// Returns a table of groups, with one row for each of them. The two names are those of the strategies.
pub(super) fn groups_table<'a>([from, to]: [&str; 2], groups: impl Iterator<Item = &'a Changed>) -> TextTable {
    let header = ["hands", "changed", "example", from, to, "change per 1,000 games"];
    groups.fold(TextTable::new(header).right(1).right(5), |table, (group, change, sample)| {
        let words = ExampleCells::new(sample);
        table.row([
            group.to_string().as_str(),
            &grouped(change.hands),
            &words.hand,
            &words.plays,
            &words.other,
            &change_per_thousand(group_ev(change)),
        ])
    })
}

/// Returns the effect on a group as a change in EV over all hands.
pub(super) fn group_ev(change: &ChangeCounts) -> Ratio {
    ev_of(change.gain, HANDS)
}

fn strategy_json(strategy: &Tabulated) -> Value {
    json!({ "name": strategy.name(), "hash": strategy.hash(), "readings": strategy.readings() })
}
