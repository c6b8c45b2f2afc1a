//! Agents that learn to play, trained with `burn`.
//!
//! - [`TrainConfig`]: the configuration of a training, for every game and method. [`train`](train()): the loop, with
//!   checkpoints that resume to the same bytes.
//! - [`methods`]: the training methods, for every game. [`method`]: their interface.
//! - [`tasks`]: the training tasks. An [`EnvTask`](tasks::EnvTask) serves every game of the registry; games that offer
//!   more than their environment have their own task. [`task`]: their interface.
//! - [`Agent`]: a trained network as a [`Policy`](houseway_env::gym::Policy).
//! - [`network`], [`decisions`]: networks and their inputs.
//! - [`limits`]: limits of a configuration; [`Cost`]: an estimate of the memory and time that it takes.
//! - [`MetricSink`]: destination of the metrics of a training. The loop depends on no file format and no exact value.
//!
//! All random numbers come from the streams of [`houseway_env::gym`], none from the tensor library, whose generator is
//! global. The same configuration and seed give the same weights on one type of machine, for any number of threads.
//!
//! ```
//! use houseway_learned::{tasks, train};
//! use std::sync::atomic::AtomicBool;
//!
//! let task = tasks::make("asian-stud", "{}")?;
//! let overrides = serde_json::json!({ "method": "policy-gradient", "steps": 3, "batch": 64 });
//! let config = tasks::configure("asian-stud", overrides.as_object().unwrap())?;
//! let trained = train(&config, 1, &*task, &mut |_| vec![], &mut (), None, &AtomicBool::new(false))?;
//! assert!(trained.finished);
//! let agent = task.agent("first try", &trained.networks);
//! assert_eq!(agent.name(), "first try");
//! # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
//! ```

pub mod checkpoint;
mod config;
mod cost;
pub mod decisions;
pub mod limits;
pub mod method;
pub mod methods;
mod metrics;
pub mod network;
pub mod schedule;
pub mod task;
pub mod tasks;
mod train;

pub use config::TrainConfig;
pub use cost::Cost;
pub use metrics::{MetricSink, TrainingProgress};
pub use task::{Agent, NamedValues};
pub use train::{MeasureFn, TrainError, Trained, train};
