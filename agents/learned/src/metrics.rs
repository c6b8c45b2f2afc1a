//! Reports of a training loop, and their receivers.
//!
//! The loop calls a [`MetricSink`] and does not depend on file formats; files, TensorBoard and the progress bar are
//! sinks in the crate `houseway`. A sink that fails (a full disk) stops the training: the loop returns the error after
//! its last checkpoint.
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

/// Progress of a training.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingProgress {
    /// Steps of the optimiser so far.
    pub step: u64,
    /// Steps of the whole training.
    pub steps_total: u64,
    /// Deals seen so far: hands, rounds or situations.
    pub hands: u64,
    /// Seconds since the training began, including those before a resume. Never written into a file that must repeat
    /// byte for byte.
    pub seconds: f64,
}

/// A receiver of a training's reports. Steps never go back within one sink.
pub trait MetricSink {
    /// Named numbers at one point of the training. Different calls may give different names.
    ///
    /// # Errors
    /// Returns an error if they cannot be kept; the training should then end.
    fn scalars(&mut self, progress: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()>;

    /// Returns a named text, like the configuration. Ignored by default.
    ///
    /// # Errors
    /// Returns an error if it cannot be kept.
    fn text(&mut self, _name: &str, _text: &str) -> io::Result<()> {
        Ok(())
    }

    /// Writes out everything held back, at the end of the training. Does nothing by default.
    ///
    /// # Errors
    /// Returns an error if something held back cannot be kept.
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

/// A borrowed sink, to be read after the training.
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
