//! The interface through which all games provide exact values.
//!
//! - [`Solver`] represents a game with its rules, and can solve the full game, evaluate the decisions in a position,
//!   and prepare the exact evaluation of policies.
//! - [`AllHands`] is for evaluators that don't use samples.
//! - [`DeadCards`] are cards that are known to be out of play. Games with hidden cards take them as an option.
//! - [`Decision`] holds the exact EV of each action in a decision during play.
//! - [`Evaluator`] evaluates policies, and returns an [`Evaluation`] with [`PolicyScore`]s.
//! - [`FrameSpec`] and [`Inputs`] describe data frames that a solver computes in addition to its answers.
//! - [`ValueTable`] holds the exact EVs of all actions in every decision, for agents that learn from them.
//! - [`Practice`] draws decisions that common strategies get wrong.
//! - [`SolverEntry`] contains a solver's name, options, and constructor. The [registry](crate::registry) has one entry
//!   per game.
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

mod alike;
mod all_hands;
mod config;
mod control;
mod dead;
mod decision;
mod entry;
mod error;
mod evaluation;
mod inputs;
mod practice;
mod stochastic;
mod traits;
mod value_table;

pub use alike::best_alike;
pub use all_hands::AllHands;
pub use config::{OptionKind, OptionSpec, SolverConfig};
pub use control::{Control, Progress};
pub use dead::DeadCards;
pub use decision::{Decision, HousePlay};
pub(crate) use decision::{number_of, text_of};
pub use entry::{SampleSpec, SolverEntry};
pub use error::{Cancelled, SolverError};
pub use evaluation::{
    Entrant, Evaluation, EvaluatorConfig, MeasuredBaselines, PolicyScore, REGRET_ERROR, SampleConfig, Scope, StakeUnit,
    Z95, check_encoding, check_whole, comparison, ev_plot, loss_interval, mean_score,
};
pub use inputs::{FrameSpec, InputSpec, Inputs};
pub use practice::{Exercise, Practice};
pub use stochastic::{STOCHASTIC, WeighedChoices, stochastic_section, weighed_choices};
pub use traits::{Evaluator, Solver};
pub use value_table::{ValueRow, ValueTable};
