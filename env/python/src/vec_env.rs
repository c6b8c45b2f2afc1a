//! Many lanes of one environment, stepped in place: Python's arrays are the buffers that Rust writes.

use crate::error::value_error;
use crate::games::make;
use houseway_env::gym::{AnyVecEnv, EnvError};
use numpy::ndarray::{ArrayView1, ArrayView2};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Mutex, PoisonError};

/// Lanes of one environment; the wrapper for Gymnasium is `houseway.vector.HousewayVectorEnv`.
#[pyclass(module = "houseway._core")]
pub(crate) struct VecEnv {
    inner: Mutex<Box<dyn AnyVecEnv>>,
    pool: Option<ThreadPool>,
    lanes: usize,
    observation_len: usize,
    actions: usize,
    /// The actions of a step, as the lanes want them.
    chosen: Vec<usize>,
}

impl VecEnv {
    fn inner(&mut self) -> &mut dyn AnyVecEnv {
        self.inner.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut()
    }

    /// Runs without the interpreter's lock, on the environment's own threads if it has any.
    fn run<T: Send>(&mut self, py: Python<'_>, work: impl FnOnce(&mut dyn AnyVecEnv, &mut [usize]) -> T + Send) -> T {
        let VecEnv { inner, pool, chosen, .. } = self;
        let inner = inner.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut();
        py.detach(|| match pool {
            Some(pool) => pool.install(|| work(inner, chosen)),
            None => work(inner, chosen),
        })
    }
}

#[pymethods]
impl VecEnv {
    #[new]
    #[pyo3(signature = (id, config, lanes, final_observations=true, threads=None))]
    fn new(
        py: Python<'_>,
        id: &str,
        config: &str,
        lanes: usize,
        final_observations: bool,
        threads: Option<usize>,
    ) -> PyResult<VecEnv> {
        let env = py.detach(|| make(id, config)).map_err(value_error)?;
        let (observation_len, actions) = (env.observation_space().len(), env.action_space().n());
        let inner = Mutex::new(env.vectorized(lanes, final_observations).map_err(value_error)?);
        let pool = threads.map(|n| ThreadPoolBuilder::new().num_threads(n.max(1)).build());
        let pool = pool.transpose().map_err(value_error)?;
        Ok(VecEnv { inner, pool, lanes, observation_len, actions, chosen: vec![0; lanes] })
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

    /// So many steps of the lowest legal action in every lane, in Rust alone: the yardstick of `benches/rates.py`.
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

/// A view of a buffer of a [`VecEnv`] as an array that keeps the environment alive.
trait IntoPyArrayOf<'py> {
    type Array;
    fn into_pyarray_of(self, owner: &Bound<'py, VecEnv>) -> Self::Array;
}

impl<'py, T: numpy::Element> IntoPyArrayOf<'py> for ArrayView1<'_, T> {
    type Array = Bound<'py, PyArray1<T>>;

    fn into_pyarray_of(self, owner: &Bound<'py, VecEnv>) -> Self::Array {
        // SAFETY: the buffers are allocated once and live as long as the environment, which the array holds. Rust writes to
        // them only within `reset` and `step`; Python code that reads them at the same time from another thread sees numbers
        // of both steps, which `houseway.vector` documents.
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
