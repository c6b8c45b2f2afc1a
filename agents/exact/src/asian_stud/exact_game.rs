//! Asian Stud under a set of rules.

use super::{Class, HandClasses, Solution};
use crate::solver::{SolverConfig, SolverError};
use houseway_env::asian_stud::{Hand, Paytable, Rules};

/// The game under its rules, with all data from which its exact values are computed.
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

    /// Returns the class of a hand.
    ///
    /// # Errors
    /// Returns an error if the hand holds a joker and the pack has none.
    pub(super) fn class(&self, hand: Hand) -> Result<&Class, SolverError> {
        self.classes.find(hand).ok_or_else(|| {
            SolverError::invalid(
                "the pack of these rules has no joker; leave it out of the hand, or choose another reading of joker",
            )
        })
    }
}
