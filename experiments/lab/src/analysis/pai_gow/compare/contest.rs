//! Defines the set of strategies to compare.

use houseway_env::pai_gow::{Game, Rules};
use houseway_exact::pai_gow::ExactStrategy;
use houseway_exact::pai_gow::matchup::Given;
use serde::Serialize;
use std::collections::BTreeMap;

/// A set of strategies to compare with each other.
pub struct Contest {
    pub(super) game: Game,
    ways: Vec<ExactStrategy>,
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
    pub fn new(ways: Vec<ExactStrategy>, game: Game) -> Contest {
        let mut names: Vec<String> = Vec::new();
        for way in &ways {
            let name = way.given().name();
            let same = ways.iter().take(names.len()).filter(|other| other.given().name() == name).count();
            names.push(if same == 0 { name.to_owned() } else { format!("{name} ({})", same + 1) });
        }
        Contest { game, ways, names }
    }

    /// Returns the strategies.
    pub(super) fn ways(&self) -> Vec<Given<'_>> {
        self.ways.iter().map(ExactStrategy::given).collect()
    }

    /// Returns the configuration to store in the run.
    pub(super) fn config(&self) -> CompareConfig {
        let way = |(way, name): (Given<'_>, &String)| WayConfig {
            name: name.clone(),
            hash: way.hash(),
            readings: way.readings(),
        };
        CompareConfig { rules: self.game.rules(), way: self.ways().into_iter().zip(&self.names).map(way).collect() }
    }
}
