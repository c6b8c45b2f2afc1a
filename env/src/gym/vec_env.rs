//! Many lanes of an environment, stepped at once.

use super::lane_episode::LaneEpisode;
use super::{Counterfactual, DEFAULT_SEED, Env, EnvError, StreamSeed};
use rayon::prelude::*;

/// Number of lanes stepped by one task of the thread pool. Results do not depend on it.
const CHUNK: usize = 64;

/// Observations, masks and rewards of all lanes, stored lane by lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// `[lanes, observation length]`: current observations. If an episode has just ended, this is the first observation
    /// of the next one.
    pub observations: Vec<f32>,
    /// `[lanes, actions]`: legal actions for these observations.
    pub masks: Vec<bool>,
    /// `[lanes]`: rewards of the last step; 0 after a reset.
    pub rewards: Vec<f32>,
    /// `[lanes]`: `true` if the last step ended the episode by the rules.
    pub terminated: Vec<bool>,
    /// `[lanes]`: `true` if the last step ended the episode by a limit.
    pub truncated: Vec<bool>,
    /// `[lanes, observation length]`, or empty if disabled: last observations of the episodes that ended with the last
    /// step. Lanes whose episode continues keep their old entries.
    pub final_observations: Vec<f32>,
}

/// Treatment of a lane whose episode has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Autoreset {
    /// The lane is reset in the step that ends the episode. Reward and end flags belong to the old episode, observation
    /// and mask to the new one.
    #[default]
    SameStep,
    /// The lane shows the end of the episode, with a mask that is all `true`. The next step resets it, whatever the
    /// action, with a reward of 0.
    NextStep,
    /// The lane shows the end of the episode, with a mask that is all `true`, and rejects steps until
    /// [`VecEnv::reset_lanes`].
    Disabled,
}

/// Steps many lanes of one environment into preallocated buffers.
///
/// - **Streams.** Lane i plays on lane i of the seed's random streams ([`StreamSeed`]), so the same seed gives the same
///   bytes for any number of threads, and lane i does not depend on the number of lanes.
/// - **Autoreset is same-step** by default, see [`Autoreset`]. A lane whose episode ends is reset within the step.
///   Reward and end flags belong to the old episode, observation and mask to the new one, and the old episode's last
///   observation is in [`Batch::final_observations`]. The new episode has the options of the last [`VecEnv::reset`].
/// - **All or nothing.** Actions are checked first. If any lane rejects its action, no lane moves.
///
/// Lanes are stepped on the caller's thread pool: the current pool inside `pool.install(..)`, and otherwise rayon's
/// global pool.
#[derive(Clone)]
pub struct VecEnv<E: Env> {
    lanes: Vec<E>,
    pub(super) options: E::Options,
    observation_len: usize,
    actions: usize,
    pub(super) ready: bool,
    pub(super) autoreset: Autoreset,
    batch: Batch,
    /// Current episodes of the lanes, for [`VecEnv::save`]; empty if they are not recorded.
    pub(super) episodes: Vec<LaneEpisode<E::Options>>,
}

/// A lane and its rows in the buffers.
pub(super) struct Lane<'a, E: Env> {
    pub(super) env: &'a mut E,
    pub(super) observation: &'a mut [f32],
    pub(super) mask: &'a mut [bool],
    pub(super) reward: &'a mut f32,
    pub(super) terminated: &'a mut bool,
    pub(super) truncated: &'a mut bool,
    last: Option<&'a mut [f32]>,
    episode: Option<&'a mut LaneEpisode<E::Options>>,
}

impl<E: Env> Lane<'_, E> {
    /// Starts an episode.
    fn begin(self, seed: Option<StreamSeed>, options: &E::Options) -> Result<(), EnvError> {
        if let Some(episode) = self.episode {
            episode.begin(self.env, seed, options);
        }
        self.env.reset_stream(seed, options)?;
        (*self.reward, *self.terminated, *self.truncated) = (0.0, false, false);
        self.env.observe(self.observation)?;
        self.env.action_mask(self.mask)
    }
}

impl<E: Env> VecEnv<E> {
    /// Creates `lanes` clones of an environment, with final observations.
    ///
    /// # Errors
    /// Returns [`EnvError::BadOption`] if `lanes` is 0.
    pub fn new(env: &E, lanes: usize) -> Result<VecEnv<E>, EnvError> {
        if lanes == 0 {
            return Err(EnvError::BadOption { option: "lanes", reason: "at least one lane is needed".to_owned() });
        }
        let (observation_len, actions) = (env.observation_space().len(), env.action_space().n());
        let batch = Batch {
            observations: vec![0.0; lanes * observation_len],
            masks: vec![false; lanes * actions],
            rewards: vec![0.0; lanes],
            terminated: vec![false; lanes],
            truncated: vec![false; lanes],
            final_observations: vec![0.0; lanes * observation_len],
        };
        let lanes = vec![env.clone(); lanes];
        Ok(VecEnv {
            lanes,
            options: E::Options::default(),
            observation_len,
            actions,
            ready: false,
            autoreset: Autoreset::SameStep,
            batch,
            episodes: Vec::new(),
        })
    }

    /// Disables [`Batch::final_observations`], which saves time for agents that do not read them.
    #[must_use]
    pub fn without_final_observations(mut self) -> VecEnv<E> {
        self.batch.final_observations = Vec::new();
        self
    }

    /// Selects the treatment of lanes whose episode has ended. Only [`Autoreset::SameStep`] has final observations,
    /// because otherwise [`Batch::observations`] shows them.
    #[must_use]
    pub fn with_autoreset(self, autoreset: Autoreset) -> VecEnv<E> {
        let env = if autoreset == Autoreset::SameStep { self } else { self.without_final_observations() };
        VecEnv { autoreset, ..env }
    }

    /// Exchanges the buffers with `other`, which then holds the results of the last step. The next step writes into the
    /// buffers that `other` held. Until then, the batch's observations are undefined; everything else is copied.
    ///
    /// # Panics
    /// Panics if the buffers have different sizes.
    pub fn swap_batch(&mut self, other: &mut Batch) {
        let sizes = |batch: &Batch| (batch.observations.len(), batch.masks.len(), batch.final_observations.len());
        assert_eq!(sizes(&self.batch), sizes(other), "buffers of another environment");
        std::mem::swap(&mut self.batch, other);
        self.batch.masks.copy_from_slice(&other.masks);
        self.batch.rewards.copy_from_slice(&other.rewards);
        self.batch.terminated.copy_from_slice(&other.terminated);
        self.batch.truncated.copy_from_slice(&other.truncated);
    }

    /// Returns the number of lanes.
    #[allow(clippy::len_without_is_empty)] // there is always a lane
    pub fn len(&self) -> usize {
        self.lanes.len()
    }

    /// Returns the number of entries in an observation.
    pub fn observation_len(&self) -> usize {
        self.observation_len
    }

    /// Returns the number of entries in a mask.
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// Returns the lanes, to read their state. After a step that ended an episode, the lane is already in the next one.
    pub fn lanes(&self) -> &[E] {
        &self.lanes
    }

    /// Returns the batch of the last reset or step.
    pub fn batch(&self) -> &Batch {
        &self.batch
    }

    /// Starts an episode in every lane. A seed sets the streams of all lanes; without one they continue. An initial
    /// reset without a seed uses [`DEFAULT_SEED`]. The given options, or else the default ones, apply to all episodes
    /// until the next reset.
    ///
    /// # Errors
    /// Returns the errors of [`Env::check_options`]. On error, no lane has moved.
    pub fn reset(&mut self, seed: Option<u64>, options: Option<&E::Options>) -> Result<&Batch, EnvError> {
        let options = options.cloned().unwrap_or_default();
        self.lanes[0].check_options(&options)?;
        let seed = if self.ready { seed } else { Some(seed.unwrap_or(DEFAULT_SEED)) };
        self.options = options.clone();
        self.for_each_lane(|index, lane| {
            lane.begin(seed.map(|seed| StreamSeed { seed, lane: index as u64 }), &options)
        })?;
        self.ready = true;
        Ok(&self.batch)
    }

    /// Starts an episode in the selected lanes, with the options of the last [`VecEnv::reset`]. If options are given,
    /// they replace those from then on. A seed sets the streams of these lanes.
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`], [`EnvError::Length`] or the errors of [`Env::check_options`]. On error, no lane
    /// has moved.
    pub fn reset_lanes(
        &mut self,
        selected: &[bool],
        seed: Option<u64>,
        options: Option<&E::Options>,
    ) -> Result<&Batch, EnvError> {
        if !self.ready {
            return Err(EnvError::NotReset);
        }
        EnvError::check_length("the lanes to reset", selected.len(), self.lanes.len())?;
        let options = options.unwrap_or(&self.options).clone();
        self.lanes[0].check_options(&options)?;
        self.options = options.clone();
        self.for_each_lane(|index, lane| {
            *lane.reward = 0.0;
            if !selected[index] {
                return Ok(());
            }
            let seed = seed.map(|seed| StreamSeed { seed, lane: index as u64 });
            lane.begin(seed, &options)
        })?;
        Ok(&self.batch)
    }

    /// Plays one action in every lane, and resets lanes whose episode ends according to [`Autoreset`].
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`], [`EnvError::Length`] if there is not exactly one action per lane, or
    /// [`EnvError::Lane`] with the lowest lane that rejects its action. On error, no lane has moved.
    pub fn step(&mut self, actions: &[usize]) -> Result<&Batch, EnvError> {
        if !self.ready {
            return Err(EnvError::NotReset);
        }
        EnvError::check_length("actions", actions.len(), self.lanes.len())?;
        let (options, autoreset) = (self.options.clone(), self.autoreset);
        for (lane, &action) in actions.iter().enumerate() {
            if autoreset != Autoreset::SameStep && (self.batch.terminated[lane] || self.batch.truncated[lane]) {
                match autoreset {
                    Autoreset::Disabled => return Err(EnvError::EpisodeOver.in_lane(lane)),
                    _ => continue,
                }
            }
            let mask = &self.batch.masks[lane * self.actions..][..self.actions];
            if mask.get(action) != Some(&true) {
                self.lanes[lane].check_action(action).map_err(|error| error.in_lane(lane))?;
            }
        }
        self.for_each_lane(|index, mut lane| {
            if autoreset == Autoreset::NextStep && (*lane.terminated || *lane.truncated) {
                return lane.begin(None, &options);
            }
            let step = lane.env.step(actions[index])?;
            if let Some(episode) = &mut lane.episode {
                episode.push(actions[index]);
            }
            (*lane.reward, *lane.terminated, *lane.truncated) = (step.reward as f32, step.terminated, step.truncated);
            if step.is_last() {
                if autoreset != Autoreset::SameStep {
                    lane.mask.fill(true);
                    return lane.env.observe(lane.observation);
                }
                match lane.last {
                    Some(last) if lane.env.observation_stays() => last.copy_from_slice(lane.observation),
                    Some(last) => lane.env.observe(last)?,
                    None => {}
                }
                if let Some(episode) = &mut lane.episode {
                    episode.begin(lane.env, None, &options);
                }
                lane.env.reset_stream(None, &options)?;
            }
            lane.env.observe(lane.observation)?;
            lane.env.action_mask(lane.mask)
        })?;
        Ok(&self.batch)
    }

    /// Calls `write` with each lane and its row in a buffer of `[lanes, actions]`, processing chunks of lanes in
    /// parallel.
    pub(super) fn for_each_row(
        &mut self,
        out: &mut [f32],
        write: impl Fn(&E, &mut [f32]) -> Result<(), EnvError> + Sync,
    ) -> Result<(), EnvError> {
        if !self.ready {
            return Err(EnvError::NotReset);
        }
        EnvError::check_length("all lanes", out.len(), self.lanes.len() * self.actions)?;
        let actions = self.actions;
        let chunks = self.lanes.par_chunks_mut(CHUNK).zip(out.par_chunks_mut(CHUNK * actions)).enumerate();
        chunks.try_for_each(|(chunk, (lanes, rows))| {
            let rows = lanes.iter_mut().zip(rows.chunks_mut(actions)).enumerate();
            rows.into_iter()
                .try_for_each(|(i, (lane, row))| write(lane, row).map_err(|error| error.in_lane(chunk * CHUNK + i)))
        })
    }

    /// Calls `visit` with the number of each lane and the lane, processing chunks of lanes in parallel.
    pub(super) fn for_each_lane(
        &mut self,
        visit: impl Fn(usize, Lane<'_, E>) -> Result<(), EnvError> + Sync,
    ) -> Result<(), EnvError> {
        let (observation_len, actions) = (self.observation_len, self.actions);
        let Batch { observations, masks, rewards, terminated, truncated, final_observations } = &mut self.batch;
        // Without final observations or recorded episodes, every chunk gets an empty slice of them.
        let chunks = self.lanes.len().div_ceil(CHUNK);
        let mut finals: Vec<&mut [f32]> = final_observations.chunks_mut(CHUNK * observation_len).collect();
        finals.resize_with(chunks, Default::default);
        let mut episodes: Vec<&mut [LaneEpisode<_>]> = self.episodes.chunks_mut(CHUNK).collect();
        episodes.resize_with(chunks, Default::default);
        let chunks = (
            self.lanes.par_chunks_mut(CHUNK),
            observations.par_chunks_mut(CHUNK * observation_len),
            masks.par_chunks_mut(CHUNK * actions),
            rewards.par_chunks_mut(CHUNK),
            terminated.par_chunks_mut(CHUNK),
            truncated.par_chunks_mut(CHUNK),
            finals,
            episodes,
        );
        chunks.into_par_iter().enumerate().try_for_each(|(chunk, part)| {
            let (envs, observations, masks, rewards, terminated, truncated, finals, episodes) = part;
            let (mut finals, mut episodes) = (finals.chunks_mut(observation_len), episodes.iter_mut());
            let rows = observations.chunks_mut(observation_len).zip(masks.chunks_mut(actions));
            let flags = terminated.iter_mut().zip(truncated);
            let lanes = envs.iter_mut().zip(rows).zip(rewards.iter_mut().zip(flags)).enumerate();
            for (i, ((env, (observation, mask)), (reward, (terminated, truncated)))) in lanes {
                let index = chunk * CHUNK + i;
                let (last, episode) = (finals.next(), episodes.next());
                let lane = Lane { env, observation, mask, reward, terminated, truncated, last, episode };
                visit(index, lane).map_err(|error| error.in_lane(index))?;
            }
            Ok(())
        })
    }
}

impl<E: Counterfactual> VecEnv<E> {
    /// Writes the rewards of all actions in every lane, `[lanes, actions]`, see [`Counterfactual::action_rewards`].
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`] or [`EnvError::Length`].
    pub fn action_rewards(&mut self, out: &mut [f32]) -> Result<(), EnvError> {
        self.for_each_row(out, E::action_rewards)
    }
}

#[cfg(test)]
mod tests;
