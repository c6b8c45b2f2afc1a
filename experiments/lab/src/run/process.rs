//! The running program: signals that ask it to stop, its progress and notices on standard error, and the machine.

use super::{MACHINE, read_inside};
use houseway_env::names::{NUMBER_TYPES, escaped, with_hint};
use houseway_exact::format::grouped;
use houseway_exact::solver::{Control, Progress};
use indicatif::{ProgressState, ProgressStyle};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The number that is added to a signal's number for the exit status of a program that it ended, as in shells.
const SIGNALED: i32 = 128;

/// The number of the first signal that asked the program to stop, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// The message for [`stop_flag_with`] when nothing is written before the end.
pub const STOPPING: &str = "stopping: nothing will be written (press again to stop immediately)";

/// Returns a flag that is set by a signal that asks the program to stop, such as Ctrl-C, a termination or the end of the
/// terminal. The message is printed then. Long computations check the flag between steps, save their state and stop. A
/// second signal terminates the program immediately. May be called at most once.
pub fn stop_flag_with(message: &'static str) -> io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    on_signal(move |signal| {
        if SIGNAL.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_err() {
            std::process::exit(SIGNALED + signal);
        }
        raised.store(true, Ordering::SeqCst);
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

/// Starts a thread. The error says what to do if the system allows too few.
pub fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<JoinHandle<T>> {
    let refused = |error: io::Error| {
        let text = format!("cannot start a thread: {error}; let this user have more processes (ulimit -u)");
        io::Error::new(error.kind(), text)
    };
    thread::Builder::new().spawn(work).map_err(refused)
}

#[cfg(unix)]
fn on_signal(mut handle: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::iterator::Signals;
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])?;
    spawn(move || signals.forever().for_each(&mut handle))?;
    Ok(())
}

#[cfg(not(unix))]
fn on_signal(mut handle: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    const SIGINT: i32 = 2;
    ctrlc::set_handler(move || handle(SIGINT)).map_err(io::Error::other)
}

/// Makes a write beyond the system's limit for the size of a file an error that the program reports, like that of a full
/// disk. Without this, a signal would end the program without a message.
pub fn report_size_limit() -> io::Result<()> {
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default())?;
    Ok(())
}

/// The interval between lines about progress if standard error isn't a terminal.
const MINUTE: Duration = Duration::from_secs(60);

/// The time of the last line about progress, or of the first bar. All bars of the program share it.
static SPOKEN: Mutex<Option<Instant>> = Mutex::new(None);

/// Returns `true` if a line about progress is due, which then counts as written.
fn is_due(spoken: &mut Option<Instant>, now: Instant) -> bool {
    let last = *spoken.get_or_insert(now);
    let is_due = now.duration_since(last) >= MINUTE;
    if is_due {
        *spoken = Some(now);
    }
    is_due
}

/// Describes the time that is left, for use after other words. `spent` is the time since the work began. At the beginning,
/// there is nothing to tell it from, so the text is empty.
fn time_left([done, total]: [u64; 2], spent: Duration) -> String {
    let left = spent.as_secs_f64() * total.saturating_sub(done) as f64 / done.max(1) as f64;
    match (left / 60.0).ceil() {
        _ if done == 0 || spent < Duration::from_secs(2) => String::new(),
        _ if left < 10.0 => ", a few seconds left".to_owned(),
        minutes if minutes <= 1.0 => ", about a minute left".to_owned(),
        minutes => format!(", about {minutes} minutes left"),
    }
}

/// Describes progress in a line. `spent` is the time since it began.
fn progress_line(label: &str, counts: [u64; 2], unit: &str, spent: Duration) -> String {
    let [done, total] = counts;
    let percent = (100 * u128::from(done)).checked_div(total.into()).unwrap_or_default();
    format!("{label}: {percent}% of {} {unit}{}", grouped(total), time_left(counts, spent))
}

/// A progress bar on standard error. If that isn't a terminal, there is a line per minute instead, which also has the
/// total and its unit.
pub struct ProgressBar {
    bar: indicatif::ProgressBar,
    /// The unit of the lines, or `None` if there are no lines.
    lines: Option<String>,
}

impl ProgressBar {
    /// Creates a bar with a label and a unit, such as "hands" or "boards".
    pub fn new(label: &str, unit: &str) -> ProgressBar {
        let bar = indicatif::ProgressBar::new(0).with_prefix(label.to_owned());
        // Within 80 columns, this leaves room for a label with the regret of a learning agent.
        let template = "{prefix} {bar:12} {percent:>3}%{left}";
        let left = |state: &ProgressState, text: &mut dyn fmt::Write| {
            let counts = [state.pos(), state.len().unwrap_or_default()];
            let _ = text.write_str(&time_left(counts, state.elapsed()));
        };
        let bar = match ProgressStyle::with_template(template) {
            Ok(style) => bar.with_style(style.with_key("left", left)),
            Err(_) => bar,
        };
        // The first minute begins with the first bar.
        SPOKEN.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(Instant::now);
        let has_lines = !io::stderr().is_terminal();
        ProgressBar { bar, lines: has_lines.then(|| unit.to_owned()) }
    }

    /// Creates a bar that is never shown, for work that is already shown by another one.
    pub fn hidden() -> ProgressBar {
        ProgressBar { bar: indicatif::ProgressBar::hidden(), lines: None }
    }

    pub fn label(&self, label: &str) {
        self.bar.set_prefix(label.to_owned());
    }

    /// Sets the time that the work has taken, if it isn't the time since the bar was created because the work was resumed.
    pub fn elapsed(&self, seconds: f64) {
        self.bar.set_elapsed(Duration::try_from_secs_f64(seconds).unwrap_or_default());
    }

    /// Updates the position. Threads may report in any order, so the bar ignores positions before its current one.
    pub fn update(&self, done: u64, total: u64) {
        self.bar.set_length(total);
        self.bar.update(|state| state.set_pos(state.pos().max(done)));
        let Some(unit) = &self.lines else { return };
        if is_due(&mut SPOKEN.lock().unwrap_or_else(PoisonError::into_inner), Instant::now()) {
            notice(&progress_line(&self.bar.prefix(), [self.bar.position(), total], unit, self.bar.elapsed()));
        }
    }
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Calls `solve` with a control that shows a progress bar for each stage and can be canceled with the flag.
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
    let _ = writeln!(io::stderr().lock(), "{}", in_locale(&escaped(text)));
}

/// Returns the text with plain characters for lines, dashes and suits if the user's locale isn't a Unicode one, such as `C`.
pub fn in_locale(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !is_plain_locale() { text.into() } else { text.chars().map(in_ascii).collect() }
}

/// Returns `true` if the user's locale, if any, has other characters than Unicode's.
pub fn is_plain_locale() -> bool {
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(std::env::var_os);
    let locale = variables.into_iter().find(|value| !value.is_empty());
    locale.is_some_and(|locale| !locale.to_string_lossy().to_lowercase().contains("utf"))
}

/// Returns an ASCII character that looks like the given one, or the given one if there is none.
pub fn in_ascii(character: char) -> char {
    match character {
        '─' | '–' | '—' | '−' => '-',
        '═' => '=',
        '│' | '║' => '|',
        '\u{2500}'..='\u{257f}' => '+',
        '\u{2580}'..='\u{259f}' => '#',
        '·' | '…' => '.',
        '▲' => '^',
        '▼' => 'v',
        '×' => 'x',
        '‘' | '’' => '\'',
        other => other,
    }
}

/// Replaces the words of parsers and operating systems in an error by those of users, and suggests the name that was
/// probably meant.
pub fn plain_words(message: &str) -> String {
    const WORDS: [(&str, &str); 21] = [
        ("unknown field", "unknown key"),
        ("unknown variant", "unknown value"),
        ("missing field", "missing key"),
        ("duplicate field", "duplicate key"),
        (
            "invalid type: map, expected a sequence",
            "a single table isn't expected here; begin each entry of a list with [[NAME]], not [NAME]",
        ),
        ("invalid type: map", "a table isn't expected here"),
        ("invalid type: sequence", "a list isn't expected here"),
        ("invalid type: string", "invalid value: the text"),
        ("invalid type:", "invalid value:"),
        ("expected a sequence", "expected a list"),
        ("expected sequence", "expected a list"),
        ("expected a map", "expected a table"),
        ("expected map", "expected a table"),
        ("No such file or directory", "there is no such file or folder"),
        ("entity not found", "there is no such file or folder"),
        ("invalid digit found in string", "expected a whole number"),
        ("cannot parse integer from empty string", "expected a whole number"),
        ("number too large to fit in target type", "the number is too large"),
        ("number too small to fit in target type", "the number is too small"),
        ("invalid float literal", "expected a number"),
        ("..=", " to "),
    ];
    let hinted = if message.contains("did you mean") { message.to_owned() } else { with_hint(message) };
    let plain = WORDS.iter().chain(&NUMBER_TYPES).fold(hinted, |text, (word, plain)| text.replace(word, plain));
    without_words(&without_words(&plain, " (os error ", ")", ""), "expected struct ", " ", "expected a table ")
        .trim_end()
        .to_owned()
}

/// Replaces every part of a text that begins and ends with the given texts.
fn without_words(text: &str, start: &str, end: &str, replacement: &str) -> String {
    let mut parts = text.split(start);
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept += replacement;
        kept += part.split_once(end).map_or("", |(_, rest)| rest);
    }
    kept
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
    /// In bytes.
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
    pub fn read(folder: &Path) -> Option<Machine> {
        serde_json::from_str(&read_inside(folder, MACHINE).ok()?).ok()
    }

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
    fn progress_is_a_line_per_minute() {
        let (mut spoken, start) = (None, Instant::now());
        let due: Vec<u64> =
            (0..400).filter(|&second| is_due(&mut spoken, start + Duration::from_secs(second))).collect();
        assert_eq!(due, [60, 120, 180, 240, 300, 360]);
        for (counts, seconds, line) in [
            ([0, 4_000_000], 60, "solving: 0% of 4,000,000 hands"),
            ([1_000_000, 4_000_000], 60, "solving: 25% of 4,000,000 hands, about 3 minutes left"),
            ([3_900_000, 4_000_000], 600, "solving: 97% of 4,000,000 hands, about a minute left"),
            ([3_990_000, 4_000_000], 600, "solving: 99% of 4,000,000 hands, a few seconds left"),
            ([0, 0], 60, "solving: 0% of 0 hands"),
        ] {
            assert_eq!(progress_line("solving", counts, "hands", Duration::from_secs(seconds)), line);
        }
    }

    #[test]
    fn errors_have_the_words_of_users() {
        for (message, plain) in [
            (
                "unknown field `comission`, expected `commission` or `copies`",
                "unknown key `comission`, expected `commission` or `copies` (did you mean commission?)",
            ),
            (
                "unknown variant `pushd`, expected one of `banker`, `pushed` (did you mean pushed?)",
                "unknown value `pushd`, expected one of `banker`, `pushed` (did you mean pushed?)",
            ),
            (
                "line 2: invalid type: map, expected a sequence",
                "line 2: a single table isn't expected here; begin each entry of a list with [[NAME]], not [NAME]",
            ),
            ("line 2: invalid type: map, expected a string", "line 2: a table isn't expected here, expected a string"),
            (
                "invalid type: string \"front\", expected struct PlayFile",
                "invalid value: the text \"front\", expected a table",
            ),
            ("expected struct PlayFile in line 3", "expected a table in line 3"),
            (
                "cannot read a.toml: No such file or directory (os error 2)",
                "cannot read a.toml: there is no such file or folder",
            ),
            ("Address already in use (os error 98); try another port", "Address already in use; try another port"),
            (
                "invalid value '2.5' for '--trips <ANTES>': invalid digit found in string",
                "invalid value '2.5' for '--trips <ANTES>': expected a whole number",
            ),
            (
                "invalid value '99' for '--seats <N>': 99 is not in 1..=15",
                "invalid value '99' for '--seats <N>': 99 is not in 1 to 15",
            ),
            ("a hand has 7 cards", "a hand has 7 cards"),
        ] {
            assert_eq!(plain_words(message), plain);
        }
    }

    #[test]
    fn lines_and_dashes_have_plain_forms() {
        assert_eq!("┌─╥═┐ 2 × 3 — A♠".chars().map(in_ascii).collect::<String>(), "+-+=+ 2 x 3 - A♠");
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
