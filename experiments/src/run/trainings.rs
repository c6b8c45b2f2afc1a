//! Trainings in a configuration.

use houseway_learned::{TrainConfig, tasks};
use serde::Deserialize;
use serde::de::{Deserializer, Error};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Reads trainings by name, and completes them with the defaults of a game's task.
///
/// # Errors
/// If a training is invalid; the message names the training and the key.
pub fn trainings<'de, D: Deserializer<'de>>(game: &str, source: D) -> Result<BTreeMap<String, TrainConfig>, D::Error> {
    let tables = BTreeMap::<String, Map<String, Value>>::deserialize(source)?;
    let complete = |(name, table): (String, _)| match tasks::configure(game, &table) {
        Ok(config) => Ok((name, config)),
        Err(error) => Err(D::Error::custom(format!("train.{name}: {error}"))),
    };
    tables.into_iter().map(complete).collect()
}
