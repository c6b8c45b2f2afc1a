//! Reports of the training loop and their receivers.
//!
//! The loop calls a [`MetricSink`] and does not depend on file formats. Files, TensorBoard and the progress bar are
//! sinks in the crate `houseway`. A sink that fails, for example because the disk is full, stops training. The loop
//! returns its error, and the last checkpoint remains usable.
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
    /// Number of optimiser steps so far.
    pub step: u64,
    /// Total number of steps of the training run.
    pub steps_total: u64,
    /// Number of deals (hands, rounds or situations) seen so far.
    pub hands: u64,
    /// Seconds of training so far, including those before resuming. They must not be written to files that have to be
    /// reproducible byte for byte.
    pub seconds: f64,
}

/// A receiver of training reports. Steps never decrease within one sink.
pub trait MetricSink {
    /// Receives named numbers at one point of the training run. Different calls may use different names.
    ///
    /// # Errors
    /// Returns an error if they cannot be stored. Training should end in that case.
    fn scalars(&mut self, progress: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()>;

    /// Receives a named text, such as the configuration. It is ignored by default.
    ///
    /// # Errors
    /// Returns an error if it cannot be stored.
    fn text(&mut self, _name: &str, _text: &str) -> io::Result<()> {
        Ok(())
    }

    /// Writes all buffered data at the end of the training run. Does nothing by default.
    ///
    /// # Errors
    /// Returns an error if buffered data cannot be stored.
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

/// Forwards to a borrowed sink, which can be read after training.
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
