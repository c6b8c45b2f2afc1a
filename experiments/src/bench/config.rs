//! The configuration of an experiment: who learns, against whom, and how it is measured.

use crate::run::{check_names, check_seeds, trainings};
use houseway_env::pai_gow::Rules;
use houseway_env::pai_gow::house_way::Way;
use houseway_learned::TrainConfig;
use houseway_learned::tasks::pai_gow::Among;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// The main job: what `houseway` does when it is given nothing to do.
pub const QUICK: &str = include_str!("../../configs/quick.toml");

/// An experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Experiment {
    /// Its name: that of its folder under `results/`, if no other is asked for.
    pub name: String,
    /// The banker's house way, by name or file.
    #[serde(default = "default_banker")]
    pub banker: String,
    /// One agent is trained by each training with each of these seeds.
    pub seeds: Vec<u64>,
    /// Readings inside the banker's house way, where they are not the default.
    #[serde(default)]
    pub way_readings: BTreeMap<String, String>,
    /// The rules of the game.
    #[serde(default)]
    pub rules: Rules,
    /// The settings that agents choose among.
    #[serde(default)]
    pub among: Among,
    /// The hands on which all agents are measured.
    #[serde(default)]
    pub sample: SampleConfig,
    /// The trainings, by name.
    #[serde(default, deserialize_with = "of_game")]
    pub train: BTreeMap<String, TrainConfig>,
}

fn of_game<'de, D: Deserializer<'de>>(source: D) -> Result<BTreeMap<String, TrainConfig>, D::Error> {
    trainings("pai-gow-poker", source)
}

fn default_banker() -> String {
    Way::DEFAULT.to_owned()
}

/// A fixed sample of hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SampleConfig {
    /// How many hands.
    pub hands: usize,
    /// The seed by which they are dealt; nothing else uses it.
    pub seed: u64,
}

impl Default for SampleConfig {
    fn default() -> SampleConfig {
        SampleConfig { hands: 20_000, seed: 20_261_121 }
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
        if self.sample.hands < 100 {
            return Err(format!("sample.hands = {}: write 100 or more", self.sample.hands));
        }
        self.train.iter().try_for_each(|(name, config)| config.check().map_err(|text| format!("train.{name}: {text}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_job_is_sound() {
        let quick: Experiment = toml::from_str(QUICK).unwrap();
        assert_eq!(quick.check(), Ok(()));
        assert!(quick.seeds.len() >= 3 && quick.sample.hands >= 20_000 && quick.train.len() >= 2);
        // The file shows every setting there is.
        assert_eq!(toml::from_str::<Experiment>(&toml::to_string(&quick).unwrap()).unwrap(), quick);
    }

    #[test]
    fn mistakes_are_named() {
        let broken = |from: &str, to: &str| {
            assert!(QUICK.contains(from), "{from}");
            let text = QUICK.replace(from, to);
            match toml::from_str::<Experiment>(&text) {
                Ok(experiment) => experiment.check().unwrap_err(),
                Err(error) => error.to_string(),
            }
        };
        for (from, to, part) in [
            ("name = \"quick\"", "name = \"a/b\"", "letters, digits"),
            ("seeds = [1, 2, 3]", "seeds = []", "one seed"),
            ("seeds = [1, 2, 3]", "seeds = [1, 1]", "twice"),
            ("seeds = [1, 2, 3]", "seed = [1]", "unknown field `seed`"),
            ("hands = 20000", "hands = 1", "100 or more"),
            ("method = \"all-action\"", "method = \"magic\"", "all-action"),
        ] {
            let error = broken(from, to);
            assert!(error.contains(part), "{error}");
        }
    }
}
