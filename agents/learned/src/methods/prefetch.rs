//! Prefetching of batches on a background thread.

use crate::methods::Training;
use crate::task::{RewardBatch, TaskError};
use houseway_env::gym::EnvError;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{JoinHandle, spawn};

/// The number of batches drawn in advance. Two are enough to keep both sides busy, and more would only use memory.
const AHEAD: usize = 2;

type Drawn = Result<Box<dyn RewardBatch>, EnvError>;

/// The batches for all steps, drawn by a background thread while the networks learn. The thread ends when this value is
/// dropped.
pub(super) struct Prefetch {
    batches: Option<Receiver<Drawn>>,
    thread: Option<JoinHandle<()>>,
}

impl Prefetch {
    /// Starts drawing batches for all steps, with the given number of samples for each reward.
    pub(super) fn start(training: &Training<'_>, samples: usize) -> Result<Prefetch, TaskError> {
        let mut source = training.task.reward_source(training.batch, samples, training.seed)?;
        let mut steps = training.steps.clone();
        let (sender, batches) = sync_channel(AHEAD);
        // Sending fails once the receiver is dropped.
        let thread = spawn(move || while steps.next().is_some_and(|step| sender.send(source(step)).is_ok()) {});
        Ok(Prefetch { batches: Some(batches), thread: Some(thread) })
    }

    /// Returns the batch for the next step.
    ///
    /// # Panics
    /// Panics if the thread has panicked or if there are no more steps.
    pub(super) fn next(&self) -> Drawn {
        let batches = self.batches.as_ref().expect("batches can be received until the drop");
        batches.recv().expect("the thread sends a batch for every step")
    }
}

impl Drop for Prefetch {
    fn drop(&mut self) {
        self.batches = None;
        if let Some(thread) = self.thread.take() {
            // A panic in the thread has already been reported.
            let _ = thread.join();
        }
    }
}
