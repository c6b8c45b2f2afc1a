//! Agents that learn to set hands, trained with `burn`.
//!
//! - [`metrics`]: what a training loop reports, and to whom.

pub mod metrics;

pub use metrics::{MetricSink, Progress};
