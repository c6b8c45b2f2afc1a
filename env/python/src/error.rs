//! Errors of the crates as Python's exceptions.

use houseway_exact::solver::SolverError;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// Any error about invalid input as a `ValueError` with its message.
pub(crate) fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A computation that was cancelled, as a `KeyboardInterrupt`.
pub(crate) fn cancelled() -> PyErr {
    PyKeyboardInterrupt::new_err("cancelled before the end; there is no result")
}

/// An error of a solver.
pub(crate) fn solver_error(error: SolverError) -> PyErr {
    match error {
        SolverError::Invalid(message) => PyValueError::new_err(message),
        SolverError::Failed(message) => PyRuntimeError::new_err(message),
        SolverError::Cancelled => cancelled(),
    }
}
