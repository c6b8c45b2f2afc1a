//! Training tasks.
//!
//! [`make`] creates a game's task from JSON, and [`configure`] completes a training configuration with the task's
//! defaults. An [`EnvTask`] supports every registered game. Games that offer more than their environment have a
//! separate task, listed in [`TASKS`]. Tasks that cannot be described in JSON are created with their
//! constructors.

pub mod banking;
mod environment;
pub mod pai_gow;
pub mod ultimate_holdem;

pub use environment::{EnvTask, LearnedPolicy};

use crate::config::TrainConfig;
use crate::methods::MethodConfig;
use crate::task::TrainingTask;
use crate::trees::TreesConfig;
use houseway_env::gym::MakeError;
use houseway_env::registry;
use serde_json::{Map, Value};

/// The games that have their own task.
pub const TASKS: &[TaskEntry] = &[pai_gow::TASK, ultimate_holdem::TASK];

fn own(game: &str) -> Option<&'static TaskEntry> {
    TASKS.iter().find(|task| task.game == game)
}

/// Creates the task for the game with this registry name, configured by a JSON object.
///
/// # Errors
/// Returns an error if there is no such game or if a key or value is invalid.
pub fn make(game: &str, config: &str) -> Result<Box<dyn TrainingTask>, MakeError> {
    let entry = registry::find(game)?;
    match own(entry.name) {
        Some(task) => (task.make)(config),
        None => Ok(Box::new(EnvTask::make(entry, config)?)),
    }
}

/// Completes a training configuration with the defaults of a game's task and validates it.
///
/// # Errors
/// Returns an error naming the key if a key or value is invalid.
pub fn configure(game: &str, overrides: &Map<String, Value>) -> Result<TrainConfig, String> {
    let own = own(game);
    let (defaults, max_samples) =
        own.map_or((environment::defaults as fn(_) -> _, 1), |task| (task.defaults, task.max_reward_samples));
    let config = TrainConfig::with_overrides(defaults, overrides)?;
    config.check()?;
    match config.method.reward_samples() {
        samples if samples > max_samples => {
            Err(format!("method.reward-samples = {samples}: must be at most {max_samples}"))
        }
        _ => Ok(config),
    }
}

/// Completes the configuration of an ensemble of trees with the defaults of a game's task and validates it. Rewards are
/// averaged over as many samples as in all-action regression.
///
/// # Errors
/// Returns an error naming the key if a key or value is invalid.
pub fn configure_trees(game: &str, mut overrides: Map<String, Value>) -> Result<TreesConfig, String> {
    let samples = configure(game, &Map::new())?.method.reward_samples();
    overrides.entry("reward-samples").or_insert_with(|| samples.into());
    let config: TreesConfig = serde_json::from_value(overrides.into()).map_err(|error| error.to_string())?;
    config.check()?;
    match own(game).map_or(1, |task| task.max_reward_samples) {
        max if config.reward_samples > max => {
            Err(format!("reward-samples = {}: must be at most {max}", config.reward_samples))
        }
        _ => Ok(config),
    }
}

/// An entry for a game that has its own task.
#[derive(Clone, Copy)]
pub struct TaskEntry {
    /// The game's name in the registry.
    pub game: &'static str,
    /// Creates the task from a JSON object. `{}` is the game with all defaults.
    ///
    /// # Errors
    /// Returns an error if a key or value is invalid.
    pub make: fn(config: &str) -> Result<Box<dyn TrainingTask>, MakeError>,
    /// Returns the default configuration for a method with default parameters.
    pub defaults: fn(method: MethodConfig) -> TrainConfig,
    /// The maximum number of samples that a reward can be averaged over.
    pub max_reward_samples: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::PolicyGradient;
    use crate::task::Feedback;

    #[test]
    fn every_game_has_a_task() {
        for game in registry::games() {
            let task = make(game.name, "{}").unwrap();
            let episodes = task.episodes(3).unwrap();
            assert_eq!((episodes.lanes.len(), episodes.lanes.actions()), (3, (game.make)("{}").unwrap().actions()));
            assert!(make(game.name, r#"{"nobody": 1}"#).is_err());
            let config = configure(game.name, &Map::new()).unwrap();
            assert_ne!(config.method.feedback(), Feedback::Bandit);
        }
        let [named, default] =
            [r#"{"observation": "counts"}"#, "{}"].map(|config| make("joker-seven", config).unwrap());
        assert_eq!(named.hash(), default.hash());
        assert!(TASKS.iter().all(|task| registry::find(task.game).unwrap().name == task.game));
        assert!(make("baccarat", "{}").err().unwrap().to_string().contains("baccarat"));
    }

    #[test]
    fn defaults_are_those_of_the_task_and_mistakes_are_found() {
        let overrides = |json: &str| serde_json::from_str::<Map<String, Value>>(json).unwrap();
        let config = configure("pai-gow-poker", &overrides(r#"{"method": "policy-gradient"}"#)).unwrap();
        assert_eq!(config, pai_gow::defaults(PolicyGradient::default().into()));
        let error = configure("asian-stud", &overrides(r#"{"steps": 0}"#)).unwrap_err();
        assert_eq!(error, "steps = 0: must be between 1 and 1000000000");
        let trees = |game: &str, json| configure_trees(game, overrides(json));
        let samples = |game: &str| trees(game, "{}").unwrap().reward_samples;
        assert_eq!(["pai-gow-poker", "ultimate-holdem", "asian-stud"].map(samples), [24, 22, 1]);
        for (game, json, part) in [
            ("asian-stud", r#"{"depth": 99}"#, "depth = 99: must be between"),
            ("asian-stud", r#"{"width": 1}"#, "unknown field `width`"),
            ("asian-stud", r#"{"reward-samples": 2}"#, "reward-samples = 2: must be at most 1"),
        ] {
            let error = trees(game, json).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
