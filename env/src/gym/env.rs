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
    /// Reward of the agent.
    pub reward: f64,
    /// The episode has ended by the rules of the game.
    pub terminated: bool,
    /// The episode was cut off by a limit that is no rule of the game.
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
    /// The versioned id, like `PaiGowPoker-v0`. The version is raised whenever the same seed and actions would give other
    /// observations or rewards.
    pub id: &'static str,
    /// The lowest and the highest reward of a step under the default options.
    pub reward_range: (f64, f64),
    /// The most steps that an episode has.
    pub max_steps: usize,
}

/// A game for one agent, in the sense of Gymnasium. `gym::check_env` checks these promises:
///
/// - A call that cannot be answered returns an [`EnvError`] and changes nothing.
/// - After the end of an episode [`Env::observe`] gives its final observation, the mask is all false and every step is an
///   error, until the next reset.
/// - Clones share no mutable state: a clone continues from the same state and the same place of the random stream.
pub trait Env: Clone + Send {
    /// Reset options. The default is the usual game; options hold for the episode that they begin.
    type Options: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync;

    /// Id, reward range and length.
    fn spec(&self) -> EnvSpec;

    /// Returns a stable hash of everything that determines episodes and rewards, except seed, options and actions:
    /// rules, opponents, paytables. Recorded episodes carry it.
    fn rules_hash(&self) -> String;

    /// Returns the shape and the bounds of observations.
    fn observation_space(&self) -> BoxSpace;

    /// Returns `true` if steps never change the observation. Callers may then copy it instead of having it written again.
    fn observation_stays(&self) -> bool {
        false
    }

    /// Returns the number of actions.
    fn action_space(&self) -> Discrete;

    /// Checks the options of a reset.
    ///
    /// # Errors
    /// Returns [`EnvError::BadOption`].
    fn check_options(&self, options: &Self::Options) -> Result<(), EnvError>;

    /// Begins an episode: on a new random stream if a seed is given, else where the last one stopped; an environment without a
    /// stream begins with [`DEFAULT_SEED`](super::DEFAULT_SEED).
    ///
    /// # Errors
    /// Returns the errors of [`Env::check_options`], and only then.
    fn reset_stream(&mut self, seed: Option<StreamSeed>, options: &Self::Options) -> Result<(), EnvError>;

    /// Begins an episode. A seed sets the random stream (lane 0 of it); without one the stream continues, never reseeded. The
    /// first reset of an environment without a seed takes [`DEFAULT_SEED`](super::DEFAULT_SEED). No options mean the
    /// default ones, whatever the last reset chose.
    ///
    /// # Errors
    /// Returns the errors of [`Env::check_options`], and only then.
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
    /// The error that the step would return.
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

    /// Writes `true` for each action that is legal now; the slice has the length of [`Env::action_space`].
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`] or [`EnvError::Length`].
    fn action_mask(&self, out: &mut [bool]) -> Result<(), EnvError>;

    /// Returns the random stream at its current place; `None` before the first reset, or if the environment does not
    /// tell. With it [`Env::reset_on`] deals the next episode once more, so an episode is saved as the stream before
    /// its reset, the options and the actions.
    fn random_stream(&self) -> Option<Pcg64> {
        None
    }

    /// Begins an episode on a stream from [`Env::random_stream`].
    ///
    /// # Errors
    /// Returns the errors of [`Env::check_options`], or [`EnvError::NoStream`] if the environment has none.
    fn reset_on(&mut self, _stream: Pcg64, _options: &Self::Options) -> Result<(), EnvError> {
        Err(EnvError::NoStream { env: self.spec().id })
    }

    /// All that is known after the end of an episode, such as the opponent's cards, as JSON; `None` before, or if there is
    /// nothing more than the last observation shows.
    fn outcome(&self) -> Option<Value> {
        None
    }

    /// The action of the house's own strategy, if the game has one and it has an action now.
    fn house_action(&self) -> Option<usize> {
        None
    }

    /// All that the agent sees now, as JSON for programs that show it or evaluate it: its cards under `hand`, the board,
    /// the stakes. `None` before the first reset, or if the environment does not define it.
    fn view(&self) -> Option<Value> {
        None
    }

    /// Returns the state as text for people, in lines without a line end after the last one. An environment that was
    /// not reset says so.
    fn render(&self) -> String;
}
