//! Sweeps, which train and evaluate an experiment with many configurations and seeds.
//!
//! A [`SweepConfig`](config::SweepConfig) names an experiment and the keys to change, and a [`Plan`](plan::Plan) turns it
//! into runs, one for each point of the grid or random search and each seed. A run has its own folder in `points/`, as
//! made by `houseway bench`, so finished runs are kept and interrupted ones are resumed. Runs are independent of each
//! other. They can be trained in parallel, in shards on several machines, and by several processes in the same folder.
//! Their results don't depend on any of this.
//!
//! When all runs are finished, a [`SweepJob`] collects their results in long form (see [`results`]) and compares the
//! points over their seeds.

mod config;
mod job;
mod plan;
mod report;
mod results;

pub use job::SweepJob;
