//! Conversion between data frames or cards and NumPy arrays. Cards 0 to 51 are 2c, 2d, 2h, 2s, 3c, … As, and 52 and 53
//! are the jokers.

use crate::error::value_error;
use houseway_env::cards::CardSet;
use houseway_exact::answer::{Cells, Column, Frame};
use houseway_exact::solver::Inputs;
use numpy::ndarray::Array2;
use numpy::{Element, IntoPyArray, PyArray1, PyReadonlyArrayDyn};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;

/// Converts arrays to solver inputs. Each must be an array of bool, uint8, int64 or float64 with one or two dimensions.
pub(crate) fn inputs(arrays: BTreeMap<String, Bound<'_, PyAny>>) -> PyResult<Inputs> {
    let columns = arrays.into_iter().map(|(name, array)| Ok((name.clone(), column(&name, &array)?)));
    Ok(Inputs(columns.collect::<PyResult<_>>()?))
}

fn column(name: &str, array: &Bound<'_, PyAny>) -> PyResult<Column> {
    let found = cells::<bool>(array).or_else(|| cells::<u8>(array)).or_else(|| cells::<i64>(array));
    found.or_else(|| cells::<f64>(array)).ok_or_else(|| {
        PyTypeError::new_err(format!("invalid {name}: expected a 1-D or 2-D array of bool, uint8, int64 or float64"))
    })
}

fn cells<T: Element + Copy>(array: &Bound<'_, PyAny>) -> Option<Column>
where
    Cells: From<Vec<T>>,
{
    let array: PyReadonlyArrayDyn<'_, T> = array.extract().ok()?;
    let array = array.as_array();
    let width = match array.shape() {
        [_] => None,
        [_, width] => Some(*width),
        _ => return None,
    };
    Some(Column { cells: array.iter().copied().collect::<Vec<T>>().into(), width })
}

/// Returns a frame's columns by name. Numeric columns become arrays and text columns become lists.
pub(crate) fn columns(py: Python<'_>, frame: Frame) -> PyResult<Bound<'_, PyDict>> {
    let columns = PyDict::new(py);
    for (name, Column { cells, width }) in frame.columns {
        let array = match cells {
            Cells::Bool(cells) => array(py, cells, width)?,
            Cells::U8(cells) => array(py, cells, width)?,
            Cells::I64(cells) => array(py, cells, width)?,
            Cells::F64(cells) => array(py, cells, width)?,
            Cells::Text(cells) => cells.into_pyobject(py)?.into_any(),
        };
        columns.set_item(name, array)?;
    }
    Ok(columns)
}

fn array<T: Element>(py: Python<'_>, cells: Vec<T>, width: Option<usize>) -> PyResult<Bound<'_, PyAny>> {
    match width {
        None => Ok(PyArray1::from_vec(py, cells).into_any()),
        Some(width) => {
            let rows = cells.len() / width.max(1);
            Ok(Array2::from_shape_vec((rows, width), cells).map_err(value_error)?.into_pyarray(py).into_any())
        }
    }
}

/// Parses any number of cards written like "As Kd" and returns their card numbers in descending order.
#[pyfunction]
pub(crate) fn parse_cards<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let cards: CardSet = text.parse().map_err(value_error)?;
    Ok(PyArray1::from_iter(py, cards.iter().map(|card| card.index() as u8)))
}
