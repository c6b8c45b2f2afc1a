//! Subject of an audit.

use crate::analysis::pai_gow::seat::Seat;
use houseway_env::pai_gow::house_way::{HouseWay, Way, WayError};
use houseway_env::pai_gow::{Game, Rules};
use serde::Serialize;
use std::collections::BTreeMap;

/// House way to audit, with its setting.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The house way.
    pub way: Way,
    /// House way of the opponent.
    pub opponent: Way,
    /// Seat of the audited way.
    pub seat: Seat,
    /// Rules of the game.
    pub rules: Rules,
    /// True to evaluate the readings of the game's own rules as well.
    pub game_readings: bool,
}

/// The subject as stored in `config.toml`.
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

/// Subject with compiled ways.
pub struct Prepared {
    pub(super) subject: Subject,
    pub(super) game: Game,
    pub(super) way: HouseWay,
    pub(super) opponent: HouseWay,
}

impl Subject {
    /// Compiles the ways, which checks that they set every hand.
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
    /// Returns the configuration of its run.
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
