//! Strategies as tables of all classes of hands.

use super::hands::hands_of;
use crate::env::Env;
use crate::error::value_error;
use crate::pool::detached;
use houseway_env::gym::{MakeError, erase_counterfactual};
use houseway_env::pai_gow::{Game, ID, Rules, Strategy as _, from_config_against};
use houseway_env::registry;
use houseway_exact::pai_gow::ClassTable;
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyType;
use rayon::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// A setting for each class of hands; what users see is `houseway.tables.StrategyTable`.
#[pyclass(module = "houseway._core", frozen)]
pub(crate) struct Strategy {
    table: Arc<ClassTable>,
    /// Rules under which no class is set foul.
    checked: Mutex<Vec<Rules>>,
}

impl Strategy {
    /// Checks once for each set of rules that no class is set foul.
    fn check(&self, game: &Game) -> Result<(), MakeError> {
        let checked = || self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if !checked().contains(&game.rules()) {
            self.table.check_legal(game)?;
            checked().push(game.rules());
        }
        Ok(())
    }
}

#[pymethods]
impl Strategy {
    #[new]
    fn new(name: &str, settings: PyReadonlyArray1<'_, u8>) -> PyResult<Strategy> {
        let table = ClassTable::new(name, settings.as_array().to_vec()).map_err(value_error)?;
        Ok(Strategy { table: Arc::new(table), checked: Mutex::default() })
    }

    #[getter]
    fn name(&self) -> &str {
        self.table.name()
    }

    /// Environment of a configuration with this strategy as the banker.
    fn env(&self, py: Python<'_>, game: &str, config: &str) -> PyResult<Env> {
        if registry::find(game).map_err(value_error)?.id != ID {
            return Err(value_error("unknown field `banker`"));
        }
        let banker = |game: &Game| {
            self.check(game)?;
            Ok(Arc::clone(&self.table))
        };
        let env = detached(py, || from_config_against(config, banker)).map_err(value_error)?;
        Ok(Env::from(erase_counterfactual(env)))
    }

    /// Settings in the order of the classes, a new array.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_slice(py, self.table.settings())
    }

    /// Settings of hands `(n, 7)`.
    fn set<'py>(&self, py: Python<'py>, hands: PyReadonlyArray2<'py, u8>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let hands = hands_of(&hands)?;
        let settings: Vec<u8> =
            detached(py, || hands.par_iter().map(|&hand| self.table.set(hand).index() as u8).collect());
        Ok(PyArray1::from_vec(py, settings))
    }

    #[allow(clippy::type_complexity)] // class and arguments
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String, Bound<'py, PyArray1<u8>>)) {
        (py.get_type::<Strategy>(), (self.name().to_owned(), self.settings(py)))
    }

    /// The object itself, which never changes.
    fn __deepcopy__(slf: Bound<'_, Strategy>, _memo: Bound<'_, PyAny>) -> Py<Strategy> {
        slf.unbind()
    }
}
