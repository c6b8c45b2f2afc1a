//! Long computations, which Python can interrupt.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often signals are checked.
const INTERVAL: Duration = Duration::from_millis(2);

/// Runs a long computation without the interpreter's lock, and raises its flag when Python is interrupted.
///
/// # Errors
/// The exception of the interrupt, or `RuntimeError` if the computation panicked.
pub(crate) fn cancellable<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let cancel = AtomicBool::new(false);
    let (result, interrupted) = std::thread::scope(|scope| {
        let work = scope.spawn(|| work(&cancel));
        let mut interrupted = None;
        while !work.is_finished() {
            py.detach(|| std::thread::sleep(INTERVAL));
            if interrupted.is_none()
                && let Err(error) = py.check_signals()
            {
                cancel.store(true, Ordering::Relaxed);
                interrupted = Some(error);
            }
        }
        (py.detach(|| work.join()), interrupted)
    });
    match (result, interrupted) {
        (_, Some(error)) => Err(error),
        (Ok(value), None) => Ok(value),
        (Err(_), None) => Err(PyRuntimeError::new_err("the computation failed: see the message above")),
    }
}
