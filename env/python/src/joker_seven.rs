//! Joker Seven, counted.

use super::value_error;
use houseway_env::joker_seven::{Game, Paytable, Rules, Wager};
use houseway_exact::joker_seven::{Frontier, HANDS, JointWins as Outcomes};
use numpy::IntoPyArray;
use numpy::ndarray::{Array1, Array2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The wagers on the layout: `names`, `odds` int64 `(n,)`, `both` int64 `(n, n)`, the hands on which both of two win (on the
/// diagonal one does), of `hands`; and, if asked for, the `frontier`.
#[pyfunction]
#[pyo3(signature = (rules="{}", paytable=None, frontier=false))]
pub(crate) fn joker_seven<'py>(
    py: Python<'py>,
    rules: &str,
    paytable: Option<&str>,
    frontier: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let rules: Rules = serde_json::from_str(rules).map_err(value_error)?;
    let paytable = paytable.map_or_else(|| Ok(Paytable::default()), Paytable::load).map_err(value_error)?;
    let game = Game::new(rules, paytable);
    let outcomes = py.detach(|| Outcomes::by_profiles(&game));
    let wagers: Vec<Wager> = outcomes.wagers().collect();
    let both = wagers.iter().flat_map(|&a| wagers.iter().map(move |&b| (a, b)));
    let both: Vec<i64> = both.map(|(a, b)| outcomes.winners_of_both(a, b) as i64).collect();
    let both = Array2::from_shape_vec((wagers.len(), wagers.len()), both).map_err(value_error)?;
    let odds: Array1<i64> = wagers.iter().map(|&wager| i64::from(outcomes.odds(wager))).collect();
    let answer = PyDict::new(py);
    answer.set_item("names", wagers.iter().map(|wager| wager.name(game.rules())).collect::<Vec<_>>())?;
    answer.set_item("kinds", wagers.iter().map(|wager| wager.kind().name()).collect::<Vec<_>>())?;
    answer.set_item("odds", odds.into_pyarray(py))?;
    answer.set_item("both", both.into_pyarray(py))?;
    answer.set_item("hands", HANDS)?;
    if frontier {
        answer.set_item("frontier", points(py, &outcomes)?)?;
    }
    Ok(answer)
}

/// The points of the frontier: `kinds`, `spots` int64 `(k,)`, `shares` float64 `(n, k)`, `ev`, `deviation` float64 `(n,)`.
fn points<'py>(py: Python<'py>, outcomes: &Outcomes) -> PyResult<Bound<'py, PyDict>> {
    let (kinds, points) = py.detach(|| {
        let frontier = Frontier::new(outcomes);
        (frontier.kinds().collect::<Vec<_>>(), frontier.points())
    });
    let shares: Vec<f64> = points.iter().flat_map(|point| point.shares.iter().map(|&(_, share)| share)).collect();
    let shares = Array2::from_shape_vec((points.len(), kinds.len()), shares).map_err(value_error)?;
    let answer = PyDict::new(py);
    answer.set_item("kinds", kinds.iter().map(|(kind, _)| kind.name()).collect::<Vec<_>>())?;
    let spots: Array1<i64> = kinds.iter().map(|&(_, spots)| spots as i64).collect();
    answer.set_item("spots", spots.into_pyarray(py))?;
    answer.set_item("shares", shares.into_pyarray(py))?;
    answer.set_item("ev", points.iter().map(|point| point.ev).collect::<Array1<f64>>().into_pyarray(py))?;
    answer
        .set_item("deviation", points.iter().map(|point| point.deviation).collect::<Array1<f64>>().into_pyarray(py))?;
    Ok(answer)
}
