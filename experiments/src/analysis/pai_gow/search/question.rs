//! Question of a search.

use crate::analysis::pai_gow::WaySide;
use crate::run::{RunKind, RunSpec, config_text};
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{Game, Strategy};
use houseway_exact::pai_gow::search::{Objective, Word};
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
    /// House ways of the other side.
    pub opponents: Vec<HouseWay>,
    /// The objective against several opponents.
    pub objective: Objective,
    /// Numbers of rules.
    pub rules: RangeInclusive<usize>,
    /// Maximum number of bounds of a list; `None` for any.
    pub bounds: Option<usize>,
    /// Maximum mean number of words of a rule.
    pub words_per_rule: usize,
    /// Words of the language that the rules may use.
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
    words_per_rule: usize,
    words: Vec<Word>,
    width: usize,
    robust: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    objective: Option<Objective>,
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
            words_per_rule: self.words_per_rule,
            words: self.words.clone(),
            width: self.width,
            robust: self.robust,
            objective: (self.opponents.len() > 1).then_some(self.objective),
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
            many => format!("the {} of {}", self.objective, many.join(", ")),
        }
    }
}
