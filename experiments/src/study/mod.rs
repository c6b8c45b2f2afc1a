//! Studies: agents trained on a game, evaluated exactly, plotted and reported. One for every game of the registry.
//!
//! An [`Experiment`] is the configuration. [`Study::open`] makes the game's training task and its solver;
//! [`Study::run`] trains every agent that is not trained yet, evaluates all of them beside the baselines of the solver, and
//! writes numbers, plots and report into a run's folder. [`Job`] is a study as a command: its configuration and its folder.
//! [`train_agent`] and [`learning_figures`] serve studies of other kinds too.

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
