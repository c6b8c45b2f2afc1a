//! Entries for the solver registry.

use super::config::{OptionSpec, SolverConfig};
use super::error::SolverError;
use super::evaluation::StakeUnit;
use super::traits::Solver;

/// A solver's entry in the registry.
#[derive(Clone, Copy, Debug)]
pub struct SolverEntry {
    /// The name of the game in [`houseway_env::registry`].
    pub game: &'static str,
    /// A description of what [`Solver::solve`] computes, for help texts.
    pub about: &'static str,
    /// The unit used for EVs.
    pub unit: StakeUnit,
    /// The options that the solver takes.
    pub options: &'static [OptionSpec],
    /// A description of the hands that [`Solver::value`] accepts, for help texts. `None` if the game has no decision
    /// that depends on a hand.
    pub hands: Option<&'static str>,
    /// The sample that evaluations can use in place of all hands, if the solver supports one.
    pub sample: Option<SampleSpec>,
    /// Creates the solver.
    ///
    /// # Errors
    /// Returns an error if a rule or option is invalid.
    pub make: fn(&SolverConfig) -> Result<Box<dyn Solver>, SolverError>,
}

/// A sample of hands or boards whose exact values are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleSpec {
    /// The plural of the sampled items.
    pub items: &'static str,
    /// The default size.
    pub default_size: usize,
    /// `true` if there are too many rounds to evaluate them all, so that evaluations always use the sample.
    pub always: bool,
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
