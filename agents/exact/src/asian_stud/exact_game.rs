//! Asian Stud under a set of rules.

use super::{HandClasses, Solution};
use crate::solver::{SolverConfig, SolverError};
use houseway_env::asian_stud::{Paytable, Rules};

/// The game under its rules, with everything that its exact values are computed from.
pub(super) struct ExactGame {
    pub(super) rules: Rules,
    pub(super) paytable: Paytable,
    pub(super) classes: HandClasses,
}

impl ExactGame {
    pub(super) fn new(config: &SolverConfig) -> Result<ExactGame, SolverError> {
        let rules: Rules = config.rules()?;
        let paytable = config.paytable("paytable")?;
        Ok(ExactGame { rules, paytable, classes: HandClasses::new(rules.joker) })
    }

    pub(super) fn solution(&self) -> Solution<'_> {
        Solution::new(&self.classes, self.rules)
    }
}
