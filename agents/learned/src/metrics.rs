//! The metrics reported by the training loop.
//!
//! The loop reports to a [`MetricSink`] and knows nothing about file formats. Files, TensorBoard and the progress bar
//! are sinks in the `houseway` crate. If a sink fails, for example because the disk is full, training stops and the
//! loop returns the sink's error. The last checkpoint remains usable.
//!
//! ```
//! use houseway_learned::{MetricSink, TrainingProgress};
//! use std::io;
//!
//! /// Keeps the last loss.
//! struct Last(f64);
//!
//! impl MetricSink for Last {
//!     fn scalars(&mut self, _: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()> {
//!         self.0 = values.iter().find(|(name, _)| *name == "loss").map_or(self.0, |(_, value)| *value);
//!         Ok(())
//!     }
//! }
//!
//! let mut sink = Last(f64::NAN);
//! let progress = TrainingProgress { step: 1, steps_total: 10, hands: 512, seconds: 0.1 };
//! sink.scalars(&progress, &[("loss", 0.5)])?;
//! assert_eq!(sink.0, 0.5);
//! # Ok::<(), io::Error>(())
//! ```

use serde::{Deserialize, Serialize};
use std::io;

/// The progress of a training run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingProgress {
    /// The number of completed optimizer steps.
    pub step: u64,
    /// The total number of steps in the run.
    pub steps_total: u64,
    /// The number of deals (hands, rounds or situations) seen.
    pub hands: u64,
    /// The training time in seconds, including the time before the run was resumed. Must not be written to files that
    /// have to be reproducible byte for byte.
    pub seconds: f64,
}

/// A receiver for training metrics. Within one sink, the step never decreases.
pub trait MetricSink {
    /// Records named values at one point in training. Different calls may use different names.
    ///
    /// # Errors
    /// Returns an error if the values cannot be stored. Training should end in that case.
    fn scalars(&mut self, progress: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()>;

    /// Records a named text, such as the configuration. Ignored by default.
    ///
    /// # Errors
    /// Returns an error if the text cannot be stored.
    fn text(&mut self, _name: &str, _text: &str) -> io::Result<()> {
        Ok(())
    }

    /// Flushes all buffered data at the end of training. Does nothing by default.
    ///
    /// # Errors
    /// Returns an error if the buffered data cannot be stored.
    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Discards everything.
impl MetricSink for () {
    fn scalars(&mut self, _: &TrainingProgress, _: &[(&str, f64)]) -> io::Result<()> {
        Ok(())
    }
}

/// Forwards to a borrowed sink, so that the sink can be inspected after training.
impl<S: MetricSink + ?Sized> MetricSink for &mut S {
    fn scalars(&mut self, progress: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()> {
        (**self).scalars(progress, values)
    }

    fn text(&mut self, name: &str, text: &str) -> io::Result<()> {
        (**self).text(name, text)
    }

    fn finish(&mut self) -> io::Result<()> {
        (**self).finish()
    }
}
