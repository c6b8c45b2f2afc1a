//! The solver traits.

use super::control::Control;
use super::decision::Decision;
use super::error::SolverError;
use super::evaluation::{Entrant, Evaluation, EvaluatorConfig, MeasuredBaselines, Scope};
use super::inputs::{FrameSpec, Inputs};
use super::practice::Practice;
use crate::answer::{Answer, Frame};
use houseway_env::gym::{ExactValues, Policy};
use serde_json::Value;
use std::sync::Arc;

/// A source of exact values for a game with fixed rules and options.
pub trait Solver: Send + Sync {
    /// Solves the full game.
    ///
    /// # Errors
    /// Returns an error if the computation was cancelled or an option is invalid.
    fn solve(&self, control: &Control<'_>) -> Result<Answer, SolverError>;

    /// Returns the exact EVs for every decision with a hand. The hand is given as text.
    ///
    /// # Errors
    /// Returns an error if the hand is invalid, if the game has no decision with a hand (see
    /// [`SolverEntry::hands`](super::SolverEntry::hands)), or if the computation was cancelled.
    fn value(&self, hand: &str, control: &Control<'_>) -> Result<Answer, SolverError>;

    /// Returns the exact EV of each action in a decision. The decision is given as the environment's
    /// [view](houseway_env::gym::Env::view). Returns `None` if the decision isn't supported.
    ///
    /// # Errors
    /// Returns an error if the view isn't from this game or if the computation was cancelled.
    fn decision(&self, _view: &Value, _control: &Control<'_>) -> Result<Option<Decision>, SolverError> {
        Ok(None)
    }

    /// Returns the source of decisions to practice, or `None` if the game has no decisions that depend on cards and
    /// that common strategies get wrong.
    fn practice(&self) -> Option<&dyn Practice> {
        None
    }

    /// Prepares the exact evaluation of policies.
    ///
    /// # Errors
    /// Returns an error if the configuration is invalid, if the cache can't be written, or if the computation was
    /// cancelled.
    fn evaluator(
        &self,
        config: &EvaluatorConfig,
        control: &Control<'_>,
    ) -> Result<Box<dyn Evaluator + '_>, SolverError>;

    /// Returns `true` if its evaluators provide [`Evaluator::exact_values`].
    fn has_exact_values(&self) -> bool {
        false
    }

    /// Returns `true` if its evaluators can compute the [exploitability](EvaluatorConfig::exploitability) of policies.
    /// This requires an opponent who acts.
    fn has_exploitability(&self) -> bool {
        false
    }

    /// Returns the data frames that the solver can compute.
    fn frames(&self) -> &'static [FrameSpec] {
        &[]
    }

    /// Computes one of the [`Solver::frames`]. `compute_frame` has already checked the inputs.
    ///
    /// # Errors
    /// Returns an error if an input is invalid or the computation was cancelled.
    fn frame(&self, name: &str, _inputs: &Inputs, _control: &Control<'_>) -> Result<Frame, SolverError> {
        Err(SolverError::Invalid(format!("there is no frame '{name}'")))
    }
}

impl dyn Solver + '_ {
    /// Computes the data frame with the given name.
    ///
    /// # Errors
    /// Returns an error if there is no such frame, if an input is unknown, missing or invalid, or if the computation
    /// was cancelled.
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

/// Returns the error for solvers that don't implement [`Evaluator::exact_values`].
pub(super) fn no_exact_values() -> SolverError {
    SolverError::invalid("the game's solver doesn't provide exact labels; use a method with another kind of feedback")
}

/// A solver that is ready to evaluate policies.
pub trait Evaluator: Send + Sync {
    /// Returns the name of the observation encoding that evaluated policies must read.
    fn encoding(&self) -> &'static str;

    /// Measures a policy during training. Returns the metrics reported during training: first `regret`, its standard error
    /// ([`REGRET_ERROR`](super::REGRET_ERROR)) if it is measured on a sample, and any other values that are cheap enough
    /// to compute every few seconds.
    ///
    /// # Errors
    /// Returns an error if the policy reads another encoding.
    fn measure(&self, policy: &dyn Policy) -> Result<Vec<(&'static str, f64)>, SolverError>;

    /// Measures the game's baselines on the same hands as [`Evaluator::measure`], for comparison with learning curves.
    ///
    /// # Errors
    /// Returns an error if the computation was cancelled.
    fn measured_baselines(&self, control: &Control<'_>) -> Result<MeasuredBaselines, SolverError>;

    /// Evaluates policies, the game's baselines and the optimum in one pass.
    ///
    /// # Errors
    /// Returns an error if a policy reads another encoding, if the scope isn't supported, or if the computation was
    /// cancelled.
    fn evaluate(
        &self,
        entrants: &[Entrant<'_>],
        scope: Scope,
        control: &Control<'_>,
    ) -> Result<Evaluation, SolverError>;

    /// Computes the exact EVs of all actions in all decisions, for agents that learn from them.
    ///
    /// # Errors
    /// Returns an error if the solver doesn't [provide](Solver::has_exact_values) these values or if the computation was cancelled.
    fn exact_values(&self, _control: &Control<'_>) -> Result<Arc<dyn ExactValues>, SolverError> {
        Err(no_exact_values())
    }
}
