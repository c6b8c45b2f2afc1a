//! The common interface to the exact values of all games.
//!
//! - [`Solver`]: a game under its rules, with the solution of the full game, the decisions of one position, and the
//!   exact evaluation of policies.
//! - [`AllHands`]: evaluators that do not use samples.
//! - [`Decision`]: the exact EVs of the actions of a decision in play.
//! - [`Evaluator`]: a solver prepared to evaluate policies. Its results are [`Evaluation`] and [`PolicyScore`].
//! - [`FrameSpec`], [`Inputs`]: data frames that a solver computes in addition to its answers.
//! - [`SolverEntry`]: the name, options and constructor of a solver. The [registry](crate::registry) has one entry per
//!   game.
//!
//! ```
//! use houseway_exact::registry::find;
//! use houseway_exact::solver::{Control, SolverConfig};
//!
//! let config = SolverConfig::default().assign("commission=none");
//! let solver = find("asian-stud")?.solver(&config)?;
//! let answer = solver.value("As Kd Qh Jc 9s", &Control::default())?;
//! assert_eq!(answer.json["best"], "raise");
//! # Ok::<(), houseway_exact::solver::SolverError>(())
//! ```

mod all_hands;
mod config;
mod control;
mod decision;
mod entry;
mod error;
mod evaluation;
mod inputs;
mod traits;

pub use all_hands::AllHands;
pub use config::{OptionKind, OptionSpec, SolverConfig};
pub use control::{Control, Progress};
pub use decision::{Decision, HousePlay};
pub(crate) use decision::{number_of, text_of};
pub use entry::{SampleSpec, SolverEntry};
pub use error::{Cancelled, SolverError};
pub use evaluation::{
    Entrant, Evaluation, EvaluatorConfig, PolicyScore, SampleConfig, Scope, StakeUnit, check_encoding, check_whole,
    comparison, ev_plot, mean_score,
};
pub use inputs::{FrameSpec, InputSpec, Inputs};
pub use traits::{Evaluator, Solver};
