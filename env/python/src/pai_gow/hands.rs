//! The rules of the game, and hands as card number arrays.

use crate::error::value_error;
use crate::interrupt::cancellable;
use crate::pool::detached;
use houseway_env::cards::classes::{Classes, orbit};
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::cards::{Card, CardSet};
use houseway_env::gym::{Encoding, from_json};
use houseway_env::money::Rate;
use houseway_env::pai_gow::observe::Observation;
use houseway_env::pai_gow::{Candidates, Game, Hand, Rules, Setting};
use houseway_exact::Ratio;
use houseway_exact::pai_gow::whole::Payoff;
use numpy::ndarray::Array2;
use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::Arc;

/// A numerator and a denominator.
pub(super) type Fraction = (i128, i128);

pub(super) fn fraction(ratio: Ratio) -> Fraction {
    (ratio.numerator(), ratio.denominator())
}

/// The rules of the game, and what depends only on them.
#[pyclass(module = "houseway._core", frozen)]
pub(crate) struct GameRules {
    pub(crate) game: Arc<Game>,
}

#[pymethods]
impl GameRules {
    /// Creates rules from a JSON object. Missing rules have their default values.
    #[new]
    fn new(json: &str) -> PyResult<GameRules> {
        let rules: Rules = from_json(json).map_err(value_error)?;
        Ok(GameRules { game: Arc::new(Game::new(rules)) })
    }

    #[getter]
    fn hash(&self) -> String {
        self.game.rules().hash()
    }

    /// Returns all rules as a JSON object, including those with default values.
    #[getter]
    fn json(&self) -> String {
        serde_json::to_string(&self.game.rules()).expect("rules are plain data")
    }

    /// Returns the commission on a win and the fee for each hand, per unit staked.
    #[getter]
    fn fees(&self) -> [Fraction; 2] {
        let payoff = Payoff::player(&self.game.rules());
        let whole = i128::from(Rate::WHOLE);
        [Ratio::new(whole - i128::from(payoff.win_millionths()), whole), payoff.fee()].map(fraction)
    }

    /// Returns which of the 21 settings of each hand are legal, `(n, 21)`.
    fn legal_masks<'py>(
        &self,
        py: Python<'py>,
        hands: PyReadonlyArray2<'py, u8>,
    ) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let legal = |hand: &Hand, row: &mut [bool]| {
            let mask = self.game.legal_mask(*hand);
            row.iter_mut().enumerate().for_each(|(i, out)| *out = mask >> i & 1 == 1);
        };
        rows_of(py, &hands_of(&hands)?, Setting::COUNT, legal)
    }

    /// Returns the observations of hands in one encoding, `(n, length)`.
    fn observations<'py>(
        &self,
        py: Python<'py>,
        hands: PyReadonlyArray2<'py, u8>,
        encoding: &str,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let encoding: Observation = encoding.parse().map_err(value_error)?;
        let observe = |hand: &Hand, row: &mut [f32]| {
            encoding.write(&self.game, &Candidates::new(&self.game, *hand), row);
        };
        rows_of(py, &hands_of(&hands)?, encoding.len(), observe)
    }
}

/// Returns an array `(n, width)` with the row that `write` fills in for each hand.
fn rows_of<'py, T: Element + Copy + Default>(
    py: Python<'py>,
    hands: &[Hand],
    width: usize,
    write: impl Fn(&Hand, &mut [T]) + Sync,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let mut values = vec![T::default(); hands.len() * width];
    detached(py, || values.par_chunks_mut(width).zip(hands).for_each(|(row, hand)| write(hand, row)));
    Ok(Array2::from_shape_vec((hands.len(), width), values).map_err(value_error)?.into_pyarray(py))
}

/// Converts an array `(n, 7)` to hands. Settings refer to positions, so the cards must be in the fixed order.
pub(super) fn hands_of(hands: &PyReadonlyArray2<'_, u8>) -> PyResult<Vec<Hand>> {
    let array = hands.as_array();
    if array.ncols() != 7 {
        let message = format!("expected hands of shape (n, 7), found (n, {})", array.ncols());
        return Err(PyValueError::new_err(message));
    }
    let one = |(i, row): (usize, numpy::ndarray::ArrayView1<'_, u8>)| {
        let mut cards = CardSet::default();
        for &index in row {
            match Card::from_index(index) {
                Some(card) if card != Card::SECOND_JOKER && cards.insert(card) => {}
                _ => {
                    return Err(PyValueError::new_err(format!(
                        "hand {i}: card {index} is repeated or out of range (0 to 52)"
                    )));
                }
            }
        }
        let hand = Hand::new(cards).map_err(value_error)?;
        if row.iter().ne(&numbers(hand)) {
            let message =
                format!("hand {i} is not in the fixed order, which settings refer to: sort it with cards.in_order");
            return Err(PyValueError::new_err(message));
        }
        Ok(hand)
    };
    array.rows().into_iter().enumerate().map(one).collect()
}

fn numbers(hand: Hand) -> [u8; 7] {
    hand.cards().map(|card| card.index() as u8)
}

/// Parses a hand written like "As Kd Jk 7c 7d 2h 3s" and returns its card numbers in the fixed order.
#[pyfunction]
pub(crate) fn parse_hand<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let hand: Hand = text.parse().map_err(value_error)?;
    Ok(PyArray1::from_slice(py, &numbers(hand)))
}

/// Returns the canonical hands of all 6,972,147 classes, `(n, 7)` in the fixed order of cards, and the number of
/// hands in each class.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub(crate) fn canonical_classes<'py>(
    py: Python<'py>,
) -> PyResult<(Bound<'py, PyArray2<u8>>, Bound<'py, PyArray1<u8>>)> {
    let class = |i| {
        let set = Classes::seven().hand(i);
        (Hand::new(set).expect("a class has seven cards"), orbit(set) as u8) // at most 24
    };
    let (hands, orbits): (Vec<Hand>, Vec<u8>) =
        cancellable(py, |_| Ok((0..Classes::seven().len()).into_par_iter().map(class).unzip()))?;
    Ok((cards_of(py, &hands)?, PyArray1::from_vec(py, orbits)))
}

/// Returns a hand for each of the 292,253 profiles, `(n, 7)` in the fixed order of cards, and the number of hands with each
/// profile.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub(crate) fn profile_hands<'py>(py: Python<'py>) -> PyResult<(Bound<'py, PyArray2<u8>>, Bound<'py, PyArray1<u32>>)> {
    let hands: Vec<Hand> = Profile::all().map(Hand::representative).collect();
    let sizes: Vec<u32> = Profile::all().map(|profile| Profiles::get().hands(profile) as u32).collect();
    Ok((cards_of(py, &hands)?, PyArray1::from_vec(py, sizes)))
}

fn cards_of<'py>(py: Python<'py>, hands: &[Hand]) -> PyResult<Bound<'py, PyArray2<u8>>> {
    rows_of(py, hands, 7, |hand, row| row.copy_from_slice(&numbers(*hand)))
}
