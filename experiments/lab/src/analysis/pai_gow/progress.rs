//! Progress bars for enumerations.

use crate::run::ProgressBar;
use houseway_exact::pai_gow::whole::{Cancelled, Run};
use houseway_exact::solver::SolverError;
use std::sync::atomic::AtomicBool;

pub fn with_progress<T>(label: &str, stop: &AtomicBool, count: impl FnOnce(&Run<'_>) -> T) -> T {
    let bar = ProgressBar::new(label, "hands");
    let update = |done, total| bar.update(done, total);
    count(&Run { progress: Some(&update), cancel: Some(stop), ..Run::default() })
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
