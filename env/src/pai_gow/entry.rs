//! The registry entry of Pai Gow Poker and the configuration of its environment.

use super::env::{BankedGame, ID, PaiGowPoker};
use super::house_way::{HouseWay, Way};
use super::observe::Observation;
use super::{BankerStrategy, Game, Paytable, Rules, Setting};
use crate::gym::{Encoding, Example, GameEntry, MakeError, from_json};
use crate::rules::RuleTable;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The game's entry in the registry.
pub const GAME: GameEntry = GameEntry {
    name: "pai-gow-poker",
    id: ID,
    folder: "pai_gow",
    title: "Pai Gow Poker, one player against the banker",
    source: "rules of play of an online casino: Pai Gow Poker with the Jokolor side bet",
    rules: RuleTable::of::<Rules>(),
    data: &[
        ("house ways", super::house_way::BUILT_IN),
        ("paytables", super::PAYTABLES),
        ("side bets", super::SPECIAL_PAYTABLES),
        ("pages", super::house_way::PAGES),
    ],
    encodings: &Observation::NAMES,
    action_names: || Setting::all().map(Setting::meaning).collect(),
    documentation: crate::gym::pages!(),
    examples: &[
        Example { name: "side-bet", config: "{}", options: &[r#"{"stake": 25, "side-stake": 5}"#] },
        Example {
            name: "other-rules",
            config: r#"{"rules": {"commission": "0.04", "copies": "player", "bank-pushes": "nine_high_front", "side-bet-best": "best_rank"}, "banker": "foxwoods", "paytable": "example-three-pairs"}"#,
            options: &[r#"{"stake": 20, "side-stake": 5}"#],
        },
    ],
    make: |config| Ok(Box::new(from_config(config)?)),
    seated: None,
};

/// The configuration of the environment, with observations encoded by `E`. All keys are optional.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, bound = "E: Encoding")]
pub(crate) struct Config<E> {
    rules: Rules,
    /// The banker's house way. Defaults to Trump Plaza's.
    banker: Option<String>,
    readings: BTreeMap<String, String>,
    observation: E,
    paytable: Paytable,
}

impl<E: Encoding> Config<E> {
    /// Parses a JSON object. Returns the game against the configured house way, and the observation encoding.
    pub(crate) fn game(config: &str) -> Result<(BankedGame<HouseWay>, E), MakeError> {
        let config: Config<E> = from_json(config)?;
        let way = load_way(config.banker.as_deref().unwrap_or(Way::DEFAULT), &config.readings)?;
        config.banked(|game| Ok(HouseWay::shared(way, game)?))
    }

    fn banked<B: BankerStrategy>(
        self,
        banker: impl FnOnce(&Game) -> Result<Arc<B>, MakeError>,
    ) -> Result<(BankedGame<B>, E), MakeError> {
        let game = Game::new(self.rules);
        let banker = banker(&game)?;
        Ok((BankedGame::new(Arc::new(game), banker).with_paytable(self.paytable), self.observation))
    }
}

/// Parses the configuration of an environment without `banker` and `readings`. Returns the game against the strategy that
/// `banker` creates for the configured rules, and the observation encoding.
///
/// # Errors
/// Returns an error if a key or value is invalid, or if `banker` returns one.
pub fn game_against<E: Encoding, B: BankerStrategy>(
    config: &str,
    banker: impl FnOnce(&Game) -> Result<Arc<B>, MakeError>,
) -> Result<(BankedGame<B>, E), MakeError> {
    let config: Config<E> = from_json(config)?;
    if config.banker.is_some() || !config.readings.is_empty() {
        return Err("`readings` can only be set if the banker is a house way".into());
    }
    config.banked(banker)
}

/// Creates the environment from a configuration. This is a JSON object with the keys `rules`, `banker` (the name, path
/// or text of a house way), `readings` (for that house way), `observation` and `paytable` (for the side bet).
///
/// # Errors
/// Returns an error if a key or value is invalid, or if the house way, a reading or the paytable does not exist.
pub fn from_config(config: &str) -> Result<PaiGowPoker<HouseWay>, MakeError> {
    let (game, encoding) = Config::game(config)?;
    Ok(PaiGowPoker::new(game).with_encoding(encoding))
}

/// Loads a house way given by name, path or text, with the chosen readings.
pub(crate) fn load_way(origin: &str, readings: &BTreeMap<String, String>) -> Result<Way, MakeError> {
    let mut way = Way::load(origin)?;
    for (reading, option) in readings {
        way.choose(reading, option)?;
    }
    Ok(way)
}
