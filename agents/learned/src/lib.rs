//! Learning agents, trained with `burn`.
//!
//! - [`TrainConfig`] is the training configuration for all games and methods. [`train`](train()) runs the training loop
//!   and writes checkpoints from which it resumes with byte-identical results.
//! - [`methods`] contains the training methods, which work for every game, and their interface.
//! - [`tasks`] contains the training tasks. An [`EnvTask`](tasks::EnvTask) supports every registered game, and games
//!   that offer more than their environment have their own task. The interface is in [`task`].
//! - An [`Agent`] is a trained [`Model`](model::Model) that acts as a [`Policy`](houseway_env::gym::Policy).
//! - [`network`] and [`decisions`] contain the networks and their inputs, and [`trees`] a baseline that isn't neural.
//! - [`limits`] defines the limits of a configuration, and [`Cost`] estimates the memory and time it requires.
//! - [`schedule`] contains learning-rate schedules, [`checkpoint`] the files of unfinished trainings, and [`device`]
//!   selects the processor or GPU.
//! - A [`MetricSink`] receives training metrics. The loop itself knows nothing about file formats or exact values.
//!
//! All random numbers come from the streams in [`houseway_env::gym`]. The tensor library's generator is global and is
//! never used. A configuration and seed produce the same weights on all x86-64 processors with AVX2 and FMA, with and
//! without AVX-512, regardless of the caches and the number of threads. Only the exponential function and the logarithm
//! come from the C library, so other versions of it may round them differently.
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
//! let agent = task.agent("first try", &trained.networks.models(), config.method.score_kind());
//! assert_eq!(agent.name(), "first try");
//! # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
//! ```

pub mod checkpoint;
mod config;
pub mod decisions;
pub mod device;
pub mod limits;
pub mod methods;
mod metrics;
pub mod model;
pub mod network;
mod optimizer;
pub mod schedule;
mod sums;
pub mod task;
pub mod tasks;
mod train;
pub mod trees;

pub use config::{Cost, TrainConfig};
pub use metrics::{DealTotals, MetricSink, TrainingProgress, explain_metric};
pub use model::{ScoreKind, load_agent};
pub use optimizer::OptimizerConfig;
pub use task::{Agent, NamedValues};
pub use train::{MeasureFn, TrainError, Trained, train};
