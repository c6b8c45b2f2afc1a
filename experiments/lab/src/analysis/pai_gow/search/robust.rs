//! Evaluates lists against other opponents, for the other side, and under other rules.

use super::Question;
use crate::analysis::pai_gow::progress::with_progress;
use houseway_env::pai_gow::house_way::{CASINOS, HouseWay, Way};
use houseway_env::pai_gow::{Game, Rules};
use houseway_env::rules::RuleSet;
use houseway_exact::pai_gow::BankerTable;
use houseway_exact::pai_gow::matchup::BankedBy;
use houseway_exact::pai_gow::whole::{Cancelled, Pass, Play, Side};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;

/// Every list's regret in every situation.
pub(super) struct Robustness {
    pub(super) situations: Vec<String>,
    /// The regrets by situation and list, or `None` if the list doesn't set all hands in the situation.
    pub(super) regrets: Vec<Vec<Option<f64>>>,
}

/// A side, a game and an opponent.
struct Situation {
    name: String,
    side: Side,
    game: Game,
    opponent: Way,
}

fn situations(question: &Question) -> Vec<Situation> {
    let rules = question.problem.game.rules();
    let own = question.problem.opponents[0].way().clone();
    let casino = |side: Side, name: &str| Situation {
        name: format!("as the {} against {name}", side.name()),
        side,
        game: Game::new(rules),
        opponent: Way::named(name).expect("a built-in way"),
    };
    let variant = |assignment: String| {
        let rules = rules.with(&assignment).ok()?;
        let name = format!("as the {} against {} with {assignment}", question.problem.side.name(), own.name());
        Some(Situation { name, side: question.problem.side, game: Game::new(rules), opponent: own.clone() })
    };
    let same = CASINOS.iter().map(|(name, _)| casino(question.problem.side, name));
    let other = casino(question.problem.side.other(), own.name());
    let options = Rules::VARIANTS.iter().flat_map(|it| it.options.iter().map(|option| format!("{}={option}", it.name)));
    let changed =
        options.chain(["commission=0".to_owned()]).filter(|it| rules.with(it).is_ok_and(|other| other != rules));
    same.chain([other]).chain(changed.filter_map(variant)).collect()
}

/// Evaluates the lists in all situations. Each situation takes one pass over all deals.
pub(super) fn examine(question: &Question, lists: &[&HouseWay], stop: &AtomicBool) -> Result<Robustness, Cancelled> {
    let mut robustness = Robustness { situations: Vec::new(), regrets: Vec::new() };
    for Situation { name, side, game, opponent } in situations(question) {
        let Ok(opponent) = HouseWay::compile(opponent, &game) else { continue };
        let compiled = |list: &HouseWay| HouseWay::compile(list.way().clone(), &game).ok();
        let tables: Vec<Option<BankerTable>> =
            lists.iter().map(|list| compiled(list).map(|way| BankerTable::new(&way))).collect();
        let whole = Pass::new(&game, side, &BankerTable::new(&opponent));
        let payoff = BankedBy::House.payoff_of(side, &game.rules());
        let tables_played = tables.iter().flatten().map(Play::Profiles);
        let plays: Vec<Play<'_>> = std::iter::once(Play::Best(payoff)).chain(tables_played).collect();
        let totals = with_progress(&name, stop, |run| whole.totals(&plays, run))?;
        let mut evs = totals.into_iter().map(|counts| counts.ev(payoff));
        let best = evs.next().expect("the best response");
        let regret = |table: &Option<BankerTable>| table.as_ref().and_then(|_| Some((best - evs.next()?).value()));
        robustness.regrets.push(tables.iter().map(regret).collect());
        robustness.situations.push(name);
    }
    Ok(robustness)
}

impl Robustness {
    /// Returns a list's mean and maximum regret, or `None` if it doesn't set all hands in some situation.
    pub(super) fn mean_and_worst(&self, list: usize) -> Option<(f64, f64)> {
        let regrets: Option<Vec<f64>> = self.regrets.iter().map(|row| row[list]).collect();
        let regrets = regrets?;
        let mean = regrets.iter().sum::<f64>() / regrets.len() as f64;
        Some((mean, regrets.into_iter().fold(0.0, f64::max)))
    }

    /// Returns the list with the smallest maximum regret.
    pub(super) fn best(&self, lists: usize) -> Option<usize> {
        let worst = |&list: &usize| self.mean_and_worst(list).map_or(f64::INFINITY, |it| it.1);
        (0..lists).min_by(|a, b| worst(a).total_cmp(&worst(b))).filter(|list| worst(list).is_finite())
    }

    pub(super) fn json(&self, names: &[&str]) -> Value {
        let row = |(name, regrets): (&String, &Vec<Option<f64>>)| json!({ "situation": name, "regrets": regrets });
        let summary = |list: usize| {
            let values = self.mean_and_worst(list);
            json!({ "list": names[list], "mean": values.map(|it| it.0), "worst": values.map(|it| it.1) })
        };
        json!({
            "situations": self.situations.iter().zip(&self.regrets).map(row).collect::<Vec<_>>(),
            "lists": (0..names.len()).map(summary).collect::<Vec<_>>(),
            "best_everywhere": self.best(names.len()).map(|list| names[list]),
        })
    }
}
