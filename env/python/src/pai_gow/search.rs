//! The search for short house ways. All values are passed to Python as integers, floats and strings, which
//! `houseway.searching` turns into objects.

use super::hands::{Fraction, GameRules, fraction};
use super::way::HouseWay;
use crate::error::value_error;
use crate::interrupt::cancellable;
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::Way;
use houseway_exact::pai_gow::search::{
    Change, ChangedWay, FoundList, OpponentSearch, OpponentState, Problem, Word, loss, mean,
};
use houseway_exact::pai_gow::whole::Side;
use houseway_exact::solver::SolverError;
use pyo3::prelude::*;
use std::sync::Arc;

/// A limit's name, and the changes in EV if it is one rank lower or higher.
type LimitRow = (String, Option<f64>, Option<f64>);
/// A list's text, EV, regret against each opponent, overall regret and bound. They are followed by the EV without each
/// rule and the rule's limits, and by the text and gain of the next rule.
type ListRow =
    (String, Fraction, Vec<Fraction>, Fraction, f64, Vec<(Option<f64>, Vec<LimitRow>)>, Option<(String, f64)>);
/// The kind of change, the rule, its text, and the EV that undoing the change would lose.
type ChangeRow = (String, Option<String>, Option<String>, f64);
/// A changed sheet's text, its EV, and the changes.
type ChangedRow = (String, Fraction, Vec<ChangeRow>);

/// A dict with the arguments that both kinds of searches have. `houseway.searching` documents them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Question {
    opponents: Vec<Py<HouseWay>>,
    as_banker: bool,
    objective: String,
    bounds: Option<usize>,
    words_per_rule: usize,
    words: Vec<String>,
    width: usize,
}

impl Question {
    fn problem(self, rules: &GameRules) -> PyResult<Problem> {
        let words: Result<Vec<Word>, _> = self.words.iter().map(|word| word.parse()).collect();
        Ok(Problem {
            game: Game::new(rules.game.rules()),
            side: if self.as_banker { Side::Banker } else { Side::Player },
            opponents: self.opponents.iter().map(|way| Arc::clone(&way.get().way)).collect(),
            objective: self.objective.parse().map_err(value_error)?,
            bounds: self.bounds,
            words_per_rule: self.words_per_rule,
            words: words.map_err(value_error)?,
            width: self.width,
        })
    }
}

fn list_row(list: &FoundList) -> ListRow {
    let rules = list.priced.iter().enumerate().map(|(i, rule)| {
        let limit = |limit: &houseway_exact::pai_gow::search::Limit| {
            let change = |units: Option<i64>| units.map(|units| loss(-units));
            (limit.name.clone(), change(limit.lower), change(limit.higher))
        };
        let without = list.without(i).map(|loss| list.ev.value() - loss);
        (without, rule.limits.iter().map(limit).collect())
    });
    let regrets = list.regrets.iter().copied().map(fraction).collect();
    let (ev, regret, rules) = (fraction(list.ev), fraction(list.regret), rules.collect());
    (list.toml.clone(), ev, regrets, regret, list.bound, rules, list.next.clone())
}

fn changed_row(way: &ChangedWay) -> ChangedRow {
    let row = |change: &Change| (change.kind.to_string(), change.rule.clone(), change.text.clone(), change.ev_change);
    (way.toml.clone(), fraction(way.ev), way.steps.iter().map(row).collect())
}

/// Searches for the best lists of rules. Returns the best response's EV, the loss due to the vocabulary, and the lists.
/// See `houseway.searching`.
#[pyfunction]
pub(crate) fn search_ways(
    py: Python<'_>,
    rules: &GameRules,
    question: Question,
    lengths: (usize, usize),
) -> PyResult<(Fraction, f64, Vec<ListRow>)> {
    let problem = question.problem(rules)?;
    let (best, floor, lists) = cancellable(py, |control| {
        let spaces = problem.spaces(None, control)?;
        let search = OpponentSearch::new(&spaces, problem.objective, problem.limits());
        let mut state = OpponentState::default();
        search.run(&mut state, lengths.1, control.cancel, |_, _, _| Ok::<(), SolverError>(()))?;
        let mut lists = problem.lists(&search, &state, &(lengths.0..=lengths.1))?;
        let evs = problem.verify(&search, &mut lists, &[], control)?;
        Ok((mean(&evs.best), loss(search.floor()), lists))
    })?;
    Ok((fraction(best), floor, lists.iter().map(list_row).collect()))
}

/// Searches for the best changes to single rules of a sheet, which was given by this name, path or text. Returns the sheet's EV, and the best
/// changed sheet for each number of changes.
#[pyfunction]
pub(crate) fn fix_way(
    py: Python<'_>,
    rules: &GameRules,
    question: Question,
    sheet: &HouseWay,
    given: &str,
    changes: usize,
) -> PyResult<(Fraction, Vec<ChangedRow>)> {
    let problem = question.problem(rules)?;
    let text = Way::text(given).map_err(value_error)?;
    let found = cancellable(py, |control| problem.fix(&sheet.way, &text, changes, control, |_| {}))?;
    Ok((fraction(found.ev), found.ways.iter().map(changed_row).collect()))
}

/// Returns the words that a search may use, and the objectives.
#[pyfunction]
pub(crate) fn search_names() -> (Vec<&'static str>, Vec<&'static str>) {
    (Word::NAMES.to_vec(), houseway_exact::pai_gow::search::Objective::NAMES.to_vec())
}
