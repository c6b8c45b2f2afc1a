//! The environment trait.

use super::{BoxSpace, Discrete, EnvError, StreamSeed};
use rand_pcg::Pcg64;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::Debug;

/// Result of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Reward for the agent.
    pub reward: f64,
    /// `true` if the episode ended by the rules of the game.
    pub terminated: bool,
    /// `true` if the episode was cut off by a limit that is not a rule of the game.
    pub truncated: bool,
}

impl Step {
    /// Returns `true` if the episode is over.
    pub const fn is_last(&self) -> bool {
        self.terminated || self.truncated
    }
}

/// Static facts about an environment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnvSpec {
    /// Versioned id, such as `PaiGowPoker-v0`. The version is increased whenever the same seed and actions would give
    /// different observations or rewards.
    pub id: &'static str,
    /// Minimum and maximum reward of a step under the default options.
    pub reward_range: (f64, f64),
    /// Maximum number of steps in an episode.
    pub max_steps: usize,
}

/// A single-agent game in the sense of Gymnasium. `gym::check_env` checks this contract:
///
/// - An invalid call returns an [`EnvError`] and leaves the environment unchanged.
/// - From the end of an episode to the next reset, [`Env::observe`] returns the final observation, the mask is all
///   `false`, and every step is an error.
/// - Clones share no mutable state. A clone continues from the same state and the same position in the random stream.
pub trait Env: Clone + Send {
    /// Options of a reset. The default is the standard game. Options apply only to the episode that they start.
    type Options: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync;

    /// Returns the id, reward range and maximum length.
    fn spec(&self) -> EnvSpec;

    /// Returns a stable hash of everything that determines episodes and rewards, except for the seed, options and
    /// actions: rules, opponents and paytables. It is stored in recorded episodes.
    fn rules_hash(&self) -> String;

    /// Returns the shape and bounds of observations.
    fn observation_space(&self) -> BoxSpace;

    /// Returns `true` if steps never change the observation. Callers may then copy it instead of requesting it again.
    fn observation_stays(&self) -> bool {
        false
    }

    /// Returns the number of actions.
    fn action_space(&self) -> Discrete;

    /// Checks the options of a reset.
    ///
    /// # Errors
    /// Returns [`EnvError::BadOption`] if an option is invalid.
    fn check_options(&self, options: &Self::Options) -> Result<(), EnvError>;

    /// Starts an episode on a new random stream if a seed is given, and otherwise where the last episode stopped. An
    /// environment without a stream starts with [`DEFAULT_SEED`](super::DEFAULT_SEED).
    ///
    /// # Errors
    /// Returns only the errors of [`Env::check_options`].
    fn reset_stream(&mut self, seed: Option<StreamSeed>, options: &Self::Options) -> Result<(), EnvError>;

    /// Starts an episode. A seed sets the random stream (its lane 0). Without a seed, the stream continues and is never
    /// reseeded, but an initial reset without a seed uses [`DEFAULT_SEED`](super::DEFAULT_SEED). Without options, the
    /// default ones apply, whatever the options of the last reset.
    ///
    /// # Errors
    /// Returns only the errors of [`Env::check_options`].
    fn reset(&mut self, seed: Option<u64>, options: Option<&Self::Options>) -> Result<(), EnvError> {
        let seed = seed.map(StreamSeed::from);
        match options {
            Some(options) => self.reset_stream(seed, options),
            None => self.reset_stream(seed, &Self::Options::default()),
        }
    }

    /// Checks that [`Env::step`] would accept the action now.
    ///
    /// # Errors
    /// Returns the error that the step would return.
    fn check_action(&self, action: usize) -> Result<(), EnvError>;

    /// Plays one action.
    ///
    /// # Errors
    /// Returns [`EnvError::IllegalAction`], [`EnvError::NotReset`] or [`EnvError::EpisodeOver`].
    fn step(&mut self, action: usize) -> Result<Step, EnvError>;

    /// Writes the observation; the slice has the length of [`Env::observation_space`].
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`] or [`EnvError::Length`].
    fn observe(&self, out: &mut [f32]) -> Result<(), EnvError>;

    /// Writes `true` for each currently legal action; the slice has the length of [`Env::action_space`].
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`] or [`EnvError::Length`].
    fn action_mask(&self, out: &mut [bool]) -> Result<(), EnvError>;

    /// Returns the random stream at its current position, or `None` before the first reset or if the environment does
    /// not expose it. [`Env::reset_on`] can use it to deal the next episode again, so an episode can be saved as the
    /// stream before its reset, the options and the actions.
    fn random_stream(&self) -> Option<Pcg64> {
        None
    }

    /// Starts an episode on a stream from [`Env::random_stream`].
    ///
    /// # Errors
    /// Returns the errors of [`Env::check_options`], or [`EnvError::NoStream`] if the environment does not expose a
    /// stream.
    fn reset_on(&mut self, _stream: Pcg64, _options: &Self::Options) -> Result<(), EnvError> {
        Err(EnvError::NoStream { env: self.spec().id })
    }

    /// Returns everything known after the end of an episode, such as the opponent's cards, as JSON. Returns `None`
    /// before the end, or if the last observation already shows everything.
    fn outcome(&self) -> Option<Value> {
        None
    }

    /// Returns the action of the house's own strategy, if the game has one and it can act now.
    fn house_action(&self) -> Option<usize> {
        None
    }

    /// Returns everything the agent sees now as JSON, for programs that display or evaluate it: its cards under `hand`,
    /// the board, and the stakes. Returns `None` before the first reset, or if the environment does not define it.
    fn view(&self) -> Option<Value> {
        None
    }

    /// Returns the state as human-readable text, without a trailing line break. The text of an environment that was not
    /// reset says so.
    fn render(&self) -> String;
}
