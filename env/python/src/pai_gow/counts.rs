//! EVs by enumeration. Counts are passed to Python as integers, which it turns into fractions and floats.

use super::hands::hands_of;
use super::strategy::Given;
use super::way::HouseWay;
use crate::error::{cancelled, solver_error, value_error};
use crate::interrupt::cancellable;
use crate::pool::detached;
use houseway_env::cards::classes::Classes;
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Game, Setting};
use houseway_exact::Ratio;
use houseway_exact::pai_gow::matchup::{BankedBy, SideStrategy, outcomes};
use houseway_exact::pai_gow::whole::{ClassCounts, DealCounts, Pass, Payoff, Play, Run, Shard, Side};
use houseway_exact::pai_gow::{
    BANKER_HANDS, BankerTable, ClassTable, HandCounts, HandEvaluator, KnownCards, hand_counts,
};
use houseway_exact::solver::{DeadCards, SolverConfig};
use houseway_exact::store::PassStore;
use numpy::ndarray::{Array1, Array2};
use numpy::{IntoPyArray, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU32, Ordering};

/// Returns the outcome counts for all settings of hands `(n, 7)` against a banker, as int64 arrays `(n, 21)` with -1
/// for fouls. The banker can't hold any of the dead cards. `rules` is a house way for the same game rules.
#[pyfunction]
#[pyo3(signature = (hands, rules, banker, dead=""))]
pub(crate) fn count_hands<'py>(
    py: Python<'py>,
    hands: PyReadonlyArray2<'py, u8>,
    rules: &HouseWay,
    banker: Given,
    dead: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let config = SolverConfig::default().option(DeadCards::OPTION.name, dead);
    let dead = DeadCards::from_config(&config).map_err(solver_error)?;
    let known = |hand| KnownCards::new(hand, dead).map_err(solver_error);
    let hands: Vec<KnownCards> = hands_of(&hands)?.into_iter().map(known).collect::<PyResult<_>>()?;
    let (game, banker): (&Game, _) = (&rules.game, detached(py, || banker.tabulated()));
    let count = |&hand: &KnownCards| hand_counts(game, Side::Player, hand, Some(&banker));
    let counts: Vec<HandCounts> = cancellable(py, |_| match banker.profiles() {
        Some(table) => HandEvaluator::new(game, table).count_many(&hands),
        None => hands.par_iter().map(count).collect(),
    })?;
    let names = ["wins", "losses", "copies_front", "copies_back"];
    let mut arrays = names.map(|_| vec![-1i64; hands.len() * Setting::COUNT]);
    let mut best = Vec::with_capacity(hands.len());
    for (i, counts) in counts.iter().enumerate() {
        for (setting, counts) in counts.settings().iter().enumerate() {
            let Some(counts) = counts else { continue };
            let values = [counts.wins, counts.losses, counts.copies_front, counts.copies_back];
            arrays.iter_mut().zip(values).for_each(|(array, n)| array[i * Setting::COUNT + setting] = n as i64);
        }
        best.push(counts.best().index() as u8);
    }
    let answer = PyDict::new(py);
    for (name, values) in names.into_iter().zip(arrays) {
        let array = Array2::from_shape_vec((hands.len(), Setting::COUNT), values).map_err(value_error)?;
        answer.set_item(name, array.into_pyarray(py))?;
    }
    answer.set_item("best", Array1::from_vec(best).into_pyarray(py))?;
    Ok(answer)
}

/// Runs a pass over all deals without holding the GIL, and stops it when Python is interrupted.
pub(super) fn interruptible<T: Send>(
    py: Python<'_>,
    (index, of): (i64, i64),
    pass: impl FnOnce(&Run<'_>) -> T + Send,
) -> PyResult<T> {
    let shard = usize::try_from(index).ok().zip(usize::try_from(of).ok()).and_then(|(index, of)| Shard::new(index, of));
    let shard = shard
        .ok_or_else(|| PyValueError::new_err(format!("invalid shard {index} of {of}: shards are numbered from 0")))?;
    cancellable(py, |cancel| pass(&Run { shard, cancel: Some(cancel), ..Run::default() }))
}

/// Converts the error of a pass that was canceled.
pub(super) fn stopped(_: houseway_exact::pai_gow::whole::Cancelled) -> PyErr {
    cancelled()
}

/// A numerator and a denominator.
pub(super) type Fraction = (i128, i128);

pub(super) fn fraction(ratio: Ratio) -> Fraction {
    (ratio.numerator(), ratio.denominator())
}

pub(super) fn counts_dict<'py>(py: Python<'py>, counts: &DealCounts) -> PyResult<Bound<'py, PyDict>> {
    let answer = PyDict::new(py);
    answer.set_item("wins", counts.wins)?;
    answer.set_item("pushes", counts.pushes)?;
    answer.set_item("losses", counts.losses)?;
    answer.set_item("copies_front", counts.copies_front)?;
    answer.set_item("copies_back", counts.copies_back)?;
    Ok(answer)
}

/// Returns the player's outcome counts over all deals between two strategies, or between a strategy and the best response
/// to it (`None`). They are taken from the folder `kept` or stored there if it is given. `rules` is a house way for the
/// same game rules.
#[pyfunction]
#[pyo3(signature = (rules, player, banker, house_banks=true, shard=(0, 1), kept=None))]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    rules: &HouseWay,
    player: Option<Given>,
    banker: Option<Given>,
    house_banks: bool,
    shard: (i64, i64),
    kept: Option<PathBuf>,
) -> PyResult<Bound<'py, PyDict>> {
    let game: &Game = &rules.game;
    let store = match kept {
        Some(folder) => PassStore::open(&folder, |warning| eprintln!("{warning}"))?,
        None => PassStore::default(),
    };
    let bank = if house_banks { BankedBy::House } else { BankedBy::Player };
    let pass = |run: &Run<'_>| {
        let pair = [&player, &banker].map(|given| match given {
            Some(given) => (&given.tabulated()).into(),
            None => SideStrategy::Optimal,
        });
        outcomes(&store, game, &[pair], bank.payoffs(&game.rules()), run)
    };
    let counts = interruptible(py, shard, pass)?.map_err(solver_error)?[0];
    counts_dict(py, &counts.deals().expect("these strategies have a single setting for each hand"))
}

/// Returns the best setting of every class against a banker, in class order.
#[pyfunction]
pub(crate) fn best_settings<'py>(py: Python<'py>, banker: &HouseWay) -> PyResult<Bound<'py, numpy::PyArray1<u8>>> {
    let pass = |run: &Run<'_>| {
        let table = BankerTable::new(&*banker.way);
        let optimum = Play::Best(Payoff::player(&banker.game.rules()));
        Pass::new(&banker.game, Side::Player, &table).tabulate("optimal", optimum, run)
    };
    let table = interruptible(py, (0, 1), pass)?.map_err(stopped)?;
    Ok(Array1::from_vec(table.settings().to_vec()).into_pyarray(py))
}

/// Evaluates policies over all deals in one pass. Each policy is an array with a setting per class, in class order.
/// Returns the outcome counts and the number of optimally set hands for each policy, and the optimum's counts. `rules` is
/// a house way for the same game rules.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub(crate) fn score_settings<'py>(
    py: Python<'py>,
    policies: Vec<PyReadonlyArray1<'py, u8>>,
    rules: &HouseWay,
    banker: Given,
) -> PyResult<(Vec<(Bound<'py, PyDict>, u64)>, Bound<'py, PyDict>)> {
    let table = |settings: &PyReadonlyArray1<'_, u8>| ClassTable::new("policy", settings.as_array().to_vec());
    let tables: Vec<ClassTable> = policies.iter().map(table).collect::<Result<_, _>>().map_err(value_error)?;
    let game: &Game = &rules.game;
    let other = detached(py, || banker.tabulated());
    let prepared = detached(py, || other.pass(game, Side::Player)).map_err(solver_error)?;
    detached(py, || tables.iter().try_for_each(|table| table.check_legal(game))).map_err(value_error)?;
    let payoff = Payoff::player(&game.rules());
    let pass = |run: &Run<'_>| {
        let plays: Vec<Play<'_>> = tables.iter().map(Play::Classes).chain([Play::Best(payoff)]).collect();
        // Each play's counts, and the number of hands that it sets without any loss.
        let none = || vec![(DealCounts::default(), 0); plays.len()];
        let visit = |totals: &mut Vec<(DealCounts, u64)>, classes: &[ClassCounts]| {
            let best = Play::Best(payoff).choose(classes);
            for ((counts, agreed), play) in totals.iter_mut().zip(&plays) {
                for ((class, setting), &best) in classes.iter().zip(play.choose(classes)).zip(&best) {
                    counts.add(class, setting);
                    let agrees = class.gain(setting, payoff) == class.gain(best, payoff);
                    *agreed += if agrees { u64::from(class.orbit) } else { 0 };
                }
            }
        };
        let merge = |a: Vec<(DealCounts, u64)>, b: Vec<(DealCounts, u64)>| {
            a.into_iter().zip(b).map(|(a, b)| (a.0.plus(b.0), a.1 + b.1)).collect()
        };
        prepared.with_copies().fold(run, none, visit, merge)
    };
    let totals: Vec<(DealCounts, u64)> = interruptible(py, (0, 1), pass)?.map_err(stopped)?;
    let own = totals[..tables.len()].iter().map(|(counts, agreed)| Ok((counts_dict(py, counts)?, *agreed)));
    Ok((own.collect::<PyResult<_>>()?, counts_dict(py, &totals[tables.len()].0)?))
}

/// Returns all settings of all classes: `wins` and `losses`, int32 `(6972147, 21)` with -1 for fouls (586 MB each), and
/// `best`, uint8, and `best_ev`, float64, both `(6972147,)`.
#[pyfunction]
pub(crate) fn whole_table<'py>(py: Python<'py>, banker: &HouseWay) -> PyResult<Bound<'py, PyDict>> {
    let classes = Classes::seven();
    let (cells, payoff) = (classes.len() * Setting::COUNT, Payoff::player(&banker.game.rules()));
    let (wins, losses): (Vec<AtomicU32>, Vec<AtomicU32>) =
        (0..cells).map(|_| (AtomicU32::new(u32::MAX), AtomicU32::new(u32::MAX))).unzip();
    let (best, best_gain): (Vec<AtomicU8>, Vec<AtomicI64>) =
        (0..classes.len()).map(|_| (AtomicU8::new(0), AtomicI64::new(0))).unzip();
    let pass = |run: &Run<'_>| {
        let other = BankerTable::new(&*banker.way);
        let visit = |(): &mut (), some: &[ClassCounts]| {
            for class in some {
                let index = classes.index(class.hand.set());
                for setting in class.legal_settings() {
                    let cell = index * Setting::COUNT + setting.index();
                    wins[cell].store(class.wins[setting.index()], Ordering::Relaxed);
                    losses[cell].store(class.losses[setting.index()], Ordering::Relaxed);
                }
                let setting = class.best(payoff);
                best[index].store(setting.index() as u8, Ordering::Relaxed);
                best_gain[index].store(class.gain(setting, payoff), Ordering::Relaxed);
            }
        };
        Pass::new(&banker.game, Side::Player, &other).fold(run, || (), visit, |(), ()| ())
    };
    interruptible(py, (0, 1), pass)?.map_err(stopped)?;
    let matrix = |cells: Vec<AtomicU32>| {
        let values: Vec<i32> = cells.into_iter().map(|cell| cell.into_inner() as i32).collect();
        Array2::from_shape_vec((classes.len(), Setting::COUNT), values).map_err(value_error)
    };
    let stakes = BANKER_HANDS as f64 * f64::from(Rate::WHOLE);
    let ev = |gain: AtomicI64| gain.into_inner() as f64 / stakes - payoff.fee().value();
    let answer = PyDict::new(py);
    answer.set_item("wins", matrix(wins)?.into_pyarray(py))?;
    answer.set_item("losses", matrix(losses)?.into_pyarray(py))?;
    answer.set_item("best", best.into_iter().map(AtomicU8::into_inner).collect::<Array1<u8>>().into_pyarray(py))?;
    answer.set_item("best_ev", best_gain.into_iter().map(ev).collect::<Array1<f64>>().into_pyarray(py))?;
    Ok(answer)
}
