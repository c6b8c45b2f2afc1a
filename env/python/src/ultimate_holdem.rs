//! Ultimate Texas Hold'em, counted. Amounts go to Python as integers over one denominator, sums as pairs of a fraction.

use super::cards::card_sets;
use super::exact::cancellable;
use super::value_error;
use houseway_env::cards::CardSet;
use houseway_env::gym::stream;
use houseway_env::rank::Category;
use houseway_env::ultimate_holdem::{Deal, Game, Hole, PreflopPlay, Rules};
use houseway_exact::Ratio;
use houseway_exact::ultimate_holdem::{
    BOARDS, BestRivers, Boards, Cancelled, DEALER_HANDS, DecisionRule, FullGame as Whole, Optimum, Position, Simple,
    Totals,
};
use numpy::ndarray::{Array1, Array2};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// Half antes over the deals that follow a starting hand, for each of its combinations, of which there are 4, 6 or 12.
const START_DENOMINATOR: i128 = 12 * BOARDS * DEALER_HANDS as i128 * 2;
/// Half antes over the dealer's hands on a whole board.
const RIVER_DENOMINATOR: i128 = DEALER_HANDS as i128 * 2;
/// The same over the boards that follow a flop.
const FLOP_DENOMINATOR: i128 = 1_081 * RIVER_DENOMINATOR;

fn game(rules: &str) -> PyResult<Game> {
    let rules: Rules = serde_json::from_str(rules).map_err(value_error)?;
    Ok(Game::new(rules))
}

fn stopped(_: Cancelled) -> PyErr {
    PyKeyboardInterrupt::new_err("the count was stopped")
}

fn unknown(strategy: &str) -> PyErr {
    PyValueError::new_err(format!("there is no strategy '{strategy}'; choose 'optimal' or 'simple'"))
}

/// The numerator over a denominator that the ratio's own divides.
fn over(ratio: Ratio, denominator: i128) -> i64 {
    assert!(denominator % ratio.denominator() == 0, "{ratio:?} is no part of {denominator}");
    i64::try_from(ratio.numerator() * (denominator / ratio.denominator())).expect("a wager is a few antes")
}

pub(crate) fn pair(ratio: Ratio) -> (i128, i128) {
    (ratio.numerator(), ratio.denominator())
}

/// The two cards of each row and the board beside it.
fn positions(holes: &PyReadonlyArray2<'_, u8>, boards: &PyReadonlyArray2<'_, u8>) -> PyResult<Vec<(Hole, CardSet)>> {
    let columns = [0, 3, 5];
    let (holes, boards) = (card_sets(holes, &[2], "hands")?, card_sets(boards, &columns, "boards")?);
    if holes.len() != boards.len() {
        let message = format!("{} hands, but {} boards: give each hand its board", holes.len(), boards.len());
        return Err(PyValueError::new_err(message));
    }
    let both = |(hole, board)| Ok((Hole::new(hole).map_err(value_error)?, board));
    holes.into_iter().zip(boards).map(both).collect()
}

/// Both decisions of positions on the flop (`check`, `play2`) or on the whole board (`fold`, `play1`): `(n, 2)` over a
/// denominator.
#[pyfunction]
#[pyo3(signature = (holes, boards, rules="{}", trips=0))]
pub(crate) fn holdem_decisions<'py>(
    py: Python<'py>,
    holes: PyReadonlyArray2<'py, u8>,
    boards: PyReadonlyArray2<'py, u8>,
    rules: &str,
    trips: u32,
) -> PyResult<(Bound<'py, PyArray2<i64>>, i64)> {
    let (game, positions) = (game(rules)?, positions(&holes, &boards)?);
    let denominator = match boards.as_array().ncols() {
        3 => FLOP_DENOMINATOR,
        5 => RIVER_DENOMINATOR,
        _ => return Err(PyValueError::new_err("the start is decided by the count of all deals")),
    };
    let one = |position: Position, cancel: &AtomicBool| {
        if cancel.load(Ordering::Relaxed) {
            return Err(Cancelled);
        }
        let choice = position.choice(&game, trips, None, None)?;
        Ok([0, 1].map(|action: usize| over(choice.actions[action].1, denominator)))
    };
    let positions: Vec<Position> = positions
        .into_iter()
        .map(|(hole, board)| Position::new(hole, board).map_err(value_error))
        .collect::<PyResult<_>>()?;
    let gains: Result<Vec<[i64; 2]>, Cancelled> =
        cancellable(py, |cancel| positions.par_iter().map(|&position| one(position, cancel)).collect())?;
    let gains: Vec<i64> = gains.map_err(stopped)?.into_iter().flatten().collect();
    let gains = Array2::from_shape_vec((positions.len(), 2), gains).map_err(value_error)?;
    Ok((gains.into_pyarray(py), denominator as i64))
}

/// What the simple strategy does in positions: the antes of its Play, 0 for a check or a fold, `(n,)`.
#[pyfunction]
#[pyo3(signature = (holes, boards, rules="{}"))]
pub(crate) fn holdem_simple<'py>(
    py: Python<'py>,
    holes: PyReadonlyArray2<'py, u8>,
    boards: PyReadonlyArray2<'py, u8>,
    rules: &str,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let (game, positions) = (game(rules)?, positions(&holes, &boards)?);
    for &(hole, board) in &positions {
        Position::new(hole, board).map_err(value_error)?;
    }
    let most = match game.rules().preflop_play {
        PreflopPlay::Three => 3,
        PreflopPlay::Four | PreflopPlay::ThreeOrFour => 4,
    };
    let antes: Vec<u8> = py.detach(|| {
        let simple = Simple::new(&game);
        let one = |&(hole, board): &(Hole, CardSet)| match board.len() {
            0 => simple.start(hole, &[(most, 0)], 0) as u8,
            3 => 2 * u8::from(simple.flop(hole, &simple.board(board), 0, 0)),
            _ => u8::from(simple.river(hole, &simple.board(board), 0, 0)),
        };
        positions.par_iter().map(one).collect()
    });
    Ok(Array1::from_vec(antes).into_pyarray(py))
}

/// All deals under a strategy, as `houseway.exact.ultimate_holdem` names them.
fn totals_dict<'py>(py: Python<'py>, totals: &Totals) -> PyResult<Bound<'py, PyDict>> {
    let answer = PyDict::new(py);
    let hands = &totals.hands;
    let plays: Vec<i64> = hands[0].plays.iter().map(|&(antes, _)| antes).collect();
    let mut gains = Vec::with_capacity(hands.len() * (1 + plays.len()));
    for hand in hands {
        let values = std::iter::once(hand.check).chain(hand.plays.iter().map(|&(_, value)| value));
        gains.extend(values.map(|value| over(value, START_DENOMINATOR)));
    }
    let gains = Array2::from_shape_vec((hands.len(), 1 + plays.len()), gains).map_err(value_error)?;
    let after: Vec<f64> = hands.iter().flat_map(|hand| hand.after_check.map(Ratio::value)).collect();
    let after = Array2::from_shape_vec((hands.len(), 3), after).map_err(value_error)?;
    let categories: Vec<(&str, u64)> = totals.categories.iter().map(|&(hand, n)| (Category::name(hand), n)).collect();
    answer.set_item("ev", pair(totals.ev))?;
    answer.set_item("variance", totals.variance)?;
    answer.set_item("played", totals.played)?;
    answer.set_item("average_wager", pair(totals.average_wager))?;
    answer.set_item("trips", pair(totals.trips))?;
    answer.set_item("categories", categories)?;
    answer.set_item("plays", plays)?;
    answer.set_item("names", hands.iter().map(|hand| hand.hole.kind_name()).collect::<Vec<_>>())?;
    let column = |of: &dyn Fn(&houseway_exact::ultimate_holdem::HandTotals) -> i64| {
        hands.iter().map(of).collect::<Array1<i64>>().into_pyarray(py)
    };
    answer.set_item("combinations", column(&|hand| hand.combinations as i64))?;
    answer.set_item("chosen", column(&|hand| hand.chosen))?;
    answer.set_item("gains", gains.into_pyarray(py))?;
    answer.set_item("denominator", START_DENOMINATOR)?;
    answer.set_item("after_check", after.into_pyarray(py))?;
    Ok(answer)
}

/// Counts all deals for a strategy, `optimal` or `simple`.
#[pyfunction]
#[pyo3(signature = (strategy, rules="{}", trips=0))]
pub(crate) fn holdem_solve<'py>(
    py: Python<'py>,
    strategy: &str,
    rules: &str,
    trips: u32,
) -> PyResult<Bound<'py, PyDict>> {
    let game = game(rules)?;
    let whole = Whole::new(&game, trips);
    let totals = match strategy {
        "optimal" => cancellable(py, |cancel| whole.count(&Optimum, None, Some(cancel)))?,
        "simple" => cancellable(py, |cancel| whole.count(&Simple::new(&game), None, Some(cancel)))?,
        other => return Err(unknown(other)),
    };
    totals_dict(py, &totals.map_err(stopped)?)
}

/// What the simple strategy loses, decision by decision; on the river by boards dealt from a seed, or by all of them.
#[pyfunction]
#[pyo3(signature = (boards, seed, rules="{}", trips=0))]
pub(crate) fn holdem_simple_regret<'py>(
    py: Python<'py>,
    boards: Option<usize>,
    seed: u64,
    rules: &str,
    trips: u32,
) -> PyResult<Bound<'py, PyDict>> {
    if boards.is_some_and(|boards| boards < 2) {
        return Err(PyValueError::new_err("a sample has 2 boards or more"));
    }
    let game = game(rules)?;
    let simple = Simple::new(&game);
    let boards = match boards {
        None => Boards::all(),
        Some(boards) => {
            let mut rng = stream(seed.into());
            Boards::sample((0..boards).map(|_| Deal::new(&mut rng).board(5)))
        }
    };
    let count = |cancel: &AtomicBool| {
        let rivers = BestRivers::new(Whole::new(&game, trips), None, Some(cancel))?;
        let (before, optimum) = (rivers.before(&simple), rivers.before(&Optimum));
        let loss = rivers.river_loss(&simple, &before, &optimum, &boards, None, Some(cancel))?;
        Ok((before.totals, optimum.totals, loss))
    };
    let (before, optimum, loss) = cancellable(py, count)?.map_err(stopped)?;
    let answer = PyDict::new(py);
    answer.set_item("optimum", totals_dict(py, &optimum)?)?;
    answer.set_item("before", totals_dict(py, &before)?)?;
    answer.set_item("river", pair(loss.mean))?;
    answer.set_item("half_width", loss.half_width)?;
    answer.set_item("agreement", loss.agreement)?;
    answer.set_item("boards", boards.len())?;
    Ok(answer)
}
