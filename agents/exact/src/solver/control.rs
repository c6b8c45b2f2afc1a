//! Progress reports and cancellation.

use std::sync::atomic::{AtomicBool, Ordering};

/// Reports a computation's progress and allows it to be cancelled.
#[derive(Clone, Copy, Default)]
pub struct Control<'a> {
    /// The progress callback. It's called occasionally, from any thread.
    pub progress: Option<&'a (dyn Fn(&Progress<'_>) + Sync)>,
    /// A flag that other threads can set to stop the computation. It is checked regularly.
    pub cancel: Option<&'a AtomicBool>,
}

/// The progress of a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// The stage of the computation.
    pub stage: &'a str,
    /// The plural of the items that are counted.
    pub items: &'static str,
    /// The number of items that are done.
    pub done: u64,
    /// The total number of items.
    pub total: u64,
}

impl Control<'_> {
    /// Returns `true` if the computation should stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// Returns a function that reports the progress of a stage.
    pub fn stage<'s>(&'s self, stage: &'s str, items: &'static str) -> impl Fn(u64, u64) + Sync + 's {
        move |done, total| {
            if let Some(progress) = self.progress {
                progress(&Progress { stage, items, done, total });
            }
        }
    }
}
