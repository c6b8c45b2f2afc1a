//! The subject of an audit.

use crate::analysis::pai_gow::seat::Seat;
use houseway_env::pai_gow::house_way::{HouseWay, Way, WayError};
use houseway_env::pai_gow::{Game, Rules};
use serde::Serialize;
use std::collections::BTreeMap;

/// What is audited.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The house way.
    pub way: Way,
    /// The way of the other side.
    pub opponent: Way,
    /// The side that the house way sets for.
    pub seat: Seat,
    /// The rules.
    pub rules: Rules,
    /// Whether the readings of the game's own rules are priced too.
    pub game_readings: bool,
}

/// The same as `config.toml` says it.
#[derive(Serialize)]
pub(super) struct Config {
    seat: Seat,
    way: String,
    way_hash: String,
    opponent: String,
    opponent_hash: String,
    game_readings: bool,
    way_readings: BTreeMap<String, String>,
    opponent_readings: BTreeMap<String, String>,
    rules: Rules,
}

/// A subject made ready to count.
pub struct Prepared {
    pub(super) subject: Subject,
    pub(super) game: Game,
    pub(super) way: HouseWay,
    pub(super) opponent: HouseWay,
}

impl Subject {
    /// Compiles the ways, which shows that they set every hand, before long work begins.
    ///
    /// # Errors
    /// If they do not.
    pub fn prepare(self) -> Result<Prepared, WayError> {
        let game = Game::new(self.rules);
        let [way, opponent] = [&self.way, &self.opponent].map(|way| HouseWay::compile(way.clone(), &game));
        Ok(Prepared { way: way?, opponent: opponent?, game, subject: self })
    }
}

impl Prepared {
    /// The configuration of its run.
    pub(super) fn config(&self) -> Config {
        let Subject { way, opponent, seat, rules, game_readings } = &self.subject;
        Config {
            seat: *seat,
            way: way.name().to_owned(),
            way_hash: self.way.hash(),
            opponent: opponent.name().to_owned(),
            opponent_hash: self.opponent.hash(),
            game_readings: *game_readings,
            way_readings: way.chosen_options(),
            opponent_readings: opponent.chosen_options(),
            rules: *rules,
        }
    }
}
