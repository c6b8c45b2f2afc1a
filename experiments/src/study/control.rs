//! Control over a study while it runs.

use crate::metrics::{Fanout, ProgressSink, SharedProgress, Timing, training_sinks};
use houseway_exact::solver::Control;
use houseway_lab::run::with_control;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Stops a study early and shows its progress.
#[derive(Clone, Copy)]
pub struct RunControl<'a> {
    /// A flag that stops the study. Training saves a checkpoint first.
    pub stop: &'a AtomicBool,
    /// The display for studies that run in parallel. If there is none, each training run and each stage of an
    /// evaluation has its own display.
    pub shared: Option<&'a SharedProgress>,
}

impl<'a> RunControl<'a> {
    /// Creates a control for a study that runs alone.
    pub fn new(stop: &'a AtomicBool) -> RunControl<'a> {
        RunControl { stop, shared: None }
    }

    /// Calls `compute` with a control for exact computations.
    pub(super) fn exact<T>(self, compute: impl FnOnce(&Control<'_>) -> T) -> T {
        match self.shared {
            None => with_control(self.stop, compute),
            Some(_) => compute(&Control { progress: None, cancel: Some(self.stop) }),
        }
    }

    /// Creates the sinks for a training run.
    pub(super) fn sinks(self, folder: &Path, label: &str) -> io::Result<Fanout<'a>> {
        match self.shared {
            None => training_sinks(folder, Timing::Alone, ProgressSink::new(label)),
            Some(shared) => training_sinks(folder, Timing::Shared, shared.sink()),
        }
    }
}
