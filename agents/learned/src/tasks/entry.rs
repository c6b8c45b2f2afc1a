//! Entries of the list of tasks.

use crate::config::TrainConfig;
use crate::methods::MethodConfig;
use crate::task::TrainingTask;
use houseway_env::gym::MakeError;

/// A game with its own task.
#[derive(Clone, Copy)]
pub struct TaskEntry {
    /// Name of the game in the registry.
    pub game: &'static str,
    /// Makes the task from a JSON object; `{}` is the game with all defaults.
    ///
    /// # Errors
    /// Returns an error if a key or a value is invalid.
    pub make: fn(config: &str) -> Result<Box<dyn TrainingTask>, MakeError>,
    /// Completes a method with default parameters to the default configuration.
    pub defaults: fn(method: MethodConfig) -> TrainConfig,
    /// The most samples over which a reward can be averaged.
    pub max_reward_samples: usize,
}
