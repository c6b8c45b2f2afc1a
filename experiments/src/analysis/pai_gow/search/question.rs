//! Question of a search.

use crate::analysis::pai_gow::WaySide;
use crate::run::{RunKind, RunSpec, config_text};
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{Game, Strategy};
use houseway_exact::pai_gow::search::Word;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;
use std::ops::RangeInclusive;

/// Question of a search: the side to set for, its opponents, and the limits of the lists.
pub struct Question {
    /// The game.
    pub game: Game,
    /// Side that the lists set for.
    pub seat: WaySide,
    /// House ways of the other side; the search maximizes the mean EV against them.
    pub opponents: Vec<HouseWay>,
    /// Numbers of rules.
    pub rules: RangeInclusive<usize>,
    /// Maximum number of bounds of a list; `None` for any.
    pub bounds: Option<usize>,
    /// Words that the rules may use.
    pub words: Vec<Word>,
    /// Number of lists that are kept for each number of rules.
    pub width: usize,
    /// True if the lists are evaluated against other opponents, on the other side, and under other rules as well.
    pub robust: bool,
}

#[derive(Serialize)]
struct SearchConfig {
    side: WaySide,
    rules: [usize; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<usize>,
    words: Vec<Word>,
    width: usize,
    robust: bool,
    game: houseway_env::pai_gow::Rules,
    opponent: Vec<OpponentConfig>,
}

#[derive(Serialize)]
struct OpponentConfig {
    name: String,
    hash: String,
    readings: BTreeMap<String, String>,
}

impl Question {
    /// Returns the description of its run.
    ///
    /// # Errors
    /// If TOML cannot represent the configuration.
    pub fn spec(&self) -> io::Result<RunSpec> {
        let opponent = |way: &HouseWay| OpponentConfig {
            name: way.name().to_owned(),
            hash: way.hash(),
            readings: way.way().chosen_options(),
        };
        let config = SearchConfig {
            side: self.seat,
            rules: [*self.rules.start(), *self.rules.end()],
            bounds: self.bounds,
            words: self.words.clone(),
            width: self.width,
            robust: self.robust,
            game: self.game.rules(),
            opponent: self.opponents.iter().map(opponent).collect(),
        };
        let rules_hash = self.game.rules().hash();
        Ok(RunSpec { kind: RunKind::Search, config: config_text(&config)?, seeds: vec![], rules_hash, task_hash: None })
    }

    /// Returns the names of the opponents.
    pub(super) fn against(&self) -> String {
        let names: Vec<&str> = self.opponents.iter().map(HouseWay::name).collect();
        match &names[..] {
            [one] => (*one).to_owned(),
            many => format!("the mean of {}", many.join(", ")),
        }
    }
}
