//! The configuration of an equilibrium run.

use crate::run::{RunKind, RunSpec, config_text};
use houseway_env::pai_gow::{Game, Rules};
use houseway_exact::equilibrium::Method;
use serde::Serialize;
use std::io;

/// A game and the method for computing its equilibrium.
pub struct Question {
    /// The game.
    pub game: Game,
    /// The number of rounds. Each round evaluates both sides.
    pub rounds: u32,
    /// The method's parameters.
    pub method: Method,
}

#[derive(Serialize)]
struct EquilibriumConfig {
    rounds: u32,
    method: Method,
    game: Rules,
}

impl Question {
    /// Returns a description of the run.
    ///
    /// # Errors
    /// Returns an error if TOML can't represent the configuration.
    pub fn spec(&self) -> io::Result<RunSpec> {
        let rules = self.game.rules();
        let config = EquilibriumConfig { rounds: self.rounds, method: self.method, game: rules };
        let (config, rules_hash) = (config_text(&config)?, rules.hash());
        Ok(RunSpec { kind: RunKind::Equilibrium, config, seeds: vec![], rules_hash, task_hash: None })
    }
}
