//! Vectorized environments.

use super::lane_episode::LaneEpisode;
use super::{Counterfactual, DEFAULT_SEED, Env, EnvError, StreamSeed, uncached};
use rayon::prelude::*;

/// The number of lanes stepped per task in the thread pool. It doesn't affect results.
const CHUNK: usize = 64;

/// The minimum length of an observation for [`VecEnv::bypass_caches`] to apply to it. The fence after each row costs
/// more than the stores of shorter ones.
const MIN_UNCACHED: usize = 256;

/// The observations, masks and rewards of all lanes, stored contiguously by lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// The current observations, with shape `[lanes, observation length]`. If an episode has just ended, this is the
    /// first observation of the next one.
    pub observations: Vec<f32>,
    /// The legal actions for the current observations, with shape `[lanes, actions]`.
    pub masks: Vec<bool>,
    /// The rewards of the last step, with shape `[lanes]`. They are 0 after a reset.
    pub rewards: Vec<f32>,
    /// For each lane, `true` if the last step terminated the episode.
    pub terminated: Vec<bool>,
    /// For each lane, `true` if the last step truncated the episode.
    pub truncated: Vec<bool>,
    /// The final observations of the episodes that ended in the last step, with shape `[lanes, observation length]`.
    /// Lanes whose episode continues keep their old entries. Empty if final observations are disabled.
    pub final_observations: Vec<f32>,
}

/// Determines when a lane is reset after its episode has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Autoreset {
    /// The lane is reset in the step that ends the episode. The reward and end flags belong to the old episode, while
    /// the observation and mask belong to the new one.
    #[default]
    SameStep,
    /// The lane shows the end of the episode with a mask that is all `true`. The next step ignores the lane's action,
    /// resets the lane and returns a reward of 0.
    NextStep,
    /// The lane shows the end of the episode with a mask that is all `true`. Further steps are rejected until
    /// [`VecEnv::reset_lanes`] is called.
    Disabled,
}

/// Steps many lanes of one environment and writes the results to preallocated buffers.
///
/// - **Streams.** Lane i uses lane i of the seed's random streams ([`StreamSeed`]). Results therefore don't depend on
///   the number of threads, and a lane's episodes don't depend on the number of lanes.
/// - **Autoreset is same-step** by default (see [`Autoreset`]). If an episode ends, its lane is reset within the same
///   step. The reward and end flags belong to the old episode, while the observation and mask belong to the new one.
///   The old episode's last observation is stored in [`Batch::final_observations`]. The new episode uses the options of
///   the last [`VecEnv::reset`].
/// - **All or nothing.** All actions are checked before any lane is stepped. If one lane rejects its action, no lane
///   changes.
///
/// Lanes are stepped on the current thread pool when called from within `pool.install(..)`, and on rayon's global pool
/// otherwise.
#[derive(Clone)]
pub struct VecEnv<E: Env> {
    lanes: Vec<E>,
    pub(super) options: E::Options,
    observation_len: usize,
    actions: usize,
    pub(super) ready: bool,
    pub(super) autoreset: Autoreset,
    batch: Batch,
    /// The current episode of each lane, for [`VecEnv::save`]. Empty unless recording is enabled.
    pub(super) episodes: Vec<LaneEpisode<E::Options>>,
    /// A row per chunk of lanes, which is encoded there before it is written around the caches. Empty unless enabled by
    /// [`VecEnv::bypass_caches`].
    staged: Vec<f32>,
}

/// A lane and its rows in the batch buffers.
pub(super) struct Lane<'a, E: Env> {
    pub(super) env: &'a mut E,
    pub(super) observation: &'a mut [f32],
    pub(super) mask: &'a mut [bool],
    pub(super) reward: &'a mut f32,
    pub(super) terminated: &'a mut bool,
    pub(super) truncated: &'a mut bool,
    last: Option<&'a mut [f32]>,
    episode: Option<&'a mut LaneEpisode<E::Options>>,
    /// The row in which the observation is encoded before it is written to `observation`, if that bypasses the caches.
    staged: Option<&'a mut [f32]>,
}

impl<E: Env> Lane<'_, E> {
    /// Writes the current observation and mask.
    fn show(self) -> Result<(), EnvError> {
        match self.staged {
            Some(row) => {
                self.env.observe(row)?;
                uncached::copy(row, self.observation);
            }
            None => self.env.observe(self.observation)?,
        }
        self.env.action_mask(self.mask)
    }

    /// Starts an episode.
    fn begin(mut self, seed: Option<StreamSeed>, options: &E::Options) -> Result<(), EnvError> {
        if let Some(episode) = self.episode.as_deref_mut() {
            episode.begin(self.env, seed, options);
        }
        self.env.reset_stream(seed, options)?;
        (*self.reward, *self.terminated, *self.truncated) = (0.0, false, false);
        self.show()
    }
}

impl<E: Env> VecEnv<E> {
    /// Creates `lanes` clones of an environment, with final observations enabled.
    ///
    /// # Errors
    /// Returns [`EnvError::BadOption`] if `lanes` is 0.
    pub fn new(env: &E, lanes: usize) -> Result<VecEnv<E>, EnvError> {
        if lanes == 0 {
            return Err(EnvError::BadOption { option: "lanes", reason: "expected at least one lane".to_owned() });
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
            staged: Vec::new(),
        })
    }

    /// Disables [`Batch::final_observations`]. This saves time for agents that don't use them.
    #[must_use]
    pub fn without_final_observations(mut self) -> VecEnv<E> {
        self.batch.final_observations = Vec::new();
        self
    }

    /// Writes observations of at least 1 kB to memory without caching them from now on. This is faster if
    /// [`VecEnv::swap_batch`] takes turns with buffers that don't fit into the caches together. Results don't change.
    pub fn bypass_caches(&mut self) {
        if self.observation_len >= MIN_UNCACHED {
            self.staged = vec![0.0; self.lanes.len().div_ceil(CHUNK) * self.observation_len];
        }
    }

    /// Selects when lanes are reset after their episode has ended. Final observations are only available with
    /// [`Autoreset::SameStep`], as [`Batch::observations`] already contains them in the other modes.
    #[must_use]
    pub fn with_autoreset(self, autoreset: Autoreset) -> VecEnv<E> {
        let env = if autoreset == Autoreset::SameStep { self } else { self.without_final_observations() };
        VecEnv { autoreset, ..env }
    }

    /// Swaps the batch with `other`, so that `other` receives the results of the last step and the next step writes to
    /// the buffers that were passed in. Until that step, the batch's observations are unspecified, while its masks,
    /// rewards and end flags are copies of those in `other`.
    ///
    /// # Panics
    /// Panics if the buffers differ in size.
    pub fn swap_batch(&mut self, other: &mut Batch) {
        let sizes = |batch: &Batch| (batch.observations.len(), batch.masks.len(), batch.final_observations.len());
        assert_eq!(sizes(&self.batch), sizes(other), "buffer sizes must match");
        std::mem::swap(&mut self.batch, other);
        self.batch.masks.copy_from_slice(&other.masks);
        self.batch.rewards.copy_from_slice(&other.rewards);
        self.batch.terminated.copy_from_slice(&other.terminated);
        self.batch.truncated.copy_from_slice(&other.truncated);
    }

    /// Returns the number of lanes.
    #[allow(clippy::len_without_is_empty)] // there is always at least one lane
    pub fn len(&self) -> usize {
        self.lanes.len()
    }

    /// Returns the number of entries in an observation.
    pub fn observation_len(&self) -> usize {
        self.observation_len
    }

    /// Returns the number of entries in an action mask.
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// Returns the lanes, e.g. to inspect their state. After a step that ended an episode, the lane has already started
    /// the next one.
    pub fn lanes(&self) -> &[E] {
        &self.lanes
    }

    /// Returns the batch written by the last reset or step.
    pub fn batch(&self) -> &Batch {
        &self.batch
    }

    /// Starts an episode in every lane. A seed sets the random streams of all lanes. Without a seed, the streams
    /// continue, except that the first reset uses [`DEFAULT_SEED`]. The options apply to all episodes until the next
    /// reset and default to the environment's default options.
    ///
    /// # Errors
    /// Returns an error if [`Env::check_options`] does. In this case, no lane changes.
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

    /// Starts an episode in the selected lanes. If options are given, they also apply to future episodes. Otherwise,
    /// the options of the last [`VecEnv::reset`] are used. A seed only sets the random streams of the selected lanes.
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`] before the first reset, [`EnvError::Length`] if `selected` has the wrong length,
    /// or any error from [`Env::check_options`]. In these cases, no lane changes.
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

    /// Plays one action in every lane. Lanes whose episode ends are reset according to [`Autoreset`].
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`] before the first reset, [`EnvError::Length`] if there is not exactly one action
    /// per lane, or [`EnvError::Lane`] for the first lane that rejects its action. In these cases, no lane changes.
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
            // A finished episode that has already been replaced doesn't need to be replayed.
            if let Some(episode) = &mut lane.episode
                && !(step.is_last() && autoreset == Autoreset::SameStep)
            {
                episode.push(actions[index]);
            }
            (*lane.reward, *lane.terminated, *lane.truncated) = (step.reward as f32, step.terminated, step.truncated);
            if step.is_last() {
                if autoreset != Autoreset::SameStep {
                    lane.mask.fill(true);
                    return lane.env.observe(lane.observation);
                }
                match lane.last.as_deref_mut() {
                    Some(last) if lane.env.observation_stays() => last.copy_from_slice(lane.observation),
                    Some(last) => lane.env.observe(last)?,
                    None => {}
                }
                if let Some(episode) = &mut lane.episode {
                    episode.begin(lane.env, None, &options);
                }
                lane.env.reset_stream(None, &options)?;
            }
            lane.show()
        })?;
        Ok(&self.batch)
    }

    /// Calls `write` with each lane and its row of `out`, which has the shape `[lanes, actions]`. Chunks of lanes are
    /// processed in parallel.
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

    /// Calls `visit` with the index of each lane and the lane itself. Chunks of lanes are processed in parallel.
    pub(super) fn for_each_lane(
        &mut self,
        visit: impl Fn(usize, Lane<'_, E>) -> Result<(), EnvError> + Sync,
    ) -> Result<(), EnvError> {
        let (observation_len, actions) = (self.observation_len, self.actions);
        let Batch { observations, masks, rewards, terminated, truncated, final_observations } = &mut self.batch;
        // If final observations or recording are disabled, every chunk gets an empty slice instead.
        let chunks = self.lanes.len().div_ceil(CHUNK);
        let mut finals: Vec<&mut [f32]> = final_observations.chunks_mut(CHUNK * observation_len).collect();
        finals.resize_with(chunks, Default::default);
        let mut episodes: Vec<&mut [LaneEpisode<_>]> = self.episodes.chunks_mut(CHUNK).collect();
        episodes.resize_with(chunks, Default::default);
        let mut staged: Vec<&mut [f32]> = self.staged.chunks_mut(observation_len).collect();
        staged.resize_with(chunks, Default::default);
        let chunks = (
            self.lanes.par_chunks_mut(CHUNK),
            observations.par_chunks_mut(CHUNK * observation_len),
            masks.par_chunks_mut(CHUNK * actions),
            rewards.par_chunks_mut(CHUNK),
            terminated.par_chunks_mut(CHUNK),
            truncated.par_chunks_mut(CHUNK),
            finals,
            episodes,
            staged,
        );
        chunks.into_par_iter().enumerate().try_for_each(|(chunk, part)| {
            let (envs, observations, masks, rewards, terminated, truncated, finals, episodes, staged) = part;
            let (mut finals, mut episodes) = (finals.chunks_mut(observation_len), episodes.iter_mut());
            let rows = observations.chunks_mut(observation_len).zip(masks.chunks_mut(actions));
            let flags = terminated.iter_mut().zip(truncated);
            let lanes = envs.iter_mut().zip(rows).zip(rewards.iter_mut().zip(flags)).enumerate();
            for (i, ((env, (observation, mask)), (reward, (terminated, truncated)))) in lanes {
                let index = chunk * CHUNK + i;
                let (last, episode) = (finals.next(), episodes.next());
                let staged = (!staged.is_empty()).then_some(&mut *staged);
                let lane = Lane { env, observation, mask, reward, terminated, truncated, last, episode, staged };
                visit(index, lane).map_err(|error| error.in_lane(index))?;
            }
            Ok(())
        })
    }
}

impl<E: Counterfactual> VecEnv<E> {
    /// Writes the rewards for all actions in every lane to `out`, which must have the shape `[lanes, actions]`. See
    /// [`Counterfactual::action_rewards`].
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`] before the first reset, or [`EnvError::Length`] if `out` has the wrong length.
    pub fn action_rewards(&mut self, out: &mut [f32]) -> Result<(), EnvError> {
        self.for_each_row(out, E::action_rewards)
    }
}

#[cfg(test)]
mod tests;
