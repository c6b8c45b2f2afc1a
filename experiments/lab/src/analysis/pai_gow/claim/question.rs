//! The claim to test, and its readings.

use houseway_env::money::Rate;
use houseway_env::pai_gow::house_way::{HouseWay, Way, WayError};
use houseway_env::pai_gow::{Game, Rules};
use houseway_env::rules::{RuleReading, RuleSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The reading that only affects the side bet.
const OF_THE_SIDE_BET: &str = "side-bet-best";

/// A claim about the game.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The stated return to player.
    pub stated: Rate,
    /// The banker's house way.
    pub way: Way,
    /// The game rules.
    pub rules: Rules,
}

/// The claim as stored in `config.toml`.
#[derive(Serialize)]
pub(super) struct ClaimConfig {
    stated_return: Rate,
    way: String,
    way_hash: String,
    way_readings: BTreeMap<String, String>,
    rules: Rules,
}

/// A reading with an option other than the given one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The reading's owner.
    pub of: Owner,
    /// The reading's name.
    pub reading: String,
    /// The option to use instead.
    pub option: String,
}

/// A reading's owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Owner {
    /// The game rules.
    Game,
    HouseWay,
}

impl Claim {
    /// Checks that the house way sets every hand.
    pub fn check(&self) -> Result<(), WayError> {
        self.compile(&[]).map(|_| ())
    }

    /// Compiles the game and the house way with these readings changed.
    pub(super) fn compile(&self, changes: &[Change]) -> Result<(Game, Arc<HouseWay>), WayError> {
        let (mut rules, mut way) = (self.rules, self.way.clone());
        for Change { of, reading, option } in changes {
            match of {
                Owner::Game => {
                    rules = rules.with(&format!("{reading}={option}")).map_err(|e| WayError::Reading(e.to_string()))?;
                }
                Owner::HouseWay => way.choose(reading, option)?,
            }
        }
        let game = Game::new(rules);
        let way = HouseWay::shared(way, &game)?;
        Ok((game, way))
    }

    /// Returns every unselected option of every reading, starting with the game's readings.
    pub(super) fn changes(&self) -> Vec<Change> {
        let mut changes = Vec::new();
        let mut add = |of, reading: &str, options: &[&str], chosen: &str| {
            let others = options.iter().filter(|option| **option != chosen);
            let change = |option: &&str| Change { of, reading: reading.to_owned(), option: (*option).to_owned() };
            changes.extend(others.map(change));
        };
        let rules = serde_json::to_value(self.rules).expect("rules are plain data");
        let of_main_game = |reading: &&RuleReading| reading.name != OF_THE_SIDE_BET;
        for RuleReading { name, options, .. } in Rules::READINGS.iter().filter(of_main_game) {
            add(Owner::Game, name, options, rules[name].as_str().unwrap_or_default());
        }
        for reading in self.way.readings() {
            let options: Vec<&str> = reading.options.iter().map(String::as_str).collect();
            add(Owner::HouseWay, &reading.name, &options, options[reading.chosen]);
        }
        changes
    }

    pub(super) fn config(&self, way: &HouseWay) -> ClaimConfig {
        ClaimConfig {
            stated_return: self.stated,
            way: self.way.name().to_owned(),
            way_hash: way.hash(),
            way_readings: self.way.chosen_options(),
            rules: self.rules,
        }
    }
}
