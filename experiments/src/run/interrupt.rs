//! Stopping long work cleanly.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit status of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// A flag that Ctrl-C (or a request to end) raises, for long work to look at between steps, save itself and stop. A second
/// Ctrl-C ends the program at once. To be called once.
///
/// # Errors
/// If the system gives no such signal, or the flag was asked for before.
pub fn stop_flag() -> io::Result<Arc<AtomicBool>> {
    stop_flag_with("stopping after this step; the same command goes on from there (once more stops at once)")
}

/// The same for work that says something else when it is asked to stop, since it cannot go on later.
///
/// # Errors
/// As [`stop_flag`].
pub fn stop_flag_with(message: &'static str) -> io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    let raise = move || {
        if raised.swap(true, Ordering::SeqCst) {
            std::process::exit(INTERRUPTED);
        }
        eprintln!("{message}");
    };
    ctrlc::set_handler(raise).map_err(io::Error::other)?;
    Ok(flag)
}
