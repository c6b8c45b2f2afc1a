//! The environment trait.

use super::{BoxSpace, Discrete, EnvError, StreamSeed};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// What a step returned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// What the agent received.
    pub reward: f64,
    /// The episode has ended by the rules of the game.
    pub terminated: bool,
    /// The episode was cut off by a limit that is no rule of the game.
    pub truncated: bool,
}

impl Step {
    /// Whether the episode is over.
    pub const fn is_last(&self) -> bool {
        self.terminated || self.truncated
    }
}

/// What is known of an environment before it is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnvSpec {
    /// The versioned id, like `PaiGowPoker-v0`. The version is raised whenever the same seed and actions would give other
    /// observations or rewards.
    pub id: &'static str,
    /// The lowest and the highest reward of a step under the default options.
    pub reward_range: (f64, f64),
    /// The most steps that an episode has.
    pub max_steps: usize,
}

/// A game for one agent, as Gymnasium means it. `gym::check_env` checks what is promised here.
///
/// - Every call that cannot be answered is an [`EnvError`] and changes nothing.
/// - After the end of an episode [`Env::observe`] gives its final observation, the mask is all false and every step is an
///   error, until the next reset.
/// - Clones share nothing that moves: a clone plays on from the same state and the same place of the random stream.
pub trait Env: Clone + Send {
    /// What a reset can choose. The default is the game as usual; options hold for the episode they begin.
    type Options: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync;

    /// Id, reward range and length.
    fn spec(&self) -> EnvSpec;

    /// A stable hash of all that decides episodes and rewards besides seed, options and actions: rules, opponents,
    /// paytables. Recorded episodes carry it.
    fn rules_hash(&self) -> String;

    /// The shape and the bounds of observations.
    fn observation_space(&self) -> BoxSpace;

    /// Whether steps never change the observation: what is seen after the reset is seen to the end of the episode. Callers may
    /// then copy it instead of having it written anew.
    fn observation_stays(&self) -> bool {
        false
    }

    /// The number of actions.
    fn action_space(&self) -> Discrete;

    /// Whether a reset would take these options.
    ///
    /// # Errors
    /// [`EnvError::BadOption`] if not.
    fn check_options(&self, options: &Self::Options) -> Result<(), EnvError>;

    /// Begins an episode: on a new random stream if one is named, else where the last one stopped; an environment that
    /// never had a stream begins with [`DEFAULT_SEED`](super::DEFAULT_SEED).
    ///
    /// # Errors
    /// As [`Env::check_options`], and only then.
    fn reset_stream(&mut self, seed: Option<StreamSeed>, options: &Self::Options) -> Result<(), EnvError>;

    /// Begins an episode. A seed sets the random stream (lane 0 of it); without one the stream goes on, never reseeded. The
    /// first reset of an environment without a seed takes [`DEFAULT_SEED`](super::DEFAULT_SEED). No options mean the
    /// default ones, whatever the last reset chose.
    ///
    /// # Errors
    /// As [`Env::check_options`], and only then.
    fn reset(&mut self, seed: Option<u64>, options: Option<&Self::Options>) -> Result<(), EnvError> {
        let seed = seed.map(StreamSeed::from);
        match options {
            Some(options) => self.reset_stream(seed, options),
            None => self.reset_stream(seed, &Self::Options::default()),
        }
    }

    /// Whether [`Env::step`] would take the action now.
    ///
    /// # Errors
    /// What the step would return.
    fn check_action(&self, action: usize) -> Result<(), EnvError>;

    /// Plays one action.
    ///
    /// # Errors
    /// [`EnvError::IllegalAction`], [`EnvError::NotReset`] or [`EnvError::EpisodeOver`].
    fn step(&mut self, action: usize) -> Result<Step, EnvError>;

    /// Writes the observation; the slice has the length of [`Env::observation_space`].
    ///
    /// # Errors
    /// [`EnvError::NotReset`] or [`EnvError::Length`].
    fn observe(&self, out: &mut [f32]) -> Result<(), EnvError>;

    /// Writes for each action whether it is legal now; the slice has the length of [`Env::action_space`].
    ///
    /// # Errors
    /// [`EnvError::NotReset`] or [`EnvError::Length`].
    fn action_mask(&self, out: &mut [bool]) -> Result<(), EnvError>;

    /// The state as text for people, in lines without a line end after the last one. An environment that was not reset
    /// says so.
    fn render(&self) -> String;
}
