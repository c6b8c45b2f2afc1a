//! The configuration of an experiment of a game with a fixed list of actions.

use super::Table;
use crate::run::{check_names, check_seeds, trainings};
use houseway_learned::TrainConfig;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// An experiment: who learns, at which table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", bound = "T: Table")]
pub struct DecisionExperiment<T> {
    /// Its name: that of its folder under `results/`, if no other is asked for.
    pub name: String,
    /// One agent is trained by each training with each of these seeds.
    pub seeds: Vec<u64>,
    /// The rules of the game and the options of its rounds.
    pub table: T,
    /// The trainings, by name.
    #[serde(default, deserialize_with = "of_game::<T, _>")]
    pub train: BTreeMap<String, TrainConfig>,
}

fn of_game<'de, T: Table, D: Deserializer<'de>>(source: D) -> Result<BTreeMap<String, TrainConfig>, D::Error> {
    trainings(T::GAME, source)
}

impl<T: Table> DecisionExperiment<T> {
    /// Says what cannot be done, and what to write instead.
    ///
    /// # Errors
    /// On an empty list, a number out of its range, or a name that is no folder's.
    pub fn check(&self) -> Result<(), String> {
        check_names(std::iter::once(&self.name).chain(self.train.keys()))?;
        check_seeds(&self.seeds, self.train.len())?;
        self.train.iter().try_for_each(|(name, config)| config.check().map_err(|text| format!("train.{name}: {text}")))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{asian_stud::AsianStudTable, joker_seven::JokerSevenTable};
    use super::*;

    fn sound<T: Table + PartialEq + std::fmt::Debug>() {
        let experiment: DecisionExperiment<T> = toml::from_str(T::CONFIG).unwrap();
        assert_eq!(experiment.check(), Ok(()));
        assert!(experiment.seeds.len() >= 3 && experiment.train.len() >= 2);
        assert!(houseway_env::registry::find(T::GAME).is_ok());
        let text = toml::to_string(&experiment).unwrap();
        assert_eq!(toml::from_str::<DecisionExperiment<T>>(&text).unwrap(), experiment);
        let twice = T::CONFIG.replace("seeds = [1, 2, 3]", "seeds = [1, 1]");
        let error = toml::from_str::<DecisionExperiment<T>>(&twice).unwrap().check().unwrap_err();
        assert!(error.contains("given twice"), "{error}");
    }

    #[test]
    fn the_configurations_of_the_crate_are_sound() {
        sound::<AsianStudTable>();
        sound::<JokerSevenTable>();
    }
}
