//! EVs by enumeration. Counts are passed to Python as integers, which it turns into fractions and floats.

use super::hands::{GameRules, hands_of};
use super::strategy::Given;
use crate::error::{solver_error, value_error};
use crate::interrupt::cancellable;
use crate::pool::detached;
use houseway_env::cards::classes::Classes;
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Game, Setting};
use houseway_exact::pai_gow::matchup::{BankedBy, SideStrategy, outcomes};
use houseway_exact::pai_gow::whole::{ClassCounts, OutcomeWeights, Payoff, Play, Run, Shard, Side};
use houseway_exact::pai_gow::{
    BANKER_HANDS, ClassTable, HandCounts, HandEvaluator, KnownCards, Tabulated, hand_counts,
};
use houseway_exact::solver::{DeadCards, SolverConfig, SolverError};
use houseway_exact::store::PassStore;
use numpy::ndarray::{Array1, Array2};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU32, Ordering};

/// Returns the outcome counts for all settings of hands `(n, 7)` against a banker, as int64 arrays `(n, 21)` with -1
/// for fouls. The banker can't hold any of the dead cards.
#[pyfunction]
pub(crate) fn count_hands<'py>(
    py: Python<'py>,
    rules: &GameRules,
    hands: PyReadonlyArray2<'py, u8>,
    banker: Given,
    dead: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let config = SolverConfig::default().option(DeadCards::OPTION.name, dead);
    let dead = DeadCards::from_config(&config).map_err(solver_error)?;
    let known = |hand| KnownCards::new(hand, dead).map_err(solver_error);
    let hands: Vec<KnownCards> = hands_of(&hands)?.into_iter().map(known).collect::<PyResult<_>>()?;
    let (game, banker): (&Game, _) = (&rules.game, detached(py, || banker.tabulated()));
    let counts: Vec<HandCounts> = cancellable(py, |control| {
        let evaluator = banker.profiles().map(|table| HandEvaluator::new(game, table));
        let count = |&hand: &KnownCards| {
            control.check()?;
            Ok(match &evaluator {
                Some(evaluator) => evaluator.count(hand),
                None => hand_counts(game, Side::Player, hand, Some(&banker)),
            })
        };
        hands.par_iter().map(count).collect()
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

/// The shard with all deals.
const WHOLE: (i64, i64) = (0, 1);

/// Runs a pass over all deals without holding the GIL, and stops it when Python is interrupted.
pub(super) fn interruptible<T: Send>(
    py: Python<'_>,
    (index, of): (i64, i64),
    pass: impl FnOnce(&Run<'_>) -> Result<T, SolverError> + Send,
) -> PyResult<T> {
    let shard = usize::try_from(index).ok().zip(usize::try_from(of).ok()).and_then(|(index, of)| Shard::new(index, of));
    let shard = shard
        .ok_or_else(|| PyValueError::new_err(format!("invalid shard {index} of {of}: shards are numbered from 0")))?;
    cancellable(py, |control| pass(&Run { shard, cancel: control.cancel, ..Run::default() }))
}

/// Returns the counts by the names of the fields of `houseway.exact.Counts`.
pub(super) fn counts_dict(py: Python<'_>, counts: OutcomeWeights) -> PyResult<Bound<'_, PyDict>> {
    let answer = PyDict::new(py);
    answer.set_item("wins", counts.wins)?;
    answer.set_item("pushes", counts.pushes)?;
    answer.set_item("losses", counts.losses)?;
    answer.set_item("copies_front", counts.copies_front)?;
    answer.set_item("copies_back", counts.copies_back)?;
    Ok(answer)
}

/// Returns the player's outcome counts over all deals between two strategies, or between a strategy and the best response
/// to it (`None`). They are taken from the folder `kept` or stored there if it is given.
#[pyfunction]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    rules: &GameRules,
    sides: [Option<Given>; 2],
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
        let pair = sides.each_ref().map(|given| match given {
            Some(given) => (&given.tabulated()).into(),
            None => SideStrategy::Optimal,
        });
        outcomes(&store, game, &[pair], bank.payoffs(&game.rules()), run)
    };
    counts_dict(py, interruptible(py, shard, pass)?[0])
}

/// Returns the best setting of every class against a banker, in class order.
#[pyfunction]
pub(crate) fn best_settings<'py>(
    py: Python<'py>,
    rules: &GameRules,
    banker: Given,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let pass = |run: &Run<'_>| -> Result<ClassTable, SolverError> {
        let pass = banker.pure()?.pass(&rules.game, Side::Player)?;
        Ok(pass.tabulate("optimal", Play::Best(Payoff::player(&rules.game.rules())), run)?)
    };
    let table = interruptible(py, WHOLE, pass)?;
    Ok(PyArray1::from_slice(py, table.settings()))
}

/// Evaluates strategies of the player over all deals in one pass. Returns the outcome counts of each, and the number of
/// hands that it sets as well as the best response, which come last.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub(crate) fn score<'py>(
    py: Python<'py>,
    rules: &GameRules,
    players: Vec<Given>,
    banker: Given,
) -> PyResult<Vec<(Bound<'py, PyDict>, u64)>> {
    let payoff = Payoff::player(&rules.game.rules());
    let pass = |run: &Run<'_>| -> Result<_, SolverError> {
        let players: Vec<Tabulated> = players.iter().map(Given::tabulated).collect();
        let plays: Vec<Play<'_>> = players.iter().map(Tabulated::play).chain([Play::Best(payoff)]).collect();
        Ok(banker.tabulated().pass(&rules.game, Side::Player)?.with_copies().scores(&plays, payoff, run)?)
    };
    let scores = interruptible(py, WHOLE, pass)?;
    scores.into_iter().map(|(counts, agreed)| Ok((counts_dict(py, counts)?, agreed))).collect()
}

/// Returns all settings of all classes: `wins` and `losses`, int32 `(6972147, 21)` with -1 for fouls (586 MB each), and
/// `best`, uint8, and `best_ev`, float64, both `(6972147,)`.
#[pyfunction]
pub(crate) fn whole_table<'py>(py: Python<'py>, rules: &GameRules, banker: Given) -> PyResult<Bound<'py, PyDict>> {
    let classes = Classes::seven();
    let (cells, payoff) = (classes.len() * Setting::COUNT, Payoff::player(&rules.game.rules()));
    let (wins, losses): (Vec<AtomicU32>, Vec<AtomicU32>) =
        (0..cells).map(|_| (AtomicU32::new(u32::MAX), AtomicU32::new(u32::MAX))).unzip();
    let (best, best_gain): (Vec<AtomicU8>, Vec<AtomicI64>) =
        (0..classes.len()).map(|_| (AtomicU8::new(0), AtomicI64::new(0))).unzip();
    let pass = |run: &Run<'_>| -> Result<(), SolverError> {
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
        let pass = banker.pure()?.pass(&rules.game, Side::Player)?;
        Ok(pass.fold(run, || (), visit, |(), ()| ())?)
    };
    interruptible(py, WHOLE, pass)?;
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
