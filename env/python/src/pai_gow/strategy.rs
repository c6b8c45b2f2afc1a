//! Strategies as tables, with one setting per class or with the weights of settings per profile.

use super::hands::{GameRules, hands_of};
use super::way::HouseWay;
use crate::env::Env;
use crate::error::{solver_error, value_error};
use crate::pool::detached;
use houseway_env::cards::profile::Profile;
use houseway_env::gym::{self, MakeError};
use houseway_env::pai_gow::known_cards::{self, KnownCardsGame, KnownCardsPaiGow};
use houseway_env::pai_gow::{self, Game, Hand, PaiGowPoker, Rules, SetHand, Setting, Strategy as _, game_against};
use houseway_env::registry;
use houseway_exact::pai_gow::{ClassTable, MixedTable, Tabulated};
use houseway_exact::solver::SolverError;
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
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
            Given::Table(table) => table.get().tabulated.clone(),
        }
    }

    /// Returns the strategy, which must have a single setting for every hand.
    pub(super) fn pure(&self) -> Result<Tabulated, SolverError> {
        let strategy = self.tabulated();
        strategy.check_pure()?;
        Ok(strategy)
    }
}

/// A strategy as a table. The public class is `houseway.tables.StrategyTable`.
#[pyclass(module = "houseway._core", frozen)]
pub(crate) struct Strategy {
    tabulated: Tabulated,
    /// The table with one setting per class, unless the strategy is mixed.
    classes: Option<Arc<ClassTable>>,
    /// The rules for which the table is known to be free of fouls.
    checked: Mutex<Vec<Rules>>,
}

impl Strategy {
    /// Checks that the table has no fouls, once for each set of rules.
    fn check(&self, game: &Game) -> Result<(), SolverError> {
        let checked = || self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if !checked().contains(&game.rules()) {
            match (&self.classes, self.tabulated.mixed()) {
                (Some(table), _) => table.check_legal(game)?,
                (None, Some(table)) => table.check_legal(game)?,
                (None, None) => {}
            }
            checked().push(game.rules());
        }
        Ok(())
    }

    /// Returns the table with one setting per class.
    pub(super) fn classes(&self) -> Result<&Arc<ClassTable>, SolverError> {
        self.tabulated.check_pure()?;
        Ok(self.classes.as_ref().expect("a pure table has classes"))
    }
}

#[pymethods]
impl Strategy {
    /// Creates a strategy from the settings of all classes.
    #[new]
    fn new(name: &str, settings: PyReadonlyArray1<'_, u8>) -> PyResult<Strategy> {
        let table = Arc::new(ClassTable::new(name, settings.as_array().to_vec()).map_err(value_error)?);
        Ok(Strategy { tabulated: Arc::clone(&table).into(), classes: Some(table), checked: Mutex::default() })
    }

    /// Creates a mixed strategy from the weights of the settings of all profiles, `(292253, 21)`.
    #[staticmethod]
    fn mixed(name: &str, weights: PyReadonlyArray2<'_, u16>, rules: &GameRules) -> PyResult<Strategy> {
        let (weights, game) = (weights.as_array(), &rules.game);
        let profiles = Profile::all().zip(weights.rows()).map(|(profile, row)| {
            let hand = Hand::representative(profile);
            let set = |(setting, &weight)| (game.set(hand, setting), weight);
            Setting::all().zip(row).map(set).collect::<Vec<(SetHand, u16)>>()
        });
        let table = MixedTable::new(name, profiles).map_err(value_error)?;
        Ok(Strategy { tabulated: table.into(), classes: None, checked: Mutex::default() })
    }

    #[getter]
    fn name(&self) -> &str {
        self.tabulated.name()
    }

    #[getter]
    fn hash(&self) -> &str {
        self.tabulated.hash()
    }

    /// Checks that the table has no fouls under game rules.
    fn check_legal(&self, py: Python<'_>, rules: &GameRules) -> PyResult<()> {
        detached(py, || self.check(&rules.game)).map_err(value_error)
    }

    /// Makes an environment with this strategy as the banker.
    fn env(&self, py: Python<'_>, game: &str, config: &str) -> PyResult<Env> {
        let id = registry::find(game).map_err(value_error)?.id;
        let banker = |game: &Game| {
            let table = Arc::clone(self.classes()?);
            self.check(game)?;
            Ok(table)
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

    /// Sets hands `(n, 7)`.
    fn set<'py>(&self, py: Python<'py>, hands: PyReadonlyArray2<'py, u8>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let (hands, table) = (hands_of(&hands)?, self.classes().map_err(solver_error)?);
        let settings: Vec<u8> = detached(py, || hands.par_iter().map(|&hand| table.set(hand).index() as u8).collect());
        Ok(PyArray1::from_vec(py, settings))
    }
}
