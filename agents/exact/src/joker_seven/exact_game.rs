//! Joker Seven under a set of rules.

use super::JointWins;
use crate::solver::{SolverConfig, SolverError};
use houseway_env::joker_seven::{Game, Rules};

/// The game under its rules, with all data from which its exact values are computed.
pub(super) struct ExactGame {
    pub(super) game: Game,
    pub(super) outcomes: JointWins,
    /// `true` if all hands are enumerated as well.
    pub(super) enumerate: bool,
}

impl ExactGame {
    pub(super) fn new(config: &SolverConfig) -> Result<ExactGame, SolverError> {
        let rules: Rules = config.rules()?;
        rules.check().map_err(SolverError::invalid)?;
        let game = Game::new(rules, config.paytable("paytable")?);
        let outcomes = JointWins::by_profiles(&game);
        if outcomes.wagers().next().is_none() {
            return Err(SolverError::invalid("the paytable has no row for a wager of these rules; give it one"));
        }
        Ok(ExactGame { game, outcomes, enumerate: config.flag("enumerate") })
    }
}
