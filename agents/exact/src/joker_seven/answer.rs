//! Builds the answer for Joker Seven: every wager under the given rules and under every other reading, and the
//! efficient ways to spread a stake.

use super::solver::ExactGame;
use super::{Frontier, HANDS, JointWins, Spread};
use crate::answer::{Answer, Axis, Bar, BarChart, Figure, LineChart, Section, Series, TextTable};
use crate::format::{grouped, percent};
use houseway_env::joker_seven::{Game, Paytable, Rules, Wager, WagerKind};
use houseway_env::rules::RuleSet;
use serde_json::{Map, Value, json};

/// The step between the frontier points shown in the table. The JSON document contains all points.
const STRIDE: usize = 4;
/// The smallest fraction of a stake that the frontier table shows.
const SHOWN: f64 = 5e-4;

/// A wager whose result changes under another option of a reading.
struct ChangedWager {
    reading: &'static str,
    option: &'static str,
    wager: String,
    winners: u64,
    ev: f64,
}

/// Returns the wagers whose result changes when a single reading takes another option.
fn changed_wagers(game: &Game, outcomes: &JointWins) -> Vec<ChangedWager> {
    let mut changed = Vec::new();
    for (reading, option, rules) in game.rules().with_each(Rules::READINGS) {
        let other = Game::new(rules, game.paytable().clone());
        let others = JointWins::by_profiles(&other);
        let differs =
            |wager: &Wager| !outcomes.is_offered(*wager) || others.winners(*wager) != outcomes.winners(*wager);
        changed.extend(other.wagers().filter(differs).map(|wager| ChangedWager {
            reading,
            option,
            wager: wager.name(&rules),
            winners: others.winners(wager),
            ev: others.ev(wager).value(),
        }));
    }
    changed
}

/// The data behind the JSON document and the sections.
struct Parts<'a> {
    exact: &'a ExactGame,
    outcomes: &'a JointWins,
    readings: Vec<ChangedWager>,
    frontier: Vec<Spread>,
    /// The built-in paytables.
    paytables: Vec<(String, JointWins)>,
}

impl ExactGame {
    fn parts(&self) -> Parts<'_> {
        let rules = *self.game.rules();
        Parts {
            exact: self,
            outcomes: &self.outcomes,
            readings: changed_wagers(&self.game, &self.outcomes),
            frontier: Frontier::new(&self.outcomes).points(),
            paytables: Paytable::built_in()
                .map(|table| (table.name().to_owned(), JointWins::by_profiles(&Game::new(rules, table))))
                .collect(),
        }
    }

    /// Returns the answer for the full game.
    pub(super) fn answer(&self) -> Answer {
        let parts = self.parts();
        let method = if self.enumerate { "in closed form and by enumeration, equal" } else { "in closed form" };
        let summary = Section::default().text(format!(
            "Joker Seven, rules {}, paytable {}: {} hands, {method}",
            self.game.rules().described(),
            self.game.paytable().name(),
            grouped(HANDS),
        ));
        Answer::new(parts.json(), std::iter::once(summary).chain(parts.sections()))
    }

    /// Returns the report sections for the full game.
    pub(super) fn sections(&self) -> Vec<Section> {
        self.parts().sections()
    }
}

impl Parts<'_> {
    fn name(&self, wager: Wager) -> String {
        wager.name(self.exact.game.rules())
    }

    fn ev(&self, wager: Wager) -> f64 {
        self.outcomes.ev(wager).value()
    }

    fn json(&self) -> Value {
        let outcomes = self.outcomes;
        let wager = |wager: Wager| {
            let value = json!({
                "winners": outcomes.winners(wager).to_string(),
                "odds": outcomes.odds(wager),
                "ev": self.ev(wager),
                "ev_exact": outcomes.ev(wager).to_json(),
                "variance": outcomes.covariance(wager, wager).value(),
            });
            (self.name(wager), value)
        };
        let covariances = |a: Wager| {
            let row = outcomes.wagers().map(|b| outcomes.covariance(a, b).value());
            (self.name(a), json!(row.collect::<Vec<f64>>()))
        };
        let spread = |spread: &Spread| {
            let shares: Map<String, Value> =
                spread.shares.iter().map(|(kind, share)| (kind.name().to_owned(), json!(share))).collect();
            json!({ "ev": spread.ev, "standard_deviation": spread.deviation, "shares": shares, "gap": spread.gap })
        };
        let reading = |changed: &ChangedWager| {
            json!({
                "name": changed.reading,
                "option": changed.option,
                "wager": changed.wager,
                "winners": changed.winners.to_string(),
                "ev": changed.ev,
            })
        };
        let game = &self.exact.game;
        json!({
            "deals": HANDS.to_string(),
            "rules": game.rules(),
            "rules_hash": game.rules().hash(),
            "paytable": game.paytable().name(),
            "enumerated": self.exact.enumerate,
            "wagers": Value::Object(outcomes.wagers().map(wager).collect()),
            "covariance": Value::Object(outcomes.wagers().map(covariances).collect()),
            "frontier": self.frontier.iter().map(spread).collect::<Vec<_>>(),
            "readings": self.readings.iter().map(reading).collect::<Vec<_>>(),
        })
    }

    pub(super) fn sections(&self) -> Vec<Section> {
        vec![
            Section::new("What edge does each wager have?")
                .text(self.verdict())
                .table(self.wager_table())
                .text(
                    "The source gives odds \"not less than\" those of its table and does not mention the edge they leave. \
                     *Fair odds* are those at which it would be zero.",
                )
                .table(self.paytable_table())
                .figure(self.wager_plot()),
            Section::new("Other readings")
                .text(
                    "Wagers that another option of one reading changes; pair-A stands for all thirteen pairs, which have \
                     equal EVs.",
                )
                .table(self.reading_table()),
            Section::new("Spreading a stake")
                .text(
                    "The lowest standard deviation of one unit in all for its EV; the fraction of a kind of wager is spread \
                     evenly over its spots. No spread has a lower standard deviation than the first point or a higher EV than \
                     the last.",
                )
                .figure(self.frontier_plot())
                .table(self.frontier_table()),
        ]
    }

    fn wager_table(&self) -> TextTable {
        let outcomes = self.outcomes;
        let header = ["wager", "winning hands", "probability", "odds", "EV", "std. deviation"];
        let mut table = TextTable::new(header).right_from(1);
        for wager in outcomes.wagers() {
            let winners = outcomes.winners(wager);
            table = table.row([
                self.name(wager).as_str(),
                &grouped(winners),
                &percent(winners as f64 / HANDS as f64, 4),
                &format!("{} to 1", outcomes.odds(wager)),
                &percent(self.ev(wager), 4),
                &format!("{:.4}", outcomes.covariance(wager, wager).value().sqrt()),
            ]);
        }
        table
    }

    /// Returns one wager of each kind on offer.
    fn kinds(&self) -> Vec<(WagerKind, Wager)> {
        let first = |kind| self.outcomes.wagers().find(|wager: &Wager| wager.kind() == kind).map(|wager| (kind, wager));
        WagerKind::ALL.into_iter().filter_map(first).collect()
    }

    fn verdict(&self) -> String {
        let kinds = self.kinds();
        let evs = || kinds.iter().map(|&(kind, wager)| (kind, self.ev(wager)));
        // The first wager wins ties.
        let best = evs().reduce(|best, other| if other.1 > best.1 { other } else { best });
        let worst = evs().reduce(|worst, other| if other.1 < worst.1 { other } else { worst });
        let (Some((best, best_ev)), Some((worst, worst_ev))) = (best, worst) else {
            return "No wager is offered.".to_owned();
        };
        let optimum = if evs().all(|(_, ev)| ev <= 0.0) {
            "No wager has a positive EV, so the optimal player stakes the forced unit and no more"
        } else {
            "Some wagers have a positive EV, and the optimal player stakes the maximum on them"
        };
        format!(
            "The edge ranges from {} on {best} to {} on {worst}. {optimum}. The standard deviation is that of one unit.",
            percent(-best_ev, 3),
            percent(-worst_ev, 3),
        )
    }

    fn paytable_table(&self) -> TextTable {
        let header = ["kind of wager", "fair odds", "paytable", "odds", "edge", "std. deviation"];
        let mut table = [1, 3, 4, 5].into_iter().fold(TextTable::new(header), TextTable::right);
        for (kind, wager) in self.kinds() {
            let winners = self.outcomes.winners(wager);
            let fair = format!("{:.3}", (HANDS - winners) as f64 / winners as f64);
            for (name, outcomes) in self.paytables.iter().filter(|(_, outcomes)| outcomes.is_offered(wager)) {
                table = table.row([
                    kind.name(),
                    &fair,
                    name,
                    &format!("{} to 1", outcomes.odds(wager)),
                    &percent(-outcomes.ev(wager).value(), 4),
                    &format!("{:.4}", outcomes.covariance(wager, wager).value().sqrt()),
                ]);
            }
        }
        table
    }

    fn wager_plot(&self) -> Figure {
        let kinds = self.kinds();
        let names = kinds.iter().map(|(kind, _)| kind.name().to_owned()).collect();
        let mut chart = BarChart::new(Axis::new("EV of one unit").percent(), names).places(2);
        for (name, outcomes) in &self.paytables {
            let bar = |&(_, wager): &(WagerKind, Wager)| match outcomes.is_offered(wager) {
                true => Bar::from(outcomes.ev(wager).value()),
                false => Bar::NONE,
            };
            chart = chart.with(name.as_str(), kinds.iter().map(bar).collect());
        }
        Figure::new("EV of each wager", chart)
            .note(format!("exact, over all {} hands", grouped(HANDS)))
            .named("ev-by-wager", "EV of each wager with each paytable")
    }

    fn reading_table(&self) -> TextTable {
        let mut table = TextTable::new(["reading", "wager", "winning hands", "edge"]).right_from(2);
        let shown = |changed: &&ChangedWager| !changed.wager.starts_with("pair-") || changed.wager == "pair-A";
        for changed in self.readings.iter().filter(shown) {
            table = table.row([
                format!("{}={}", changed.reading, changed.option).as_str(),
                &changed.wager,
                &grouped(changed.winners),
                &percent(-changed.ev, 4),
            ]);
        }
        table
    }

    fn frontier_table(&self) -> TextTable {
        let mut table = TextTable::new(["EV", "std. deviation", "fractions of the stake"]).right(0).right(1);
        let last = self.frontier.len().saturating_sub(1);
        let is_shown = |point: usize| point == 0 || (last - point).is_multiple_of(STRIDE);
        for (_, spread) in self.frontier.iter().enumerate().filter(|&(point, _)| is_shown(point)) {
            let shares = spread.shares.iter().filter(|(_, share)| *share >= SHOWN);
            let shares: Vec<String> = shares.map(|(kind, share)| format!("{kind} {}", percent(*share, 1))).collect();
            table =
                table.row([percent(spread.ev, 3).as_str(), &format!("{:.4}", spread.deviation), &shares.join(", ")]);
        }
        table
    }

    fn frontier_plot(&self) -> Figure {
        let points = self.frontier.iter().map(|spread| (spread.deviation, spread.ev)).collect();
        let axes = (Axis::new("standard deviation of one unit").from_zero(), Axis::new("EV of one unit").percent());
        let chart = LineChart::new(axes.0, axes.1).with(Series::new("best spreads", points));
        Figure::new("EV against standard deviation", chart)
            .note("exact EVs and covariances")
            .named("frontier", "EV of a spread stake against its standard deviation")
    }
}
