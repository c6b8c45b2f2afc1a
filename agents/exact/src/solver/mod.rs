//! The interface through which all games provide exact values.
//!
//! - [`Solver`] represents a game with its rules, and can solve the full game, evaluate the decisions in a position,
//!   and prepare the exact evaluation of policies.
//! - [`DeadCards`] are cards that are known to be out of play. Games with hidden cards take them as an option.
//! - [`Decision`] holds the exact EV of each action in a decision during play.
//! - [`Decisions`] hold the exact rewards of all actions in many decisions. They score policies, and agents can learn
//!   from them.
//! - [`Evaluator`] evaluates policies, and returns an [`Evaluation`] with [`PolicyScore`]s. Games that always use the
//!   same hands implement [`Scorer`] instead.
//! - [`FrameSpec`] and [`Inputs`] describe data frames that a solver computes in addition to its answers.
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

mod config;
mod decisions;
mod evaluation;
mod evaluator;
mod traits;

pub use config::{
    DeadCards, MainBetFn, OptionKind, OptionSpec, SampleSpec, SideBetFn, SolverConfig, SolverEntry, WayAnswer,
    WayQuestion, WaysFn, refuse_rules,
};
pub use decisions::Decisions;
pub(crate) use decisions::weighed_choices;
pub use evaluation::{
    Entrant, Evaluation, EvaluatorConfig, MeasuredBaselines, PolicyScore, REGRET_ERROR, STOCHASTIC, SampleConfig,
    Scope, StakeUnit, Z95, check_encoding, comparison, ev_plot, loss_interval, mean_score, stochastic_section,
};
pub(crate) use evaluation::{RARE, mean_with_half_width};
pub use evaluator::{Evaluator, FixedSample, Scorer};
pub(crate) use traits::{BATCH, draw_deals, invalid, number_of, text_of};
pub use traits::{
    Cancelled, Control, Decision, Exercise, FrameSpec, HousePlay, InputSpec, Inputs, IsAsked, Practice, Progress,
    Solver, SolverError,
};
