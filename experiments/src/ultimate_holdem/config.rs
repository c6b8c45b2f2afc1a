//! The configuration of an experiment on Ultimate Texas Hold'em.

use crate::run::{check_names, check_seeds, trainings};
use houseway_env::ultimate_holdem::Rules;
use houseway_learned::TrainConfig;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// The configuration that comes with the program.
pub const QUICK: &str = include_str!("../../configs/ultimate-holdem.toml");

/// An experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Experiment {
    /// Its name: that of its folder under `results/`, if no other is asked for.
    pub name: String,
    /// One agent is trained by each training with each of these seeds.
    pub seeds: Vec<u64>,
    /// The rules of the game.
    #[serde(default)]
    pub rules: Rules,
    /// The boards on which rivers are measured.
    #[serde(default)]
    pub sample: BoardSample,
    /// The trainings, by name.
    #[serde(default, deserialize_with = "of_game")]
    pub train: BTreeMap<String, TrainConfig>,
}

fn of_game<'de, D: Deserializer<'de>>(source: D) -> Result<BTreeMap<String, TrainConfig>, D::Error> {
    trainings("ultimate-holdem", source)
}

/// A fixed sample of boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct BoardSample {
    /// How many boards.
    pub boards: usize,
    /// The seed by which they are dealt; nothing else uses it.
    pub seed: u64,
}

impl Default for BoardSample {
    fn default() -> BoardSample {
        BoardSample { boards: 4_000, seed: 20_261_121 }
    }
}

impl Experiment {
    /// Says what cannot be done, and what to write instead.
    ///
    /// # Errors
    /// On an empty list, a number out of its range, or a name that is no folder's.
    pub fn check(&self) -> Result<(), String> {
        check_names(std::iter::once(&self.name).chain(self.train.keys()))?;
        check_seeds(&self.seeds, self.train.len())?;
        if self.sample.boards < 100 {
            return Err(format!("sample.boards = {}: write 100 or more", self.sample.boards));
        }
        self.train.iter().try_for_each(|(name, config)| config.check().map_err(|text| format!("train.{name}: {text}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_experiment_is_sound_and_mistakes_are_named() {
        let experiment: Experiment = toml::from_str(QUICK).unwrap();
        assert_eq!(experiment.check(), Ok(()));
        assert_eq!(toml::from_str::<Experiment>(&toml::to_string(&experiment).unwrap()).unwrap(), experiment);
        let broken = |change: fn(&mut Experiment)| {
            let mut experiment = experiment.clone();
            change(&mut experiment);
            experiment.check().unwrap_err()
        };
        assert!(broken(|e| e.name = "a/b".to_owned()).contains("letters, digits"));
        assert!(broken(|e| e.sample.boards = 1).contains("100 or more"));
        assert!(broken(|e| e.seeds.clear()).contains("one seed"));
        assert!(broken(|e| e.seeds = vec![3, 3]).contains("twice"));
        let wrong = QUICK.replace("reward-samples = 22", "reward-samples = 23");
        let error = toml::from_str::<Experiment>(&wrong).unwrap_err().to_string();
        assert!(error.contains("train.all-action: method.reward-samples = 23: write 22 or less"), "{error}");
    }
}
