//! The entries in the list of tasks.

use crate::config::TrainConfig;
use crate::methods::MethodConfig;
use crate::task::TrainingTask;
use houseway_env::gym::MakeError;

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
