//! Hands as card number arrays.

use crate::error::value_error;
use crate::interrupt::cancellable;
use crate::pool::detached;
use houseway_env::cards::classes::{Classes, orbit};
use houseway_env::cards::{Card, CardSet};
use houseway_env::gym::{Encoding, from_json};
use houseway_env::pai_gow::observe::Observation;
use houseway_env::pai_gow::{Candidates, Game, Hand, Rules, Setting};
use numpy::ndarray::{Array1, Array2};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

/// Parses the game rules from a JSON object. Missing rules have their default values.
pub(super) fn rules(json: &str) -> PyResult<Rules> {
    from_json(json).map_err(value_error)
}

/// Returns the hash of game rules.
#[pyfunction]
pub(crate) fn rules_hash(rules_json: &str) -> PyResult<String> {
    Ok(rules(rules_json)?.hash())
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
    let (cards, orbits) = cancellable(py, |_| {
        let classes = Classes::seven();
        let mut cards = vec![0u8; classes.len() * 7];
        let mut orbits = vec![0u8; classes.len()];
        let rows = cards.par_chunks_mut(7).zip(&mut orbits).enumerate().with_min_len(4096);
        rows.for_each(|(i, (row, size))| {
            let set = classes.hand(i);
            let hand = Hand::new(set).expect("a class has seven cards");
            row.copy_from_slice(&numbers(hand));
            *size = orbit(set) as u8; // at most 24
        });
        (cards, orbits)
    })?;
    let cards = Array2::from_shape_vec((orbits.len(), 7), cards).map_err(value_error)?;
    Ok((cards.into_pyarray(py), Array1::from_vec(orbits).into_pyarray(py)))
}

/// Returns which of the 21 settings of each hand are legal, `(n, 21)`.
#[pyfunction]
#[pyo3(signature = (hands, rules_json="{}"))]
pub(crate) fn legal_masks<'py>(
    py: Python<'py>,
    hands: PyReadonlyArray2<'py, u8>,
    rules_json: &str,
) -> PyResult<Bound<'py, PyArray2<bool>>> {
    let (hands, game) = (hands_of(&hands)?, Game::new(rules(rules_json)?));
    let mut masks = vec![false; hands.len() * Setting::COUNT];
    detached(py, || {
        masks.par_chunks_mut(Setting::COUNT).zip(&hands).for_each(|(row, &hand)| {
            let legal = game.legal_mask(hand);
            row.iter_mut().enumerate().for_each(|(i, out)| *out = legal >> i & 1 == 1);
        });
    });
    Ok(Array2::from_shape_vec((hands.len(), Setting::COUNT), masks).map_err(value_error)?.into_pyarray(py))
}

/// Returns the observations of hands in one encoding, `(n, length)`.
#[pyfunction]
#[pyo3(signature = (hands, encoding, rules_json="{}"))]
pub(crate) fn observations<'py>(
    py: Python<'py>,
    hands: PyReadonlyArray2<'py, u8>,
    encoding: &str,
    rules_json: &str,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let (hands, game) = (hands_of(&hands)?, Game::new(rules(rules_json)?));
    let encoding: Observation = encoding.parse().map_err(value_error)?;
    let mut values = vec![0.0; hands.len() * encoding.len()];
    detached(py, || {
        let rows = values.par_chunks_mut(encoding.len()).zip(&hands);
        rows.for_each(|(row, &hand)| encoding.write(&game, &Candidates::new(&game, hand), row));
    });
    Ok(Array2::from_shape_vec((hands.len(), encoding.len()), values).map_err(value_error)?.into_pyarray(py))
}
