//! Solvers for any game.

use crate::arrays::{columns, inputs};
use crate::error::{solver_error, value_error};
use crate::games::make;
use crate::interrupt::cancellable;
use houseway_env::gym::{Choices, Policy, Scores, exact_probabilities};
use houseway_exact::answer::{Answer, Section};
use houseway_exact::registry;
use houseway_exact::side_bet::{BetStakes, MAX_PLAYERS, amount, side_bet_answer};
use houseway_exact::solver::{
    Entrant, Evaluation, EvaluatorConfig, SampleConfig, Scope, Solver as GameSolver, SolverConfig,
};
use numpy::ndarray::ArrayView2;
use numpy::{AllowTypeChange, PyArray1, PyArrayLike2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// A solver for a game under given rules and options. `houseway.exact.Solver` wraps it.
#[pyclass(module = "houseway._core", frozen)]
pub(crate) struct Solver {
    game: &'static str,
    solver: Box<dyn GameSolver>,
}

#[pymethods]
impl Solver {
    /// Creates a solver. `rules` is a JSON object, and `options` are strings, with `true` for a flag.
    #[new]
    fn new(py: Python<'_>, game: &str, rules: &str, options: BTreeMap<String, String>) -> PyResult<Solver> {
        let entry = registry::find(game).map_err(solver_error)?;
        let config = config(rules, options)?;
        let solver = cancellable(py, |_| entry.solver(&config))?;
        Ok(Solver { game: entry.game, solver })
    }

    /// Returns the game's name.
    #[getter]
    fn game(&self) -> &'static str {
        self.game
    }

    /// Returns the descriptions of the available data frames as JSON.
    #[getter]
    fn frames(&self) -> String {
        let frames = self.solver.frames().iter().map(|frame| {
            let inputs = frame.inputs.iter();
            let inputs =
                inputs.map(|input| json!({ "name": input.name, "about": input.about, "optional": input.optional }));
            json!({ "name": frame.name, "about": frame.about, "inputs": inputs.collect::<Vec<_>>() })
        });
        json!(frames.collect::<Vec<_>>()).to_string()
    }

    /// Solves the whole game and returns the answer as JSON.
    fn solve(&self, py: Python<'_>) -> PyResult<String> {
        cancellable(py, |control| self.solver.solve(control)).map(|answer| to_json(&answer))
    }

    /// Evaluates every decision with a hand and returns the answer as JSON.
    fn value(&self, py: Python<'_>, hand: &str) -> PyResult<String> {
        cancellable(py, |control| self.solver.value(hand, control)).map(|answer| to_json(&answer))
    }

    /// Computes a data frame and returns its columns, and its facts as JSON.
    fn frame<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        arrays: BTreeMap<String, Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyDict>, String)> {
        let inputs = inputs(arrays)?;
        let frame = cancellable(py, |control| self.solver.compute_frame(name, &inputs, control))?;
        let facts = json!(frame.facts).to_string();
        Ok((columns(py, frame)?, facts))
    }

    /// Evaluates policies, given as `(name, encoding, function)`, alongside the baselines and returns the answer as
    /// JSON. A function takes observations `(n, length)` and masks `(n, actions)`. It returns `n` actions, or the
    /// probabilities of all actions `(n, actions)`. The encoding defaults to the solver's own.
    #[pyo3(signature = (policies, reset_options="{}", sample=None))]
    fn evaluate(
        &self,
        py: Python<'_>,
        policies: Vec<(String, Option<String>, Py<PyAny>)>,
        reset_options: &str,
        sample: Option<(usize, u64)>,
    ) -> PyResult<String> {
        let reset_options = serde_json::from_str(reset_options).map_err(value_error)?;
        let sample = sample.map(|(size, seed)| SampleConfig { size, seed });
        let scope = if sample.is_some() { Scope::Sample } else { Scope::Whole };
        let config = EvaluatorConfig { reset_options, sample, ..EvaluatorConfig::default() };
        let actions = make(self.game, "{}").map_err(value_error)?.actions();
        let failure = Mutex::new(None);
        let evaluated = cancellable(py, |control| {
            let evaluator = self.solver.evaluator(&config, control)?;
            let own = policies.into_iter().map(|(name, encoding, function)| {
                let encoding = encoding.unwrap_or_else(|| evaluator.encoding().to_owned());
                PythonPolicy { name, encoding, function, actions, failure: &failure, cancel: control.cancel }
            });
            let own: Vec<PythonPolicy<'_>> = own.collect();
            let entrants: Vec<Entrant<'_>> = own.iter().map(|policy| Entrant { policy, in_detail: true }).collect();
            evaluator.evaluate(&entrants, scope, control)
        });
        match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => evaluated.map(|evaluation| evaluation_json(self.game, evaluation)),
        }
    }
}

fn config(rules: &str, options: BTreeMap<String, String>) -> PyResult<SolverConfig> {
    let rules = serde_json::from_str(rules).map_err(value_error)?;
    Ok(SolverConfig { rules, options, ..SolverConfig::default() })
}

/// Evaluates a side bet and returns the answer as JSON. The paytable is a name, a path or the text of a file. The stakes are
/// the amount on the meter and the number of seats.
#[pyfunction]
pub(crate) fn side_bet(
    py: Python<'_>,
    game: &str,
    rules: &str,
    options: BTreeMap<String, String>,
    paytable: Option<&str>,
    stakes: (Option<&str>, i64),
) -> PyResult<String> {
    let (meter, seats) = stakes;
    let invalid = || value_error(format!("invalid number of seats {seats}: expected 1 to {MAX_PLAYERS}"));
    let seats = u32::try_from(seats).ok().filter(|seats| (1..=MAX_PLAYERS).contains(seats)).ok_or_else(invalid)?;
    let meter = meter.map(amount).transpose().map_err(solver_error)?;
    let (config, stakes) = (config(rules, options)?, BetStakes { meter, seats });
    let answer = cancellable(py, |control| side_bet_answer(game, paytable, &config, stakes, control))?;
    Ok(to_json(&answer))
}

fn to_json(answer: &Answer) -> String {
    serde_json::to_string(answer).expect("answers are plain data")
}

fn evaluation_json(game: &str, evaluation: Evaluation) -> String {
    let json = evaluation.json(game);
    let summary = Section::default().text(evaluation.preface).table(evaluation.comparison);
    let summary = evaluation.plots.into_iter().fold(summary, Section::figure);
    to_json(&Answer::new(json, std::iter::once(summary).chain(evaluation.sections)))
}

/// A Python function as a policy. Its first exception is stored and cancels the evaluation. Until the evaluation stops,
/// the lowest legal actions are played.
struct PythonPolicy<'a> {
    name: String,
    encoding: String,
    function: Py<PyAny>,
    actions: usize,
    failure: &'a Mutex<Option<PyErr>>,
    cancel: Option<&'a AtomicBool>,
}

impl PythonPolicy<'_> {
    fn call(&self, observations: &[f32], masks: &[bool]) -> PyResult<Choices> {
        let rows = masks.len() / self.actions;
        Python::attach(|py| {
            let observations = PyArray1::from_slice(py, observations).reshape([rows, observations.len() / rows])?;
            let legal = PyArray1::from_slice(py, masks).reshape([rows, self.actions])?;
            let answer = self.function.bind(py).call1((observations, legal))?;
            let error = match answer.extract::<Vec<i64>>() {
                Ok(chosen) => {
                    return Ok(Choices { actions: self.actions(&chosen, rows, masks)?, scores: Scores::None });
                }
                Err(error) => error,
            };
            let probabilities: PyArrayLike2<'_, f32, AllowTypeChange> = answer.extract().map_err(|_| error)?;
            self.most_probable(&probabilities.as_array(), rows, masks)
        })
    }

    /// Returns the choices of a stochastic policy.
    fn most_probable(&self, answer: &ArrayView2<'_, f32>, rows: usize, masks: &[bool]) -> PyResult<Choices> {
        let (n, m) = answer.dim();
        if (n, m) != (rows, self.actions) {
            let message = format!(
                "policy {} returned an array with shape ({n}, {m}) instead of ({rows}, {})",
                self.name, self.actions
            );
            return Err(value_error(message));
        }
        let probabilities: Vec<f32> = answer.iter().copied().collect();
        let best = |(row, mask): (&[f32], &[bool])| {
            let weights = exact_probabilities(row, mask);
            let weights = weights.map_err(|error| value_error(format!("policy {}: {error}", self.name)))?;
            let best = |best: usize, next: usize| if weights[next] > weights[best] { next } else { best };
            Ok((0..weights.len()).reduce(best).unwrap_or_default())
        };
        let pairs = probabilities.chunks_exact(self.actions).zip(masks.chunks_exact(self.actions));
        let actions = pairs.map(best).collect::<PyResult<_>>()?;
        Ok(Choices { actions, scores: Scores::Probabilities(probabilities) })
    }

    fn actions(&self, chosen: &[i64], rows: usize, masks: &[bool]) -> PyResult<Vec<usize>> {
        if chosen.len() != rows {
            let message = format!("policy {} returned {} actions for {rows} observations", self.name, chosen.len());
            return Err(value_error(message));
        }
        let legal = |(&action, mask): (&i64, &[bool])| {
            let action = usize::try_from(action).ok().filter(|&action| mask.get(action) == Some(&true));
            action.ok_or_else(|| value_error(format!("policy {} chose an illegal action", self.name)))
        };
        chosen.iter().zip(masks.chunks(self.actions)).map(legal).collect()
    }
}

impl Policy for PythonPolicy<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn encoding(&self) -> &str {
        &self.encoding
    }

    fn choose(&self, observations: &[f32], masks: &[bool]) -> Choices {
        self.call(observations, masks).unwrap_or_else(|error| {
            self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            if let Some(cancel) = self.cancel {
                cancel.store(true, Ordering::Relaxed);
            }
            let lowest = |mask: &[bool]| mask.iter().position(|&legal| legal).unwrap_or_default();
            Choices { actions: masks.chunks(self.actions).map(lowest).collect(), scores: Scores::None }
        })
    }
}
