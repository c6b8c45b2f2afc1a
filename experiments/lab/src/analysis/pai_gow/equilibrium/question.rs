//! The configuration of an equilibrium run.

use crate::run::{RunKind, RunSpec, config_text};
use houseway_env::pai_gow::{Game, Rules};
use houseway_exact::equilibrium::{AverageValues, Method};
use houseway_exact::pai_gow::Tabulated;
use houseway_exact::pai_gow::matchup::BankedBy;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;

/// A game and the method for computing its equilibrium.
pub struct Question {
    pub game: Game,
    /// The party that banks.
    pub bank: BankedBy,
    /// The number of rounds in which both sides only see profiles. Each round evaluates both sides.
    pub rounds: u32,
    /// The number of rounds after these, in which both sides see the suits of hands for which they matter. Must be 0
    /// unless the rules support tables over classes.
    pub class_rounds: u32,
    /// The method's parameters.
    pub method: Method,
}

#[derive(Serialize)]
struct EquilibriumConfig {
    rounds: u32,
    #[serde(skip_serializing_if = "is_zero")]
    class_rounds: u32,
    #[serde(skip_serializing_if = "is_house")]
    bank: BankedBy,
    method: Method,
    game: Rules,
    #[serde(skip_serializing_if = "Option::is_none")]
    way: Option<WayConfig>,
}

/// A house way, as in the configuration of a comparison.
#[derive(Serialize)]
struct WayConfig {
    name: String,
    hash: String,
    readings: BTreeMap<String, String>,
}

fn is_zero(rounds: &u32) -> bool {
    *rounds == 0
}

/// Returns `true` for the default bank, which configurations leave out.
pub(super) fn is_house(bank: &BankedBy) -> bool {
    *bank == BankedBy::House
}

/// Returns the width of the bracket around the value, or NashConv if a player banks and there is no value.
pub(super) fn gap(values: AverageValues, bank: BankedBy) -> f64 {
    match bank {
        BankedBy::House => values.bounds().width(),
        BankedBy::Player => values.nash_conv(),
    }
}

impl Question {
    /// Returns a description of the run. `way` is the house way that the report compares with, unless it is the default.
    pub fn spec(&self, way: Option<&Tabulated>) -> io::Result<RunSpec> {
        let rules = self.game.rules();
        let way =
            way.map(|it| WayConfig { name: it.name().to_owned(), hash: it.hash().to_owned(), readings: it.readings() });
        let Question { rounds, class_rounds, bank, method, .. } = *self;
        let config = EquilibriumConfig { rounds, class_rounds, bank, method, game: rules, way };
        let (config, rules_hash) = (config_text(&config)?, rules.hash());
        Ok(RunSpec {
            kind: RunKind::Equilibrium,
            config,
            seeds: vec![],
            rules_hash,
            environment_hash: None,
            task_hash: None,
        })
    }
}
