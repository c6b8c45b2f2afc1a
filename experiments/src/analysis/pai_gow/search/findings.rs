//! Results of a search.

use super::Question;
use super::robust::Robustness;
use houseway_env::pai_gow::Strategy;
use houseway_env::pai_gow::house_way::{HouseWay, Way, WayError};
use houseway_exact::Ratio;
use houseway_exact::pai_gow::search::{Found, FoundRule, Limit, Objective, PricedRule, Search, loss};
use serde_json::{Value, json};
use std::path::Path;

/// Results of a search.
pub struct Findings {
    pub(super) seat: &'static str,
    pub(super) against: String,
    pub(super) opponents: Vec<Value>,
    objective: Objective,
    pub(super) rules_hash: String,
    /// EV of the best response.
    pub(super) best: Ratio,
    /// Loss of the vocabulary: of the best play for each hand.
    pub(super) floor: f64,
    /// The lists, by number of rules.
    pub lists: Vec<FoundList>,
    /// Other strategies for comparison.
    pub(super) known: Vec<Known>,
    pub(super) robust: Option<Robustness>,
}

/// A list of rules.
pub struct FoundList {
    pub(super) found: Found,
    /// The house way.
    pub way: HouseWay,
    /// Its text.
    pub toml: String,
    /// EV, the mean against several opponents.
    pub ev: Ratio,
    /// EV of the best response less that of the list, by opponent.
    pub(super) regrets: Vec<Ratio>,
    /// The mean or the greatest of them, as the question asks.
    pub regret: Ratio,
    /// Loss that no list of this length can be below.
    pub(super) bound: f64,
    pub(super) priced: Vec<PricedRule>,
    /// Text and gain of the best further rule.
    pub(super) next: Option<(String, f64)>,
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

impl FoundList {
    /// Writes a list as a house way and compiles it. Its EV is still to be evaluated.
    pub(super) fn new(
        question: &Question,
        search: &Search<'_>,
        rules: &[FoundRule],
        bound: i64,
    ) -> Result<FoundList, WayError> {
        let found = search.evaluate(rules.to_vec());
        let priced = search.priced(&found);
        let name = match question.seat {
            crate::analysis::pai_gow::WaySide::Player => format!("found-{}", found.rules.len()),
            crate::analysis::pai_gow::WaySide::Banker => format!("found-{}-banker", found.rules.len()),
        };
        let rules: String = priced.iter().map(|rule| format!("\n{}", rule.toml)).collect();
        let toml = format!(
            "# A complete hand is a straight, a flush or better. Pairs add up with J = 11, Q = 12, K = 13, A = 14; the joker is an\n\
             # ace. Where a rule leaves a choice, the highest front is set.\n\n\
             name = \"{name}\"\ntitle = \"Best list of {} rules found\"\n\
             source = \"houseway search, as the {}, against {}\"\n{rules}",
            found.rules.len(),
            question.seat.name(),
            question.against(),
        );
        let way = HouseWay::compile(Way::parse(&toml, &format!("{name}.toml"))?, &question.game)?;
        let next = search.next_rule(&found).map(|(next, toml)| (text_of(&toml), loss(found.loss - next.loss)));
        let (ev, regrets, regret) = (Ratio::ZERO, Vec::new(), Ratio::ZERO);
        Ok(FoundList { way, toml, ev, regrets, regret, bound: loss(bound), priced, next, found })
    }

    /// Number of rules.
    pub fn rules(&self) -> usize {
        self.found.rules.len()
    }

    /// Number of bounds.
    pub fn bounds(&self) -> usize {
        self.way.way().bounds()
    }

    /// Number of words of all rules.
    fn all_words(&self) -> usize {
        self.way.way().rules().iter().map(|rule| rule.words()).sum()
    }

    /// Mean number of words of a rule.
    pub fn words(&self) -> f64 {
        self.all_words() as f64 / self.rules() as f64
    }

    /// Loss of leaving a rule out.
    pub(super) fn without(&self, rule: usize) -> Option<f64> {
        self.priced[rule].without.map(loss)
    }

    /// The rules as the search found them.
    pub(super) fn rules_found(&self) -> &[FoundRule] {
        &self.found.rules
    }

    /// Path of its file, from the folder of the run.
    pub(super) fn file(&self) -> String {
        format!("ways/{}.toml", self.way.name())
    }

    fn json(&self, folder: &Path) -> Value {
        let limit = |limit: &Limit| {
            json!({
                "limit": limit.name,
                "lower": limit.lower.map(|units| -loss(units)),
                "higher": limit.higher.map(|units| -loss(units)),
            })
        };
        let rule = |(i, rule): (usize, &PricedRule)| {
            let survey = &self.way.survey().rules[i];
            json!({
                "name": survey.name,
                "hands": survey.hands.to_string(),
                "words": self.way.way().rules()[i].words(),
                "bounds": self.way.way().rules()[i].bounds(),
                "ev_without": self.without(i).map(|loss| self.ev.value() - loss),
                "limits": rule.limits.iter().map(limit).collect::<Vec<_>>(),
            })
        };
        let sheet: Vec<&str> = self.way.survey().rules.iter().map(|rule| rule.text.as_str()).collect();
        let by_opponent =
            (self.regrets.len() > 1).then(|| self.regrets.iter().map(|it| it.to_json()).collect::<Vec<_>>());
        json!({
            "name": self.way.name(),
            "hash": self.way.hash(),
            "rules": self.rules(),
            "bounds": self.bounds(),
            "words": self.all_words(),
            "ev": self.ev.value(),
            "ev_exact": self.ev.to_json(),
            "regret": self.regret.value(),
            "regret_exact": self.regret.to_json(),
            "regret_by_opponent": by_opponent,
            "proven_gap": self.regret.value() - self.bound,
            "file": folder.join(self.file()).display().to_string(),
            "sheet": sheet,
            "per_rule": self.priced.iter().enumerate().map(rule).collect::<Vec<_>>(),
            "next": self.next.as_ref().map(|(text, gain)| json!({ "text": text, "ev_change": gain })),
        })
    }
}

/// The sentence of a rule in the language of house ways.
fn text_of(toml: &str) -> String {
    let text = toml.lines().find_map(|line| line.strip_prefix("text = \"")?.strip_suffix('"'));
    text.unwrap_or_default().to_owned()
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
        let opponent =
            |way: &HouseWay| json!({ "name": way.name(), "hash": way.hash(), "readings": way.way().chosen_options() });
        Findings {
            seat: question.seat.name(),
            against: question.against(),
            opponents: question.opponents.iter().map(opponent).collect(),
            objective: question.objective,
            rules_hash: question.game.rules().hash(),
            best,
            floor,
            lists,
            known,
            robust,
        }
    }

    /// Returns the results in the format of `houseway search --json`; `folder` contains the house ways.
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
            "objective": (self.opponents.len() > 1).then_some(self.objective),
            "rules_hash": self.rules_hash,
            "best_ev": self.best.value(),
            "best_ev_exact": self.best.to_json(),
            "vocabulary_regret": self.floor,
            "ways": self.lists.iter().map(|list| list.json(folder)).collect::<Vec<_>>(),
            "reference": self.known.iter().map(reference).collect::<Vec<_>>(),
            "robust": self.robust.as_ref().map(|robust| robust.json(&names)),
        })
    }
}
