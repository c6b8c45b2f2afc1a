//! Graceful interruption of long computations.

use super::notice;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit status of an interrupted program.
const INTERRUPTED: i32 = 130;

/// The message for [`stop_flag_with`] when nothing is written before the end.
pub const STOPPING: &str = "stopping: nothing will be written (press again to stop immediately)";

/// Returns a flag that is set by Ctrl-C or a termination signal. Long computations check it between steps, save their
/// state and stop. A second Ctrl-C terminates the program immediately. May be called at most once, because a process
/// can only have one such handler.
///
/// # Errors
/// Returns an error if the system doesn't support the signal or if this function has already been called.
pub fn stop_flag() -> io::Result<Arc<AtomicBool>> {
    stop_flag_with("stopping after this step; run the same command to resume (press again to stop immediately)")
}

/// Like [`stop_flag`], but prints a different message. Used for work that can't be resumed.
///
/// # Errors
/// Returns the same errors as [`stop_flag`].
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
