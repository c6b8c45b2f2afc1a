//! Asian Stud: fold or raise, scored on every class of hands; and whether it is right always to raise.

use super::{Judge, Score, Table};
use crate::plot::{Axis, BarChart, Figure, Value as Bar};
use crate::report::{Report, Table as Rows};
use houseway_env::asian_stud::{AsianStud, Game, Hand, Observation, RAISE, Rules};
use houseway_env::gym::{Encoding, Policy, erase_counterfactual};
use houseway_env::rules::{RuleReading, RuleSet};
use houseway_exact::Ratio;
use houseway_exact::asian_stud::{Class, Classes, Solution, Total, poker_hands};
use houseway_exact::format::{grouped, percent};
use houseway_learned::tasks::EnvTask;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Figure of what raising is worth.
const BY_VALUE: &str = "raise-ev-by-value";
/// Figure of what always raising costs.
const BY_READING: &str = "always-raise-by-reading";

/// The rules; an ante is one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct AsianStudTable {
    /// The rules of the game.
    pub rules: Rules,
}

impl Table for AsianStudTable {
    const GAME: &'static str = "asian-stud";
    const CONFIG: &'static str = include_str!("../../configs/asian-stud.toml");
    const UNIT: &'static str = "ante";
    type Judge = AsianStudJudge;

    fn task(&self) -> anyhow::Result<EnvTask> {
        let env = AsianStud::new(Game::new(self.rules)).with_encoding(Observation::Points);
        Ok(EnvTask::new(erase_counterfactual(env), None, Observation::Points.name())?)
    }

    fn judge(&self) -> anyhow::Result<AsianStudJudge> {
        Ok(AsianStudJudge { rules: self.rules, classes: Classes::new(self.rules.joker) })
    }
}

/// Scores policies on every class of hands.
pub struct AsianStudJudge {
    rules: Rules,
    classes: Classes,
}

/// One other reading, or the one that stands.
pub(crate) struct Reading {
    pub(crate) name: &'static str,
    pub(crate) option: &'static str,
    pub(crate) stands: bool,
    pub(crate) optimal: Ratio,
    pub(crate) always: Ratio,
    /// Hands that the optimum folds.
    pub(crate) folded: u64,
}

/// The main game with each option of each reading in turn, the others as they are.
pub(crate) fn readings(rules: Rules, own: &Classes) -> Vec<Reading> {
    let mut all = Vec::new();
    let of_main_game = |reading: &&RuleReading| !["joker-semiwild", "side-bet-on-fold"].contains(&reading.name);
    for RuleReading { name, options, .. } in Rules::READINGS.iter().filter(of_main_game) {
        for option in *options {
            let other = rules.with(&format!("{name}={option}")).expect("the list of readings is that of the fields");
            let counted;
            let classes = if other.joker == own.joker() {
                own
            } else {
                counted = Classes::new(other.joker);
                &counted
            };
            let solution = Solution::new(classes, other);
            let folded = solution.folded().iter().map(|class| class.hands).sum();
            let (optimal, always) = (solution.optimal().ev(), solution.always_raise().ev());
            all.push(Reading { name, option, stands: other == rules, optimal, always, folded });
        }
    }
    all
}

impl AsianStudJudge {
    fn solution(&self) -> Solution<'_> {
        Solution::new(&self.classes, self.rules)
    }

    /// A policy by the classes that it raises.
    fn of(&self, name: &str, raises: impl Fn(&Class) -> bool) -> Score {
        let solution = self.solution();
        let total = solution.total(&raises);
        let same = self.classes.all().iter().filter(|class| raises(class) == solution.raises(class));
        let same: u64 = same.map(|class| class.hands).sum();
        Score {
            name: name.to_owned(),
            ev: total.ev().value(),
            regret: (solution.optimal().ev() - total.ev()).value(),
            regret_ci: None,
            agreement: same as f64 / self.classes.hands() as f64,
            plays: format!("raises {}", percent(total.raise_probability().value(), 2)),
        }
    }
}

impl Judge for AsianStudJudge {
    fn score(&self, name: &str, policy: &dyn Policy) -> Score {
        let solution = self.solution();
        let classes = self.classes.all();
        let inputs = Observation::Points.len();
        let mut observations = vec![0.0; classes.len() * inputs];
        for (class, observation) in classes.iter().zip(observations.chunks_exact_mut(inputs)) {
            let hand: Hand = class.example();
            let written = Observation::Points.write(hand, solution.game().value(hand), observation);
            written.expect("the observation has its length");
        }
        let actions = policy.choose(&observations, &vec![true; 2 * classes.len()]);
        let raised: HashMap<_, bool> =
            classes.iter().map(|class| class.counts).zip(actions.iter().map(|&action| action == RAISE)).collect();
        self.of(name, |class| raised[&class.counts])
    }

    fn baselines(&self) -> Vec<Score> {
        let solution = self.solution();
        let always = self.of("always raise", |_| true);
        let never = self.of("always fold", |_| false);
        let mean = |of: fn(&Score) -> f64| (of(&always) + of(&never)) / 2.0;
        let random = Score {
            name: "random".to_owned(),
            ev: mean(|score| score.ev),
            regret: mean(|score| score.regret),
            regret_ci: None,
            agreement: mean(|score| score.agreement),
            plays: "raises 50.00%".to_owned(),
        };
        let with_a_set = self.of("raise with a set", |class| class.value.index() > 0);
        vec![random, with_a_set, always, self.of("optimum", |class| solution.raises(class))]
    }

    fn preface(&self) -> String {
        format!(
            "Asian Stud, commission {} of the winnings taken by the reading `{}`: five cards, then fold or raise. Policies \
             are counted on all {} classes of hands against every dealer's hand that can lie beside them, {} deals in all.",
            self.rules.commission_rate,
            serde_json::to_value(self.rules.commission)
                .ok()
                .and_then(|v| v.as_str().map(str::to_owned))
                .unwrap_or_default(),
            self.classes.all().len(),
            grouped(self.classes.deals()),
        )
    }

    fn chapters(&self, report: Report) -> (Report, Vec<(&'static str, Figure)>) {
        let all = readings(self.rules, &self.classes);
        let report = report
            .heading("Is it right always to raise?")
            .text(self.answer())
            .table(self.source_table())
            .saved_figure(BY_VALUE, "what raising is worth by the value of the hand")
            .table(self.value_table())
            .heading("Other readings")
            .text("One reading changed at a time; an asterisk marks what stands.")
            .table(reading_table(&all))
            .saved_figure(BY_READING, "what always raising costs under each reading")
            .heading("The side bet")
            .text("Every five-card hand as a poker hand. No paytable is published; the counts hold for any.")
            .table(self.poker_table());
        (report, vec![(BY_VALUE, self.value_figure()), (BY_READING, reading_figure(&all))])
    }
}

impl AsianStudJudge {
    fn answer(&self) -> String {
        let solution = self.solution();
        let (optimal, always) = (solution.optimal(), solution.always_raise());
        let folded: u64 = solution.folded().iter().map(|class| class.hands).sum();
        let cost = (optimal.ev() - always.ev()).value();
        let verdict = if folded == 0 { "Yes, under these rules" } else { "Not quite" };
        format!(
            "The source says that even without a qualifying set a player \"can raise and remain in the game\", and names no \
             hand to fold. {verdict}: the best play folds {} of {} hands ({}), all of them without a set, and is worth \
             {:+.6} of an ante; always raising is worth {:+.6}, which costs {cost:.6}. Whether a hand without a set should \
             fold hangs on the dealer's chance to have no set either, which the cards held change by a few per cent; a \
             commission on the ante won from him decides about many of them. Any hand with a set raises.",
            grouped(folded),
            grouped(self.classes.hands()),
            percent(folded as f64 / self.classes.hands() as f64, 2),
            optimal.ev().value(),
            always.ev().value(),
        )
    }

    /// The source as it stands, beside the published game.
    fn source_table(&self) -> Rows {
        let header = ["commission", "play", "EV", "raises", "average wager", "element of risk", "std. deviation"];
        let mut table = (2..7).fold(Rows::new(header), Rows::right);
        for (name, setting) in [("none: the source as it stands", "none"), ("of all winnings: as published", "both")] {
            let rules = self.rules.with(&format!("commission={setting}")).expect("the reading has this option");
            let solution = Solution::new(&self.classes, rules);
            let plays: [(&str, Total); 3] = [
                ("optimum", solution.optimal()),
                ("always raise", solution.always_raise()),
                ("raise with a set", solution.total(|class| class.value.index() > 0)),
            ];
            for (play, total) in plays {
                table = table.row([
                    name,
                    play,
                    &format!("{:+.6}", total.ev().value()),
                    &percent(total.raise_probability().value(), 2),
                    &format!("{:.4}", total.average_wager().value()),
                    &percent(-total.ev_per_unit_staked().value(), 4),
                    &format!("{:.4}", total.variance().sqrt()),
                ]);
            }
        }
        table
    }

    fn value_table(&self) -> Rows {
        let header = ["hand", "hands", "raise EV", "least", "most", "hands folded"];
        let mut table = (1..6).fold(Rows::new(header), Rows::right);
        for row in self.solution().values().iter().rev() {
            let ev = |ratio: Ratio| format!("{:+.5}", ratio.value());
            table = table.row([
                row.value.to_string().as_str(),
                &grouped(row.hands),
                &ev(row.raise_ev),
                &ev(row.raise_ev_range[0]),
                &ev(row.raise_ev_range[1]),
                &grouped(row.folded),
            ]);
        }
        table
    }

    fn value_figure(&self) -> Figure {
        let rows = self.solution().values();
        let names = rows.iter().rev().map(|row| row.value.to_string()).collect();
        let bar = |row: &houseway_exact::asian_stud::ValueRow| {
            let [low, high] = row.raise_ev_range.map(Ratio::value);
            Bar::between(row.raise_ev.value(), low, high)
        };
        let bars = rows.iter().rev().map(bar).collect();
        let chart = BarChart::new(Axis::new("EV of raising, in antes"), names).with("raise", bars).places(3);
        Figure::new("What raising is worth", chart)
            .note("exact; from the hand worth least to the one worth most; folding is worth -1")
    }

    fn poker_table(&self) -> Rows {
        let mut table = Rows::new(["poker hand", "hands", "chance"]).right(1).right(2);
        for (category, hands) in poker_hands(&self.rules).iter().rev() {
            let chance = percent(*hands as f64 / self.classes.hands() as f64, 5);
            table = table.row([category.name(), &grouped(*hands), &chance]);
        }
        table
    }
}

fn reading_table(readings: &[Reading]) -> Rows {
    let header = ["reading", "optimum", "always raise", "cost of it", "hands folded"];
    let mut table = (1..5).fold(Rows::new(header), Rows::right);
    for reading in readings {
        let mark = if reading.stands { " *" } else { "" };
        table = table.row([
            format!("{} = {}{mark}", reading.name, reading.option).as_str(),
            &format!("{:+.6}", reading.optimal.value()),
            &format!("{:+.6}", reading.always.value()),
            &format!("{:.6}", (reading.optimal - reading.always).value()),
            &grouped(reading.folded),
        ]);
    }
    table
}

fn reading_figure(readings: &[Reading]) -> Figure {
    let names = readings.iter().map(|reading| format!("{} = {}", reading.name, reading.option)).collect();
    let bars = |of: fn(&Reading) -> f64| readings.iter().map(|reading| Bar::from(of(reading))).collect();
    let chart = BarChart::new(Axis::new("EV of a round, in antes"), names)
        .with("optimum", bars(|reading| reading.optimal.value()))
        .with("always raise", bars(|reading| reading.always.value()))
        .places(4);
    Figure::new("Always raising under every reading", chart).note("exact; one reading changed at a time")
}
