//! One interface to the exact values of every game.
//!
//! - [`Solver`]: a game under its rules: the whole game, the decisions of one position, and the exact evaluation of policies.
//! - [`Evaluator`]: a solver prepared to evaluate policies; [`Evaluation`] and [`PolicyScore`] are its results.
//! - [`SolverEntry`]: the name, the options and the constructor of a solver; [`solvers`] lists all of them, [`find`] looks
//!   one up, and [`register`] adds the solver of a game that lives outside this crate.
//!
//! ```
//! use houseway_exact::solver::{Control, SolverConfig, find};
//!
//! let config = SolverConfig::default().assign("commission=none");
//! let solver = find("asian-stud")?.solver(&config)?;
//! let answer = solver.value("As 5s 5h 5d 5c", &Control::default())?;
//! assert_eq!(answer.json["best"], "raise");
//! # Ok::<(), houseway_exact::solver::SolverError>(())
//! ```

mod config;
mod evaluation;
mod registry;

pub use config::{OptionSpec, SolverConfig};
pub use evaluation::{
    Entrant, Evaluation, EvaluatorConfig, PolicyScore, SampleConfig, Scope, check_whole, comparison, ev_plot,
    mean_score,
};
pub use registry::{SampleSpec, SolverEntry, StakeUnit, find, register, solvers};

use crate::answer::Answer;
use houseway_env::gym::Policy;
use std::sync::atomic::{AtomicBool, Ordering};

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
    /// If the hand is invalid, the game has no decision with one (see [`SolverEntry::has_value`]), or it was cancelled.
    fn value(&self, hand: &str, control: &Control<'_>) -> Result<Answer, SolverError>;

    /// Prepares the exact evaluation of policies.
    ///
    /// # Errors
    /// If the configuration is invalid, the cache cannot be written, or it was cancelled.
    fn evaluator(
        &self,
        config: &EvaluatorConfig,
        control: &Control<'_>,
    ) -> Result<Box<dyn Evaluator + '_>, SolverError>;
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

    /// Evaluates policies beside the baselines of the game and its optimum, all in one pass.
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

/// Reports progress and allows a computation to be cancelled.
#[derive(Clone, Copy, Default)]
pub struct Control<'a> {
    /// Called now and then, from any thread.
    pub progress: Option<&'a (dyn Fn(&Progress) + Sync)>,
    /// Stops the computation soon after it becomes true.
    pub cancel: Option<&'a AtomicBool>,
}

/// Progress of a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The stage of the computation.
    pub stage: &'static str,
    /// Plural of the items that are counted.
    pub items: &'static str,
    /// Items that are done.
    pub done: u64,
    /// Items in all.
    pub total: u64,
}

impl Control<'_> {
    /// Whether the computation is to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// A function that reports the progress of a stage.
    pub fn stage(&self, stage: &'static str, items: &'static str) -> impl Fn(u64, u64) + Sync + '_ {
        move |done, total| {
            if let Some(progress) = self.progress {
                progress(&Progress { stage, items, done, total });
            }
        }
    }
}

/// Reason why a solver has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// Invalid input: rules, options, hands. The message says what would be valid.
    #[error("{0}")]
    Invalid(String),
    /// The computation failed.
    #[error("{0}")]
    Failed(String),
    /// The computation was cancelled.
    #[error("cancelled before the end; there is no result")]
    Cancelled,
}

impl SolverError {
    /// [`SolverError::Invalid`] with the text of an error.
    pub fn invalid(error: impl std::fmt::Display) -> SolverError {
        SolverError::Invalid(error.to_string())
    }

    /// [`SolverError::Failed`] with the text of an error.
    pub fn failed(error: impl std::fmt::Display) -> SolverError {
        SolverError::Failed(error.to_string())
    }
}

/// Checks that a policy reads an encoding.
///
/// # Errors
/// [`SolverError::Invalid`] if it reads another one.
pub fn check_encoding(policy: &dyn Policy, encodings: &[&str]) -> Result<(), SolverError> {
    match encodings.contains(&policy.encoding()) {
        true => Ok(()),
        false => Err(SolverError::Invalid(format!(
            "the policy {} reads the encoding '{}', but exact evaluation needs {}",
            policy.name(),
            policy.encoding(),
            encodings.join(" or "),
        ))),
    }
}
