//! Runs searches and writes their results.

use super::findings::{Findings, Known, file_of};
use super::{Question, robust};
use crate::analysis::pai_gow::progress::{WithProgress, unless_stopped};
use crate::run::{ProgressBar, RESULTS, RunFolder, make_folder, notice, read_state, write_atomic};
use anyhow::Context;
use houseway_env::pai_gow::Strategy;
use houseway_env::pai_gow::house_way::{HouseWay, PUBLISHED, Way};
use houseway_env::seal::Seal;
use houseway_exact::Ratio;
use houseway_exact::pai_gow::search::{FoundList, OpponentSearch, OpponentState, Problem, loss, mean};
use houseway_exact::pai_gow::{BankerTable, PowerRating};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The file that stores a search's state, protected by the seal below.
const STATE: &str = "search.json";
const SEAL: Seal = Seal::new("houseway-search", 2).of_one_version();
/// A search's state in its stored form.
#[derive(Serialize, Deserialize)]
struct Stored {
    state: OpponentState,
}

/// Runs a search, evaluates the resulting lists over all deals, and writes the results to the run's folder. Returns
/// `None` if it is stopped. Finished steps are kept in that case.
pub fn examine(question: &Question, run: RunFolder, stop: &AtomicBool) -> anyhow::Result<Option<Findings>> {
    unless_stopped(find_and_verify(question, run, stop))
}

fn find_and_verify(question: &Question, run: RunFolder, stop: &AtomicBool) -> anyhow::Result<Findings> {
    let problem = &question.problem;
    let spaces = problem.spaces(None, &WithProgress(stop))?;
    let search = OpponentSearch::new(&spaces, problem.objective, problem.limits());
    let state = find(question, &search, &run, stop)?;
    let lists = problem.lists(&search, &state, &question.rules)?;
    let findings = verify(question, lists, &search, stop)?;
    make_folder(&run.file("ways"))?;
    for list in &findings.lists {
        write_atomic(&run.file(&file_of(list)), &list.toml)?;
    }
    run.write_json(RESULTS, &findings.json(Path::new("")))?;
    findings.report().save(&run)?;
    // A finished search has nothing left to resume. A search for lists with a single rule has no steps and never wrote
    // a state.
    match std::fs::remove_file(run.file(STATE)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("cannot remove {STATE}"));
        }
        _ => {}
    }
    run.finish()?;
    Ok(findings)
}

/// Runs the search, resuming from the state in the folder if there is one.
fn find(
    question: &Question,
    search: &OpponentSearch<'_>,
    run: &RunFolder,
    stop: &AtomicBool,
) -> anyhow::Result<OpponentState> {
    let stored = read_state(run.working(), STATE, |bytes| {
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        SEAL.open::<Stored>(text).map_err(|error| error.to_string())
    })?;
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

/// Evaluates the resulting lists over all deals, after compiling them from their files.
fn verify(
    question: &Question,
    mut lists: Vec<FoundList>,
    search: &OpponentSearch<'_>,
    stop: &AtomicBool,
) -> anyhow::Result<Findings> {
    let problem = &question.problem;
    let known = known(problem)?;
    let tables: Vec<&BankerTable> = known.iter().map(|known| &known.1).collect();
    let evs = problem.verify(search, &mut lists, &tables, &WithProgress(stop))?;
    let other = |(i, (known, _)): (usize, (Known, BankerTable))| {
        let i = lists.len() + i;
        Known { ev: mean(&evs.of[i]), regret: problem.regret(&evs.regrets(i)), ..known }
    };
    let known = known.into_iter().enumerate().map(other).collect();
    let ways: Vec<&HouseWay> = lists.iter().map(|list| &list.way).collect();
    let robust = if question.robust { Some(robust::examine(question, &ways, stop)?) } else { None };
    Ok(Findings::new(question, mean(&evs.best), loss(search.floor()), lists, known, robust))
}

/// Returns the baselines: published house ways, published strategies, and the power rating.
fn known(problem: &Problem) -> anyhow::Result<Vec<(Known, BankerTable)>> {
    let game = &problem.game;
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
        // Some sheets don't set all hands in every variant.
        if let Ok(way) = HouseWay::compile(way, game) {
            all.push((entry(name, Some(way.survey().rules.len()), Some(bounds)), BankerTable::new(&way)));
        }
    }
    let rating = PowerRating::new(game, &BankerTable::new(&*problem.opponents[0]));
    let table = BankerTable::from_strategy(game, &rating).context("the power rating")?;
    all.push((entry(rating.name(), None, None), table));
    Ok(all)
}
