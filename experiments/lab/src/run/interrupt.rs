//! Graceful interruption of long computations.

use super::notice;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

/// The number that is added to a signal's number for the exit status of a program that it ended, as in shells.
const SIGNALED: i32 = 128;

/// The number of the first signal that asked the program to stop, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// The message for [`stop_flag_with`] when nothing is written before the end.
pub const STOPPING: &str = "stopping: nothing will be written (press again to stop immediately)";

/// Returns a flag that is set by a signal that asks the program to stop, such as Ctrl-C, a termination or the end of the
/// terminal. Long computations check it between steps, save their state and stop. A second signal terminates the program
/// immediately. May be called at most once.
pub fn stop_flag() -> io::Result<Arc<AtomicBool>> {
    stop_flag_with("stopping after this step; run the same command to resume (press again to stop immediately)")
}

/// Like [`stop_flag`], but prints a different message. Used for work that can't be resumed.
pub fn stop_flag_with(message: &'static str) -> io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    on_signal(move |signal| {
        if raised.swap(true, Ordering::SeqCst) {
            std::process::exit(SIGNALED + signal);
        }
        SIGNAL.store(signal, Ordering::SeqCst);
        notice(message);
    })?;
    Ok(flag)
}

/// Returns the exit status of a program that a signal has asked to stop, or `None` if there was no such signal.
pub fn signal_status() -> Option<u8> {
    match SIGNAL.load(Ordering::SeqCst) {
        0 => None,
        signal => u8::try_from(SIGNALED + signal).ok(),
    }
}

#[cfg(unix)]
fn on_signal(mut handle: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::iterator::Signals;
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])?;
    std::thread::Builder::new().spawn(move || signals.forever().for_each(&mut handle))?;
    Ok(())
}

#[cfg(not(unix))]
fn on_signal(mut handle: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    const SIGINT: i32 = 2;
    ctrlc::set_handler(move || handle(SIGINT)).map_err(io::Error::other)
}
