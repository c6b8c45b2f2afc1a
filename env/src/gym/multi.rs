//! Multi-agent environments, turn by turn or with all agents at once.

use super::{BoxSpace, Discrete, EnvError, EnvSpec, StreamSeed};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// A set of at most 64 agents, numbered from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AgentSet(pub u64);

impl AgentSet {
    /// Returns `true` if an agent is in the set.
    #[inline]
    pub const fn contains(self, agent: usize) -> bool {
        agent < 64 && self.0 >> agent & 1 == 1
    }

    /// Returns the agent with the lowest number.
    #[inline]
    pub const fn first(self) -> Option<usize> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros() as usize) }
    }

    /// Returns `true` if the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the agents in ascending order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..64).filter(move |&agent| self.contains(agent))
    }
}

/// Participation of an agent in the episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AgentStatus {
    /// The agent takes part.
    Active,
    /// The agent is out by the rules of the game, or never took part.
    Terminated,
    /// The episode was cut off by a limit that is not a rule of the game.
    Truncated,
}

/// A turn-based game for several agents in the sense of PettingZoo; [`Parallel`] steps all agents at once.
/// `gym::check_multi_env` checks this contract:
///
/// - [`MultiEnv::acting`] returns the agents that act *at once*. None of them sees another's action before all have
///   acted, so their order is irrelevant. [`MultiEnv::selection`] is the next one to act (`agent_selection`).
/// - The episode is over when no agents are left to act. Every agent is then terminated or truncated.
/// - An agent's observation never depends on hidden information.
/// - An invalid call returns an [`EnvError`] and leaves the environment unchanged. Clones share no mutable state.
pub trait MultiEnv: Clone + Send {
    /// Options of a reset, as in [`Env::Options`](super::Env::Options).
    type Options: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync;

    /// Returns the id, the range of an agent's reward in a step, and the maximum number of steps in an episode, under
    /// the default options.
    fn spec(&self) -> EnvSpec;

    /// Returns the rules hash, see [`Env::rules_hash`](super::Env::rules_hash).
    fn rules_hash(&self) -> String;

    /// Returns the maximum number of agents, which are numbered from 0 (`possible_agents`).
    fn agents(&self) -> usize;

    /// Returns the shape and bounds of every agent's observations.
    fn observation_space(&self) -> BoxSpace;

    /// Returns the number of actions for every agent.
    fn action_space(&self) -> Discrete;

    /// Checks the options of a reset.
    ///
    /// # Errors
    /// Returns [`EnvError::BadOption`] if an option is invalid.
    fn check_options(&self, options: &Self::Options) -> Result<(), EnvError>;

    /// Starts an episode, see [`Env::reset_stream`](super::Env::reset_stream).
    ///
    /// # Errors
    /// Returns only the errors of [`MultiEnv::check_options`].
    fn reset_stream(&mut self, seed: Option<StreamSeed>, options: &Self::Options) -> Result<(), EnvError>;

    /// Starts an episode, see [`Env::reset`](super::Env::reset).
    ///
    /// # Errors
    /// Returns only the errors of [`MultiEnv::check_options`].
    fn reset(&mut self, seed: Option<u64>, options: Option<&Self::Options>) -> Result<(), EnvError> {
        let seed = seed.map(StreamSeed::from);
        match options {
            Some(options) => self.reset_stream(seed, options),
            None => self.reset_stream(seed, &Self::Options::default()),
        }
    }

    /// Returns the agents that act now; empty before the reset and after the end.
    fn acting(&self) -> AgentSet;

    /// Returns the agent that acts next.
    fn selection(&self) -> Option<usize> {
        self.acting().first()
    }

    /// Returns the participation of an agent (`terminations`, `truncations`).
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`] or [`EnvError::NoAgent`].
    fn status(&self, agent: usize) -> Result<AgentStatus, EnvError>;

    /// Returns the rewards of all agents in the last step by any agent; zeros after a reset.
    fn rewards(&self) -> &[f64];

    /// Checks that [`MultiEnv::step`] would accept the action now.
    ///
    /// # Errors
    /// Returns the error that the step would return.
    fn check_action(&self, agent: usize, action: usize) -> Result<(), EnvError>;

    /// Plays an action of one of the acting agents, in any order.
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`], [`EnvError::EpisodeOver`], [`EnvError::NoAgent`] or [`EnvError::IllegalAction`],
    /// including when it is not the agent's turn.
    fn step(&mut self, agent: usize, action: usize) -> Result<(), EnvError>;

    /// Writes the observation of an agent.
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`], [`EnvError::NoAgent`] or [`EnvError::Length`].
    fn observe(&self, agent: usize, out: &mut [f32]) -> Result<(), EnvError>;

    /// Writes `true` for each currently legal action; all `false` for an agent that does not act now.
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`], [`EnvError::NoAgent`] or [`EnvError::Length`].
    fn action_mask(&self, agent: usize, out: &mut [bool]) -> Result<(), EnvError>;

    /// Returns the entire state as text, including hidden information.
    fn render(&self) -> String;
}

/// An environment in which all acting agents are stepped at once.
#[derive(Clone)]
pub struct Parallel<E> {
    env: E,
    rewards: Vec<f64>,
}

impl<E: MultiEnv> Parallel<E> {
    /// Wraps an environment.
    pub fn new(env: E) -> Parallel<E> {
        let rewards = vec![0.0; env.agents()];
        Parallel { env, rewards }
    }

    /// Returns the environment, to access observations, masks and the acting agents.
    pub fn env(&self) -> &E {
        &self.env
    }

    /// Returns the environment, to play turn by turn. Such steps are not included in [`Parallel::rewards`].
    pub fn env_mut(&mut self) -> &mut E {
        &mut self.env
    }

    /// Returns the rewards of all agents in the last step.
    pub fn rewards(&self) -> &[f64] {
        &self.rewards
    }

    /// Starts an episode.
    ///
    /// # Errors
    /// Returns the errors of [`MultiEnv::reset_stream`].
    pub fn reset_stream(&mut self, seed: Option<StreamSeed>, options: &E::Options) -> Result<(), EnvError> {
        self.env.reset_stream(seed, options)?;
        self.rewards.fill(0.0);
        Ok(())
    }

    /// Checks that a step would accept these actions.
    ///
    /// # Errors
    /// Returns [`EnvError::Length`], the error of the lowest-numbered acting agent whose action is rejected, or, if no
    /// agent acts, [`EnvError::NotReset`] or [`EnvError::EpisodeOver`].
    pub fn check_actions(&self, actions: &[usize]) -> Result<(), EnvError> {
        EnvError::check_length("actions", actions.len(), self.env.agents())?;
        let acting = self.env.acting();
        if acting.is_empty() {
            return self.env.check_action(0, 0).and(Err(EnvError::EpisodeOver));
        }
        acting.iter().try_for_each(|agent| self.env.check_action(agent, actions[agent]))
    }

    /// Plays one action of every acting agent. `actions` has an entry for each agent; those of agents that do not act
    /// are ignored.
    ///
    /// # Errors
    /// Returns the errors of [`Parallel::check_actions`]. On error, the state is unchanged.
    pub fn step(&mut self, actions: &[usize]) -> Result<&[f64], EnvError> {
        self.check_actions(actions)?;
        self.rewards.fill(0.0);
        for agent in self.env.acting().iter() {
            self.env.step(agent, actions[agent])?;
            self.rewards.iter_mut().zip(self.env.rewards()).for_each(|(sum, reward)| *sum += reward);
        }
        Ok(&self.rewards)
    }
}
