//! Execution of a search.

use super::findings::{Findings, FoundList, Known};
use super::prepared::Prepared;
use super::{Question, robust};
use crate::analysis::pai_gow::progress::with_progress;
use crate::run::{ProgressBar, RESULTS, RunFolder, make_folder, notice, write_atomic};
use anyhow::{Context, bail};
use houseway_env::pai_gow::Strategy;
use houseway_env::pai_gow::house_way::{BUILT_IN, HouseWay, Way};
use houseway_env::seal::Seal;
use houseway_exact::Ratio;
use houseway_exact::pai_gow::search::{Limits, Search, SearchState, loss, units};
use houseway_exact::pai_gow::whole::{BestResponse, Cancelled, Chooser, FullGame};
use houseway_exact::pai_gow::{BankerTable, PowerRating};
use serde::{Deserialize, Serialize};
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
const SEAL: Seal = Seal::new("houseway-search", 1).of_one_version();
/// Greatest difference between a predicted and an exact EV: the rounding of the losses of all profiles.
const ROUNDING: f64 = 2e-9;

/// The state of a search as stored.
#[derive(Serialize, Deserialize)]
struct Stored {
    state: SearchState,
}

/// Returns the limits of a question.
pub(super) fn limits(question: &Question) -> Limits {
    Limits {
        bounds: question.bounds.unwrap_or(usize::MAX),
        bound_price: units(BOUND_PRICE),
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
    let Ok(prepared) = Prepared::new(question, stop) else { return Ok(None) };
    let search = Search::new(&prepared.space, limits(question));
    let Some(state) = find(question, &search, &run, stop)? else { return Ok(None) };
    let Some(findings) = verify(question, &prepared, &search, &state, stop)? else { return Ok(None) };
    make_folder(&run.file("ways"))?;
    for list in &findings.lists {
        write_atomic(&run.file(&list.file()), &list.toml)?;
    }
    run.write_json(RESULTS, &findings.json(Path::new("")))?;
    findings.report().save(&run)?;
    run.finish()?;
    Ok(Some(findings))
}

/// Runs the search, or continues it from the state in the folder.
fn find(
    question: &Question,
    search: &Search<'_>,
    run: &RunFolder,
    stop: &AtomicBool,
) -> anyhow::Result<Option<SearchState>> {
    let stored = run.read_json(STATE).ok().and_then(|document| SEAL.open_document::<Stored>(document).ok());
    let mut state = stored.map(|stored| stored.state).unwrap_or_default();
    if state.steps > 0 {
        notice(&format!("resuming the search after {} steps", state.steps));
    }
    let bar = ProgressBar::new("searching", "steps");
    let step = |state: &SearchState, _, steps: usize| -> anyhow::Result<()> {
        bar.update(state.steps as u64, steps as u64);
        Ok(run.write_json(STATE, &SEAL.seal(&Stored { state: state.clone() }))?)
    };
    match search.run(&mut state, *question.rules.end(), Some(stop), step) {
        Ok(()) => Ok(Some(state)),
        Err(error) if error.is::<Cancelled>() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Evaluates the found lists over all deals, as house ways of their files.
fn verify(
    question: &Question,
    prepared: &Prepared,
    search: &Search<'_>,
    state: &SearchState,
    stop: &AtomicBool,
) -> anyhow::Result<Option<Findings>> {
    let game = &question.game;
    let floor = prepared.space.bounds_by_rules(*question.rules.end());
    let mut lists: Vec<FoundList> = Vec::new();
    for found in state.levels.iter().filter_map(|level| level.first()) {
        let found = search.simplified(found);
        let is_longer = lists.last().is_none_or(|shorter| found.loss < shorter.found.loss);
        if question.rules.contains(&found.rules.len()) && is_longer {
            lists.push(FoundList::new(question, search, found, floor[lists.len().min(floor.len() - 1)])?);
        }
    }
    let known = known(question)?;
    let mut evs: Vec<Vec<Ratio>> = Vec::new();
    for opponent in &question.opponents {
        let whole = FullGame::new(game, question.seat.side(), &BankerTable::new(opponent));
        let payoff = question.seat.payoff(&game.rules());
        let best = BestResponse(payoff);
        let tables: Vec<BankerTable> = lists.iter().map(|list| BankerTable::new(&list.way)).collect();
        let choosers: Vec<&dyn Chooser> = std::iter::once(&best as &dyn Chooser)
            .chain(tables.iter().chain(known.iter().map(|known| &known.1)).map(|table| table as &dyn Chooser))
            .collect();
        let label = format!("evaluating against {}", opponent.name());
        let Ok(totals) = with_progress(&label, stop, |run| whole.totals(&choosers, run)) else { return Ok(None) };
        evs.push(totals.into_iter().map(|counts| counts.ev(payoff)).collect());
    }
    let mean = |i: usize| {
        let sum = evs.iter().fold(Ratio::ZERO, |sum, evs| sum + evs[i]);
        Ratio::new(sum.numerator(), sum.denominator() * evs.len() as i128)
    };
    let best = mean(0);
    for (i, list) in lists.iter_mut().enumerate() {
        list.ev = mean(1 + i);
        let predicted = loss(list.found.loss + prepared.space.within_profiles) / question.opponents.len() as f64;
        let exact = (best - list.ev).value();
        if (predicted - exact).abs() > ROUNDING {
            bail!(
                "{}: the search predicts a loss of {predicted}, but it is {exact}; this is an error of the program",
                list.way.name()
            );
        }
    }
    let others =
        known.iter().enumerate().map(|(i, (known, _))| Known { ev: mean(1 + lists.len() + i), ..known.clone() });
    let known = others.collect();
    let robust = if question.robust { Some(robust::examine(question, &ways(&lists), stop)) } else { None };
    let robust = match robust {
        Some(Err(Cancelled)) => return Ok(None),
        Some(Ok(robust)) => Some(robust),
        None => None,
    };
    Ok(Some(Findings::new(question, best, loss(prepared.space.floor()), lists, known, robust)))
}

/// The house ways of lists.
fn ways(lists: &[FoundList]) -> Vec<&HouseWay> {
    lists.iter().map(|list| &list.way).collect()
}

/// Published house ways and strategies, and the power rating, for comparison.
fn known(question: &Question) -> anyhow::Result<Vec<(Known, BankerTable)>> {
    let game = &question.game;
    let mut all = Vec::new();
    for (name, _) in BUILT_IN {
        let way = Way::named(name)?;
        let bounds = way.bounds();
        // Not every sheet sets all hands of every variant.
        if let Ok(way) = HouseWay::compile(way, game) {
            let rules = Some(way.survey().rules.len());
            let known = Known { name: (*name).to_owned(), rules, bounds: Some(bounds), ev: Ratio::ZERO };
            all.push((known, BankerTable::new(&way)));
        }
    }
    let rating = PowerRating::new(game, &BankerTable::new(&question.opponents[0]));
    let table = BankerTable::from_strategy(game, &rating).context("the power rating")?;
    all.push((Known { name: rating.name().to_owned(), rules: None, bounds: None, ev: Ratio::ZERO }, table));
    Ok(all)
}
