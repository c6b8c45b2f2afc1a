//! The trait implemented by all single-agent environments, and its action and observation spaces.

use super::{EnvError, StreamSeed};
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
    /// The maximum number of steps per episode.
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

    /// Returns the number of actions.
    fn action_space(&self) -> Discrete;

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
    /// [`Env::action_space`].
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

    /// Returns the state as human-readable text without a trailing newline. Before the first reset, the text says so.
    fn render(&self) -> String;

    /// Returns a clone with the same state, whose random stream continues from the same position.
    fn boxed_clone(&self) -> Box<dyn Env>;
}

impl Clone for Box<dyn Env> {
    fn clone(&self) -> Box<dyn Env> {
        self.boxed_clone()
    }
}

/// An action space that consists of the actions 0 to n - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Discrete(pub usize);

impl Discrete {
    /// Returns the number of actions.
    pub const fn n(self) -> usize {
        self.0
    }

    /// Returns `true` if the space contains the action, even if the action is currently illegal.
    pub const fn contains(self, action: usize) -> bool {
        action < self.0
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_tell_what_they_hold() {
        let space = BoxSpace { shape: vec![2, 3], low: 0.0, high: 1.0 };
        assert_eq!(space.len(), 6);
        assert!(space.contains(&[0.0, 1.0, 0.5, 0.0, 0.0, 0.0]));
        assert!(!space.contains(&[0.0; 5]) && !space.contains(&[1.1; 6]) && !space.contains(&[f32::NAN; 6]));
        assert!(Discrete(21).contains(20) && !Discrete(21).contains(21));
    }
}
