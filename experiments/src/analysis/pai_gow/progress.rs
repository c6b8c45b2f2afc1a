//! Progress of an enumeration of hands.

use crate::run::ProgressBar;
use houseway_exact::pai_gow::search::Passes;
use houseway_exact::pai_gow::whole::Run;
use std::sync::atomic::AtomicBool;

/// Runs a cancellable enumeration with a progress bar.
pub(crate) fn with_progress<T>(label: &str, stop: &AtomicBool, count: impl FnOnce(&Run<'_>) -> T) -> T {
    let bar = ProgressBar::new(label, "hands");
    let update = |done, total| bar.update(done, total);
    count(&Run { progress: Some(&update), cancel: Some(stop), ..Run::default() })
}

/// Passes of a search that can be stopped by the flag, with progress bars.
pub(crate) struct WithProgress<'a>(pub(crate) &'a AtomicBool);

impl Passes for WithProgress<'_> {
    fn pass<T: Send>(&self, label: &str, count: impl FnOnce(&Run<'_>) -> T + Send) -> T {
        with_progress(label, self.0, count)
    }

    fn cancel(&self) -> &AtomicBool {
        self.0
    }
}
