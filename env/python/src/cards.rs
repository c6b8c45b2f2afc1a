//! Card numbers. Cards 0 to 51 are 2c, 2d, 2h, 2s, 3c, … As, and 52 and 53 are the jokers.

use crate::error::value_error;
use houseway_env::cards::CardSet;
use numpy::PyArray1;
use pyo3::prelude::*;

/// Parses any number of cards written like "As Kd" and returns their card numbers in descending order.
#[pyfunction]
pub(crate) fn parse_cards<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let cards: CardSet = text.parse().map_err(value_error)?;
    let mut numbers: Vec<u8> = cards.iter().map(|card| card.index() as u8).collect();
    numbers.sort_unstable_by(|a, b| b.cmp(a));
    Ok(PyArray1::from_vec(py, numbers))
}
