//! Errors returned by environments.

use std::ops::RangeInclusive;

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
    #[error("invalid option {option}: {reason}")]
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
