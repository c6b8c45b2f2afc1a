//! Conversion of the crates' errors to Python exceptions.

use houseway_exact::solver::SolverError;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// Converts an error about invalid input to a `ValueError` with the same message.
pub(crate) fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Converts an action, which is never negative.
pub(crate) fn action_of(action: i64) -> Result<usize, String> {
    usize::try_from(action).map_err(|_| format!("action {action} is illegal: actions start at 0"))
}

/// Converts a solver's error.
pub(crate) fn solver_error(error: SolverError) -> PyErr {
    match error {
        SolverError::Invalid(message) => PyValueError::new_err(message),
        SolverError::Failed(message) => PyRuntimeError::new_err(message),
        SolverError::Cancelled => PyKeyboardInterrupt::new_err("the computation was canceled"),
    }
}
