//! Asian Stud, counted.

use super::cards::card_sets;
use super::ultimate_holdem::pair;
use super::value_error;
use houseway_env::asian_stud::{Game, Hand, Paytable, Points, Rules, UNIT, Value};
use houseway_exact::Ratio;
use houseway_exact::asian_stud::{HandClasses as Classes, Solution, Total, poker_hands, side_bet_ev, side_bet_return};
use numpy::ndarray::{Array1, Array2};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Deals, deals in which the policy raises, its EV and its EV per unit staked, the average wager, the variance.
type TotalRow = (u64, u64, (i128, i128), (i128, i128), (i128, i128), f64);
/// Rows as `(hand, odds, hands)`, all hands, the EV.
type SideBetRow = (Vec<(&'static str, u32, u64)>, u64, (i128, i128));

/// The classes of hands under one set of rules; what users see is `houseway.exact.asian_stud`.
#[pyclass(module = "houseway._core", frozen)]
pub(crate) struct AsianStud {
    rules: Rules,
    classes: Classes,
}

#[pymethods]
impl AsianStud {
    /// Counts the dealer's hands beside every class (a tenth of a second).
    #[new]
    #[pyo3(signature = (rules="{}"))]
    fn new(py: Python<'_>, rules: &str) -> PyResult<AsianStud> {
        let rules: Rules = serde_json::from_str(rules).map_err(value_error)?;
        Ok(AsianStud { rules, classes: py.detach(|| Classes::new(rules.joker)) })
    }

    /// One row a class: `counts` uint8 `(n, 11)`, `value` uint8, `hands` int64, `dealers` int64 `(n, 11)`, and `gains`, what
    /// raising is worth in antes over `denominator`.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (all, solution) = (self.classes.all(), self.solution());
        let denominator = i128::from(self.classes.dealer_hands()) * i128::from(UNIT);
        let answer = PyDict::new(py);
        let counts = all.iter().flat_map(|class| class.counts).collect();
        let counts = Array2::from_shape_vec((all.len(), Points::COUNT), counts).map_err(value_error)?;
        let dealers = all.iter().flat_map(|class| class.dealers.map(|hands| hands as i64)).collect();
        let dealers = Array2::from_shape_vec((all.len(), Value::COUNT), dealers).map_err(value_error)?;
        let gains = all.iter().map(|class| over(solution.raise_ev(class), denominator));
        answer.set_item("counts", counts.into_pyarray(py))?;
        answer
            .set_item("value", all.iter().map(|it| it.value.index() as u8).collect::<Array1<u8>>().into_pyarray(py))?;
        answer.set_item("hands", all.iter().map(|it| it.hands as i64).collect::<Array1<i64>>().into_pyarray(py))?;
        answer.set_item("dealers", dealers.into_pyarray(py))?;
        answer.set_item("gains", gains.collect::<Array1<i64>>().into_pyarray(py))?;
        answer.set_item("raises", self.best(py))?;
        answer.set_item("denominator", denominator)?;
        Ok(answer)
    }

    /// What a policy brings that raises these classes, a bool for each.
    fn total(&self, raises: PyReadonlyArray1<'_, bool>) -> PyResult<TotalRow> {
        let (raises, all) = (raises.as_array(), self.classes.all());
        if raises.len() != all.len() {
            let message = format!("{} classes, but {} answers whether to raise", all.len(), raises.len());
            return Err(PyValueError::new_err(message));
        }
        // Classes are asked about in their order.
        let next = std::cell::Cell::new(0);
        let row = |total: Total| {
            let ratios = [total.ev(), total.ev_per_unit_staked(), total.average_wager()].map(pair);
            (total.deals, total.raised, ratios[0], ratios[1], ratios[2], total.variance())
        };
        Ok(row(self.solution().total(|_| raises[next.replace(next.get() + 1)])))
    }

    /// The values of hands, 0 without a set, and what raising them is worth over `columns()["denominator"]`.
    #[allow(clippy::type_complexity)] // two arrays
    fn hands<'py>(
        &self,
        py: Python<'py>,
        hands: PyReadonlyArray2<'py, u8>,
    ) -> PyResult<(Bound<'py, PyArray1<u8>>, Bound<'py, PyArray1<i64>>)> {
        let (sets, solution) = (card_sets(&hands, &[Hand::CARDS], "hands")?, self.solution());
        let denominator = i128::from(self.classes.dealer_hands()) * i128::from(UNIT);
        let one = |set| {
            let class = self.classes.find(Hand::new(set).map_err(value_error)?);
            let class = class.ok_or_else(|| PyValueError::new_err("by these rules there is no joker in the pack"))?;
            Ok((class.value.index() as u8, over(solution.raise_ev(class), denominator)))
        };
        let (values, gains): (Vec<u8>, Vec<i64>) =
            sets.into_iter().map(one).collect::<PyResult<Vec<_>>>()?.into_iter().unzip();
        Ok((Array1::from_vec(values).into_pyarray(py), Array1::from_vec(gains).into_pyarray(py)))
    }

    /// The return of a paytable of the side bet over all hands; a name or the path of a file.
    #[pyo3(signature = (paytable=None))]
    fn side_bet(&self, py: Python<'_>, paytable: Option<&str>) -> PyResult<SideBetRow> {
        let paytable = paytable.map_or_else(|| Ok(Paytable::default()), Paytable::load).map_err(value_error)?;
        let found = py.detach(|| side_bet_return(&paytable, &poker_hands(&self.rules)));
        let rows = found.rows.iter().map(|(row, hands)| (row.hand.name(), row.odds.units(1), *hands)).collect();
        Ok((rows, found.hands(), pair(side_bet_ev(&found))))
    }

    /// What a raised hand wins or loses, in parts of a million of the ante, by the player's value and the dealer's.
    fn payoffs(&self) -> Vec<Vec<i64>> {
        let game = Game::new(self.rules);
        Value::all().map(|player| Value::all().map(|dealer| game.raised(player, dealer)).collect()).collect()
    }
}

impl AsianStud {
    fn solution(&self) -> Solution<'_> {
        Solution::new(&self.classes, self.rules)
    }

    fn best<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let solution = self.solution();
        self.classes.all().iter().map(|class| solution.raises(class)).collect::<Array1<bool>>().into_pyarray(py)
    }
}

/// The numerator over the denominator of all classes.
fn over(ratio: Ratio, denominator: i128) -> i64 {
    i64::try_from(ratio.numerator() * (denominator / ratio.denominator())).expect("a raise is worth a few antes")
}
