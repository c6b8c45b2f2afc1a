//! Strategies as tables with one setting per class.

use super::hands::hands_of;
use super::way::HouseWay;
use crate::env::Env;
use crate::error::value_error;
use crate::pool::detached;
use houseway_env::gym::{self, MakeError};
use houseway_env::pai_gow::known_cards::{self, KnownCardsGame, KnownCardsPaiGow};
use houseway_env::pai_gow::{self, Game, PaiGowPoker, Rules, Strategy as _, game_against};
use houseway_env::registry;
use houseway_exact::pai_gow::{ClassTable, Tabulated};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyType;
use rayon::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// The strategy of either side.
#[derive(FromPyObject)]
pub(crate) enum Given {
    Way(Py<HouseWay>),
    Table(Py<Strategy>),
}

impl Given {
    pub(crate) fn tabulated(&self) -> Tabulated {
        match self {
            Given::Way(way) => Arc::clone(&way.get().way).into(),
            Given::Table(table) => ClassTable::clone(&table.get().table).into(),
        }
    }
}

/// A strategy with one setting per class of hands. The public class is `houseway.tables.StrategyTable`.
#[pyclass(module = "houseway._core", frozen)]
pub(crate) struct Strategy {
    pub(super) table: Arc<ClassTable>,
    /// The rules for which the table is known to be free of fouls.
    checked: Mutex<Vec<Rules>>,
}

impl Strategy {
    /// Checks that the table has no fouls, once for each set of rules.
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

    #[getter]
    fn hash(&self) -> String {
        Tabulated::from(ClassTable::clone(&self.table)).hash().to_owned()
    }

    /// Checks that the table has no fouls under the game rules of a house way.
    fn check_legal(&self, py: Python<'_>, way: &HouseWay) -> PyResult<()> {
        detached(py, || self.check(&way.game)).map_err(value_error)
    }

    /// Makes an environment with this strategy as the banker.
    fn env(&self, py: Python<'_>, game: &str, config: &str) -> PyResult<Env> {
        let id = registry::find(game).map_err(value_error)?.id;
        let banker = |game: &Game| {
            self.check(game)?;
            Ok(Arc::clone(&self.table))
        };
        let env = detached(py, || -> Result<Box<dyn gym::Env>, MakeError> {
            match id {
                pai_gow::ID => {
                    let (game, encoding) = game_against(config, banker)?;
                    Ok(Box::new(PaiGowPoker::new(game).with_encoding(encoding)))
                }
                known_cards::ID => {
                    let (banked, encoding) = game_against(config, banker)?;
                    Ok(Box::new(KnownCardsPaiGow::new(KnownCardsGame { banked }).with_encoding(encoding)))
                }
                _ => Err("unknown field `banker`".into()),
            }
        });
        Ok(Env::from(env.map_err(value_error)?))
    }

    /// Returns a copy of the settings, in class order.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_slice(py, self.table.settings())
    }

    /// Sets hands `(n, 7)`.
    fn set<'py>(&self, py: Python<'py>, hands: PyReadonlyArray2<'py, u8>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let hands = hands_of(&hands)?;
        let settings: Vec<u8> =
            detached(py, || hands.par_iter().map(|&hand| self.table.set(hand).index() as u8).collect());
        Ok(PyArray1::from_vec(py, settings))
    }

    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String, Bound<'py, PyArray1<u8>>)) {
        (py.get_type::<Strategy>(), (self.name().to_owned(), self.settings(py)))
    }

    /// Returns the object itself, which is immutable.
    fn __deepcopy__(slf: Bound<'_, Strategy>, _memo: Bound<'_, PyAny>) -> Py<Strategy> {
        slf.unbind()
    }
}
