//! Many lanes of one environment, stepped in place: Python's arrays are the buffers that Rust writes.

use crate::env::Env;
use crate::error::value_error;
use crate::huge_pages;
use crate::pool::{ForkSafePool, detached};
use houseway_env::gym::{AnyVecEnv, Autoreset, Batch, EnvError};
use numpy::ndarray::{Array2, ArrayView1, ArrayView2};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, PoisonError};

/// Lanes of one environment; the wrapper for Gymnasium is `houseway.vector.HousewayVectorEnv`.
#[pyclass(module = "houseway._core")]
pub(crate) struct VecEnv {
    inner: Mutex<Box<dyn AnyVecEnv>>,
    pool: Option<ForkSafePool>,
    lanes: usize,
    observation_len: usize,
    actions: usize,
    /// The actions of a step, as the lanes want them.
    chosen: Vec<usize>,
    /// Sets of buffers by number; none where `inner` writes. They live as long as this object, see [`IntoPyArrayOf`].
    buffers: Vec<Option<Batch>>,
    /// The number of the set in `inner`.
    current: usize,
}

impl VecEnv {
    fn inner(&mut self) -> &mut dyn AnyVecEnv {
        self.inner.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut()
    }

    /// Runs without the interpreter's lock, on the environment's own threads if it has any.
    fn run<T: Send>(&mut self, py: Python<'_>, work: impl FnOnce(&mut dyn AnyVecEnv, &mut [usize]) -> T + Send) -> T {
        let VecEnv { inner, pool, chosen, .. } = self;
        let inner = inner.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut();
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
            other => return Err(value_error(format!("invalid autoreset '{other}'"))),
        };
        let env = single.borrow_mut().inner().boxed_clone();
        let (observation_len, actions) = (env.observation_space().len(), env.action_space().n());
        let inner = detached(py, move || match autoreset {
            Autoreset::SameStep => env.vectorized(lanes, final_observations),
            other => env.vectorized_with(lanes, other),
        });
        let inner = inner.map_err(value_error)?.recording();
        advise_batch(inner.batch());
        Ok(VecEnv {
            inner: Mutex::new(inner),
            pool: threads.map(|n| ForkSafePool::new(Some(n.max(1)))),
            lanes,
            observation_len,
            actions,
            chosen: vec![0; lanes],
            buffers: vec![None],
            current: 0,
        })
    }

    /// Adds a set of buffers; its number.
    fn add_buffers(&mut self) -> usize {
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

    /// Makes the next step write into this set of buffers. The last results stay where they are, and masks, rewards and ends
    /// are copied.
    fn use_buffers(&mut self, number: usize) -> PyResult<()> {
        if number == self.current {
            return Ok(());
        }
        let message = || PyIndexError::new_err(format!("there is no set of buffers {number}"));
        let mut batch = self.buffers.get_mut(number).and_then(Option::take).ok_or_else(message)?;
        self.inner().swap_batch(&mut batch);
        let current = std::mem::replace(&mut self.current, number);
        self.buffers[current] = Some(batch);
        Ok(())
    }

    /// A copy with the same state and one set of buffers.
    fn copy(&mut self) -> VecEnv {
        VecEnv {
            inner: Mutex::new(self.inner().boxed_clone()),
            pool: self.pool.as_ref().map(ForkSafePool::another),
            lanes: self.lanes,
            observation_len: self.observation_len,
            actions: self.actions,
            chosen: self.chosen.clone(),
            buffers: vec![None],
            current: 0,
        }
    }

    /// The state as text for [`VecEnv::set_state`].
    fn state(&mut self) -> Option<String> {
        self.inner().save()
    }

    /// Continues from the state of another environment with the same configuration.
    fn set_state(&mut self, py: Python<'_>, state: &str) -> PyResult<()> {
        self.run(py, |env, _| env.restore(state)).map_err(value_error)
    }

    /// Begins an episode in the selected lanes.
    #[pyo3(signature = (selected, seed=None, options=None))]
    fn reset_lanes(
        &mut self,
        py: Python<'_>,
        selected: PyReadonlyArray1<'_, bool>,
        seed: Option<u64>,
        options: Option<&str>,
    ) -> PyResult<()> {
        let selected: Vec<bool> = selected.as_array().to_vec();
        self.run(py, |env, _| env.reset_lanes(&selected, seed, options)).map_err(value_error)
    }

    /// All that is known of a lane's episode that has ended, as JSON; none if it goes on.
    fn outcome(&mut self, lane: usize) -> Option<String> {
        self.inner().outcome(lane).map(|outcome| outcome.to_string())
    }

    /// The action of the house's own strategy in a lane, if there is one now.
    fn house_action(&mut self, lane: usize) -> Option<usize> {
        self.inner().house_action(lane)
    }

    /// The rewards of all actions of every lane on the same cards, hidden ones included.
    fn action_rewards<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let mut rewards = vec![0.0; self.lanes * self.actions];
        self.run(py, |env, _| env.action_rewards(&mut rewards)).map_err(value_error)?;
        let rewards = Array2::from_shape_vec((self.lanes, self.actions), rewards).map_err(value_error)?;
        Ok(rewards.into_pyarray(py))
    }

    /// The buffers by name, as arrays without copying. They are written by every `reset` and `step` and live as long as
    /// any of them is held.
    fn buffers<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let py = slf.py();
        let buffers = PyDict::new(py);
        let this = slf.borrow();
        let guard = this.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let batch = guard.batch();
        let rows = |values: &[f32]| {
            ArrayView2::from_shape((this.lanes, this.observation_len), values).map(|v| v.into_pyarray_of(slf))
        };
        buffers.set_item("observation", rows(&batch.observations).map_err(value_error)?)?;
        if !batch.final_observations.is_empty() {
            buffers.set_item("final_observation", rows(&batch.final_observations).map_err(value_error)?)?;
        }
        let masks = ArrayView2::from_shape((this.lanes, this.actions), &batch.masks[..]).map_err(value_error)?;
        buffers.set_item("action_mask", masks.into_pyarray_of(slf))?;
        buffers.set_item("reward", ArrayView1::from(&batch.rewards[..]).into_pyarray_of(slf))?;
        buffers.set_item("terminated", ArrayView1::from(&batch.terminated[..]).into_pyarray_of(slf))?;
        buffers.set_item("truncated", ArrayView1::from(&batch.truncated[..]).into_pyarray_of(slf))?;
        Ok(buffers)
    }

    #[pyo3(signature = (seed=None, options=None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<u64>, options: Option<&str>) -> PyResult<()> {
        self.run(py, |env, _| env.reset(seed, options)).map_err(value_error)
    }

    /// One action a lane.
    fn step(&mut self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let actions = actions.as_array();
        if actions.len() != self.lanes {
            return Err(PyValueError::new_err(format!("{} actions for {} lanes", actions.len(), self.lanes)));
        }
        // A negative action becomes one beyond all others, which the lane refuses by its number.
        self.chosen.iter_mut().zip(actions).for_each(|(to, &from)| *to = usize::try_from(from).unwrap_or(usize::MAX));
        self.run(py, |env, actions| env.step(actions)).map_err(value_error)
    }

    /// Plays `steps` steps of the lowest legal action in every lane without Python: the reference of `benches/rates.py`.
    fn play_lowest_legal(&mut self, py: Python<'_>, steps: usize) -> PyResult<()> {
        let actions = self.actions;
        let play = |env: &mut dyn AnyVecEnv, chosen: &mut [usize]| {
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
        let text = self.inner().render(lane);
        text.ok_or_else(|| PyIndexError::new_err(format!("lane {lane} of {lanes}, numbered from 0")))
    }
}

/// Asks for large pages for observations, which are zeros that have not been written yet.
fn advise_batch(batch: &Batch) {
    huge_pages::advise(&batch.observations);
    huge_pages::advise(&batch.final_observations);
}

/// A view of a buffer of a [`VecEnv`] as an array that keeps the environment alive.
trait IntoPyArrayOf<'py> {
    type Array;
    fn into_pyarray_of(self, owner: &Bound<'py, VecEnv>) -> Self::Array;
}

impl<'py, T: numpy::Element> IntoPyArrayOf<'py> for ArrayView1<'_, T> {
    type Array = Bound<'py, PyArray1<T>>;

    fn into_pyarray_of(self, owner: &Bound<'py, VecEnv>) -> Self::Array {
        // SAFETY: the buffers are allocated once, change hands between `inner` and `buffers` without being moved in memory,
        // and live as long as the environment, which the array holds. Rust writes to them only within `reset` and `step`.
        // Python code that reads them from another thread at that time sees numbers of both steps, which `houseway.vector`
        // documents.
        unsafe { PyArray1::borrow_from_array(&self, owner.clone().into_any()) }
    }
}

impl<'py, T: numpy::Element> IntoPyArrayOf<'py> for ArrayView2<'_, T> {
    type Array = Bound<'py, PyArray2<T>>;

    fn into_pyarray_of(self, owner: &Bound<'py, VecEnv>) -> Self::Array {
        // SAFETY: as above.
        unsafe { PyArray2::borrow_from_array(&self, owner.clone().into_any()) }
    }
}
