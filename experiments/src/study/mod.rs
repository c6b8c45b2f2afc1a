//! Studies, which train agents for any game in the registry, evaluate them exactly, and create plots and reports.
//!
//! An [`Experiment`] is the configuration of a study. [`Study::open`] creates the game's training task and its solver.
//! [`Study::run`] trains any untrained agents, evaluates all agents alongside the solver's baselines, and writes the
//! numbers, plots, and report to a run's folder. A [`Job`] runs a study as a command. Studies that only differ in their
//! training share a [`StudyBase`]. [`train_agent`] and [`learning_figures`] can also be used by other kinds of studies.

mod base;
mod card;
mod configs;
mod control;
mod curve_axis;
mod curves;
mod experiment;
mod job;
mod limits;
mod load;
mod report;
mod rounds;
mod run;
mod saved;
mod seeds;
mod train;
mod training_tables;

pub use base::{StudyBase, StudyEvaluator};
pub use card::ModelCard;
pub use configs::default_config;
pub use control::RunControl;
pub use curve_axis::CurveAxis;
pub use curves::{CurveLabels, learning_figures};
pub use experiment::Experiment;
pub use job::{DEFAULT_CONFIG, Goal, Job, StudyKind, stopped};
pub use limits::{MAX_SEEDS, check_size};
pub use report::regret_axis;
pub use run::{Ending, Results, Study};
pub use saved::{MAX_WEIGHTS, SavedAgent, TRAININGS, WEIGHTS, weights_in};
pub use train::{Diverged, folder_name, has_diverged, resumable_step, train_agent, train_all};
