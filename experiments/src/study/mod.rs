//! Studies, which train agents for any game in the registry, evaluate them exactly, and create plots and reports.
//!
//! An [`Experiment`] is the configuration of a study. [`Study::open`] creates the game's training task and its solver.
//! A [`Job`] runs a study as a command: it trains any untrained agents, evaluates all agents alongside the solver's
//! baselines, and writes the numbers, plots, and report to a run's folder. Other kinds of studies supply what differs
//! ([`JobStudy`]) and train their networks with [`train_agent`]. Studies that only differ in their training share a
//! [`StudyBase`].

mod curves;
mod experiment;
mod job;
mod report;
mod rounds;
mod run;
mod train;

pub use curves::{regret_axis, seeds_text};
pub use experiment::{AgentTraining, Experiment, TRAININGS, Training, WEIGHTS, read_weights};
pub use job::{
    DeviceOptions, Goal, Job, JobStudy, MAX_SEEDS, Opened, StudyKind, check_size, default_config, has_scope,
};
pub use report::{ModelCard, score_table};
pub use run::{Study, StudyBase, StudyEvaluator};
pub use train::{DIVERGED, Diverged, RunControl, folder_name, has_diverged, save, train_agent};
