//! Studies: training, exact evaluation, plots and reports of agents, for every game in the registry.
//!
//! An [`Experiment`] is the configuration of a study. [`Study::open`] creates the game's training task and its solver.
//! [`Study::run`] trains the agents that have not been trained yet, evaluates all of them alongside the solver's
//! baselines, and writes the numbers, plots and report into a run's folder. [`Job`] runs a study as a command, with its
//! configuration and folder. [`train_agent`] and [`learning_figures`] can also be used by other kinds of studies.

mod configs;
mod curves;
mod experiment;
mod job;
mod limits;
mod report;
mod rounds;
mod run;
mod train;

pub use configs::default_config;
pub use curves::{CurveAxes, learning_figures};
pub use experiment::Experiment;
pub use job::{DEFAULT_CONFIG, Goal, Job, StudyKind, stopped};
pub use limits::{MAX_SEEDS, check_size};
pub use run::{Ending, Results, Study};
pub use train::{WEIGHTS, train_agent, train_all};
