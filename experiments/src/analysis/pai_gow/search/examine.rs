//! Execution of a search.

use super::evaluate::{evaluate, mean};
use super::findings::{Findings, FoundList, Known};
use super::prepared::spaces;
use super::{Question, robust};
use crate::run::{ProgressBar, RESULTS, RunFolder, make_folder, notice, write_atomic};
use anyhow::{Context, bail};
use houseway_env::pai_gow::Strategy;
use houseway_env::pai_gow::house_way::{HouseWay, PUBLISHED, Way};
use houseway_env::seal::Seal;
use houseway_exact::Ratio;
use houseway_exact::pai_gow::search::{Limits, OpponentSearch, OpponentState, Search, loss, units};
use houseway_exact::pai_gow::whole::Cancelled;
use houseway_exact::pai_gow::{BankerTable, PowerRating};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Price of a bound as a fraction of the stake, so that a limit that changes next to nothing is left out.
const BOUND_PRICE: f64 = 1e-6;
/// Number of insertions into single shapes from which rules are built.
const SEEDS: usize = 60;
/// Number of insertions that are tried for each list.
const BRANCHES: usize = 10;
/// Maximum number of cases of a rule.
const CASES: usize = 2;
/// File with the state of the search, and its seal.
const STATE: &str = "search.json";
const SEAL: Seal = Seal::new("houseway-search", 2).of_one_version();
/// Greatest difference between a predicted and an exact EV: the rounding of the losses of all profiles.
const ROUNDING: f64 = 2e-9;

/// The state of a search as stored.
#[derive(Serialize, Deserialize)]
struct Stored {
    state: OpponentState,
}

/// Returns the limits of a question.
pub(super) fn limits(question: &Question) -> Limits {
    Limits {
        bounds: question.bounds.unwrap_or(usize::MAX),
        bound_price: units(BOUND_PRICE),
        words: question.words_per_rule,
        cases: CASES,
        width: question.width,
        seeds: SEEDS,
        branches: BRANCHES,
    }
}

/// Searches, evaluates what was found over all deals, and writes the results to a run's folder. Returns `None` if it was
/// stopped; finished steps are kept.
///
/// # Errors
/// If a file cannot be read or written, or if a predicted EV is not the exact one.
pub fn examine(question: &Question, run: RunFolder, stop: &AtomicBool) -> anyhow::Result<Option<Findings>> {
    unless_stopped(find_and_verify(question, run, stop))
}

/// Returns `None` for work that was stopped.
pub(super) fn unless_stopped<T>(result: anyhow::Result<T>) -> anyhow::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is::<Cancelled>() => Ok(None),
        Err(error) => Err(error),
    }
}

fn find_and_verify(question: &Question, run: RunFolder, stop: &AtomicBool) -> anyhow::Result<Findings> {
    let spaces = spaces(question, None, stop)?;
    let search = OpponentSearch::new(&spaces, question.objective, limits(question));
    let state = find(question, &search, &run, stop)?;
    let findings = verify(question, lists(question, &search, &state)?, &search, stop)?;
    make_folder(&run.file("ways"))?;
    for list in &findings.lists {
        write_atomic(&run.file(&list.file()), &list.toml)?;
    }
    run.write_json(RESULTS, &findings.json(Path::new("")))?;
    findings.report().save(&run)?;
    // A finished search has nothing to continue; one for lists of a single rule has no steps, and no state either.
    match std::fs::remove_file(run.file(STATE)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("cannot remove {STATE}"));
        }
        _ => {}
    }
    run.finish()?;
    Ok(findings)
}

/// Runs the search, or continues it from the state in the folder.
fn find(
    question: &Question,
    search: &OpponentSearch<'_>,
    run: &RunFolder,
    stop: &AtomicBool,
) -> anyhow::Result<OpponentState> {
    let stored = run.read_json(STATE).ok().and_then(|document| SEAL.open_document::<Stored>(document).ok());
    let mut state = stored.map(|stored| stored.state).unwrap_or_default();
    if state.search.steps > 0 {
        notice("resuming the search");
    }
    let bar = ProgressBar::new("searching", "steps");
    let step = |state: &OpponentState, done: usize, steps: usize| -> anyhow::Result<()> {
        bar.update(done as u64, steps as u64);
        Ok(run.write_json(STATE, &SEAL.seal(&Stored { state: state.clone() }))?)
    };
    search.run(&mut state, *question.rules.end(), Some(stop), step)?;
    Ok(state)
}

/// The found lists as house ways; longer ones only if they lose less. Their EVs are still to be evaluated.
fn lists(question: &Question, search: &OpponentSearch<'_>, state: &OpponentState) -> anyhow::Result<Vec<FoundList>> {
    let bounds = search.bounds(state, *question.rules.end());
    let mean = search.mean();
    let prices = Search::new(&mean, limits(question));
    let mut lists: Vec<FoundList> = Vec::new();
    let mut least = i64::MAX;
    for rules in state.best.iter().flatten() {
        let loss = search.loss(rules);
        if question.rules.contains(&rules.len()) && loss < least {
            least = loss;
            lists.push(FoundList::new(question, &prices, rules, bounds[rules.len() - 1])?);
        }
    }
    Ok(lists)
}

/// Evaluates the found lists over all deals, as house ways of their files.
fn verify(
    question: &Question,
    mut lists: Vec<FoundList>,
    search: &OpponentSearch<'_>,
    stop: &AtomicBool,
) -> anyhow::Result<Findings> {
    let known = known(question)?;
    let own: Vec<BankerTable> = lists.iter().map(|list| BankerTable::new(&list.way)).collect();
    let tables: Vec<&BankerTable> = own.iter().chain(known.iter().map(|known| &known.1)).collect();
    let evs = evaluate(question, &tables, stop)?;
    for (i, list) in lists.iter_mut().enumerate() {
        list.ev = mean(&evs.of[i]);
        list.regrets = evs.regrets(i);
        list.regret = question.regret(&list.regrets);
        for (predicted, exact) in search.losses(list.rules_found()).into_iter().zip(&list.regrets) {
            let (predicted, exact) = (loss(predicted), exact.value());
            if (predicted - exact).abs() > ROUNDING {
                bail!(
                    "{}: the search predicts a loss of {predicted}, but it is {exact}; this is an error of the program",
                    list.way.name()
                );
            }
        }
    }
    let other = |(i, (known, _)): (usize, (Known, BankerTable))| {
        let i = lists.len() + i;
        Known { ev: mean(&evs.of[i]), regret: question.regret(&evs.regrets(i)), ..known }
    };
    let known = known.into_iter().enumerate().map(other).collect();
    let ways: Vec<&HouseWay> = lists.iter().map(|list| &list.way).collect();
    let robust = if question.robust { Some(robust::examine(question, &ways, stop)?) } else { None };
    Ok(Findings::new(question, mean(&evs.best), loss(search.floor()), lists, known, robust))
}

/// Published house ways and strategies, and the power rating, for comparison.
fn known(question: &Question) -> anyhow::Result<Vec<(Known, BankerTable)>> {
    let game = &question.game;
    let mut all = Vec::new();
    let entry = |name: &str, rules, bounds| Known {
        name: name.to_owned(),
        rules,
        bounds,
        ev: Ratio::ZERO,
        regret: Ratio::ZERO,
    };
    for (name, _) in PUBLISHED {
        let way = Way::named(name)?;
        let bounds = way.bounds();
        // Not every sheet sets all hands of every variant.
        if let Ok(way) = HouseWay::compile(way, game) {
            all.push((entry(name, Some(way.survey().rules.len()), Some(bounds)), BankerTable::new(&way)));
        }
    }
    let rating = PowerRating::new(game, &BankerTable::new(&question.opponents[0]));
    let table = BankerTable::from_strategy(game, &rating).context("the power rating")?;
    all.push((entry(rating.name(), None, None), table));
    Ok(all)
}
