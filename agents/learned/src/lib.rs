//! Agents that learn to play, trained with `burn`.
//!
//! - [`TrainConfig`]: the configuration of a training run, for all games and methods. [`train`](train()): the training
//!   loop, with checkpoints from which it resumes with byte-identical results.
//! - [`methods`]: the training methods, for all games. [`method`]: their interface.
//! - [`tasks`]: the training tasks. An [`EnvTask`](tasks::EnvTask) supports every game of the registry, and games that
//!   offer more than their environment have their own task. [`task`]: their interface.
//! - [`Agent`]: a trained network as a [`Policy`](houseway_env::gym::Policy).
//! - [`network`], [`decisions`]: networks and their inputs.
//! - [`limits`]: limits of a configuration. [`Cost`]: an estimate of the required memory and time.
//! - [`MetricSink`]: a destination for training metrics. The loop does not depend on any file format or exact values.
//!
//! All random numbers come from the streams of [`houseway_env::gym`] and none from the tensor library, whose generator
//! is global. On a given type of machine, the same configuration and seed give the same weights for any number of
//! threads.
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
