//! Registry entries.

use super::config::{OptionSpec, SolverConfig};
use super::error::SolverError;
use super::evaluation::StakeUnit;
use super::traits::Solver;

/// The registry entry of a solver.
#[derive(Clone, Copy, Debug)]
pub struct SolverEntry {
    /// Name of the game in [`houseway_env::registry`].
    pub game: &'static str,
    /// A description of the results of [`Solver::solve`], for help texts.
    pub about: &'static str,
    /// Unit of EVs.
    pub unit: StakeUnit,
    /// The options.
    pub options: &'static [OptionSpec],
    /// A description of the hands accepted by [`Solver::value`], for help texts, or `None` if the game has no decision
    /// with a hand.
    pub hands: Option<&'static str>,
    /// The sample that evaluations can use instead of all hands, if supported.
    pub sample: Option<SampleSpec>,
    /// Creates the solver.
    ///
    /// # Errors
    /// Returns an error if a rule or option is invalid.
    pub make: fn(&SolverConfig) -> Result<Box<dyn Solver>, SolverError>,
}

/// A sample of hands or boards with exact values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleSpec {
    /// Plural of its items.
    pub items: &'static str,
    /// Default size.
    pub default_size: usize,
}

impl SolverEntry {
    /// Creates a solver with the given rules and options.
    ///
    /// # Errors
    /// Returns an error if a rule or option is invalid.
    pub fn solver(&self, config: &SolverConfig) -> Result<Box<dyn Solver>, SolverError> {
        config.check(self.game, self.options)?;
        (self.make)(config)
    }
}
