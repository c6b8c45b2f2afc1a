//! Asian Stud: what folding and raising a hand are worth.

use super::Ev;
use crate::console::{Failure, OrUsage, Outcome, print, print_json};
use crate::report::{Table, terminal};
use houseway_env::asian_stud::{Hand, Rules, UNIT, Value as HandValue};
use houseway_env::rules::RuleSet;
use houseway_exact::asian_stud::{Class, Classes, Solution};
use houseway_exact::format::{grouped, percent};
use serde_json::{Value, json};

/// Counts the hand against all dealer's hands beside it.
pub(super) fn run(ev: &Ev) -> Outcome {
    let rules: Rules = ev.game.rules()?;
    let hand: Hand = ev.hand.parse().or_usage()?;
    let classes = Classes::new(rules.joker);
    let class = classes.of(hand).ok_or_else(|| {
        Failure::usage(
            "the pack of these rules has no joker; leave it out of the hand, or choose another reading of joker",
        )
    })?;
    let answer = Answer { hand, class, solution: Solution::new(&classes, rules) };
    if ev.output.json { print_json(&answer.json()) } else { print(&answer.text()) }
}

struct Answer<'a> {
    hand: Hand,
    class: &'a Class,
    solution: Solution<'a>,
}

impl Answer<'_> {
    fn best(&self) -> &'static str {
        if self.solution.raises(self.class) { "raise" } else { "fold" }
    }

    fn json(&self) -> Value {
        let dealers: serde_json::Map<String, Value> =
            HandValue::all().zip(&self.class.dealers).map(|(value, n)| (value.name(), json!(n.to_string()))).collect();
        json!({
            "hand": self.hand.to_string(),
            "board": null,
            "stage": "deal",
            "value": self.class.value.name(),
            "actions": { "raise": self.solution.raise_ev(self.class).value(), "fold": -1.0 },
            "best": self.best(),
            "dealer_hands": dealers,
            "rules_hash": self.solution.game().rules().hash(),
        })
    }

    fn text(&self) -> String {
        let (class, game) = (self.class, self.solution.game());
        let all = self.solution.classes().dealer_hands();
        let mut table = Table::new(["dealer", "hands", "share", "raise brings"]).right(1).right(2).right(3);
        for (value, &hands) in HandValue::all().zip(&class.dealers) {
            let net = game.raised(class.value, value) as f64 / UNIT as f64;
            let share = percent(hands as f64 / all as f64, 3);
            table = table.row([value.to_string().as_str(), &grouped(hands), &share, &format!("{net:+}")]);
        }
        let ev = self.solution.raise_ev(class);
        format!(
            "{} ({}), against {} dealer's hands\n\n{}\nraise  {:+.6} antes\nfold   -1 ante\nbest   {}\n",
            self.hand,
            class.value,
            grouped(all),
            terminal(&table),
            ev.value(),
            self.best(),
        )
    }
}
