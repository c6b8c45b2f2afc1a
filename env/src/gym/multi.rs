//! Environments for several agents, turn by turn and all at once.

use super::{BoxSpace, Discrete, EnvError, EnvSpec, StreamSeed};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// A set of agents, numbered from 0, at most 64.
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

    /// Returns the agents, lowest first.
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
    /// The episode was cut off by a limit that is no rule of the game.
    Truncated,
}

/// A game for several agents, in the sense of PettingZoo, turn by turn; [`Parallel`] steps all agents at once.
/// `gym::check_multi_env` checks these promises:
///
/// - [`MultiEnv::acting`] holds the agents that act *at once*: none of them sees the action of another before all have
///   acted, so their order is irrelevant. [`MultiEnv::selection`] is the one to act next (`agent_selection`).
/// - The episode is over when no agent is left to act. Every agent is terminated or truncated then.
/// - An agent's observation never depends on hidden information.
/// - A call that cannot be answered returns an [`EnvError`] and changes nothing. Clones share no mutable state.
pub trait MultiEnv: Clone + Send {
    /// Reset options, as [`Env::Options`](super::Env::Options).
    type Options: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync;

    /// Id, range of an agent's reward in a step, and the most steps of an episode, under the default options.
    fn spec(&self) -> EnvSpec;

    /// As [`Env::rules_hash`](super::Env::rules_hash).
    fn rules_hash(&self) -> String;

    /// The highest number of agents, which are numbered from 0 (`possible_agents`).
    fn agents(&self) -> usize;

    /// Returns the shape and the bounds of every agent's observations.
    fn observation_space(&self) -> BoxSpace;

    /// Returns the number of actions of every agent.
    fn action_space(&self) -> Discrete;

    /// Checks the options of a reset.
    ///
    /// # Errors
    /// Returns [`EnvError::BadOption`].
    fn check_options(&self, options: &Self::Options) -> Result<(), EnvError>;

    /// Begins an episode, as [`Env::reset_stream`](super::Env::reset_stream).
    ///
    /// # Errors
    /// Returns the errors of [`MultiEnv::check_options`], and only then.
    fn reset_stream(&mut self, seed: Option<StreamSeed>, options: &Self::Options) -> Result<(), EnvError>;

    /// Begins an episode, as [`Env::reset`](super::Env::reset).
    ///
    /// # Errors
    /// Returns the errors of [`MultiEnv::check_options`], and only then.
    fn reset(&mut self, seed: Option<u64>, options: Option<&Self::Options>) -> Result<(), EnvError> {
        let seed = seed.map(StreamSeed::from);
        match options {
            Some(options) => self.reset_stream(seed, options),
            None => self.reset_stream(seed, &Self::Options::default()),
        }
    }

    /// Returns the agents to act; empty before the reset and after the end.
    fn acting(&self) -> AgentSet;

    /// Returns the agent to act next.
    fn selection(&self) -> Option<usize> {
        self.acting().first()
    }

    /// Participation of an agent (`terminations`, `truncations`).
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`] or [`EnvError::NoAgent`].
    fn status(&self, agent: usize) -> Result<AgentStatus, EnvError>;

    /// Rewards of all agents in the last step, by any of them; zeros after a reset.
    fn rewards(&self) -> &[f64];

    /// Checks that [`MultiEnv::step`] would accept the action now.
    ///
    /// # Errors
    /// The error that the step would return.
    fn check_action(&self, agent: usize, action: usize) -> Result<(), EnvError>;

    /// Plays one action of one of the agents to act, in any order.
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`], [`EnvError::EpisodeOver`], [`EnvError::NoAgent`], or
    /// [`EnvError::IllegalAction`], also if it is not the agent's turn.
    fn step(&mut self, agent: usize, action: usize) -> Result<(), EnvError>;

    /// Writes the observation of an agent.
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`], [`EnvError::NoAgent`] or [`EnvError::Length`].
    fn observe(&self, agent: usize, out: &mut [f32]) -> Result<(), EnvError>;

    /// Writes `true` for each action that is legal now; all false for an agent that does not act.
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`], [`EnvError::NoAgent`] or [`EnvError::Length`].
    fn action_mask(&self, agent: usize, out: &mut [bool]) -> Result<(), EnvError>;

    /// Returns the whole state as text, hidden information included.
    fn render(&self) -> String;
}

/// An environment whose steps take the actions of all agents to act at once.
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

    /// Returns the environment, for observations, masks and the agents to act.
    pub fn env(&self) -> &E {
        &self.env
    }

    /// The environment, to play turn by turn; such steps are not part of [`Parallel::rewards`].
    pub fn env_mut(&mut self) -> &mut E {
        &mut self.env
    }

    /// Rewards of all agents in the last step.
    pub fn rewards(&self) -> &[f64] {
        &self.rewards
    }

    /// Begins an episode.
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
    /// The error of the lowest agent to act whose action is refused; [`EnvError::Length`];
    /// [`EnvError::NotReset`] or [`EnvError::EpisodeOver`] if no agent is to act.
    pub fn check_actions(&self, actions: &[usize]) -> Result<(), EnvError> {
        EnvError::check_length("actions", actions.len(), self.env.agents())?;
        let acting = self.env.acting();
        if acting.is_empty() {
            return self.env.check_action(0, 0).and(Err(EnvError::EpisodeOver));
        }
        acting.iter().try_for_each(|agent| self.env.check_action(agent, actions[agent]))
    }

    /// Plays one action of every agent to act; `actions` has one for each agent, and those of the others are ignored.
    ///
    /// # Errors
    /// Returns the errors of [`Parallel::check_actions`]; then nothing has changed.
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
