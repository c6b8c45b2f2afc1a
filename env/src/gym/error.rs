//! Errors of environments.

use std::ops::RangeInclusive;

/// Maximum stake, so that rewards remain finite and sufficiently exact.
pub const MAX_STAKE: f64 = 1e9;

/// A rejected call to an environment. The environment is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnvError {
    /// The environment has not been reset yet.
    #[error("there is no episode yet; call reset first")]
    NotReset,
    /// The episode has ended.
    #[error("the episode is over; call reset to begin the next one")]
    EpisodeOver,
    /// The action is outside the action space or currently illegal.
    #[error("action {action} is illegal: {reason}")]
    IllegalAction {
        /// Rejected action.
        action: usize,
        /// Reason for the rejection.
        reason: String,
    },
    /// There is no agent with this number.
    #[error("there is no agent {agent}; there are {agents}, numbered from 0")]
    NoAgent {
        /// Number of the agent.
        agent: usize,
        /// Number of agents.
        agents: usize,
    },
    /// A slice has the wrong length.
    #[error("the slice for {what} has {found} entries, but {expected} are needed")]
    Length {
        /// Purpose of the slice.
        what: &'static str,
        /// Required number of entries.
        expected: usize,
        /// Actual number of entries.
        found: usize,
    },
    /// An option has an invalid value.
    #[error("invalid option {option}: {reason}")]
    BadOption {
        /// Name of the option.
        option: &'static str,
        /// Reason, including the valid values.
        reason: String,
    },
    /// The environment does not define the rewards of all actions on the same cards.
    #[error("{env} does not define the rewards of all actions on the same cards")]
    NoActionRewards {
        /// Id of the environment.
        env: &'static str,
    },
    /// The environment does not support starting an episode on a given random stream.
    #[error("{env} does not begin episodes on a given random stream")]
    NoStream {
        /// Id of the environment.
        env: &'static str,
    },
    /// A lane of a [`VecEnv`](super::VecEnv) rejected the call.
    #[error("lane {lane}: {error}")]
    Lane {
        /// Lowest lane that rejected the call, counted from 0.
        lane: usize,
        /// Error of the lane.
        error: Box<EnvError>,
    },
}

impl EnvError {
    /// Checks the length of a caller's slice.
    ///
    /// # Errors
    /// Returns [`EnvError::Length`] if the length is not the expected one.
    #[inline]
    pub const fn check_length(what: &'static str, found: usize, expected: usize) -> Result<(), EnvError> {
        if found == expected { Ok(()) } else { Err(EnvError::Length { what, expected, found }) }
    }

    /// Checks the stake of a main bet.
    ///
    /// # Errors
    /// Returns [`EnvError::BadOption`] unless the stake is above 0 and at most [`MAX_STAKE`].
    #[inline]
    pub fn check_stake(option: &'static str, stake: f64) -> Result<(), EnvError> {
        let valid = stake > 0.0 && stake <= MAX_STAKE;
        let reason = || format!("{stake} is not above 0 and at most {MAX_STAKE}");
        if valid { Ok(()) } else { Err(EnvError::BadOption { option, reason: reason() }) }
    }

    /// Checks the stake of a side bet.
    ///
    /// # Errors
    /// Returns [`EnvError::BadOption`] unless the stake is between 0 and [`MAX_STAKE`].
    #[inline]
    pub fn check_side_stake(option: &'static str, stake: f64) -> Result<(), EnvError> {
        let reason = || format!("{stake} is not between 0 (no side bet) and {MAX_STAKE}");
        if (0.0..=MAX_STAKE).contains(&stake) { Ok(()) } else { Err(EnvError::BadOption { option, reason: reason() }) }
    }

    /// Checks that a number is in a range.
    ///
    /// # Errors
    /// Returns [`EnvError::BadOption`] if the number is outside the range.
    #[inline]
    pub fn check_range<T>(option: &'static str, value: T, range: RangeInclusive<T>) -> Result<(), EnvError>
    where
        T: PartialOrd + std::fmt::Display,
    {
        let reason = || format!("{value} is not between {} and {}", range.start(), range.end());
        if range.contains(&value) { Ok(()) } else { Err(EnvError::BadOption { option, reason: reason() }) }
    }

    /// Returns this error as the error of a lane.
    pub fn in_lane(self, lane: usize) -> EnvError {
        EnvError::Lane { lane, error: Box::new(self) }
    }
}
