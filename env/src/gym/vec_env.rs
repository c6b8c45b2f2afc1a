//! Vectorized environments.
//!
//! ```
//! use houseway_env::gym::VecEnv;
//!
//! let env = (houseway_env::registry::find("asian-stud").unwrap().make)("{}").unwrap();
//! let mut lanes = VecEnv::new(&*env, 4).unwrap();
//! lanes.reset(Some(1), None).unwrap();
//! let mut rewards = ndarray::Array2::zeros((4, lanes.actions()));
//! lanes.action_reward_rows(rewards.view_mut()).unwrap();
//! // The rewards have a row for each lane.
//! assert!(lanes.action_reward_rows(rewards.t().as_standard_layout().to_owned().view_mut()).is_err());
//! assert_eq!(lanes.batch().observation_rows().dim(), (4, lanes.observation_len()));
//! ```

use super::batch::copy_uncached;
use super::{Batch, DEFAULT_SEED, Env, EnvError, SavedEpisode, StreamSeed};
use ndarray::ArrayViewMut2;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The number of lanes stepped per task in the thread pool. It doesn't affect results.
const CHUNK: usize = 64;

/// The minimum length of an observation for [`VecEnv::bypass_caches`] to apply to it. The fence after each row costs
/// more than the stores of shorter ones.
const MIN_UNCACHED: usize = 256;

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
/// otherwise. Create the `VecEnv` outside of the closure, because environments aren't `Sync`.
#[derive(Clone)]
pub struct VecEnv {
    lanes: Vec<Box<dyn Env>>,
    /// The options for future episodes, or `None` for the default options.
    options: Option<String>,
    observation_len: usize,
    actions: usize,
    ready: bool,
    autoreset: Autoreset,
    batch: Batch,
    /// The current episode of each lane, for [`VecEnv::save`]. Empty unless recording is enabled.
    episodes: Vec<SavedEpisode>,
    /// A row per chunk of lanes, which is encoded there before it is written around the caches. Empty unless enabled by
    /// [`VecEnv::bypass_caches`].
    staged: Vec<f32>,
}

/// The state of all lanes, as saved by [`VecEnv::save`].
#[derive(Clone, Serialize, Deserialize)]
struct SavedLanes {
    options: Option<String>,
    lanes: Vec<SavedEpisode>,
    rewards: Vec<f32>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
}

/// The rows of a lane in the batch buffers.
pub struct Lane<'a> {
    observation: &'a mut [f32],
    mask: &'a mut [bool],
    reward: &'a mut f32,
    terminated: &'a mut bool,
    truncated: &'a mut bool,
    last: Option<&'a mut [f32]>,
    episode: Option<&'a mut SavedEpisode>,
    /// The row in which the observation is encoded before it is written to `observation`, if that bypasses the caches.
    staged: Option<&'a mut [f32]>,
}

/// These functions are generic, so that [`Env::step_lane`] takes a single dynamic call and everything within is compiled
/// for the type of the environment.
impl Lane<'_> {
    /// Writes the current observation and mask.
    #[inline]
    fn show<E: Env + ?Sized>(&mut self, env: &E) -> Result<(), EnvError> {
        match self.staged.as_deref_mut() {
            Some(row) => {
                env.observe(row)?;
                copy_uncached(row, self.observation);
            }
            None => env.observe(self.observation)?,
        }
        env.action_mask(self.mask)
    }

    /// Starts an episode.
    fn begin<E: Env + ?Sized>(
        &mut self,
        env: &mut E,
        seed: Option<StreamSeed>,
        options: Option<&str>,
    ) -> Result<(), EnvError> {
        if let Some(episode) = self.episode.as_deref_mut() {
            episode.begin(env, seed, options);
        }
        env.reset_stream(seed, options)?;
        *self.reward = 0.0;
        *self.terminated = false;
        *self.truncated = false;
        self.show(env)
    }

    /// Plays an action and starts the next episode according to `autoreset`.
    #[inline]
    pub(super) fn step<E: Env + ?Sized>(
        &mut self,
        env: &mut E,
        action: usize,
        autoreset: Autoreset,
        options: Option<&str>,
    ) -> Result<(), EnvError> {
        if autoreset == Autoreset::NextStep && (*self.terminated || *self.truncated) {
            return self.begin(env, None, options);
        }
        let step = env.step(action)?;
        // A finished episode that has already been replaced doesn't need to be replayed.
        if let Some(episode) = &mut self.episode
            && !(step.is_last() && autoreset == Autoreset::SameStep)
        {
            episode.push(action);
        }
        *self.reward = step.reward as f32;
        *self.terminated = step.terminated;
        *self.truncated = step.truncated;
        if step.is_last() {
            if autoreset != Autoreset::SameStep {
                self.mask.fill(true);
                return env.observe(self.observation);
            }
            match self.last.as_deref_mut() {
                Some(last) if env.observation_stays() => last.copy_from_slice(self.observation),
                Some(last) => env.observe(last)?,
                None => {}
            }
            if let Some(episode) = &mut self.episode {
                episode.begin(env, None, options);
            }
            env.reset_stream(None, options)?;
        }
        self.show(env)
    }
}

impl VecEnv {
    /// Creates `lanes` clones of an environment, with final observations enabled. The buffers for all of them are allocated
    /// at once.
    ///
    /// # Errors
    /// Returns [`EnvError::BadOption`] if `lanes` is 0.
    pub fn new(env: &dyn Env, lanes: usize) -> Result<VecEnv, EnvError> {
        if lanes == 0 {
            return Err(EnvError::BadOption { option: "lanes", reason: "expected at least one lane".to_owned() });
        }
        let (observation_len, actions) = (env.observation_space().len(), env.actions());
        let batch = Batch {
            observations: vec![0.0; lanes * observation_len],
            masks: vec![false; lanes * actions],
            rewards: vec![0.0; lanes],
            terminated: vec![false; lanes],
            truncated: vec![false; lanes],
            final_observations: vec![0.0; lanes * observation_len],
        };
        let lanes = (0..lanes).map(|_| env.boxed_clone()).collect();
        Ok(VecEnv {
            lanes,
            options: None,
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
    pub fn without_final_observations(mut self) -> VecEnv {
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
    /// [`Autoreset::SameStep`], as [`Batch::observations`] already contains them in the other modes. They stay disabled if
    /// another mode was selected before.
    #[must_use]
    pub fn with_autoreset(self, autoreset: Autoreset) -> VecEnv {
        let env = if autoreset == Autoreset::SameStep { self } else { self.without_final_observations() };
        VecEnv { autoreset, ..env }
    }

    /// Swaps the batch with `other`, so that `other` receives the results of the last step and the next step writes to
    /// the buffers that were passed in. Observations of the batch are unspecified until they are written again, while its masks,
    /// rewards and end flags are copies of those in `other`.
    ///
    /// # Panics
    /// Panics if the buffers differ in size.
    pub fn swap_batch(&mut self, other: &mut Batch) {
        let sizes = |batch: &Batch| {
            let Batch { observations, masks, final_observations, rewards, terminated, truncated, .. } = batch;
            let values = [observations.len(), final_observations.len(), rewards.len()];
            (values, [masks.len(), terminated.len(), truncated.len()])
        };
        assert_eq!(sizes(&self.batch), sizes(other), "buffer sizes must match");
        std::mem::swap(&mut self.batch, other);
        self.batch.masks.copy_from_slice(&other.masks);
        self.batch.rewards.copy_from_slice(&other.rewards);
        self.batch.terminated.copy_from_slice(&other.terminated);
        self.batch.truncated.copy_from_slice(&other.truncated);
        // If steps don't change an observation, the next step takes the final observations from here.
        if !self.batch.final_observations.is_empty() && self.lanes[0].observation_stays() {
            self.batch.observations.copy_from_slice(&other.observations);
        }
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

    /// Returns a lane, e.g. to render it, or `None` if it doesn't exist. With [`Autoreset::SameStep`], a lane whose
    /// episode has just ended has already started the next one.
    pub fn lane(&self, lane: usize) -> Option<&dyn Env> {
        self.lanes.get(lane).map(AsRef::as_ref)
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
    pub fn reset(&mut self, seed: Option<u64>, options: Option<&str>) -> Result<&Batch, EnvError> {
        self.lanes[0].check_options(options)?;
        let seed = if self.ready { seed } else { Some(seed.unwrap_or(DEFAULT_SEED)) };
        self.options = options.map(str::to_owned);
        self.for_each_lane(|index, env, lane| {
            lane.begin(env, seed.map(|seed| StreamSeed { seed, lane: index as u64 }), options)
        })?;
        self.ready = true;
        Ok(&self.batch)
    }

    /// Starts an episode in the selected lanes. If options are given, they also apply to all future episodes, including
    /// those of other lanes. Otherwise, the options of the last reset with options are used. A seed only sets the
    /// random streams of the selected lanes. After [`VecEnv::swap_batch`], only the observations of the selected lanes
    /// are specified.
    ///
    /// # Errors
    /// Returns [`EnvError::NotReset`] before the first reset, [`EnvError::Length`] if `selected` has the wrong length,
    /// or any error from [`Env::check_options`]. In these cases, no lane changes.
    pub fn reset_lanes(
        &mut self,
        selected: &[bool],
        seed: Option<u64>,
        options: Option<&str>,
    ) -> Result<&Batch, EnvError> {
        if !self.ready {
            return Err(EnvError::NotReset);
        }
        EnvError::check_length("the lanes to reset", selected.len(), self.lanes.len())?;
        if options.is_some() {
            self.lanes[0].check_options(options)?;
            self.options = options.map(str::to_owned);
        }
        let options = self.options.clone();
        self.for_each_lane(|index, env, lane| {
            if !selected[index] {
                return Ok(());
            }
            *lane.reward = 0.0;
            let seed = seed.map(|seed| StreamSeed { seed, lane: index as u64 });
            lane.begin(env, seed, options.as_deref())
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
        let autoreset = self.autoreset;
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
        // Taking the options out while the lanes are borrowed is cheaper than cloning them in every step.
        let options = self.options.take();
        let stepped =
            self.for_each_lane(|index, env, lane| env.step_lane(lane, actions[index], autoreset, options.as_deref()));
        self.options = options;
        stepped.map(|()| &self.batch)
    }

    /// Writes the rewards for all actions in every lane to `out`, which must have the shape `[lanes, actions]`. See
    /// [`Env::action_rewards`].
    ///
    /// # Errors
    /// Returns [`EnvError::NoActionRewards`] if the game doesn't define them, [`EnvError::NotReset`] before the first
    /// reset, or [`EnvError::Length`] if `out` has the wrong length.
    pub fn action_rewards(&mut self, out: &mut [f32]) -> Result<(), EnvError> {
        if !self.lanes[0].has_action_rewards() {
            return Err(EnvError::NoActionRewards { env: self.lanes[0].spec().id });
        }
        if !self.ready {
            return Err(EnvError::NotReset);
        }
        EnvError::check_length("all lanes", out.len(), self.lanes.len() * self.actions)?;
        let actions = self.actions;
        let chunks = self.lanes.par_chunks_mut(CHUNK).zip(out.par_chunks_mut(CHUNK * actions)).enumerate();
        chunks.try_for_each(|(chunk, (lanes, rows))| {
            for (i, (lane, row)) in lanes.iter().zip(rows.chunks_mut(actions)).enumerate() {
                lane.action_rewards(row).map_err(|error| error.in_lane(chunk * CHUNK + i))?;
            }
            Ok(())
        })
    }

    /// Writes the rewards of all actions in every lane to an array with shape `[lanes, actions]`. See
    /// [`VecEnv::action_rewards`].
    ///
    /// # Errors
    /// Returns any error from [`VecEnv::action_rewards`], [`EnvError::Length`] if the array has another shape, or
    /// [`EnvError::BadOption`] if it isn't contiguous.
    pub fn action_reward_rows(&mut self, mut out: ArrayViewMut2<'_, f32>) -> Result<(), EnvError> {
        EnvError::check_length("the lanes of the rewards", out.nrows(), self.len())?;
        EnvError::check_length("the actions of the rewards", out.ncols(), self.actions)?;
        let reason = "expected an array whose rows are next to each other in memory".to_owned();
        let out = out.as_slice_mut().ok_or(EnvError::BadOption { option: "rewards", reason })?;
        self.action_rewards(out)
    }

    /// Records the current episode of every lane, so that [`VecEnv::save`] can save it. Recording starts with the next
    /// [`VecEnv::reset`].
    #[must_use]
    pub fn recording(mut self) -> VecEnv {
        self.episodes = vec![SavedEpisode::default(); self.len()];
        self
    }

    /// Returns the state of all lanes as JSON. Returns `None` before the first reset, if recording is disabled (see
    /// [`VecEnv::recording`]), or if the environment doesn't expose its random stream.
    pub fn save(&self) -> Option<String> {
        let recorded = !self.episodes.is_empty() && self.episodes.iter().all(|lane| lane.start.is_some());
        let saved = recorded.then(|| SavedLanes {
            options: self.options.clone(),
            lanes: self.episodes.clone(),
            rewards: self.batch.rewards.clone(),
            terminated: self.batch.terminated.clone(),
            truncated: self.batch.truncated.clone(),
        })?;
        Some(serde_json::to_string(&saved).expect("the state is plain data"))
    }

    /// Restores a saved state by replaying the current episode of every lane. The state must come from an equal
    /// environment with the same number of lanes. Final observations are not restored.
    ///
    /// # Errors
    /// Returns [`EnvError::BadOption`] if the text is not a saved state, [`EnvError::Length`] if the number of lanes
    /// differs, or the error of the lane if an episode can't be replayed. In the last case, all lanes must be reset
    /// before they can be used again.
    pub fn restore(&mut self, saved: &str) -> Result<(), EnvError> {
        let saved: SavedLanes = serde_json::from_str(saved)
            .map_err(|error| EnvError::BadOption { option: "state", reason: error.to_string() })?;
        let lanes = self.len();
        for found in [saved.lanes.len(), saved.rewards.len(), saved.terminated.len(), saved.truncated.len()] {
            EnvError::check_length("the saved lanes", found, lanes)?;
        }
        self.ready = false;
        self.options = saved.options;
        self.episodes.clone_from(&saved.lanes);
        let shows_end = self.autoreset != Autoreset::SameStep;
        self.for_each_lane(|index, env, lane| {
            saved.lanes[index].replay(env)?;
            *lane.reward = saved.rewards[index];
            (*lane.terminated, *lane.truncated) = (saved.terminated[index], saved.truncated[index]);
            env.observe(lane.observation)?;
            if shows_end && (*lane.terminated || *lane.truncated) {
                lane.mask.fill(true);
                return Ok(());
            }
            env.action_mask(lane.mask)
        })?;
        self.ready = true;
        Ok(())
    }

    /// Calls `visit` with the index of each lane and the lane itself. Chunks of lanes are processed in parallel.
    fn for_each_lane(
        &mut self,
        visit: impl Fn(usize, &mut dyn Env, &mut Lane<'_>) -> Result<(), EnvError> + Sync,
    ) -> Result<(), EnvError> {
        let (observation_len, actions) = (self.observation_len, self.actions);
        let Batch { observations, masks, rewards, terminated, truncated, final_observations } = &mut self.batch;
        // If final observations or recording are disabled, every chunk gets an empty slice instead.
        let chunks = self.lanes.len().div_ceil(CHUNK);
        let mut finals: Vec<&mut [f32]> = final_observations.chunks_mut(CHUNK * observation_len).collect();
        finals.resize_with(chunks, Default::default);
        let mut episodes: Vec<&mut [SavedEpisode]> = self.episodes.chunks_mut(CHUNK).collect();
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
                let mut lane = Lane { observation, mask, reward, terminated, truncated, last, episode, staged };
                visit(index, env.as_mut(), &mut lane).map_err(|error| error.in_lane(index))?;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests;
