//! Defines an audit's subject: the strategy, its opponent, and the rules.

use crate::analysis::pai_gow::seat::WaySide;
use houseway_env::pai_gow::house_way::{HouseWay, Way, WayError};
use houseway_env::pai_gow::{Game, Rules};
use houseway_exact::pai_gow::Tabulated;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A strategy to audit, and its opponent.
#[derive(Clone)]
pub struct Subject {
    /// The strategy to audit.
    pub way: Tabulated,
    /// The opponent's house way.
    pub opponent: Way,
    /// The audited side.
    pub seat: WaySide,
    /// The game rules.
    pub rules: Rules,
    /// If true, the readings of the game's own rules are evaluated as well.
    pub game_readings: bool,
}

/// The subject as stored in `config.toml`.
#[derive(Serialize)]
pub(super) struct AuditConfig {
    seat: WaySide,
    way: String,
    way_hash: String,
    opponent: String,
    opponent_hash: String,
    game_readings: bool,
    way_readings: BTreeMap<String, String>,
    opponent_readings: BTreeMap<String, String>,
    rules: Rules,
}

/// A subject with compiled ways.
pub struct PreparedAudit {
    pub(super) subject: Subject,
    pub(super) game: Game,
    pub(super) way: Tabulated,
    pub(super) opponent: Arc<HouseWay>,
}

impl Subject {
    /// Compiles the ways.
    pub fn prepare(self) -> Result<PreparedAudit, WayError> {
        let game = Game::new(self.rules);
        self.way.check_pure().map_err(|error| WayError::Reading(error.to_string()))?;
        let way = match self.way.way() {
            Some(way) => HouseWay::shared(way.way().clone(), &game)?.into(),
            None => self.way.clone(),
        };
        let opponent = HouseWay::shared(self.opponent.clone(), &game)?;
        Ok(PreparedAudit { way, opponent, game, subject: self })
    }
}

impl PreparedAudit {
    /// Returns the configuration to store in the run.
    pub(super) fn config(&self) -> AuditConfig {
        let Subject { opponent, seat, rules, game_readings, .. } = &self.subject;
        let way = &self.way;
        AuditConfig {
            seat: *seat,
            way: way.name().to_owned(),
            way_hash: way.hash().to_owned(),
            opponent: opponent.name().to_owned(),
            opponent_hash: self.opponent.hash(),
            game_readings: *game_readings,
            way_readings: way.readings(),
            opponent_readings: opponent.chosen_options(),
            rules: *rules,
        }
    }
}
