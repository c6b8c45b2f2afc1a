//! Entries in the list of tasks.

use crate::config::TrainConfig;
use crate::methods::MethodConfig;
use crate::task::TrainingTask;
use houseway_env::gym::MakeError;

/// A game with its own task.
#[derive(Clone, Copy)]
pub struct TaskEntry {
    /// The name of the game in the registry.
    pub game: &'static str,
    /// Creates the task from a JSON object. `{}` is the game with all defaults.
    ///
    /// # Errors
    /// Returns an error if a key or value is invalid.
    pub make: fn(config: &str) -> Result<Box<dyn TrainingTask>, MakeError>,
    /// Returns the default configuration for a method with default parameters.
    pub defaults: fn(method: MethodConfig) -> TrainConfig,
    /// Maximum number of samples over which a reward can be averaged.
    pub max_reward_samples: usize,
}
