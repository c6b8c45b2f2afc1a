//! Progress bars for enumerations.

use crate::run::ProgressBar;
use houseway_exact::pai_gow::search::Passes;
use houseway_exact::pai_gow::whole::{Cancelled, Run};
use houseway_exact::solver::SolverError;
use std::sync::atomic::AtomicBool;

/// Runs a cancellable enumeration with a progress bar.
pub fn with_progress<T>(label: &str, stop: &AtomicBool, count: impl FnOnce(&Run<'_>) -> T) -> T {
    let bar = ProgressBar::new(label, "hands");
    let update = |done, total| bar.update(done, total);
    count(&Run { progress: Some(&update), cancel: Some(stop), ..Run::default() })
}

/// Runs a search's passes with progress bars, and stops them when the flag is set.
pub(crate) struct WithProgress<'a>(pub(crate) &'a AtomicBool);

impl Passes for WithProgress<'_> {
    fn pass<T: Send>(&self, label: &str, count: impl FnOnce(&Run<'_>) -> T + Send) -> T {
        with_progress(label, self.0, count)
    }

    fn cancel(&self) -> &AtomicBool {
        self.0
    }
}

/// Converts the error of work that was stopped to `None`. All other errors are returned.
pub fn unless_stopped<T>(result: anyhow::Result<T>) -> anyhow::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is::<Cancelled>() => Ok(None),
        Err(error) if matches!(error.downcast_ref(), Some(SolverError::Cancelled)) => Ok(None),
        Err(error) => Err(error),
    }
}
