//! Reads and validates the configuration of a self-play experiment.

use houseway_env::pai_gow::{Game, Rules};
use houseway_exact::equilibrium::{Algorithm, Method};
use houseway_exact::pai_gow::matchup::BankedBy;
use houseway_lab::analysis::pai_gow::equilibrium::Question;
use houseway_lab::run::{check_names, check_seeds};
use houseway_learned::TrainConfig;
use houseway_learned::task::Feedback;
use houseway_learned::tasks::pai_gow;
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The `kind` key's value in these configurations.
pub(super) const KIND: &str = "self-play";
/// The maximum number of rounds.
const MAX_ROUNDS: u32 = 1_000;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SelfPlayExperiment {
    /// Always `self-play`.
    pub kind: String,
    /// The experiment's name. By default, its folder under `results/` has the same name.
    pub name: String,
    /// The number of rounds. In each round, both sides respond to each other's average.
    pub rounds: u32,
    /// The seeds. Every training configuration is run with each of them.
    pub seeds: Vec<u64>,
    /// The game rules. The house is the banker.
    #[serde(default)]
    pub rules: Rules,
    /// The training configurations by name. The steps are those of a single round and side.
    #[serde(deserialize_with = "trainings")]
    pub train: BTreeMap<String, TrainConfig>,
}

fn trainings<'de, D: Deserializer<'de>>(source: D) -> Result<BTreeMap<String, TrainConfig>, D::Error> {
    let tables: BTreeMap<String, Map<String, Value>> = BTreeMap::deserialize(source)?;
    let complete =
        |(name, table): (String, Map<String, Value>)| match TrainConfig::with_overrides(pai_gow::defaults, &table) {
            Ok(config) => Ok((name, config)),
            Err(error) => Err(D::Error::custom(format!("train.{name}: {error}"))),
        };
    tables.into_iter().map(complete).collect()
}

impl SelfPlayExperiment {
    /// Checks that all values are valid.
    pub fn check(&self) -> Result<(), String> {
        if self.kind != KIND {
            return Err(format!("kind = \"{}\": must be \"{KIND}\"", self.kind));
        }
        check_names(std::iter::once(&self.name).chain(self.train.keys()))?;
        check_seeds(&self.seeds, self.train.len())?;
        if !(1..=MAX_ROUNDS).contains(&self.rounds) {
            return Err(format!("rounds = {}: must be between 1 and {MAX_ROUNDS}", self.rounds));
        }
        for (name, config) in &self.train {
            if config.method.feedback() == Feedback::Bandit {
                return Err(format!(
                    "train.{name}.method: \"{}\" isn't supported in self-play, which rewards several settings of a hand; \
                     use \"all-action\", \"paired\" or \"distillation\"",
                    config.method.name()
                ));
            }
            if !config.restarts.is_empty() {
                return Err(format!("train.{name}.restarts: every round restarts the schedule; remove the key"));
            }
            until_round(config, self.rounds)
                .check()
                .map_err(|error| format!("train.{name}, in all rounds: {error}"))?;
        }
        Ok(())
    }

    /// Returns the question whose rounds are played. Its method is fictitious play.
    pub(super) fn question(&self) -> Question {
        let method = Method { algorithm: Algorithm::FictitiousPlay, ..Method::default() };
        Question { game: Game::new(self.rules), bank: BankedBy::House, rounds: self.rounds, class_rounds: 0, method }
    }

    /// Iterates over the names of all learners, each with its training configuration and seed.
    pub(super) fn learners(&self) -> impl Iterator<Item = (String, &TrainConfig, u64)> {
        let of = |(name, config)| self.seeds.iter().map(move |&seed| (format!("{name}, seed {seed}"), config, seed));
        self.train.iter().flat_map(of)
    }
}

/// Returns the training configuration for the first `round` rounds of one side. The learning rate restarts in every
/// round.
pub(super) fn until_round(config: &TrainConfig, round: u32) -> TrainConfig {
    let rounds = u64::from(round);
    let restarts = (1..rounds).map(|round| round.saturating_mul(config.steps)).collect();
    TrainConfig { steps: config.steps.saturating_mul(rounds), restarts, ..config.clone() }
}
