//! Vector environments, which are stepped in place. Rust writes directly to the buffers of Python's arrays.

use crate::env::Env;
use crate::error::{action_of, value_error};
use crate::pool::{ForkSafePool, detached};
use houseway_env::gym::{self, Autoreset, Batch, EnvError};
use numpy::ndarray::{Array2, ArrayView, ArrayView1, Dimension};
use numpy::{Element, IntoPyArray, PyArray, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, PoisonError};

/// A vector environment. `houseway.vector.HousewayVectorEnv` wraps it for Gymnasium.
#[pyclass(module = "houseway._core")]
pub(crate) struct VecEnv {
    inner: Mutex<gym::VecEnv>,
    pool: Option<ForkSafePool>,
    lanes: usize,
    actions: usize,
    /// The current actions, converted to the type that the lanes expect.
    chosen: Vec<usize>,
    /// The sets of buffers by number, with `None` in place of the set that `inner` writes to. The buffers live as long
    /// as this object. See [`shared`].
    buffers: Vec<Option<Batch>>,
    /// The number of the set that `inner` writes to.
    current: usize,
}

impl VecEnv {
    fn inner(&mut self) -> &mut gym::VecEnv {
        self.inner.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a closure without holding the GIL, on the environment's own thread pool if it has one.
    fn run<T: Send>(&mut self, py: Python<'_>, work: impl FnOnce(&mut gym::VecEnv, &mut [usize]) -> T + Send) -> T {
        let VecEnv { inner, pool, chosen, .. } = self;
        let inner = inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        match pool {
            Some(pool) => py.detach(|| pool.install(|| work(inner, chosen))),
            None => detached(py, || work(inner, chosen)),
        }
    }
}

#[pymethods]
impl VecEnv {
    #[new]
    #[pyo3(signature = (single, lanes, final_observations=true, threads=None, autoreset="same_step"))]
    fn new(
        py: Python<'_>,
        single: &Bound<'_, Env>,
        lanes: usize,
        final_observations: bool,
        threads: Option<usize>,
        autoreset: &str,
    ) -> PyResult<VecEnv> {
        let autoreset = match autoreset {
            "same_step" => Autoreset::SameStep,
            "next_step" => Autoreset::NextStep,
            "disabled" => Autoreset::Disabled,
            other => return Err(value_error(format!("invalid autoreset mode '{other}'"))),
        };
        let env = single.borrow_mut().inner().boxed_clone();
        let actions = env.actions();
        let inner = detached(py, move || gym::VecEnv::new(&*env, lanes)).map_err(value_error)?;
        let inner = if final_observations { inner } else { inner.without_final_observations() };
        let inner = inner.with_autoreset(autoreset).recording();
        advise_batch(inner.batch());
        Ok(VecEnv {
            inner: Mutex::new(inner),
            pool: threads.map(|n| ForkSafePool::new(Some(n))),
            lanes,
            actions,
            chosen: vec![0; lanes],
            buffers: vec![None],
            current: 0,
        })
    }

    /// Adds a set of buffers and returns its number.
    fn add_buffers(&mut self) -> usize {
        self.inner().bypass_caches();
        let current = self.inner().batch();
        let [observations, final_observations] =
            [&current.observations, &current.final_observations].map(|values| vec![0.0; values.len()]);
        let batch = Batch {
            observations,
            final_observations,
            masks: current.masks.clone(),
            rewards: current.rewards.clone(),
            terminated: current.terminated.clone(),
            truncated: current.truncated.clone(),
        };
        advise_batch(&batch);
        self.buffers.push(Some(batch));
        self.buffers.len() - 1
    }

    /// Makes the next step write to this set of buffers. The latest observations stay in the previous set, while masks,
    /// rewards and end flags are copied.
    fn use_buffers(&mut self, number: usize) -> PyResult<()> {
        if number == self.current {
            return Ok(());
        }
        let message = || PyIndexError::new_err(format!("buffer set {number} does not exist"));
        let mut batch = self.buffers.get_mut(number).and_then(Option::take).ok_or_else(message)?;
        self.inner().swap_batch(&mut batch);
        let current = std::mem::replace(&mut self.current, number);
        self.buffers[current] = Some(batch);
        Ok(())
    }

    /// Returns a copy with the same state and a single set of buffers.
    fn copy(&mut self) -> VecEnv {
        VecEnv {
            inner: Mutex::new(self.inner().clone()),
            pool: self.pool.as_ref().map(ForkSafePool::another),
            lanes: self.lanes,
            actions: self.actions,
            chosen: self.chosen.clone(),
            buffers: vec![None],
            current: 0,
        }
    }

    /// Serializes the state for [`VecEnv::set_state`].
    fn state(&mut self) -> Option<String> {
        self.inner().save()
    }

    /// Restores a state, which must come from an environment with the same configuration.
    fn set_state(&mut self, py: Python<'_>, state: &str) -> PyResult<()> {
        self.run(py, |env, _| env.restore(state)).map_err(value_error)
    }

    /// Starts an episode in each selected lane.
    #[pyo3(signature = (selected, seed=None, options=None))]
    fn reset_lanes(
        &mut self,
        py: Python<'_>,
        selected: PyReadonlyArray1<'_, bool>,
        seed: Option<u64>,
        options: Option<&str>,
    ) -> PyResult<()> {
        let selected: Vec<bool> = selected.as_array().to_vec();
        self.run(py, |env, _| env.reset_lanes(&selected, seed, options).map(|_| ())).map_err(value_error)
    }

    /// Returns the outcome of a lane's episode as JSON, or `None` if the episode is still running.
    fn outcome(&mut self, lane: usize) -> Option<String> {
        self.inner().lane(lane).and_then(|env| env.outcome()).map(|outcome| outcome.to_string())
    }

    /// Returns the action that the house's own strategy would take in a lane, or `None` if it has none at this point.
    fn house_action(&mut self, lane: usize) -> Option<usize> {
        self.inner().lane(lane).and_then(|env| env.house_action())
    }

    /// Returns the reward of every action in every lane on the same cards, including the hidden ones.
    fn action_rewards<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let mut rewards = vec![0.0; self.lanes * self.actions];
        self.run(py, |env, _| env.action_rewards(&mut rewards)).map_err(value_error)?;
        let rewards = Array2::from_shape_vec((self.lanes, self.actions), rewards).map_err(value_error)?;
        Ok(rewards.into_pyarray(py))
    }

    /// Returns the current buffers by name, as arrays that share their memory. Every `reset` and `step` overwrites
    /// them. They stay valid for as long as any of the arrays exists.
    fn buffers<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let py = slf.py();
        let buffers = PyDict::new(py);
        let this = slf.borrow();
        let guard = this.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let batch = guard.batch();
        buffers.set_item("observation", shared(&batch.observation_rows(), slf))?;
        if !batch.final_observations.is_empty() {
            buffers.set_item("final_observation", shared(&batch.final_observation_rows(), slf))?;
        }
        buffers.set_item("action_mask", shared(&batch.mask_rows(), slf))?;
        buffers.set_item("reward", shared(&batch.reward_row(), slf))?;
        buffers.set_item("terminated", shared(&ArrayView1::from(&batch.terminated), slf))?;
        buffers.set_item("truncated", shared(&ArrayView1::from(&batch.truncated), slf))?;
        Ok(buffers)
    }

    #[pyo3(signature = (seed=None, options=None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<u64>, options: Option<&str>) -> PyResult<()> {
        self.run(py, |env, _| env.reset(seed, options).map(|_| ())).map_err(value_error)
    }

    /// Plays one action per lane.
    fn step(&mut self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let actions = actions.as_array();
        if actions.len() != self.lanes {
            return Err(PyValueError::new_err(format!(
                "expected {} actions, one per lane, found {}",
                self.lanes,
                actions.len()
            )));
        }
        for (lane, (to, &from)) in self.chosen.iter_mut().zip(actions).enumerate() {
            *to = action_of(from).map_err(|error| value_error(format!("lane {lane}: {error}")))?;
        }
        self.run(py, |env, actions| env.step(actions).map(|_| ())).map_err(value_error)
    }

    /// Plays `steps` steps in Rust, taking the lowest legal action in every lane. `benches/rates.py` compares against
    /// it.
    fn play_lowest_legal(&mut self, py: Python<'_>, steps: usize) -> PyResult<()> {
        let actions = self.actions;
        let play = |env: &mut gym::VecEnv, chosen: &mut [usize]| {
            for _ in 0..steps {
                for (action, mask) in chosen.iter_mut().zip(env.batch().masks.chunks(actions)) {
                    *action = mask.iter().position(|&legal| legal).unwrap_or(0);
                }
                env.step(chosen)?;
            }
            Ok(())
        };
        self.run(py, play).map_err(|error: EnvError| value_error(error))
    }

    fn render(&mut self, lane: usize) -> PyResult<String> {
        let lanes = self.lanes;
        let text = self.inner().lane(lane).map(|env| env.render());
        text.ok_or_else(|| PyIndexError::new_err(format!("lane {lane} is out of range for {lanes} lanes")))
    }
}

/// Asks for huge pages for the observations. Their buffers are zeroed allocations that haven't been touched yet.
///
/// A step with 4,096 lanes writes up to 24 MB of observations. With 4 kB pages, address translation takes a noticeable
/// share of the step.
fn advise_batch(batch: &Batch) {
    advise(&batch.observations);
    advise(&batch.final_observations);
}

/// Asks the operating system to back `values` with huge pages. This only helps before the values are first written, and
/// it does nothing on systems without huge pages.
#[cfg(target_os = "linux")]
pub(crate) fn advise(values: &[f32]) {
    /// The small page size. If pages are larger, the call fails on an unaligned address, which is harmless.
    const PAGE: usize = 4096;
    let begin = values.as_ptr() as usize;
    let (from, to) = (begin.next_multiple_of(PAGE), begin + size_of_val(values));
    if from < to {
        // SAFETY: The range lies within the slice, and this advice doesn't change the contents of memory.
        unsafe { libc::madvise(from as *mut libc::c_void, to - from, libc::MADV_HUGEPAGE) };
    }
}

/// Does nothing, because other systems choose page sizes themselves.
#[cfg(not(target_os = "linux"))]
pub(crate) fn advise(_values: &[f32]) {}

/// Converts one of a [`VecEnv`]'s buffers to an array that keeps the environment alive.
fn shared<'py, T: Element, D: Dimension>(
    values: &ArrayView<'_, T, D>,
    owner: &Bound<'py, VecEnv>,
) -> Bound<'py, PyArray<T, D>> {
    // SAFETY: The buffers are allocated once, move between `inner` and `buffers` without being reallocated, and live as
    // long as the environment, which the array holds a reference to. Rust only writes to them within `reset` and `step`.
    // Python code that reads them from another thread during a step may see values from both steps, as documented in
    // `houseway.vector`.
    unsafe { PyArray::borrow_from_array(values, owner.clone().into_any()) }
}
