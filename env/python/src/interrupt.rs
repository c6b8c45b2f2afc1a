//! Long computations that Python can interrupt.

use crate::error::solver_error;
use crate::pool;
use houseway_exact::solver::{Control, SolverError};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// The interval between checks for signals.
const INTERVAL: Duration = Duration::from_millis(2);

/// Runs a long computation without holding the GIL, and cancels it when Python is interrupted.
///
/// # Errors
/// Returns the computation's error, the exception that the interrupt raised, or a `RuntimeError` if the computation
/// panicked.
pub(crate) fn cancellable<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Control<'_>) -> Result<T, SolverError> + Send,
) -> PyResult<T> {
    let cancel = AtomicBool::new(false);
    let (result, interrupted) = std::thread::scope(|scope| {
        // Dropping the sender, which happens on return and on panic, wakes up the receiver immediately.
        let (running, mut ended) = channel::<()>();
        let cancel = &cancel;
        let work = scope.spawn(move || {
            let _running = running;
            pool::install(|| work(&Control { cancel: Some(cancel), ..Control::default() }))
        });
        let mut interrupted = None;
        loop {
            let wait;
            (ended, wait) = py.detach(move || {
                let wait = ended.recv_timeout(INTERVAL);
                (ended, wait)
            });
            if interrupted.is_none()
                && let Err(error) = py.check_signals()
            {
                cancel.store(true, Ordering::Relaxed);
                interrupted = Some(error);
            }
            if wait == Err(RecvTimeoutError::Disconnected) {
                break;
            }
        }
        (py.detach(|| work.join()), interrupted)
    });
    match (result, interrupted) {
        (_, Some(error)) => Err(error),
        (Ok(result), None) => result.map_err(solver_error),
        (Err(_), None) => Err(PyRuntimeError::new_err("the computation panicked; see the message above")),
    }
}
