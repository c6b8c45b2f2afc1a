//! Studies, which train agents for any game in the registry, evaluate them exactly, and create plots and reports.
//!
//! An [`Experiment`] is the configuration of a study. [`Study::open`] creates the game's training task and its solver.
//! [`Study::run`] trains any untrained agents, evaluates all agents alongside the solver's baselines, and writes the
//! numbers, plots, and report to a run's folder. A [`Job`] runs a study as a command. Studies that only differ in their
//! training share a [`StudyBase`]. [`train_agent`] and [`learning_figures`] can also be used by other kinds of studies.

mod base;
mod card;
mod curves;
mod experiment;
mod job;
mod report;
mod rounds;
mod run;
mod train;

pub use base::{StudyBase, StudyEvaluator};
pub use card::ModelCard;
pub use curves::{CurveAxis, CurveLabels, learning_figures};
pub use experiment::{Experiment, MAX_WEIGHTS, SavedAgent, TRAININGS, WEIGHTS, weights_in};
pub use job::{DEFAULT_CONFIG, Goal, Job, MAX_SEEDS, StudyKind, check_size, default_config, stopped};
pub use report::regret_axis;
pub use run::{Ending, Results, Study};
pub use train::{Diverged, RunControl, folder_name, has_diverged, resumable_step, train_agent, train_all};
