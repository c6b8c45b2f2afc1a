//! The interface of solvers.

use super::control::Control;
use super::decision::Decision;
use super::error::SolverError;
use super::evaluation::{Entrant, Evaluation, EvaluatorConfig, Scope};
use super::inputs::{FrameSpec, Inputs};
use crate::answer::{Answer, Frame};
use houseway_env::gym::Policy;
use serde_json::Value;

/// Exact values of a game under its rules and options.
pub trait Solver: Send + Sync {
    /// Solves the whole game.
    ///
    /// # Errors
    /// If it was cancelled, or an option is invalid.
    fn solve(&self, control: &Control<'_>) -> Result<Answer, SolverError>;

    /// The exact EV of every decision with a hand, given as text.
    ///
    /// # Errors
    /// If the hand is invalid, the game has no decision with one (see [`SolverEntry::hands`](super::SolverEntry::hands)), or it was cancelled.
    fn value(&self, hand: &str, control: &Control<'_>) -> Result<Answer, SolverError>;

    /// The exact EVs of the actions in a decision, from the environment's
    /// [view](houseway_env::gym::Env::view) of it; `None` if there are none for it.
    ///
    /// # Errors
    /// If the view is not one of the game, or it was cancelled.
    fn decision(&self, _view: &Value, _control: &Control<'_>) -> Result<Option<Decision>, SolverError> {
        Ok(None)
    }

    /// Prepares the exact evaluation of policies.
    ///
    /// # Errors
    /// If the configuration is invalid, the cache cannot be written, or it was cancelled.
    fn evaluator(
        &self,
        config: &EvaluatorConfig,
        control: &Control<'_>,
    ) -> Result<Box<dyn Evaluator + '_>, SolverError>;

    /// The data frames that the solver computes.
    fn frames(&self) -> &'static [FrameSpec] {
        &[]
    }

    /// Computes one of [`Solver::frames`] from checked inputs; `compute_frame` checks them.
    ///
    /// # Errors
    /// If an input is invalid, or it was cancelled.
    fn frame(&self, name: &str, _inputs: &Inputs, _control: &Control<'_>) -> Result<Frame, SolverError> {
        Err(SolverError::Invalid(format!("there is no frame '{name}'")))
    }
}

impl dyn Solver + '_ {
    /// Computes a data frame by its name.
    ///
    /// # Errors
    /// If there is no such frame, an input is unknown, missing or invalid, or it was cancelled.
    pub fn compute_frame(&self, name: &str, inputs: &Inputs, control: &Control<'_>) -> Result<Frame, SolverError> {
        let specs = self.frames();
        let Some(spec) = specs.iter().find(|spec| spec.name == name) else {
            let known: Vec<&str> = specs.iter().map(|spec| spec.name).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(SolverError::Invalid(format!("there is no frame '{name}'; this solver has {known}")));
        };
        spec.check(inputs)?;
        self.frame(name, inputs, control)
    }
}

/// A solver prepared to evaluate policies.
pub trait Evaluator: Sync {
    /// Name of the observation encoding that evaluated policies read.
    fn encoding(&self) -> &'static str;

    /// Measures a policy in training: `regret` and further named values, cheap enough to be computed every few seconds.
    ///
    /// # Errors
    /// If the policy reads another encoding.
    fn measure(&self, policy: &dyn Policy) -> Result<Vec<(&'static str, f64)>, SolverError>;

    /// Evaluates policies, the baselines of the game and its optimum in one pass.
    ///
    /// # Errors
    /// If a policy reads another encoding, there is no such scope, or it was cancelled.
    fn evaluate(
        &self,
        entrants: &[Entrant<'_>],
        scope: Scope,
        control: &Control<'_>,
    ) -> Result<Evaluation, SolverError>;
}
