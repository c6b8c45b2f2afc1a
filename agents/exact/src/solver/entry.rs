//! Entries of the registry.

use super::config::{OptionSpec, SolverConfig};
use super::error::SolverError;
use super::evaluation::StakeUnit;
use super::traits::Solver;

/// Entry of a solver.
#[derive(Clone, Copy, Debug)]
pub struct SolverEntry {
    /// Name of the game in [`houseway_env::registry`].
    pub game: &'static str,
    /// The content of [`Solver::solve`], for help texts.
    pub about: &'static str,
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

/// A sample of hands or boards with exact values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleSpec {
    /// Plural of its items.
    pub items: &'static str,
    /// Size by default.
    pub default_size: usize,
}

impl SolverEntry {
    /// Returns a solver with these rules and options.
    ///
    /// # Errors
    /// If a rule or an option is invalid.
    pub fn solver(&self, config: &SolverConfig) -> Result<Box<dyn Solver>, SolverError> {
        config.check(self.game, self.options)?;
        (self.make)(config)
    }
}
