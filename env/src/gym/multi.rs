//! Multi-agent environments, stepped one agent at a time or all agents at once.

use super::{BoxSpace, EnvError, EnvSpec, StreamSeed};

/// A set of up to 64 agents, or of seats at a table, numbered from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AgentSet(pub u64);

impl AgentSet {
    /// The empty set.
    pub const EMPTY: AgentSet = AgentSet(0);

    /// Returns `true` if the set contains the given agent.
    #[inline]
    pub const fn contains(self, agent: usize) -> bool {
        agent < 64 && self.0 >> agent & 1 == 1
    }

    /// Returns the set with an agent added.
    ///
    /// # Panics
    /// Panics if the agent's number is 64 or more.
    #[inline]
    #[must_use]
    pub const fn with(self, agent: usize) -> AgentSet {
        assert!(agent < 64, "a set has up to 64 agents");
        AgentSet(self.0 | 1 << agent)
    }

    /// Returns the set with an agent removed.
    ///
    /// # Panics
    /// Panics if the agent's number is 64 or more.
    #[inline]
    #[must_use]
    pub const fn without(self, agent: usize) -> AgentSet {
        assert!(agent < 64, "a set has up to 64 agents");
        AgentSet(self.0 & !(1 << agent))
    }

    /// Returns the agent with the lowest number, or `None` if the set is empty.
    #[inline]
    pub const fn first(self) -> Option<usize> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros() as usize) }
    }

    /// Returns `true` if the set contains no agents.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns an iterator over the agents in ascending order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut left = self;
        std::iter::from_fn(move || {
            let agent = left.first()?;
            left = left.without(agent);
            Some(agent)
        })
    }
}

impl FromIterator<usize> for AgentSet {
    /// Collects the agents with the given numbers.
    ///
    /// # Panics
    /// Panics if the number of an agent is 64 or more.
    fn from_iter<T: IntoIterator<Item = usize>>(agents: T) -> AgentSet {
        agents.into_iter().fold(AgentSet::EMPTY, AgentSet::with)
    }
}

/// An agent's status in the current episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AgentStatus {
    /// The agent is participating.
    Active,
    /// The agent has dropped out according to the rules, or never participated.
    Terminated,
    /// The episode was cut off by a limit that isn't part of the rules.
    Truncated,
}

/// A turn-based game for several agents in the style of PettingZoo. The names that PettingZoo uses are given in
/// parentheses. The rules hash, the check of reset options and both resets are those of [`Env`](super::Env), with the
/// same errors. Implementations must satisfy this contract, which `gym::check_multi_env` checks:
///
/// - [`MultiEnv::acting`] returns the agents that act *simultaneously*. They don't see each other's actions until all
///   of them have acted, so their order doesn't matter. [`MultiEnv::selection`] returns the next agent to act
///   (`agent_selection`).
/// - The episode is over when no agents are acting. Every agent is terminated or truncated by then.
/// - An agent's observation never depends on hidden information.
/// - Invalid calls return an [`EnvError`] and leave the environment unchanged. Clones share no mutable state.
pub trait MultiEnv: Clone + Send {
    /// Returns the id, the range of an agent's reward per step, and the maximum number of steps per episode under the
    /// default options.
    fn spec(&self) -> EnvSpec;

    /// Returns the rules hash.
    fn rules_hash(&self) -> String;

    /// Returns the maximum number of agents (`possible_agents`). Agents are numbered from 0.
    fn agents(&self) -> usize;

    /// Returns the shape and bounds of the observations. All agents share the same space.
    fn observation_space(&self) -> BoxSpace;

    /// Returns the number of actions, which are the same for all agents.
    fn actions(&self) -> usize;

    /// Checks reset options.
    fn check_options(&self, options: Option<&str>) -> Result<(), EnvError>;

    /// Starts an episode, on a new random stream if one is given.
    fn reset_stream(&mut self, seed: Option<StreamSeed>, options: Option<&str>) -> Result<(), EnvError>;

    /// Starts an episode.
    fn reset(&mut self, seed: Option<u64>, options: Option<&str>) -> Result<(), EnvError> {
        self.reset_stream(seed.map(StreamSeed::from), options)
    }

    /// Returns the agents whose turn it is. The set is empty before the first reset and once the episode is over.
    fn acting(&self) -> AgentSet;

    /// Returns the next agent to act, or `None` if no agent is acting.
    fn selection(&self) -> Option<usize> {
        self.acting().first()
    }

    /// Returns an agent's status (`terminations`, `truncations`).
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`] before the first reset, or [`EnvError::NoAgent`] if the agent doesn't exist.
    fn status(&self, agent: usize) -> Result<AgentStatus, EnvError>;

    /// Returns the rewards of all agents for the last step, no matter which agent acted. All rewards are 0 after a
    /// reset.
    fn rewards(&self) -> &[f64];

    /// Checks that [`MultiEnv::step`] would currently accept the action.
    ///
    /// # Errors
    /// Returns the error that [`MultiEnv::step`] would return.
    fn check_action(&self, agent: usize, action: usize) -> Result<(), EnvError>;

    /// Plays an action for one of the acting agents. They may act in any order.
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`], [`EnvError::EpisodeOver`], [`EnvError::NoAgent`] or [`EnvError::IllegalAction`].
    /// An action is also illegal if it isn't the agent's turn.
    fn step(&mut self, agent: usize, action: usize) -> Result<(), EnvError>;

    /// Plays one action for every acting agent at once. `actions` has one entry per agent, and those of agents that are
    /// not acting are ignored. Writes the sums of all agents' rewards to `rewards`.
    ///
    /// # Errors
    /// Returns [`EnvError::Length`] if there is not one action and one reward per agent, or the error for the first
    /// acting agent whose action is rejected. If no agent is acting, returns [`EnvError::NotReset`] or
    /// [`EnvError::EpisodeOver`]. The state is then unchanged.
    fn step_all(&mut self, actions: &[usize], rewards: &mut [f64]) -> Result<(), EnvError> {
        EnvError::check_length("actions", actions.len(), self.agents())?;
        EnvError::check_length("rewards", rewards.len(), self.agents())?;
        let acting = self.acting();
        if acting.is_empty() {
            return self.check_action(0, 0).and(Err(EnvError::EpisodeOver));
        }
        acting.iter().try_for_each(|agent| self.check_action(agent, actions[agent]))?;
        rewards.fill(0.0);
        for agent in acting.iter() {
            self.step(agent, actions[agent])?;
            rewards.iter_mut().zip(self.rewards()).for_each(|(sum, reward)| *sum += reward);
        }
        Ok(())
    }

    /// Writes an agent's observation to `out`.
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`], [`EnvError::NoAgent`] or [`EnvError::Length`].
    fn observe(&self, agent: usize, out: &mut [f32]) -> Result<(), EnvError>;

    /// Writes `true` to `out` for each action that is currently legal. The mask is all `false` if it isn't the agent's
    /// turn.
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`], [`EnvError::NoAgent`] or [`EnvError::Length`].
    fn action_mask(&self, agent: usize, out: &mut [bool]) -> Result<(), EnvError>;

    /// Returns the whole state as text, including hidden information.
    fn render(&self) -> String;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "up to 64 agents")]
    fn agents_have_numbers_below_64() {
        let _ = AgentSet::EMPTY.with(63).with(64);
    }
}
