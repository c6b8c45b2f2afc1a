//! Joker Seven: every wager, under the rules and under every other reading of them, and the best spreads of a stake.

use super::{Solve, paytable};
use crate::console::{Failure, OrUsage, Outcome, print, print_json};
use crate::decide::joker_seven::{Changed, readings};
use crate::report::{Table, terminal};
use houseway_env::joker_seven::{Game, Paytable, Rules, Wager};
use houseway_env::rules::RuleSet;
use houseway_exact::format::{grouped, percent};
use houseway_exact::joker_seven::{Frontier, HANDS, Outcomes, Spread};
use serde_json::{Map, Value, json};

/// The text shows the last of so many points of the frontier; the JSON has all.
const STRIDE: usize = 4;
/// Shares below this are left out of the text.
const SHOWN: f64 = 5e-4;

/// Counts the wagers; with `--enumerate` over all hands too, which must agree.
pub(super) fn run(solve: &Solve) -> Outcome {
    let rules: Rules = solve.game.rules()?;
    rules.check().or_usage()?;
    let paytable: Paytable = paytable(solve.paytable.as_deref())?;
    let game = Game::new(rules, paytable);
    let outcomes = Outcomes::by_profiles(&game);
    if outcomes.wagers().next().is_none() {
        return Err(Failure::usage("the paytable has no row for a wager of these rules; give it one"));
    }
    if solve.enumerate && outcomes != Outcomes::by_enumeration(&game) {
        return Err(Failure::work("closed form and enumeration differ; one of them is wrong, please report it"));
    }
    let answer = Answer {
        frontier: Frontier::new(&outcomes).points(),
        readings: readings(&game, &outcomes),
        game,
        outcomes,
        enumerated: solve.enumerate,
    };
    let document = answer.json();
    solve.write(&document)?;
    if solve.output.json { print_json(&document) } else { print(&answer.text()) }
}

struct Answer {
    game: Game,
    outcomes: Outcomes,
    enumerated: bool,
    readings: Vec<Changed>,
    frontier: Vec<Spread>,
}

impl Answer {
    fn name(&self, wager: Wager) -> String {
        wager.name(self.game.rules())
    }

    fn json(&self) -> Value {
        let wager = |wager: Wager| {
            let value = json!({
                "winners": self.outcomes.winners(wager).to_string(),
                "odds": self.outcomes.odds(wager),
                "ev": self.outcomes.ev(wager).value(),
                "ev_exact": self.outcomes.ev(wager).to_json(),
                "variance": self.outcomes.covariance(wager, wager).value(),
            });
            (self.name(wager), value)
        };
        let covariances = |a: Wager| {
            let row = self.outcomes.wagers().map(|b| self.outcomes.covariance(a, b).value());
            (self.name(a), json!(row.collect::<Vec<f64>>()))
        };
        let spread = |spread: &Spread| {
            let shares: Map<String, Value> =
                spread.shares.iter().map(|(kind, share)| (kind.name().to_owned(), json!(share))).collect();
            json!({ "ev": spread.ev, "standard_deviation": spread.deviation, "shares": shares, "gap": spread.gap })
        };
        json!({
            "deals": HANDS.to_string(),
            "rules": self.game.rules(),
            "rules_hash": self.game.rules().hash(),
            "paytable": self.game.paytable().name(),
            "enumerated": self.enumerated,
            "wagers": Value::Object(self.outcomes.wagers().map(wager).collect()),
            "covariance": Value::Object(self.outcomes.wagers().map(covariances).collect()),
            "frontier": self.frontier.iter().map(spread).collect::<Vec<_>>(),
            "readings": self.readings.iter().map(|changed| json!({
                "name": changed.reading,
                "option": changed.option,
                "wager": changed.wager,
                "winners": changed.winners.to_string(),
                "ev": changed.ev,
            })).collect::<Vec<_>>(),
        })
    }

    fn text(&self) -> String {
        let counted = if self.enumerated { "by closed form and one by one, equal" } else { "by closed form" };
        format!(
            "Joker Seven, rules {}, paytable {}\n{} hands, {counted}\n\n{}\n{}\n{}",
            self.game.rules().hash(),
            self.game.paytable().name(),
            grouped(HANDS),
            self.wagers_text(),
            self.readings_text(),
            self.frontier_text(),
        )
    }

    fn wagers_text(&self) -> String {
        let mut table = Table::new(["wager", "winning hands", "chance", "odds", "EV", "deviation"]);
        for column in 1..6 {
            table = table.right(column);
        }
        for wager in self.outcomes.wagers() {
            let winners = self.outcomes.winners(wager);
            table = table.row([
                self.name(wager).as_str(),
                &grouped(winners),
                &percent(winners as f64 / HANDS as f64, 4),
                &format!("{} to 1", self.outcomes.odds(wager)),
                &percent(self.outcomes.ev(wager).value(), 4),
                &format!("{:.4}", self.outcomes.covariance(wager, wager).value().sqrt()),
            ]);
        }
        terminal(&table)
    }

    fn readings_text(&self) -> String {
        let mut table = Table::new(["other reading", "wager", "winning hands", "EV"]).right(2).right(3);
        // Of the thirteen pairs, which are alike, one.
        for changed in
            self.readings.iter().filter(|changed| !changed.wager.starts_with("pair-") || changed.wager == "pair-A")
        {
            table = table.row([
                format!("{}={}", changed.reading, changed.option).as_str(),
                &changed.wager,
                &grouped(changed.winners),
                &percent(changed.ev, 4),
            ]);
        }
        format!("What other readings change, one at a time:\n{}", terminal(&table))
    }

    fn frontier_text(&self) -> String {
        let mut table = Table::new(["EV", "deviation", "one unit spread so"]).right(0).right(1);
        for spread in self.frontier.iter().rev().step_by(STRIDE).rev() {
            let shares = spread.shares.iter().filter(|(_, share)| *share >= SHOWN);
            let shares: Vec<String> = shares.map(|(kind, share)| format!("{kind} {}", percent(*share, 1))).collect();
            table =
                table.row([percent(spread.ev, 3).as_str(), &format!("{:.4}", spread.deviation), &shares.join(", ")]);
        }
        format!(
            "The least deviation of one unit for its expectation;\na kind's share lies evenly on its spots:\n{}",
            terminal(&table)
        )
    }
}
