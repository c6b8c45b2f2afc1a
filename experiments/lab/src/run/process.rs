//! The running program: signals that ask it to stop, its progress and notices on standard error, and the machine.

use houseway_env::names::escaped;
use houseway_exact::solver::{Control, Progress};
use indicatif::ProgressStyle;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Write};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

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

/// A progress bar on standard error, which is only shown if that's a terminal.
pub struct ProgressBar(indicatif::ProgressBar);

impl ProgressBar {
    /// Creates a bar with a label and a unit, such as "hands" or "boards".
    pub fn new(label: &str, unit: &str) -> ProgressBar {
        let bar = indicatif::ProgressBar::new(0).with_prefix(label.to_owned());
        let template = format!("{{prefix}} {{bar:24}} {{percent:>3}}% of {{human_len}} {unit}, {{eta}} left");
        ProgressBar(match ProgressStyle::with_template(&template) {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        })
    }

    /// Creates a bar that is never shown, for work that is already shown by another one.
    pub fn hidden() -> ProgressBar {
        ProgressBar(indicatif::ProgressBar::hidden())
    }

    pub fn label(&self, label: &str) {
        self.0.set_prefix(label.to_owned());
    }

    /// Updates the position. Threads may report in any order, so the bar ignores positions before its current one.
    pub fn update(&self, done: u64, total: u64) {
        self.0.set_length(total);
        self.0.update(|state| state.set_pos(state.pos().max(done)));
    }
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Calls `solve` with a control that shows a progress bar for each stage and can be cancelled with the flag.
pub fn with_control<T>(cancel: &AtomicBool, solve: impl FnOnce(&Control<'_>) -> T) -> T {
    let bar: Mutex<Option<(String, ProgressBar)>> = Mutex::new(None);
    let update = |progress: &Progress<'_>| {
        let mut bar = bar.lock().unwrap_or_else(PoisonError::into_inner);
        if bar.as_ref().is_none_or(|(stage, _)| stage != progress.stage) {
            // Remove the previous stage's bar first.
            drop(bar.take());
            *bar = Some((progress.stage.to_owned(), ProgressBar::new(progress.stage, progress.items)));
        }
        bar.iter().for_each(|(_, bar)| bar.update(progress.done, progress.total));
    };
    solve(&Control { progress: Some(&update), cancel: Some(cancel) })
}

/// Writes a line to standard error. Control characters are escaped, so text from files can't control the terminal. A
/// closed reader isn't an error.
pub fn notice(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", escaped(text));
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    pub date: String,
    /// The duration in seconds. For a resumed run, only the time since it was last resumed.
    pub seconds: f64,
    pub cpu: String,
    pub cores: usize,
    pub os: String,
    pub architecture: String,
    /// The peak memory use of the process in bytes, if the system reports it.
    #[serde(default)]
    pub peak_memory: Option<u64>,
    /// The name of the device that networks were trained on, unless it was the processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub training_device: Option<String>,
}

static TRAINING_DEVICE: OnceLock<String> = OnceLock::new();

pub fn set_training_device(name: &str) {
    TRAINING_DEVICE.get_or_init(|| name.to_owned());
}

/// Returns the peak memory use of this process in bytes, if the system reports it. Only supported on Linux.
pub fn peak_memory() -> Option<u64> {
    kibibytes("/proc/self/status", "VmHWM:")
}

/// Returns the total memory of this machine in bytes, if the system reports it. Only supported on Linux.
pub fn total_memory() -> Option<u64> {
    kibibytes("/proc/meminfo", "MemTotal:")
}

fn kibibytes(file: &str, key: &str) -> Option<u64> {
    let listed = fs::read_to_string(file).ok()?;
    let text = listed.lines().find_map(|line| line.strip_prefix(key))?;
    let amount: u64 = text.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(amount * 1024)
}

impl Machine {
    pub fn after(duration: Duration) -> Machine {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Machine {
            date: date(since.as_secs()),
            seconds: (duration.as_secs_f64() * 1e3).round() / 1e3,
            cpu: cpu().unwrap_or_else(|| "unknown".to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            os: std::env::consts::OS.to_owned(),
            architecture: std::env::consts::ARCH.to_owned(),
            peak_memory: peak_memory(),
            training_device: TRAINING_DEVICE.get().cloned(),
        }
    }
}

fn cpu() -> Option<String> {
    let listed = fs::read_to_string("/proc/cpuinfo").ok();
    let name = match listed.as_deref().and_then(|text| text.lines().find(|line| line.starts_with("model name"))) {
        Some(line) => line.split_once(':')?.1.to_owned(),
        None => {
            let asked = Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output().ok()?;
            String::from_utf8(asked.stdout).ok()?
        }
    };
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// Formats a number of seconds since 1970 as `2026-11-20T07:00:00Z`.
fn date(seconds: u64) -> String {
    let (mut day, second) = (seconds / 86_400, seconds % 86_400);
    let mut year = 1970;
    let leap = |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let mut month = 1;
    for length in [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peak_memory_includes_allocations() {
        let held = vec![1u8; 64 << 20];
        let peak = peak_memory();
        assert_eq!(peak.is_some(), cfg!(target_os = "linux"));
        assert!(total_memory() >= peak);
        assert!(peak.is_none_or(|peak| peak >= held.len() as u64), "{peak:?} for {}", held[17]);
    }

    #[test]
    fn dates_follow_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_767_225_599, "2025-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(date(seconds), text);
        }
    }
}
