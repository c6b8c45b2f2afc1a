//! The multi-agent table with player banking, both turn-based and with simultaneous moves.

use crate::error::{action_of, value_error};
use crate::pool::detached;
use houseway_env::gym::{AgentStatus, BoxSpace, DEFAULT_SEED, EnvError, MultiEnv};
use houseway_env::money::Chips;
use houseway_env::pai_gow::table::{self, PaiGowTable};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The multi-agent table. `houseway.pettingzoo` wraps it for PettingZoo. Agents are identified by their seats.
#[pyclass(module = "houseway._core")]
pub(crate) struct Table {
    inner: Mutex<PaiGowTable>,
    seats: Vec<usize>,
    actions: usize,
    mask: Vec<bool>,
    /// The session as saved by [`Table::state`]. `None` before the first reset.
    session: Option<Session>,
}

/// A session, as its start and the actions taken in it.
#[derive(Clone, Serialize, Deserialize)]
struct Session {
    start: Start,
    options: Option<String>,
    /// The actions taken, each with its agent.
    actions: Vec<(usize, usize)>,
}

/// The point in a random stream at which a session starts.
#[derive(Clone, Serialize, Deserialize)]
enum Start {
    Seed(u64),
    Stream(Pcg64),
}

impl Table {
    fn env(&mut self) -> &mut PaiGowTable {
        self.inner.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the agent in a seat. The house's seat maps to an agent that doesn't exist.
    fn agent(seat: usize) -> usize {
        seat.wrapping_sub(1)
    }

    fn write_mask(&mut self, seat: usize) -> Result<(), EnvError> {
        let Table { inner, mask, .. } = self;
        let env = inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        match env.action_mask(Table::agent(seat), mask) {
            Err(EnvError::NotReset) => mask.fill(false),
            other => other?,
        }
        Ok(())
    }
}

#[pymethods]
impl Table {
    #[new]
    fn new(py: Python<'_>, config: &str) -> PyResult<Table> {
        let env = detached(py, || table::from_config(config)).map_err(value_error)?;
        let (seats, actions) = (env.agent_seats().iter().collect(), env.actions());
        let inner = Mutex::new(env);
        Ok(Table { inner, seats, actions, mask: vec![false; actions], session: None })
    }

    /// Returns the agents' seats in ascending order.
    #[getter]
    fn seats(&self) -> Vec<usize> {
        self.seats.clone()
    }

    /// Returns `(id, lowest reward, highest reward, maximum number of steps)`.
    #[getter]
    fn spec(&mut self) -> (&'static str, f64, f64, usize) {
        let spec = self.env().spec();
        (spec.id, spec.reward_range.0, spec.reward_range.1, spec.max_steps)
    }

    #[getter]
    fn rules_hash(&mut self) -> String {
        self.env().rules_hash()
    }

    /// Returns `(shape, low, high)`.
    #[getter]
    fn observation_space(&mut self) -> (Vec<usize>, f32, f32) {
        let BoxSpace { shape, low, high } = self.env().observation_space();
        (shape, low, high)
    }

    #[getter]
    fn actions(&self) -> usize {
        self.actions
    }

    #[pyo3(signature = (seed=None, options=None))]
    fn reset(&mut self, seed: Option<u64>, options: Option<&str>) -> PyResult<()> {
        let start = match seed {
            Some(seed) => Start::Seed(seed),
            None => self.env().random_stream().cloned().map_or(Start::Seed(DEFAULT_SEED), Start::Stream),
        };
        self.env().reset_stream(seed.map(Into::into), options).map_err(value_error)?;
        self.session = Some(Session { start, options: options.map(str::to_owned), actions: Vec::new() });
        Ok(())
    }

    /// Returns a copy that continues from the same state.
    fn copy(&mut self) -> Table {
        let inner = Mutex::new(self.env().clone());
        let (seats, session) = (self.seats.clone(), self.session.clone());
        Table { inner, seats, actions: self.actions, mask: self.mask.clone(), session }
    }

    /// Serializes the state for [`Table::set_state`].
    fn state(&self) -> Option<String> {
        self.session.as_ref().map(|session| serde_json::to_string(session).expect("sessions are plain data"))
    }

    /// Restores a state by replaying the session. The state must come from a table with the same configuration.
    fn set_state(&mut self, state: &str) -> PyResult<()> {
        let session: Session = serde_json::from_str(state).map_err(value_error)?;
        let env = self.env();
        match &session.start {
            Start::Seed(seed) => env.reset_stream(Some((*seed).into()), session.options.as_deref()),
            Start::Stream(stream) => env.reset_on(stream.clone(), session.options.as_deref()),
        }
        .map_err(value_error)?;
        for &(agent, action) in &session.actions {
            env.step(agent, action).map_err(value_error)?;
        }
        self.session = Some(session);
        Ok(())
    }

    /// Returns the seats of the agents that must act now, in ascending order.
    fn acting(&mut self) -> Vec<usize> {
        self.env().acting().iter().map(|agent| agent + 1).collect()
    }

    /// Returns `(terminated, truncated)` for each agent.
    fn status(&mut self) -> PyResult<Vec<(bool, bool)>> {
        let seats = self.seats.clone();
        let of_seat = |seat| self.env().status(Table::agent(seat));
        let status = seats.into_iter().map(of_seat).collect::<Result<Vec<_>, _>>().map_err(value_error)?;
        Ok(status.iter().map(|&s| (s == AgentStatus::Terminated, s == AgentStatus::Truncated)).collect())
    }

    /// Returns the chips of each agent that aren't on the table.
    fn bankrolls(&mut self) -> Vec<Chips> {
        let seats = self.seats.clone();
        let table = self.env().table();
        seats.into_iter().map(|seat| table.map_or(0, |table| table.seat(seat).bankroll)).collect()
    }

    /// Plays one action and returns each agent's reward.
    fn step(&mut self, seat: usize, action: i64) -> PyResult<Vec<f64>> {
        let action = action_of(action).map_err(|error| value_error(format!("seat_{seat}: {error}")))?;
        let played = self.env().step(Table::agent(seat), action);
        played.map_err(|error| value_error(format!("seat_{seat}: {error}")))?;
        if let Some(session) = &mut self.session {
            session.actions.push((Table::agent(seat), action));
        }
        let seats = self.seats.clone();
        let rewards = self.env().rewards();
        Ok(seats.into_iter().map(|seat| rewards[seat - 1]).collect())
    }

    /// Plays one action for each agent that must act, given by seat, and returns each agent's reward. Other agents'
    /// actions are ignored.
    fn step_all(&mut self, actions: BTreeMap<usize, i64>) -> PyResult<Vec<f64>> {
        let mut by_agent = vec![usize::MAX; self.env().agents()];
        for seat in self.acting() {
            let action = actions
                .get(&seat)
                .ok_or_else(|| value_error(format!("seat_{seat} must act, but no action was given")))?;
            by_agent[seat - 1] = action_of(*action).map_err(|error| value_error(format!("seat_{seat}: {error}")))?;
            let checked = self.env().check_action(seat - 1, by_agent[seat - 1]);
            checked.map_err(|error| value_error(format!("seat_{seat}: {error}")))?;
        }
        let acting: Vec<usize> = self.env().acting().iter().collect();
        let mut rewards = vec![0.0; by_agent.len()];
        self.env().step_all(&by_agent, &mut rewards).map_err(value_error)?;
        if let Some(session) = &mut self.session {
            session.actions.extend(acting.into_iter().map(|agent| (agent, by_agent[agent])));
        }
        Ok(self.seats.iter().map(|&seat| rewards[seat - 1]).collect())
    }

    /// Returns a seat's `{"observation", "action_mask"}` as newly allocated arrays.
    fn observe<'py>(&mut self, py: Python<'py>, seat: usize) -> PyResult<Bound<'py, PyDict>> {
        let env = self.env();
        let observation = PyArray1::<f32>::zeros(py, env.observation_space().len(), false);
        // SAFETY: The array was just allocated and is contiguous, and nothing else refers to it yet.
        let out = unsafe { observation.as_slice_mut()? };
        env.observe(Table::agent(seat), out).map_err(value_error)?;
        self.write_mask(seat).map_err(value_error)?;
        let seen = PyDict::new(py);
        seen.set_item(pyo3::intern!(py, "observation"), observation)?;
        let mask = PyArray1::from_iter(py, self.mask.iter().map(|&legal| i8::from(legal)));
        seen.set_item(pyo3::intern!(py, "action_mask"), mask)?;
        Ok(seen)
    }

    /// Returns a seat's action mask as booleans. All are false before the first reset.
    fn action_masks<'py>(&mut self, py: Python<'py>, seat: usize) -> PyResult<Bound<'py, PyArray1<bool>>> {
        self.write_mask(seat).map_err(value_error)?;
        Ok(PyArray1::from_slice(py, &self.mask))
    }

    fn render(&mut self) -> String {
        self.env().render()
    }

    /// Returns the last completed round as one line of a history.
    fn last_round(&mut self) -> PyResult<Option<String>> {
        let round = self.env().last_round();
        round.map(|round| serde_json::to_string(&round)).transpose().map_err(value_error)
    }

    /// Returns the first line of a history, or `None` if the session was started without a seed.
    fn history_header(&mut self) -> PyResult<Option<String>> {
        self.env().history_header().map(serde_json::to_string).transpose().map_err(value_error)
    }
}
