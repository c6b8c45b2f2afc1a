//! What can be wrong with a call to an environment.

/// A call that an environment refuses. The environment is as it was before the call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnvError {
    /// The environment has not been reset yet.
    #[error("there is no episode yet; call reset first")]
    NotReset,
    /// The episode has ended.
    #[error("the episode is over; call reset to begin the next one")]
    EpisodeOver,
    /// The action is outside the action space, or not legal now.
    #[error("action {action} is illegal: {reason}")]
    IllegalAction {
        /// The action.
        action: usize,
        /// Why it is refused, in words.
        reason: String,
    },
    /// There is no agent of this number.
    #[error("there is no agent {agent}; there are {agents}, numbered from 0")]
    NoAgent {
        /// The number.
        agent: usize,
        /// How many agents there are.
        agents: usize,
    },
    /// A slice has the wrong length.
    #[error("the slice for {what} has {found} entries, {expected} are needed")]
    Length {
        /// What the slice is for.
        what: &'static str,
        /// How many entries it must have.
        expected: usize,
        /// How many it has.
        found: usize,
    },
    /// An option has a value that makes no sense.
    #[error("bad option {option}: {reason}")]
    BadOption {
        /// The option's name.
        option: &'static str,
        /// What is wrong with it and what would be right.
        reason: String,
    },
    /// The environment does not define the rewards of all actions on the same cards.
    #[error("{env} does not define the rewards of all actions on the same cards")]
    NoActionRewards {
        /// Id of the environment.
        env: &'static str,
    },
    /// A lane of a [`VecEnv`](super::VecEnv) refuses the call.
    #[error("lane {lane}: {error}")]
    Lane {
        /// The lowest lane that refuses, from 0.
        lane: usize,
        /// What it says.
        error: Box<EnvError>,
    },
}

impl EnvError {
    /// Checks the length of a caller's slice.
    ///
    /// # Errors
    /// [`EnvError::Length`] if it is not the expected one.
    pub const fn check_length(what: &'static str, found: usize, expected: usize) -> Result<(), EnvError> {
        if found == expected { Ok(()) } else { Err(EnvError::Length { what, expected, found }) }
    }

    /// There is no encoding of observations of this name, only these.
    pub fn no_encoding(name: &str, names: &[&str]) -> EnvError {
        let reason = format!("'{name}' is no encoding; choose among {}", names.join(", "));
        EnvError::BadOption { option: "observation", reason }
    }

    /// This error as that of a lane.
    pub fn in_lane(self, lane: usize) -> EnvError {
        EnvError::Lane { lane, error: Box::new(self) }
    }
}
