//! Many lanes of an environment for several agents, stepped all at once.

use super::{AgentStatus, DEFAULT_SEED, EnvError, MultiEnv, Parallel, StreamSeed};
use rayon::prelude::*;

/// Lanes that one task of the thread pool steps. Results do not depend on it.
const CHUNK: usize = 16;

/// What the lanes returned, lane after lane, agent after agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MultiBatch {
    /// `[lanes, agents, observation length]`: what each agent sees now; of a lane whose episode has just ended, the first
    /// observations of the next one.
    pub observations: Vec<f32>,
    /// `[lanes, agents, actions]`: what is legal; all false for agents that are not asked.
    pub masks: Vec<bool>,
    /// `[lanes, agents]`: whether the agent is asked for an action.
    pub acting: Vec<bool>,
    /// `[lanes, agents]`: rewards of the last step; 0 after a reset.
    pub rewards: Vec<f32>,
    /// `[lanes, agents]`: whether the agent was out, by the rules, after the last step.
    pub terminated: Vec<bool>,
    /// `[lanes, agents]`: whether the last step cut the agent's episode off.
    pub truncated: Vec<bool>,
    /// `[lanes]`: whether the last step ended the lane's episode.
    pub ended: Vec<bool>,
    /// `[lanes, agents, observation length]`: the last observations of the episode that ended with the last step; a lane
    /// whose episode goes on keeps what stood there.
    pub final_observations: Vec<f32>,
}

/// Steps many lanes of one environment for several agents into buffers that are allocated once.
///
/// As [`VecEnv`](super::VecEnv): lane i plays on lane i of the seed's random streams, auto-reset is same-step, actions are
/// checked first and no lane moves if any is refused, and the bytes are the same for any number of threads.
#[derive(Clone)]
pub struct VecMultiEnv<E: MultiEnv> {
    lanes: Vec<Parallel<E>>,
    options: E::Options,
    agents: usize,
    observation_len: usize,
    actions: usize,
    ready: bool,
    batch: MultiBatch,
}

/// One lane and its places in the buffers.
struct Lane<'a, E> {
    env: &'a mut Parallel<E>,
    observations: &'a mut [f32],
    masks: &'a mut [bool],
    acting: &'a mut [bool],
    rewards: &'a mut [f32],
    terminated: &'a mut [bool],
    truncated: &'a mut [bool],
    ended: &'a mut bool,
    last: &'a mut [f32],
}

impl<E: MultiEnv> Lane<'_, E> {
    /// Writes what the agents see and may do.
    fn look(&mut self, observation_len: usize, actions: usize) -> Result<(), EnvError> {
        let env = self.env.env();
        let acting = env.acting();
        let rows = self.observations.chunks_mut(observation_len).zip(self.masks.chunks_mut(actions));
        for (agent, ((observation, mask), asked)) in rows.zip(self.acting.iter_mut()).enumerate() {
            env.observe(agent, observation)?;
            env.action_mask(agent, mask)?;
            *asked = acting.contains(agent);
        }
        Ok(())
    }

    fn step<O>(&mut self, actions: &[usize], observation_len: usize, options: &O) -> Result<(), EnvError>
    where
        E: MultiEnv<Options = O>,
    {
        let rewards = self.env.step(actions)?;
        self.rewards.iter_mut().zip(rewards).for_each(|(place, &reward)| *place = reward as f32);
        for agent in 0..actions.len() {
            let status = self.env.env().status(agent)?;
            self.terminated[agent] = status == AgentStatus::Terminated;
            self.truncated[agent] = status == AgentStatus::Truncated;
        }
        *self.ended = self.env.env().acting().is_empty();
        if *self.ended {
            for (agent, last) in self.last.chunks_mut(observation_len).enumerate() {
                self.env.env().observe(agent, last)?;
            }
            self.env.reset_stream(None, options)?;
        }
        Ok(())
    }
}

impl<E: MultiEnv> VecMultiEnv<E> {
    /// `lanes` clones of an environment.
    ///
    /// # Errors
    /// [`EnvError::BadOption`] if there are no lanes.
    pub fn new(env: &E, lanes: usize) -> Result<VecMultiEnv<E>, EnvError> {
        if lanes == 0 {
            return Err(EnvError::BadOption { option: "lanes", reason: "at least one lane is needed".to_owned() });
        }
        let (agents, observation_len, actions) = (env.agents(), env.observation_space().len(), env.action_space().n());
        let rows = lanes * agents;
        let batch = MultiBatch {
            observations: vec![0.0; rows * observation_len],
            masks: vec![false; rows * actions],
            acting: vec![false; rows],
            rewards: vec![0.0; rows],
            terminated: vec![false; rows],
            truncated: vec![false; rows],
            ended: vec![false; lanes],
            final_observations: vec![0.0; rows * observation_len],
        };
        let lanes = vec![Parallel::new(env.clone()); lanes];
        let options = E::Options::default();
        Ok(VecMultiEnv { lanes, options, agents, observation_len, actions, ready: false, batch })
    }

    /// The lanes, to look at their state.
    pub fn lanes(&self) -> &[Parallel<E>] {
        &self.lanes
    }

    /// Agents of a lane.
    pub fn agents(&self) -> usize {
        self.agents
    }

    /// Actions in a mask.
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// What the last reset or step returned.
    pub fn batch(&self) -> &MultiBatch {
        &self.batch
    }

    /// Begins an episode in every lane, as [`VecEnv::reset`](super::VecEnv::reset).
    ///
    /// # Errors
    /// As [`MultiEnv::check_options`]; then no lane has moved.
    pub fn reset(&mut self, seed: Option<u64>, options: Option<&E::Options>) -> Result<&MultiBatch, EnvError> {
        let options = options.cloned().unwrap_or_default();
        self.lanes[0].env().check_options(&options)?;
        let seed = if self.ready { seed } else { Some(seed.unwrap_or(DEFAULT_SEED)) };
        self.options = options.clone();
        self.for_each_lane(|index, lane| {
            let seed = seed.map(|seed| StreamSeed { seed, lane: index as u64 });
            lane.env.reset_stream(seed, &options)?;
            lane.rewards.fill(0.0);
            lane.terminated.fill(false);
            lane.truncated.fill(false);
            *lane.ended = false;
            Ok(())
        })?;
        self.ready = true;
        Ok(&self.batch)
    }

    /// Plays one action of every agent that is asked: `[lanes, agents]`, those of the others are passed over.
    ///
    /// # Errors
    /// [`EnvError::NotReset`]; [`EnvError::Length`]; [`EnvError::Lane`] with the lowest lane that refuses. No lane has moved
    /// then.
    pub fn step(&mut self, actions: &[usize]) -> Result<&MultiBatch, EnvError> {
        if !self.ready {
            return Err(EnvError::NotReset);
        }
        let agents = self.agents;
        EnvError::check_length("actions", actions.len(), self.lanes.len() * agents)?;
        for (lane, actions) in actions.chunks(agents).enumerate() {
            self.check_lane(lane, actions).map_err(|error| error.in_lane(lane))?;
        }
        let (options, observation_len) = (self.options.clone(), self.observation_len);
        self.for_each_lane(|index, lane| lane.step(&actions[index * agents..][..agents], observation_len, &options))?;
        Ok(&self.batch)
    }

    /// The masks of the last step answer for most actions.
    fn check_lane(&self, lane: usize, actions: &[usize]) -> Result<(), EnvError> {
        for (agent, &action) in actions.iter().enumerate() {
            let row = lane * self.agents + agent;
            let mask = &self.batch.masks[row * self.actions..][..self.actions];
            if self.batch.acting[row] && mask.get(action) != Some(&true) {
                self.lanes[lane].env().check_action(agent, action)?;
            }
        }
        Ok(())
    }

    /// Calls `visit` with each lane and looks at it afterwards, chunks of lanes in parallel.
    fn for_each_lane(
        &mut self,
        visit: impl Fn(usize, &mut Lane<'_, E>) -> Result<(), EnvError> + Sync,
    ) -> Result<(), EnvError> {
        let (agents, len, actions) = (self.agents, self.observation_len, self.actions);
        let batch = &mut self.batch;
        let lanes = self.lanes.par_iter_mut().with_min_len(CHUNK);
        let rows = batch.observations.par_chunks_mut(agents * len).zip(batch.masks.par_chunks_mut(agents * actions));
        let flags = batch.terminated.par_chunks_mut(agents).zip(batch.truncated.par_chunks_mut(agents));
        let more = batch.acting.par_chunks_mut(agents).zip(batch.rewards.par_chunks_mut(agents));
        let ends = batch.ended.par_iter_mut().zip(batch.final_observations.par_chunks_mut(agents * len));
        let all = lanes.zip(rows).zip(flags).zip(more).zip(ends).enumerate();
        all.try_for_each(|(index, ((((env, rows), flags), more), (ended, last)))| {
            let ((observations, masks), (terminated, truncated), (acting, rewards)) = (rows, flags, more);
            let mut lane = Lane { env, observations, masks, acting, rewards, terminated, truncated, ended, last };
            visit(index, &mut lane).and_then(|()| lane.look(len, actions)).map_err(|error| error.in_lane(index))
        })
    }
}
