//! One environment.

use crate::error::value_error;
use crate::games::make;
use houseway_env::gym::{AnyEnv, EnvError};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, PoisonError};

/// One environment of any game; the wrapper for Gymnasium is `houseway.envs.HousewayEnv`.
#[pyclass(module = "houseway._core")]
pub(crate) struct Env {
    inner: Mutex<Box<dyn AnyEnv>>,
    actions: usize,
    /// What is seen; written anew by a step only where it may have changed.
    observation: Vec<f32>,
    stays: bool,
    mask: Vec<bool>,
}

impl Env {
    fn inner(&mut self) -> &mut dyn AnyEnv {
        self.inner.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut()
    }

    /// Observation and info: `{"observation", "action_mask"}` and `{"action_mask"}`, every array a new one.
    fn seen<'py>(&mut self, py: Python<'py>, is_new: bool) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
        let inner = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        if is_new || !self.stays {
            inner.observe(&mut self.observation).map_err(value_error)?;
        }
        inner.action_mask(&mut self.mask).map_err(value_error)?;
        let mask = PyArray1::<i8>::zeros(py, self.actions, false);
        // SAFETY: the array is new, contiguous, and nobody else has it yet.
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
        let env = py.detach(|| make(id, config)).map_err(value_error)?;
        let (observation, stays) = (vec![0.0; env.observation_space().len()], env.observation_stays());
        let actions = env.action_space().n();
        Ok(Env { inner: Mutex::new(env), actions, observation, stays, mask: vec![false; actions] })
    }

    /// `(id, lowest reward, highest reward, most steps)`.
    #[getter]
    fn spec(&mut self) -> (&'static str, f64, f64, usize) {
        let spec = self.inner().spec();
        (spec.id, spec.reward_range.0, spec.reward_range.1, spec.max_steps)
    }

    #[getter]
    fn rules_hash(&mut self) -> String {
        self.inner().rules_hash()
    }

    /// `(shape, low, high)`.
    #[getter]
    fn observation_space(&mut self) -> (Vec<usize>, f32, f32) {
        let space = self.inner().observation_space();
        (space.shape, space.low, space.high)
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
        self.inner().reset(seed, options).map_err(value_error)?;
        self.seen(py, true)
    }

    #[allow(clippy::type_complexity)] // Gymnasium's five values
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        action: usize,
    ) -> PyResult<(Bound<'py, PyDict>, f64, bool, bool, Bound<'py, PyDict>)> {
        let step = self.inner().step(action).map_err(value_error)?;
        let (seen, info) = self.seen(py, false)?;
        Ok((seen, step.reward, step.terminated, step.truncated, info))
    }

    /// What is legal now, as booleans; nothing before the first reset.
    fn action_masks<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let inner = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        match inner.action_mask(&mut self.mask) {
            Err(EnvError::NotReset) => self.mask.fill(false),
            other => other.map_err(value_error)?,
        }
        Ok(PyArray1::from_slice(py, &self.mask))
    }

    fn render(&mut self) -> String {
        self.inner().render()
    }

    /// A copy that plays on from the same state and the same place of the random stream.
    fn copy(&mut self) -> Env {
        let inner = Mutex::new(self.inner().boxed_clone());
        let (observation, mask) = (self.observation.clone(), self.mask.clone());
        Env { inner, actions: self.actions, observation, stays: self.stays, mask }
    }
}
