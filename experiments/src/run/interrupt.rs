//! Graceful interruption of long computations.

use super::notice;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit status of an interrupted program.
const INTERRUPTED: i32 = 130;

/// Message for [`stop_flag_with`] if nothing is written before the end.
pub const STOPPING: &str = "stopping: nothing is written (press again to stop immediately)";

/// Returns a flag that is set by Ctrl-C (or a termination signal). Long computations check it between steps, save their
/// state and stop. A second Ctrl-C terminates the program immediately. Call this function at most once.
///
/// # Errors
/// Returns an error if the system does not support the signal, or if the function was called before.
pub fn stop_flag() -> io::Result<Arc<AtomicBool>> {
    stop_flag_with("stopping after this step; run the same command to resume (press again to stop immediately)")
}

/// Like [`stop_flag`], with another message, for work that cannot be resumed.
///
/// # Errors
/// Returns the errors of [`stop_flag`].
pub fn stop_flag_with(message: &'static str) -> io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    let raise = move || {
        if raised.swap(true, Ordering::SeqCst) {
            std::process::exit(INTERRUPTED);
        }
        notice(message);
    };
    ctrlc::set_handler(raise).map_err(io::Error::other)?;
    Ok(flag)
}
