//! The native module of the Python package `houseway`, imported as `houseway._core`.
//!
//! Everything outside [`pai_gow`] works for any registered game:
//!
//! - [`env`] has single environments ([`Env`](env::Env)), and [`vec_env`] has vector environments, which are stepped in
//!   place ([`VecEnv`](vec_env::VecEnv)).
//! - [`solver`] has answers, data frames and exact evaluations ([`Solver`](solver::Solver)), and [`games`] has the
//!   registries.
//! - [`arrays`] converts cards and data frames to NumPy arrays. [`interrupt`] and [`error`] deal with interrupts and
//!   exceptions.
//! - [`pool`] is the thread pool, which also works in forked processes.
//! - [`pai_gow`] has everything specific to Pai Gow Poker: house ways, tables of all classes, audits, banking and the
//!   table.
//!
//! The classes here are private to the package. The public ones, with docstrings and types, are in `python/houseway`.
//! Every function that can run for more than a millisecond releases the GIL.

mod arrays;
mod env;
mod error;
mod games;
mod interrupt;
mod pai_gow;
mod pool;
mod solver;
mod vec_env;

use pyo3::prelude::*;

/// The private module.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::arrays::parse_cards;
    #[pymodule_export]
    use super::env::Env;
    #[pymodule_export]
    use super::pai_gow::audit::audit;
    #[pymodule_export]
    use super::pai_gow::banking::{bank_growth, bank_joint, bank_sample, bank_worth, check_bank};
    #[pymodule_export]
    use super::pai_gow::counts::{best_settings, count_hands, score, solve, whole_table};
    #[pymodule_export]
    use super::pai_gow::hands::{GameRules, canonical_classes, parse_hand, profile_hands};
    #[pymodule_export]
    use super::pai_gow::search::{fix_way, search_names, search_ways};
    #[pymodule_export]
    use super::pai_gow::strategy::Strategy;
    #[pymodule_export]
    use super::pai_gow::table::Table;
    #[pymodule_export]
    use super::pai_gow::way::{HouseWay, built_in_ways};
    #[pymodule_export]
    use super::solver::{Solver, side_bet};
    #[pymodule_export]
    use super::vec_env::VecEnv;

    use pyo3::prelude::*;
    use pyo3::types::PyDict;

    /// Adds the version, the registry of games as JSON, and the dictionaries from game names to versioned ids and to
    /// observation encodings.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Load NumPy's C API here, where an interrupt raises an exception. It would panic later.
        numpy::PyArray1::<u8>::zeros(module.py(), 0, false);
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("REGISTRY", super::games::all().to_string())?;
        let (games, encodings) = (PyDict::new(module.py()), PyDict::new(module.py()));
        for game in houseway_env::registry::games() {
            games.set_item(game.name, game.id)?;
            encodings.set_item(game.name, game.encodings.to_vec())?;
        }
        module.add("ENCODINGS", encodings)?;
        module.add("GAMES", games)
    }
}
