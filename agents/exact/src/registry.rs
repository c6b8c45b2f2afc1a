//! The registry of solvers: one entry per game.
//!
//! [`solvers`] lists the solvers of this crate and those that downstream crates add with [`register`]. All code that
//! iterates over solvers uses this list.

use crate::solver::{SolverEntry, SolverError};
use crate::{asian_stud, joker_seven, pai_gow, ultimate_holdem};
use std::sync::{PoisonError, RwLock};

/// Built-in solvers.
const BUILT_IN: &[SolverEntry] = &[pai_gow::SOLVER, ultimate_holdem::SOLVER, joker_seven::SOLVER, asian_stud::SOLVER];

/// Solvers registered by downstream crates.
static REGISTERED: RwLock<Vec<&'static SolverEntry>> = RwLock::new(Vec::new());

/// Returns all solvers: those of this crate, then registered ones in order.
pub fn solvers() -> Vec<&'static SolverEntry> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    BUILT_IN.iter().chain(registered.iter().copied()).collect()
}

/// Registers a solver for the rest of the process.
///
/// # Errors
/// Returns an error if the game already has a solver.
pub fn register(entry: &'static SolverEntry) -> Result<(), SolverError> {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    if BUILT_IN.iter().chain(registered.iter().copied()).any(|other| other.game == entry.game) {
        return Err(SolverError::Invalid(format!("the game '{}' already has a solver", entry.game)));
    }
    registered.push(entry);
    Ok(())
}

/// Returns the solver of a game, given by name or versioned id.
///
/// # Errors
/// Returns an error if there is no such game, or if it has no solver. In that case, the message lists the games that
/// have one.
pub fn find(game: &str) -> Result<&'static SolverEntry, SolverError> {
    let name = houseway_env::registry::find(game).map_err(SolverError::invalid)?.name;
    solvers().into_iter().find(|entry| entry.game == name).ok_or_else(|| {
        let known: Vec<&str> = solvers().iter().map(|entry| entry.game).collect();
        SolverError::Invalid(format!("the game '{name}' has no solver; choose among {}", known.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::SolverConfig;

    #[test]
    fn solvers_belong_to_games_and_have_distinct_options() {
        for entry in solvers() {
            assert_eq!(houseway_env::registry::find(entry.game).unwrap().name, entry.game);
            for (i, option) in entry.options.iter().enumerate() {
                assert!(entry.options[..i].iter().all(|other| other.name != option.name), "{}", option.name);
                assert!(option.in_solve || option.in_value, "{}", option.name);
            }
            assert!(entry.solver(&SolverConfig::default()).is_ok());
            let error = entry.solver(&SolverConfig::default().option("nonsense", "1")).err().unwrap().to_string();
            assert!(error.contains("no option 'nonsense'"), "{error}");
            assert!(register(entry).is_err());
        }
        assert_eq!(find("AsianStud-v0").unwrap().game, "asian-stud");
        assert!(find("baccarat").err().unwrap().to_string().contains("no game 'baccarat'"));
        assert!(find("pai-gow-table").err().unwrap().to_string().contains("has no solver"));
    }
}
