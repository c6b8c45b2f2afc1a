//! House ways to compare.

use houseway_env::pai_gow::house_way::{HouseWay, Way, WayError};
use houseway_env::pai_gow::{Game, Rules};
use serde::Serialize;
use std::collections::BTreeMap;

/// House ways to compare.
pub struct Contest {
    pub(super) game: Game,
    pub(super) ways: Vec<HouseWay>,
    /// Names of the ways in tables, made unique.
    pub(super) names: Vec<String>,
}

/// The contest as stored in `config.toml`.
#[derive(Serialize)]
pub(super) struct CompareConfig {
    rules: Rules,
    way: Vec<WayConfig>,
}

#[derive(Serialize)]
struct WayConfig {
    name: String,
    hash: String,
    readings: BTreeMap<String, String>,
}

impl Contest {
    /// Compiles the ways.
    ///
    /// # Errors
    /// If one of them leaves hands without a rule or has rules without effect.
    pub fn new(rules: Rules, ways: Vec<Way>) -> Result<Contest, WayError> {
        let game = Game::new(rules);
        let ways: Vec<HouseWay> =
            ways.into_iter().map(|way| HouseWay::compile(way, &game)).collect::<Result<_, WayError>>()?;
        let mut names: Vec<String> = Vec::new();
        for way in &ways {
            let name = way.way().name();
            let same = ways.iter().take(names.len()).filter(|other| other.way().name() == name).count();
            names.push(if same == 0 { name.to_owned() } else { format!("{name} ({})", same + 1) });
        }
        Ok(Contest { game, ways, names })
    }

    /// Returns the configuration of its run.
    pub(super) fn config(&self) -> CompareConfig {
        let way = |(way, name): (&HouseWay, &String)| WayConfig {
            name: name.clone(),
            hash: way.hash(),
            readings: way.way().chosen_options(),
        };
        CompareConfig { rules: self.game.rules(), way: self.ways.iter().zip(&self.names).map(way).collect() }
    }
}
