//! Audits. Python receives all values as integers, which `houseway.auditing` turns into fractions and arrays.

use super::counts::{counts_dict, interruptible};
use super::hands::GameRules;
use super::strategy::Given;
use crate::error::solver_error;
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::{HouseWay as Compiled, RuleSurvey};
use houseway_env::rank::{FiveStrength, TwoStrength};
use houseway_exact::pai_gow::BankerTable;
use houseway_exact::pai_gow::audit::{
    AuditCounts, ChangeCounts, EvLoss as Loss, HalfCounts, Prices, Sample, audit as count,
};
use houseway_exact::pai_gow::whole::{DealCounts, Payoff, Play, Run, Side};
use houseway_exact::solver::SolverError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// The cards, the setting played, another setting, and both settings' gains.
type SampleRow = ([u8; 7], usize, usize, i64, i64);
/// The number of hands set differently, how many are better and worse off, and the total gain.
type ChangeRow = (u64, u64, u64, i128);
/// A rule's index, the group's name, its numbers of hands, suboptimal hands and dominated hands, the EV lost, and
/// examples.
type GroupRow = (usize, String, u64, u64, u64, i128, Option<SampleRow>, Option<SampleRow>);
/// A rule's name and text, and either the effect of removing it or the number of hands that need it.
type RuleRow = (String, String, Option<ChangeRow>, u64);
/// A reading's name and option, and either the effect of choosing it or the reason why it is unavailable.
type ReadingRow = (String, String, Option<ChangeRow>, Option<String>);
/// The number of hands, and the numbers of deals in which the half beats or copies the opposing half.
type HalfRow = (u64, u64, u64);

fn sample(sample: Option<Sample>) -> Option<SampleRow> {
    let row = |it: Sample| {
        let cards = it.hand.cards().map(|card| card.index() as u8);
        (cards, it.plays.index(), it.other.index(), it.gain, it.other_gain)
    };
    sample.map(row)
}

fn change(change: &ChangeCounts) -> ChangeRow {
    (change.hands, change.better, change.worse, change.gain)
}

fn groups(counts: &AuditCounts) -> Vec<GroupRow> {
    let row = |(group, loss): &(_, Loss)| {
        let houseway_exact::pai_gow::audit::GroupOfRule { rule, group } = *group;
        let Loss { hands, suboptimal, dominated, lost, worst, worst_dominated } = *loss;
        (rule, group.to_string(), hands, suboptimal, dominated, lost, sample(worst), sample(worst_dominated))
    };
    counts.groups.iter().map(row).collect()
}

fn rules(way: &Compiled, prices: &Prices<'_>, counts: &AuditCounts) -> Vec<RuleRow> {
    let rules = way.survey().rules.iter().zip(&prices.rules);
    let row = |(rule, price): (&RuleSurvey, &Result<usize, u64>)| {
        let (change, needed) = match *price {
            Ok(number) => (Some(change(&counts.alternatives[number])), 0),
            Err(hands) => (None, hands),
        };
        (rule.name.clone(), rule.text.clone(), change, needed)
    };
    rules.map(row).collect()
}

fn readings(prices: &Prices<'_>, counts: &AuditCounts) -> Vec<ReadingRow> {
    let row = |(name, option, number): &(String, String, Result<usize, String>)| match number {
        Ok(number) => (name.clone(), option.clone(), Some(change(&counts.alternatives[*number])), None),
        Err(reason) => (name.clone(), option.clone(), None, Some(reason.clone())),
    };
    prices.readings.iter().map(row).collect()
}

/// Iterates over the halves that occur in these counts, from the highest to the lowest.
fn formed(counts: &[HalfCounts]) -> impl Iterator<Item = (usize, HalfRow)> {
    let all = counts.iter().enumerate().rev().filter(|(_, counts)| counts.hands > 0);
    all.map(|(strength, counts)| (strength, (counts.hands, counts.beats, counts.copies)))
}

/// Returns the fronts that the way forms, sorted by strength.
fn fronts(counts: &AuditCounts) -> Vec<(usize, String, HalfRow)> {
    formed(&counts.fronts).map(|(i, row)| (i, TwoStrength::from_index(i).to_string(), row)).collect()
}

/// Returns the backs that the way forms, sorted by strength, with their categories.
fn backs(game: &Game, counts: &AuditCounts) -> Vec<(usize, String, &'static str, HalfRow)> {
    let row = |(i, row)| {
        let back = FiveStrength::from_index(i);
        (i, game.ranking().describe(back), game.ranking().category(back).name(), row)
    };
    formed(&counts.backs).map(row).collect()
}

/// Audits `way` against optimal play, on the player's side or, with `as_banker`, on the banker's. See
/// `houseway.auditing` for the meaning of the results.
#[pyfunction]
pub(crate) fn audit<'py>(
    py: Python<'py>,
    rules: &GameRules,
    way: Given,
    opponent: Given,
    as_banker: bool,
    shard: (i64, i64),
) -> PyResult<Bound<'py, PyDict>> {
    let game: &Game = &rules.game;
    let game_rules = game.rules();
    let (side, payoff) = match as_banker {
        true => (Side::Banker, Payoff::house_bank(&game_rules)),
        false => (Side::Player, Payoff::player(&game_rules)),
    };
    let opponent = opponent.pure().map_err(solver_error)?;
    // Halves aren't counted against a table.
    let halves = opponent.profiles().is_some();
    let pass = |run: &Run<'_>| -> Result<_, SolverError> {
        let whole = opponent.pass(game, side)?;
        let whole = if halves { whole.with_halves() } else { whole.with_copies() };
        match &way {
            Given::Way(way) => {
                let way = &way.get().way;
                let prices = Prices::new(way, game);
                let table = BankerTable::shared(way);
                let counts = count(&whole, Play::Profiles(&table), Some(&prices.alternatives), payoff, run)?;
                Ok((self::rules(way, &prices, &counts), readings(&prices, &counts), counts))
            }
            Given::Table(table) => {
                let play = Play::Classes(table.get().classes()?);
                Ok((vec![], vec![], count(&whole, play, None, payoff, run)?))
            }
        }
    };
    let (rules, readings, mut counts) = interruptible(py, shard, pass)?;
    if !halves {
        (counts.fronts, counts.backs) = (vec![], vec![]);
    }
    let of_player = |counts: DealCounts| if as_banker { counts.other_side() } else { counts };
    let answer = PyDict::new(py);
    answer.set_item("hands", counts.hands)?;
    answer.set_item("way", counts_dict(py, of_player(counts.way).into())?)?;
    answer.set_item("best", counts_dict(py, of_player(counts.best).into())?)?;
    answer.set_item("groups", PyList::new(py, groups(&counts))?)?;
    answer.set_item("rules", rules)?;
    answer.set_item("readings", readings)?;
    answer.set_item("fronts", fronts(&counts))?;
    answer.set_item("backs", backs(game, &counts))?;
    Ok(answer)
}
