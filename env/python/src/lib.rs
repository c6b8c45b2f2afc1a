//! `houseway._core`: the native part of the Python package `houseway`.
//!
//! Everything outside [`pai_gow`] works for every game of the registries:
//!
//! - [`env`]: one environment ([`Env`](env::Env)). [`vec_env`]: many lanes of one, in place ([`VecEnv`](vec_env::VecEnv)).
//! - [`solver`]: answers, data frames and exact evaluations ([`Solver`](solver::Solver)). [`games`]: the registries.
//! - [`cards`]: cards as numbers. [`arrays`]: data frames as arrays. [`interrupt`], [`error`]: interrupts and exceptions.
//! - [`pool`]: threads, in forked processes too.
//! - [`pai_gow`]: everything that only Pai Gow Poker has: house ways, tables of all classes, audits, banking, the table.
//!
//! The classes here are private to the package: what users call, with docstrings and types, stands in `python/houseway`.
//! Every function that works for more than a millisecond lets go of the interpreter's lock.

mod arrays;
mod cards;
mod env;
mod error;
mod games;
mod huge_pages;
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
    use super::cards::parse_cards;
    #[pymodule_export]
    use super::env::Env;
    #[pymodule_export]
    use super::solver::Solver;
    #[pymodule_export]
    use super::vec_env::VecEnv;

    use pyo3::prelude::*;
    use pyo3::types::PyDict;

    /// The version; all games as JSON; by the names of games, their versioned ids, those with an environment for one agent,
    /// and the names of their observation encodings.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Loads NumPy's interface here, where an interrupt is an exception: later it would be a panic.
        numpy::PyArray1::<u8>::zeros(module.py(), 0, false);
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("REGISTRY", super::games::all().to_string())?;
        let (games, encodings) = (PyDict::new(module.py()), PyDict::new(module.py()));
        for game in houseway_env::registry::games() {
            games.set_item(game.name, game.id)?;
            encodings.set_item(game.name, game.encodings.to_vec())?;
        }
        module.add("ENCODINGS", encodings)?;
        module.add("GAMES", &games)?;
        module.add("SINGLE_AGENT", games.copy()?)?;
        super::pai_gow::add_to(module)
    }
}
