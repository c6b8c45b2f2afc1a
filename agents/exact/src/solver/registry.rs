//! The registry of solvers.

use super::{OptionSpec, Solver, SolverConfig, SolverError};
use crate::{asian_stud, joker_seven};
use std::sync::{PoisonError, RwLock};

/// Entry of a solver.
#[derive(Clone, Copy, Debug)]
pub struct SolverEntry {
    /// Name of the game in [`houseway_env::registry`].
    pub game: &'static str,
    /// Unit of EVs.
    pub unit: StakeUnit,
    /// The options.
    pub options: &'static [OptionSpec],
    /// The hands that [`Solver::value`] takes, for help texts; `None` if the game has no decision with a hand.
    pub hands: Option<&'static str>,
    /// The sample that an evaluation can use instead of all hands, if it can.
    pub sample: Option<SampleSpec>,
    /// Makes the solver.
    ///
    /// # Errors
    /// If a rule or an option is invalid.
    pub make: fn(&SolverConfig) -> Result<Box<dyn Solver>, SolverError>,
}

/// Unit of EVs and regrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StakeUnit {
    /// Singular: "ante", "chip", "stake".
    pub name: &'static str,
    /// Whether tables and charts show percentages of the unit.
    pub percent: bool,
}

/// A sample of hands or boards with exact values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleSpec {
    /// Plural of its items.
    pub items: &'static str,
    /// Size by default.
    pub default_size: usize,
}

/// Solvers of the games of the workspace.
const BUILT_IN: &[SolverEntry] = &[joker_seven::SOLVER, asian_stud::SOLVER];

/// Solvers of other games.
static REGISTERED: RwLock<Vec<&'static SolverEntry>> = RwLock::new(Vec::new());

/// All solvers: those of this crate, then those registered, in order.
pub fn solvers() -> Vec<&'static SolverEntry> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    BUILT_IN.iter().chain(registered.iter().copied()).collect()
}

/// Adds a solver for the rest of the process.
///
/// # Errors
/// If its game has one already.
pub fn register(entry: &'static SolverEntry) -> Result<(), SolverError> {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    if BUILT_IN.iter().chain(registered.iter().copied()).any(|other| other.game == entry.game) {
        return Err(SolverError::Invalid(format!("the game '{}' has a solver already", entry.game)));
    }
    registered.push(entry);
    Ok(())
}

/// The solver of a game, by the game's name or versioned id.
///
/// # Errors
/// If there is no such game, or it has no solver; the message lists the games that have one.
pub fn find(game: &str) -> Result<&'static SolverEntry, SolverError> {
    let name = houseway_env::registry::find(game).map_err(SolverError::invalid)?.name;
    solvers().into_iter().find(|entry| entry.game == name).ok_or_else(|| {
        let known: Vec<&str> = solvers().iter().map(|entry| entry.game).collect();
        SolverError::Invalid(format!("the game '{name}' has no solver; choose among {}", known.join(", ")))
    })
}

impl SolverEntry {
    /// A solver with these rules and options.
    ///
    /// # Errors
    /// If a rule or an option is invalid.
    pub fn solver(&self, config: &SolverConfig) -> Result<Box<dyn Solver>, SolverError> {
        config.check(self.game, self.options)?;
        (self.make)(config)
    }

    /// Whether [`Solver::value`] answers.
    pub const fn has_value(&self) -> bool {
        self.hands.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
