//! `houseway._core`: what the Python package `houseway` calls.
//!
//! - [`env`]: one environment of any game ([`Env`](env::Env)). [`vec_env`]: many lanes of one, in place ([`VecEnv`](vec_env::VecEnv)).
//! - [`table`]: the table with player banking, for several agents.
//! - [`way`]: house ways. [`exact`]: expected values by counting. [`audit`](mod@audit): where a house way loses.
//! - [`banking`]: the bank of a table. [`ultimate_holdem`], [`asian_stud`], [`joker_seven`]: the other games, counted.
//!
//! The classes here are private to the package: what users call, with docstrings and types, stands in `python/houseway`.
//! Every function that works for more than a millisecond lets go of the interpreter's lock.

mod asian_stud;
mod audit;
mod banking;
mod cards;
mod env;
mod exact;
mod joker_seven;
mod table;
mod ultimate_holdem;
mod vec_env;
mod way;

use houseway_env::gym::{AnyEnv, MakeError};
use houseway_env::registry;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Any error of the crates as Python's `ValueError`, with its message.
fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The environment of the game of this name or id, for one agent, from a configuration as JSON.
fn make(id: &str, config: &str) -> Result<Box<dyn AnyEnv>, MakeError> {
    (registry::find(id)?.make)(config)
}

/// The private module.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::asian_stud::AsianStud;
    #[pymodule_export]
    use super::audit::audit;
    #[pymodule_export]
    use super::banking::{bank_growth, bank_joint, bank_sample, bank_worth};
    #[pymodule_export]
    use super::cards::{canonical_classes, legal_masks, observations, parse_cards, parse_hand};
    #[pymodule_export]
    use super::env::Env;
    #[pymodule_export]
    use super::exact::{best_settings, count_hands, score_settings, solve, whole_table};
    #[pymodule_export]
    use super::joker_seven::joker_seven;
    #[pymodule_export]
    use super::table::Table;
    #[pymodule_export]
    use super::ultimate_holdem::{holdem_decisions, holdem_simple, holdem_simple_regret, holdem_solve};
    #[pymodule_export]
    use super::vec_env::VecEnv;
    #[pymodule_export]
    use super::way::{HouseWay, built_in_ways};

    use pyo3::prelude::*;
    use pyo3::types::PyDict;

    /// Version; by the names of games, their versioned ids, those with an environment for one agent, and the names of their
    /// observation encodings.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        let (games, encodings) = (PyDict::new(module.py()), PyDict::new(module.py()));
        for game in houseway_env::registry::games() {
            games.set_item(game.name, game.id)?;
            encodings.set_item(game.name, game.encodings.to_vec())?;
        }
        module.add("ENCODINGS", encodings)?;
        module.add("GAMES", &games)?;
        module.add("SINGLE_AGENT", games.copy()?)
    }
}
