//! Joker Seven with a fixed set of rules.

use super::JointWins;
use crate::solver::{SolverConfig, SolverError};
use houseway_env::joker_seven::{Game, Rules};

/// A game, along with the precomputed data behind its exact values.
pub(super) struct ExactGame {
    pub(super) game: Game,
    pub(super) outcomes: JointWins,
    /// `true` if all hands are also enumerated.
    pub(super) enumerate: bool,
}

impl ExactGame {
    pub(super) fn new(config: &SolverConfig) -> Result<ExactGame, SolverError> {
        let rules: Rules = config.rules()?;
        rules.check().map_err(SolverError::invalid)?;
        let game = Game::new(rules, config.paytable("paytable")?);
        let outcomes = JointWins::by_profiles(&game);
        if outcomes.wagers().next().is_none() {
            return Err(SolverError::invalid("the paytable must have a row for at least one wager under these rules"));
        }
        Ok(ExactGame { game, outcomes, enumerate: config.flag("enumerate") })
    }
}
