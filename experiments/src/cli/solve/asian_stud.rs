//! Asian Stud: all hands, the optimum and always raising, under the rules and under every other reading of them.

use super::{Solve, paytable};
use crate::console::{Outcome, print, print_json};
use crate::decide::asian_stud::{Reading, readings};
use crate::report::{Table, terminal};
use houseway_env::asian_stud::{Paytable, Rules};
use houseway_env::rank::Category;
use houseway_env::rules::RuleSet;
use houseway_exact::Ratio;
use houseway_exact::asian_stud::{
    Class, Classes, SideBetReturn, Solution, Total, ValueRow, poker_hands, side_bet_return,
};
use houseway_exact::format::{grouped, percent};
use serde_json::{Map, Value, json};

/// Folded classes that the text shows; the JSON has all.
const SHOWN: usize = 12;

/// Counts the game.
pub(super) fn run(solve: &Solve) -> Outcome {
    let rules: Rules = solve.game.rules()?;
    let paytable: Paytable = paytable(solve.paytable.as_deref())?;
    let classes = Classes::new(rules.joker);
    let solution = Solution::new(&classes, rules);
    let poker = poker_hands(&rules);
    let answer = Answer {
        optimal: solution.optimal(),
        always: solution.always_raise(),
        readings: readings(rules, &classes),
        side_bet: side_bet_return(&paytable, &poker, &rules),
        solution,
        paytable,
        poker,
    };
    let document = answer.json();
    solve.write(&document)?;
    if solve.output.json { print_json(&document) } else { print(&answer.text()) }
}

struct Answer<'a> {
    solution: Solution<'a>,
    optimal: Total,
    always: Total,
    readings: Vec<Reading>,
    paytable: Paytable,
    poker: [(Category, u64); Category::ALL.len()],
    side_bet: SideBetReturn,
}

impl Answer<'_> {
    fn json(&self) -> Value {
        let rules = self.solution.game().rules();
        let class = |class: &&Class| {
            json!({
                "example": class.example().to_string(),
                "hands": class.hands.to_string(),
                "raise_ev": self.solution.raise_ev(class).value(),
            })
        };
        json!({
            "rules": rules,
            "rules_hash": rules.hash(),
            "ev": self.optimal.ev().to_json(),
            "always_raise": self.always.ev().to_json(),
            "classes": self.values_json(),
            "raise_probability": self.optimal.raise_probability().value(),
            "average_wager": self.optimal.average_wager().value(),
            "element_of_risk": -self.optimal.ev_per_unit_staked().value(),
            "variance": self.optimal.variance(),
            "folded": self.solution.folded().iter().map(class).collect::<Vec<_>>(),
            "readings": self.readings.iter().map(|reading| json!({
                "name": reading.name,
                "option": reading.option,
                "ev": reading.optimal.value(),
                "always_raise": reading.always.value(),
                "folded": reading.folded.to_string(),
            })).collect::<Vec<_>>(),
            "poker_hands": self.poker.iter().map(|(category, hands)| (category.name().to_owned(), json!(hands.to_string()))).collect::<Map<_, _>>(),
            "side_bet": {
                "paytable": self.paytable.name(),
                "ev": self.side_bet.ev().to_json(),
            },
        })
    }

    fn values_json(&self) -> Value {
        let row = |row: ValueRow| {
            let value = json!({
                "hands": row.hands.to_string(),
                "raise_ev": row.raise_ev.value(),
                "raise_ev_min": row.raise_ev_range[0].value(),
                "raise_ev_max": row.raise_ev_range[1].value(),
                "folded": row.folded.to_string(),
            });
            (row.value.name(), value)
        };
        Value::Object(self.solution.values().into_iter().map(row).collect())
    }

    fn text(&self) -> String {
        let classes = self.solution.classes();
        format!(
            "Asian Stud, rules {}: {} hands, {} deals\n\n{}\n{}\n{}\n{}\n{}",
            self.solution.game().rules().hash(),
            grouped(classes.hands()),
            grouped(classes.deals()),
            self.values_text(),
            self.totals_text(),
            self.folded_text(),
            self.readings_text(),
            self.side_bet_text(),
        )
    }

    fn values_text(&self) -> String {
        let mut table = Table::new(["player", "hands", "raise EV", "least", "most", "hands folded"]);
        for column in 1..6 {
            table = table.right(column);
        }
        for row in self.solution.values().iter().rev() {
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
        terminal(&table)
    }

    fn totals_text(&self) -> String {
        let mut table = Table::new(["per ante", "optimal", "always raise"]).right(1).right(2);
        let totals = [&self.optimal, &self.always];
        let rows: [(&str, [String; 2]); 5] = [
            ("EV", totals.map(|total| format!("{:+.9}", total.ev().value()))),
            ("raises", totals.map(|total| percent(total.raise_probability().value(), 4))),
            ("average wager", totals.map(|total| format!("{:.6}", total.average_wager().value()))),
            ("element of risk", totals.map(|total| percent(-total.ev_per_unit_staked().value(), 5))),
            ("standard deviation", totals.map(|total| format!("{:.6}", total.variance().sqrt()))),
        ];
        for (name, [optimal, always]) in &rows {
            table = table.row([*name, optimal, always]);
        }
        let exactly = totals.map(|total| format!("{:?}", total.ev()));
        format!("{}\noptimal exactly  {}\nalways raise     {}\n", terminal(&table), exactly[0], exactly[1])
    }

    fn folded_text(&self) -> String {
        let folded = self.solution.folded();
        let hands: u64 = folded.iter().map(|class| class.hands).sum();
        if folded.is_empty() {
            return "No hand folds: always raising is optimal.\n".to_owned();
        }
        let all = self.solution.classes().hands() as f64;
        let mut table = Table::new(["folds", "hands", "raise EV"]).right(1).right(2);
        for class in folded.iter().take(SHOWN) {
            let ev = format!("{:+.6}", self.solution.raise_ev(class).value());
            table = table.row([class.example().to_string().as_str(), &grouped(class.hands), &ev]);
        }
        let (kinds, share) = (folded.len(), percent(hands as f64 / all, 3));
        let lost = (self.optimal.ev() - self.always.ev()).value();
        format!(
            "{} hands of {kinds} classes fold, {share} of all;\nraising them too would cost {lost:.9} of an ante\n\n{}{}",
            grouped(hands),
            terminal(&table),
            if kinds > SHOWN { format!("and {} classes more, see --json\n", kinds - SHOWN) } else { String::new() },
        )
    }

    fn readings_text(&self) -> String {
        let mut table =
            Table::new(["reading", "optimal EV", "always raise", "hands folded"]).right(1).right(2).right(3);
        for reading in &self.readings {
            let mark = if reading.stands { " *" } else { "" };
            table = table.row([
                format!("{}={}{mark}", reading.name, reading.option).as_str(),
                &format!("{:+.6}", reading.optimal.value()),
                &format!("{:+.6}", reading.always.value()),
                &grouped(reading.folded),
            ]);
        }
        format!("One reading changed at a time (* stands):\n{}", terminal(&table))
    }

    fn side_bet_text(&self) -> String {
        let mut table = Table::new(["poker hand", "hands", "pays"]).right(1).right(2);
        for (category, hands) in self.poker.iter().rev() {
            let pays = self.paytable.odds(*category).map_or("loses".to_owned(), |odds| format!("{odds} to 1"));
            table = table.row([category.name(), &grouped(*hands), &pays]);
        }
        let ev = self.side_bet.ev();
        format!("Side bet, paytable {}: EV {:+.6}\n{}", self.paytable.name(), ev.value(), terminal(&table))
    }
}
