//! The results of a search.

use super::Question;
use super::robust::Robustness;
use houseway_env::pai_gow::Strategy;
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_exact::Ratio;
use houseway_exact::pai_gow::search::{FoundList, Limit, Objective, PricedRule, loss};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// The results from a search.
pub struct Findings {
    pub(super) seat: &'static str,
    pub(super) against: String,
    pub(super) opponents: Vec<Value>,
    objective: Objective,
    pub(super) rules_hash: String,
    /// The best response's EV.
    pub(super) best: Ratio,
    /// The loss that remains if every hand is set in the best way that the vocabulary allows. No list can lose less.
    pub(super) floor: f64,
    /// The lists, by number of rules.
    pub lists: Vec<FoundList>,
    /// Other strategies for comparison.
    pub(super) known: Vec<Known>,
    pub(super) robust: Option<Robustness>,
}

/// A strategy for comparison.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) name: String,
    pub(super) rules: Option<usize>,
    pub(super) bounds: Option<usize>,
    pub(super) ev: Ratio,
    pub(super) regret: Ratio,
}

impl Findings {
    pub(super) fn new(
        question: &Question,
        best: Ratio,
        floor: f64,
        lists: Vec<FoundList>,
        known: Vec<Known>,
        robust: Option<Robustness>,
    ) -> Findings {
        let problem = &question.problem;
        let opponent = |way: &Arc<HouseWay>| json!({ "name": way.name(), "hash": way.hash(), "readings": way.way().chosen_options() });
        Findings {
            seat: question.seat.name(),
            against: problem.against(),
            opponents: problem.opponents.iter().map(opponent).collect(),
            objective: problem.objective,
            rules_hash: problem.game.rules().hash(),
            best,
            floor,
            lists,
            known,
            robust,
        }
    }

    /// Returns `true` if there are several opponents, so that everything except the regrets is averaged over them.
    pub(super) fn is_mean(&self) -> bool {
        self.opponents.len() > 1
    }

    /// Returns the results in the format of `houseway search --json`. The house ways are in `folder`.
    pub fn json(&self, folder: &Path) -> Value {
        let reference = |known: &Known| {
            json!({
                "name": known.name,
                "rules": known.rules,
                "bounds": known.bounds,
                "ev": known.ev.value(),
                "regret": known.regret.value(),
            })
        };
        let names: Vec<&str> = self.lists.iter().map(|list| list.way.name()).collect();
        json!({
            "as": self.seat,
            "banker": self.opponents,
            "objective": self.is_mean().then_some(self.objective),
            "rules_hash": self.rules_hash,
            "best_ev": self.best.value(),
            "best_ev_exact": self.best.to_json(),
            "vocabulary_regret": self.floor,
            "ways": self.lists.iter().map(|list| list_json(list, folder)).collect::<Vec<_>>(),
            "reference": self.known.iter().map(reference).collect::<Vec<_>>(),
            "robust": self.robust.as_ref().map(|robust| robust.json(&names)),
        })
    }
}

/// Returns a list in the format of `houseway search --json`.
fn list_json(list: &FoundList, folder: &Path) -> Value {
    let limit = |limit: &Limit| {
        json!({
            "limit": limit.name,
            "lower": limit.lower.map(|units| loss(-units)),
            "higher": limit.higher.map(|units| loss(-units)),
        })
    };
    let rule = |(i, rule): (usize, &PricedRule)| {
        let survey = &list.way.survey().rules[i];
        json!({
            "name": survey.name,
            "hands": survey.hands.to_string(),
            "words": list.way.way().rules()[i].words(),
            "bounds": list.way.way().rules()[i].bounds(),
            "ev_without": list.without(i).map(|loss| list.ev.value() - loss),
            "limits": rule.limits.iter().map(limit).collect::<Vec<_>>(),
        })
    };
    let sheet: Vec<&str> = list.way.survey().rules.iter().map(|rule| rule.text.as_str()).collect();
    let by_opponent = (list.regrets.len() > 1).then(|| list.regrets.iter().map(|it| it.to_json()).collect::<Vec<_>>());
    json!({
        "name": list.way.name(),
        "hash": list.way.hash(),
        "rules": list.rules(),
        "bounds": list.bounds(),
        "words": list.words(),
        "ev": list.ev.value(),
        "ev_exact": list.ev.to_json(),
        "regret": list.regret.value(),
        "regret_exact": list.regret.to_json(),
        "regret_by_opponent": by_opponent,
        "proven_gap": list.regret.value() - list.bound,
        "file": folder.join(file_of(list)).display().to_string(),
        "sheet": sheet,
        "per_rule": list.priced.iter().enumerate().map(rule).collect::<Vec<_>>(),
        "next": list.next.as_ref().map(|(text, gain)| json!({ "text": text, "ev_change": gain })),
    })
}

/// Returns the path of a list's file, relative to the run's folder.
pub(super) fn file_of(list: &FoundList) -> String {
    format!("ways/{}.toml", list.way.name())
}

/// Returns the mean number of words per rule.
pub(super) fn words_a_rule(list: &FoundList) -> f64 {
    list.words() as f64 / list.rules() as f64
}
