//! Sweeps, which train and evaluate an experiment with many configurations and seeds.
//!
//! A [`SweepConfig`] names an experiment and the keys to change, and a [`Plan`] turns it into runs, one for each point
//! of the grid or random search and each seed. A run has its own folder in `points/`, as made by `houseway bench`, so
//! finished runs are kept and interrupted ones are resumed. Runs are independent of each other. They can be trained in
//! parallel, in [shards](RunShard) on several machines, and by several processes in the same folder. Their results
//! don't depend on any of this.
//!
//! When all runs are finished, a [`SweepJob`] collects their results in long form ([`table`]) and compares the points
//! over their seeds.

mod config;
mod job;
mod plan;
mod report;
mod space;
pub mod table;

pub use config::SweepConfig;
pub use job::{RunShard, SweepJob};
pub use plan::{Plan, SweepRun};
pub use report::{AgentStatus, Row};
pub use space::{Domain, MAX_POINTS, Point, Random};
