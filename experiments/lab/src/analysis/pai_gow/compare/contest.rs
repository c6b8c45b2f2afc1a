//! Defines the set of strategies to compare.

use houseway_env::pai_gow::{Game, Rules};
use houseway_exact::pai_gow::Tabulated;
use serde::Serialize;
use std::collections::BTreeMap;

/// A set of strategies to compare with each other.
pub struct Contest {
    pub(super) game: Game,
    pub(super) ways: Vec<Tabulated>,
    /// The strategies' names in tables, made unique.
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
    /// Creates a contest, making the strategies' names unique.
    pub fn new(ways: Vec<Tabulated>, game: Game) -> Contest {
        let mut names: Vec<String> = Vec::new();
        for way in &ways {
            let name = way.name();
            let same = ways.iter().take(names.len()).filter(|other| other.name() == name).count();
            names.push(if same == 0 { name.to_owned() } else { format!("{name} ({})", same + 1) });
        }
        Contest { game, ways, names }
    }

    /// Returns the configuration to store in the run.
    pub(super) fn config(&self) -> CompareConfig {
        let way = |(way, name): (&Tabulated, &String)| WayConfig {
            name: name.clone(),
            hash: way.hash().to_owned(),
            readings: way.readings(),
        };
        CompareConfig { rules: self.game.rules(), way: self.ways.iter().zip(&self.names).map(way).collect() }
    }
}
