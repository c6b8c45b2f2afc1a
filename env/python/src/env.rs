//! A single environment.

use crate::error::{action_of, value_error};
use crate::games::make;
use crate::pool::detached;
use houseway_env::gym::{self, DEFAULT_SEED, EnvError, SavedEpisode, StreamSeed};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, PoisonError};

/// A single environment for any game. `houseway.envs.HousewayEnv` wraps it for Gymnasium.
#[pyclass(module = "houseway._core")]
pub(crate) struct Env {
    inner: Mutex<Box<dyn gym::Env>>,
    actions: usize,
    /// The current observation. A step only rewrites it if the game's observations can change within an episode.
    observation: Vec<f32>,
    stays: bool,
    mask: Vec<bool>,
    /// The episode as saved by [`Env::state`]. `None` before the first reset.
    episode: Option<SavedEpisode>,
    over: bool,
}

/// An episode that has ended.
#[pyclass(module = "houseway._core", frozen)]
pub(crate) struct Ended {
    inner: Mutex<Box<dyn gym::Env>>,
}

#[pymethods]
impl Ended {
    /// See [`Env::outcome`].
    fn outcome(&self) -> Option<String> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.outcome().map(|outcome| outcome.to_string())
    }
}

/// Writes the mask. It is all false before the first reset, and all true once the episode is over, so that learners
/// never see an empty mask.
fn write_mask(inner: &dyn gym::Env, mask: &mut [bool], over: bool) -> PyResult<()> {
    if over {
        mask.fill(true);
        return Ok(());
    }
    match inner.action_mask(mask) {
        Err(EnvError::NotReset) => mask.fill(false),
        other => other.map_err(value_error)?,
    }
    Ok(())
}

impl From<Box<dyn gym::Env>> for Env {
    fn from(env: Box<dyn gym::Env>) -> Env {
        let (observation, stays) = (vec![0.0; env.observation_space().len()], env.observation_stays());
        let actions = env.actions();
        let mask = vec![false; actions];
        Env { inner: Mutex::new(env), actions, observation, stays, mask, episode: None, over: false }
    }
}

impl Env {
    pub(crate) fn inner(&mut self) -> &mut dyn gym::Env {
        self.inner.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut()
    }

    /// Returns the observation `{"observation", "action_mask"}` and the info `{"action_mask"}`. All arrays are newly
    /// allocated.
    fn seen<'py>(&mut self, py: Python<'py>, is_new: bool) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
        let inner = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        if is_new || !self.stays {
            inner.observe(&mut self.observation).map_err(value_error)?;
        }
        write_mask(&**inner, &mut self.mask, self.over)?;
        let mask = PyArray1::<i8>::zeros(py, self.actions, false);
        // SAFETY: The array was just allocated and is contiguous, and nothing else refers to it yet.
        unsafe { mask.as_slice_mut()?.iter_mut().zip(&self.mask).for_each(|(out, &legal)| *out = legal.into()) };
        let (seen, info) = (PyDict::new(py), PyDict::new(py));
        seen.set_item(pyo3::intern!(py, "observation"), PyArray1::from_slice(py, &self.observation))?;
        seen.set_item(pyo3::intern!(py, "action_mask"), &mask)?;
        info.set_item(pyo3::intern!(py, "action_mask"), mask)?;
        Ok((seen, info))
    }
}

#[pymethods]
impl Env {
    #[new]
    fn new(py: Python<'_>, id: &str, config: &str) -> PyResult<Env> {
        detached(py, || make(id, config)).map(Env::from).map_err(value_error)
    }

    /// Returns `(id, lowest reward, highest reward, maximum number of steps)`.
    #[getter]
    fn spec(&mut self) -> (&'static str, f64, f64, usize) {
        let spec = self.inner().spec();
        (spec.id, spec.reward_range.0, spec.reward_range.1, spec.max_steps)
    }

    #[getter]
    fn rules_hash(&mut self) -> String {
        self.inner().rules_hash()
    }

    /// Returns `(shape, low, high)`.
    #[getter]
    fn observation_space(&mut self) -> (Vec<usize>, f32, f32) {
        let space = self.inner().observation_space();
        (space.shape, space.low, space.high)
    }

    /// Returns `true` if steps never change the observation.
    #[getter]
    fn observation_stays(&self) -> bool {
        self.stays
    }

    #[getter]
    fn actions(&self) -> usize {
        self.actions
    }

    #[pyo3(signature = (seed=None, options=None))]
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        seed: Option<u64>,
        options: Option<&str>,
    ) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
        let is_first = self.episode.is_none();
        let inner = self.inner();
        let seed = if is_first { Some(seed.unwrap_or(DEFAULT_SEED)) } else { seed };
        let mut episode = SavedEpisode::default();
        episode.begin(inner, seed.map(StreamSeed::from), options);
        inner.reset(seed, options).map_err(value_error)?;
        self.episode = Some(episode);
        self.over = false;
        self.seen(py, true)
    }

    #[allow(clippy::type_complexity)] // the five values that Gymnasium requires
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        action: i64,
    ) -> PyResult<(Bound<'py, PyDict>, f64, bool, bool, Bound<'py, PyDict>)> {
        let action = action_of(action).map_err(value_error)?;
        let step = self.inner().step(action).map_err(value_error)?;
        self.over = step.is_last();
        if let Some(episode) = &mut self.episode {
            episode.push(action);
        }
        let (seen, info) = self.seen(py, false)?;
        Ok((seen, step.reward, step.terminated, step.truncated, info))
    }

    /// Returns the action mask as booleans: all false before the first reset, all true once the episode is over.
    fn action_masks<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let inner = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        write_mask(&**inner, &mut self.mask, self.over)?;
        Ok(PyArray1::from_slice(py, &self.mask))
    }

    fn render(&mut self) -> String {
        self.inner().render()
    }

    /// Returns the outcome, which reveals hidden cards, as JSON, or `None` before the episode is over.
    fn outcome(&mut self) -> Option<String> {
        self.inner().outcome().map(|outcome| outcome.to_string())
    }

    /// Returns a snapshot from which the outcome can be read later. Formatting it right away would take longer than an
    /// episode.
    fn ended(&mut self) -> Ended {
        Ended { inner: Mutex::new(self.inner().boxed_clone()) }
    }

    /// Returns the reward of every action on the same cards, including the hidden ones.
    fn action_rewards<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let mut rewards = vec![0.0; self.actions];
        self.inner().action_rewards(&mut rewards).map_err(value_error)?;
        Ok(PyArray1::from_vec(py, rewards))
    }

    /// Returns the action that the house's own strategy would take, or `None` if it has none at this point.
    fn house_action(&mut self) -> Option<usize> {
        self.inner().house_action()
    }

    /// Returns a copy that continues from the same state and the same position in the random stream.
    fn copy(&mut self) -> Env {
        let inner = Mutex::new(self.inner().boxed_clone());
        let (observation, mask, episode) = (self.observation.clone(), self.mask.clone(), self.episode.clone());
        Env { inner, actions: self.actions, observation, stays: self.stays, mask, episode, over: self.over }
    }

    /// Serializes the state for [`Env::set_state`].
    fn state(&self) -> Option<String> {
        self.episode.as_ref().map(|episode| serde_json::to_string(episode).expect("episodes are plain data"))
    }

    /// Restores a state by replaying the episode. The state must come from an environment with the same configuration.
    fn set_state(&mut self, state: &str) -> PyResult<()> {
        let episode: SavedEpisode = serde_json::from_str(state).map_err(value_error)?;
        let inner = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        let over = episode.replay(inner.as_mut()).map_err(value_error)?;
        inner.observe(&mut self.observation).map_err(value_error)?;
        (self.episode, self.over) = (Some(episode), over);
        Ok(())
    }
}
