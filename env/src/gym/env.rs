//! The trait implemented by all single-agent environments, and its action and observation spaces.

use super::vec_env::Lane;
use super::{Autoreset, PublicBet, PublicTable, StreamSeed};
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::RangeInclusive;

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The agent's reward.
    pub reward: f64,
    /// `true` if the rules of the game ended the episode.
    pub terminated: bool,
    /// `true` if a limit that isn't part of the rules ended the episode.
    pub truncated: bool,
}

impl Step {
    /// Returns `true` if the episode is over.
    pub const fn is_last(&self) -> bool {
        self.terminated || self.truncated
    }
}

/// Static information about an environment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnvSpec {
    /// The versioned id, such as `PaiGowPoker-v0`. The version changes whenever the same seed and actions lead to
    /// different observations or rewards.
    pub id: &'static str,
    /// The minimum and maximum reward per step under the default options.
    pub reward_range: (f64, f64),
    /// The maximum number of steps per episode under the default options. Only the table with seats may exceed it under
    /// other options, because they include the number of rounds.
    pub max_steps: usize,
}

/// A single-agent game in the style of Gymnasium. Implementations must satisfy this contract, which `gym::check_env`
/// checks:
///
/// - Invalid calls return an [`EnvError`] and leave the environment unchanged.
/// - Once an episode is over, and until the next reset, [`Env::observe`] returns the final observation, the action mask
///   is all `false`, and every step returns an error.
/// - Clones share no mutable state. A clone has the same state and continues the random stream from the same position.
///
/// Reset options are a JSON object in which all keys are optional. `None` is the standard game. Options only affect the
/// episode started by the reset.
pub trait Env: Send {
    /// Returns the id, the reward range and the maximum number of steps.
    fn spec(&self) -> EnvSpec;

    /// Returns a stable hash of everything other than the seed, options and actions that affects episodes or rewards,
    /// such as rules, opponents and paytables. Recorded episodes include it.
    fn rules_hash(&self) -> String;

    /// Returns the shape and bounds of the observations.
    fn observation_space(&self) -> BoxSpace;

    /// Returns `true` if steps never change the observation. This lets callers copy it instead of requesting it again.
    fn observation_stays(&self) -> bool {
        false
    }

    /// Returns the number of actions, which are numbered from 0.
    fn actions(&self) -> usize;

    /// Returns the default reset options as a JSON object.
    fn default_options(&self) -> String;

    /// Checks reset options.
    ///
    /// # Errors
    /// Returns [`EnvError::BadOption`] if an option is invalid or the text is not a valid options object.
    fn check_options(&self, options: Option<&str>) -> Result<(), EnvError>;

    /// Starts an episode. If a seed is given, the episode is played on a new random stream, otherwise on the current
    /// one. The first reset uses [`DEFAULT_SEED`](super::DEFAULT_SEED) if no seed is given.
    ///
    /// # Errors
    /// Returns an error only if [`Env::check_options`] does.
    fn reset_stream(&mut self, seed: Option<StreamSeed>, options: Option<&str>) -> Result<(), EnvError>;

    /// Starts an episode. A seed selects lane 0 of the seed's random streams. Without a seed, the current stream
    /// continues, except that the first reset uses [`DEFAULT_SEED`](super::DEFAULT_SEED). If no options are given, the
    /// default options apply, even if the previous reset used other options.
    ///
    /// # Errors
    /// Returns an error only if [`Env::check_options`] does.
    fn reset(&mut self, seed: Option<u64>, options: Option<&str>) -> Result<(), EnvError> {
        self.reset_stream(seed.map(StreamSeed::from), options)
    }

    /// Checks that [`Env::step`] would currently accept the action.
    ///
    /// # Errors
    /// Returns the error that [`Env::step`] would return.
    fn check_action(&self, action: usize) -> Result<(), EnvError>;

    /// Plays one action.
    ///
    /// # Errors
    /// Returns [`EnvError::IllegalAction`] if the action is illegal, [`EnvError::NotReset`] before the first reset, or
    /// [`EnvError::EpisodeOver`] if the episode is over.
    fn step(&mut self, action: usize) -> Result<Step, EnvError>;

    /// Writes the observation to `out`, which must match the length of [`Env::observation_space`].
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`] before the first reset, or [`EnvError::Length`] if `out` has the wrong length.
    fn observe(&self, out: &mut [f32]) -> Result<(), EnvError>;

    /// Writes `true` to `out` for each legal action and `false` for all others. The length of `out` must match
    /// [`Env::actions`].
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`] before the first reset, or [`EnvError::Length`] if `out` has the wrong length.
    fn action_mask(&self, out: &mut [bool]) -> Result<(), EnvError>;

    /// Returns `true` if the environment defines [`Env::action_rewards`].
    fn has_action_rewards(&self) -> bool {
        false
    }

    /// Writes, for each action, the reward that choosing it now would add to the episode, given the cards that were
    /// dealt, including hidden ones. `out` must have one entry per action. Entries of illegal actions are finite but
    /// otherwise arbitrary. These rewards are meant for learning, e.g. as regression targets, and are never part of an
    /// observation.
    ///
    /// # Errors
    /// Returns [`EnvError::NoActionRewards`] if the environment doesn't define them, [`EnvError::NotReset`] before the
    /// first reset, or [`EnvError::Length`] if `out` has the wrong length.
    fn action_rewards(&self, _out: &mut [f32]) -> Result<(), EnvError> {
        Err(EnvError::NoActionRewards { env: self.spec().id })
    }

    /// Returns the random stream at its current position, or `None` if the environment has not been reset or doesn't
    /// expose its stream. Passing the stream to [`Env::reset_on`] deals the next episode again. An episode can
    /// therefore be saved as the stream before its reset, the options and the actions.
    fn random_stream(&self) -> Option<Pcg64> {
        None
    }

    /// Starts an episode on a stream returned by [`Env::random_stream`].
    ///
    /// # Errors
    /// Returns an error if [`Env::check_options`] does, or [`EnvError::NoStream`] if the environment doesn't expose its
    /// stream.
    fn reset_on(&mut self, _stream: Pcg64, _options: Option<&str>) -> Result<(), EnvError> {
        Err(EnvError::NoStream { env: self.spec().id })
    }

    /// Returns everything that is revealed once an episode is over, such as the opponent's cards, as JSON. Returns
    /// `None` during an episode, or if the last observation already contains everything.
    fn outcome(&self) -> Option<Value> {
        None
    }

    /// Returns the action that the house's own strategy would choose. Returns `None` if the game has no such strategy
    /// or no episode is in progress.
    fn house_action(&self) -> Option<usize> {
        None
    }

    /// Returns everything that the agent can see as JSON, for programs that display or evaluate it. This includes the
    /// agent's cards under the key `hand`, the board, and the stakes. Returns `None` before the first reset, or if the
    /// environment doesn't support it.
    fn view(&self) -> Option<Value> {
        None
    }

    /// Returns the table as the player sees it, for programs that draw it. Returns `None` before the first reset, or if
    /// the environment doesn't describe it.
    fn public_table(&self) -> Option<PublicTable> {
        None
    }

    /// Returns the bets before the deal of an episode with these options. The stakes may be 0. Returns nothing if the
    /// environment doesn't describe its bets, or if the options can't be parsed.
    fn public_bets(&self, _options: &str) -> Vec<PublicBet> {
        vec![]
    }

    /// Returns the state as human-readable text without a trailing newline. Before the first reset, the text says so.
    fn render(&self) -> String;

    /// Plays an action in a lane of a [`VecEnv`](super::VecEnv). Environments don't implement this. It only exists so
    /// that a step takes one dynamic call instead of one for each part.
    #[doc(hidden)]
    fn step_lane(
        &mut self,
        lane: &mut Lane<'_>,
        action: usize,
        autoreset: Autoreset,
        options: Option<&str>,
    ) -> Result<(), EnvError> {
        lane.step(self, action, autoreset, options)
    }

    /// Returns a clone with the same state, whose random stream continues from the same position.
    fn boxed_clone(&self) -> Box<dyn Env>;
}

impl Clone for Box<dyn Env> {
    fn clone(&self) -> Box<dyn Env> {
        self.boxed_clone()
    }
}

/// A space of `f32` arrays with a fixed shape and inclusive bounds that apply to every entry. Observations are written
/// to a flat slice of [`BoxSpace::len`] numbers in row-major order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoxSpace {
    /// The lengths of the axes. Their product is positive.
    pub shape: Vec<usize>,
    /// The lower bound for every entry.
    pub low: f32,
    /// The upper bound for every entry.
    pub high: f32,
}

impl BoxSpace {
    /// Returns the number of entries in an observation.
    #[allow(clippy::len_without_is_empty)] // observations are never empty
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Returns `true` if the observation has the right length and all entries are within the bounds.
    pub fn contains(&self, observation: &[f32]) -> bool {
        observation.len() == self.len() && observation.iter().all(|&x| self.low <= x && x <= self.high)
    }
}

/// The maximum stake. This limit keeps rewards finite and sufficiently precise.
pub const MAX_STAKE: f64 = 1e9;

/// An error from a rejected call to an environment. The environment's state is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnvError {
    /// The environment has not been reset.
    #[error("there is no episode yet; call reset first")]
    NotReset,
    /// The episode is over.
    #[error("the episode is over; call reset to start the next one")]
    EpisodeOver,
    /// The action is not in the action space or is currently illegal.
    #[error("action {action} is illegal: {reason}")]
    IllegalAction {
        /// The rejected action.
        action: usize,
        /// The reason why the action was rejected.
        reason: String,
    },
    /// The agent does not exist.
    #[error("agent {agent} does not exist; the environment has {agents} agents, numbered from 0")]
    NoAgent {
        /// The agent's number.
        agent: usize,
        /// The number of agents in the environment.
        agents: usize,
    },
    /// A slice has the wrong length.
    #[error("expected {expected} entries for {what}, found {found}")]
    Length {
        /// A description of the slice's content.
        what: &'static str,
        /// The expected number of entries.
        expected: usize,
        /// The actual number of entries.
        found: usize,
    },
    /// An option has an invalid value.
    #[error("invalid {}{option}: {reason}", if *option == "options" { "" } else { "option " })]
    BadOption {
        /// The option's name.
        option: &'static str,
        /// The reason. This includes the valid values.
        reason: String,
    },
    /// The environment doesn't define the rewards for all actions.
    #[error("{env} does not define the rewards of all actions")]
    NoActionRewards {
        /// The environment's id.
        env: &'static str,
    },
    /// The environment can't start an episode on a given random stream.
    #[error("{env} cannot start an episode on a given random stream")]
    NoStream {
        /// The environment's id.
        env: &'static str,
    },
    /// A lane of a [`VecEnv`](super::VecEnv) rejected the call.
    #[error("lane {lane}: {error}")]
    Lane {
        /// The first lane that rejected the call, starting from 0.
        lane: usize,
        /// The lane's error.
        error: Box<EnvError>,
    },
}

impl EnvError {
    /// Checks the length of a slice passed by the caller.
    ///
    /// # Errors
    /// Returns [`EnvError::Length`] if `found` and `expected` differ.
    #[inline]
    pub const fn check_length(what: &'static str, found: usize, expected: usize) -> Result<(), EnvError> {
        if found == expected { Ok(()) } else { Err(EnvError::Length { what, expected, found }) }
    }

    /// Checks the stake of a main bet.
    ///
    /// # Errors
    /// Returns [`EnvError::BadOption`] unless the stake is greater than 0 and at most [`MAX_STAKE`].
    #[inline]
    pub fn check_stake(option: &'static str, stake: f64) -> Result<(), EnvError> {
        let valid = stake > 0.0 && stake <= MAX_STAKE;
        let reason = || format!("{stake} must be greater than 0 and at most {MAX_STAKE}");
        if valid { Ok(()) } else { Err(EnvError::BadOption { option, reason: reason() }) }
    }

    /// Checks the stake of a side bet.
    ///
    /// # Errors
    /// Returns [`EnvError::BadOption`] unless the stake is between 0 and [`MAX_STAKE`].
    #[inline]
    pub fn check_side_stake(option: &'static str, stake: f64) -> Result<(), EnvError> {
        let reason = || format!("{stake} must be between 0 (no side bet) and {MAX_STAKE}");
        if (0.0..=MAX_STAKE).contains(&stake) { Ok(()) } else { Err(EnvError::BadOption { option, reason: reason() }) }
    }

    /// Checks that an option's value is within a range.
    ///
    /// # Errors
    /// Returns [`EnvError::BadOption`] if the value is out of range.
    #[inline]
    pub fn check_range<T>(option: &'static str, value: T, range: RangeInclusive<T>) -> Result<(), EnvError>
    where
        T: PartialOrd + std::fmt::Display,
    {
        let reason = || format!("{value} must be between {} and {}", range.start(), range.end());
        if range.contains(&value) { Ok(()) } else { Err(EnvError::BadOption { option, reason: reason() }) }
    }

    /// Wraps the error with the lane in which it occurred.
    pub fn in_lane(self, lane: usize) -> EnvError {
        EnvError::Lane { lane, error: Box::new(self) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stakes_are_finite_numbers() {
        for stake in [f64::NAN, f64::INFINITY] {
            assert!(EnvError::check_stake("ante", stake).is_err(), "{stake}");
            assert!(EnvError::check_side_stake("side-stake", stake).is_err(), "{stake}");
        }
    }

    #[test]
    fn spaces_tell_what_they_hold() {
        let space = BoxSpace { shape: vec![2, 3], low: 0.0, high: 1.0 };
        assert_eq!(space.len(), 6);
        assert!(space.contains(&[0.0, 1.0, 0.5, 0.0, 0.0, 0.0]));
        assert!(!space.contains(&[0.0; 5]) && !space.contains(&[1.1; 6]) && !space.contains(&[f32::NAN; 6]));
    }
}
