//! Defines the question that a search answers.

use crate::analysis::pai_gow::WaySide;
use crate::run::{RunKind, RunSpec, config_text};
use houseway_env::pai_gow::Strategy;
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_exact::pai_gow::search::{Objective, Problem, Word};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The question that a search answers: a problem, and the range of lists to return.
pub struct Question {
    pub problem: Problem,
    /// The side to set hands for.
    pub seat: WaySide,
    /// The allowed numbers of rules.
    pub rules: RangeInclusive<usize>,
    /// If true, the lists are also evaluated against other opponents, for the other side, and under other rules.
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
    /// Returns the spec for the search's run.
    pub fn spec(&self) -> io::Result<RunSpec> {
        let opponent = |way: &Arc<HouseWay>| OpponentConfig {
            name: way.name().to_owned(),
            hash: way.hash(),
            readings: way.way().chosen_options(),
        };
        let problem = &self.problem;
        let config = SearchConfig {
            side: self.seat,
            rules: [*self.rules.start(), *self.rules.end()],
            bounds: problem.bounds,
            words_per_rule: problem.words_per_rule,
            words: problem.words.clone(),
            width: problem.width,
            robust: self.robust,
            objective: (problem.opponents.len() > 1).then_some(problem.objective),
            game: problem.game.rules(),
            opponent: problem.opponents.iter().map(opponent).collect(),
        };
        let rules_hash = problem.game.rules().hash();
        Ok(RunSpec {
            kind: RunKind::Search,
            config: config_text(&config)?,
            seeds: vec![],
            rules_hash,
            environment_hash: None,
            task_hash: None,
        })
    }
}
