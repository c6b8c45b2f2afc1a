//! Displays of the progress of one training run, and of several at once.

use super::{MetricSink, TrainingProgress};
use houseway_lab::run::ProgressBar as SharedBar;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};

/// The bar's width in characters. Within 80 columns, this leaves room for the regret next to the bar.
const BAR: usize = 12;
/// The number of seconds between lines of output when standard error isn't a terminal.
const LINE_EVERY: f64 = 10.0;

/// Shows the speed, the current regret and the remaining time on standard error. On a terminal, it draws a progress
/// bar. Otherwise, it prints a line from time to time. The regret is the last value reported as `regret`.
pub struct ProgressSink {
    label: String,
    bar: Option<ProgressBar>,
    first: Option<TrainingProgress>,
    last: TrainingProgress,
    line_at: f64,
    regret: Option<f64>,
}

impl ProgressSink {
    pub fn new(label: &str) -> ProgressSink {
        ProgressSink {
            label: label.to_owned(),
            bar: io::stderr().is_terminal().then(|| bar(label)),
            first: None,
            last: TrainingProgress::default(),
            line_at: 0.0,
            regret: None,
        }
    }

    /// Formats the regret, remaining time and speed. The most important value comes first because a narrow terminal
    /// cuts off the rest. Rates are measured from the first report, so that startup and resuming don't distort them.
    fn state(&self) -> String {
        let (first, last) = (self.first.unwrap_or(self.last), self.last);
        let mut parts: Vec<String> = self.regret.map(|regret| format!("regret {regret:.5}")).into_iter().collect();
        let seconds = last.seconds - first.seconds;
        let (done, todo) = (last.step - first.step, last.steps_total.saturating_sub(last.step));
        if seconds > 0.0 && done > 0 && todo > 0 {
            parts.push(format!("{} left", clock(seconds * todo as f64 / done as f64)));
        }
        if seconds > 0.0 {
            parts.push(format!("{} hands/s", short((last.hands - first.hands) as f64 / seconds)));
        }
        parts.push(format!("{} hands", short(last.hands as f64)));
        parts.join(", ")
    }

    fn line(&self) -> String {
        format!("{}: step {} of {}, {}", self.label, self.last.step, self.last.steps_total, self.state())
    }

    fn print_line(&self) {
        // If standard error is closed, ignore it and continue training.
        let _ = io::stderr().write_all((self.line() + "\n").as_bytes());
    }
}

fn bar(label: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(&format!("{{prefix}} {{bar:{BAR}}} {{percent:>3}}% {{wide_msg}}"));
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr()).with_prefix(label.to_owned());
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Formats a number with three digits and a suffix of k, M or G.
fn short(number: f64) -> String {
    let (scaled, unit) = match number {
        n if n < 1e3 => return format!("{n:.0}"),
        n if n < 999.5e3 => (n / 1e3, "k"),
        n if n < 999.5e6 => (n / 1e6, "M"),
        n => (n / 1e9, "G"),
    };
    let places = if scaled < 9.995 { 2 } else { usize::from(scaled < 99.95) };
    format!("{scaled:.places$}{unit}")
}

/// Formats a number of seconds as `1:02:03`, `2:03` or `3 s`.
fn clock(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m}:{s:02}"),
        (h, m, s) => format!("{h}:{m:02}:{s:02}"),
    }
}

impl MetricSink for ProgressSink {
    fn scalars(&mut self, progress: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()> {
        self.first.get_or_insert(*progress);
        self.last = *progress;
        self.regret = values.iter().find(|(name, _)| *name == "regret").map(|&(_, value)| value).or(self.regret);
        if let Some(bar) = &self.bar {
            bar.set_length(progress.steps_total);
            bar.set_position(progress.step);
            bar.set_message(self.state());
        } else if progress.seconds >= self.line_at {
            self.line_at = progress.seconds + LINE_EVERY;
            self.print_line();
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        match &self.bar {
            Some(bar) => bar.abandon(),
            None if self.first.is_some() => self.print_line(),
            None => {}
        }
        Ok(())
    }
}

/// A progress bar that counts the steps of several training runs, which may be trained in parallel.
pub struct SharedProgress {
    pub bar: SharedBar,
    done: AtomicU64,
    total: u64,
}

struct Steps<'a> {
    shared: &'a SharedProgress,
    counted: u64,
}

impl SharedProgress {
    pub fn new(label: &str, total: u64) -> SharedProgress {
        let bar = SharedBar::new(label, "steps");
        bar.update(0, total);
        SharedProgress { bar, done: AtomicU64::new(0), total }
    }

    pub fn sink(&self) -> impl MetricSink + '_ {
        Steps { shared: self, counted: 0 }
    }
}

impl MetricSink for Steps<'_> {
    fn scalars(&mut self, progress: &TrainingProgress, _: &[(&str, f64)]) -> io::Result<()> {
        let new = progress.step.saturating_sub(self.counted);
        self.counted += new;
        let done = self.shared.done.fetch_add(new, Ordering::Relaxed) + new;
        self.shared.bar.update(done, self.shared.total);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_speed_regret_and_time_left() {
        let mut sink = ProgressSink { bar: None, ..ProgressSink::new("all-action, seed 1") };
        let at = |step: u64, seconds: f64| {
            let hands = step * 1024;
            TrainingProgress { step, steps_total: 1000, hands, seconds, ..TrainingProgress::default() }
        };
        sink.scalars(&at(100, 50.0), &[("regret", 0.25)]).unwrap();
        assert_eq!(sink.line(), "all-action, seed 1: step 100 of 1000, regret 0.25000, 102k hands");
        sink.scalars(&at(200, 60.0), &[("loss", 1.0)]).unwrap();
        let line = "all-action, seed 1: step 200 of 1000, regret 0.25000, 1:20 left, 10.2k hands/s, 205k hands";
        assert_eq!(sink.line(), line);
        sink.scalars(&at(1000, 140.0), &[("regret", 0.00123456)]).unwrap();
        assert!(sink.line().ends_with("regret 0.00123, 10.2k hands/s, 1.02M hands"), "{}", sink.line());
    }

    #[test]
    fn the_regret_and_the_time_left_fit_eighty_columns() {
        let label = "policy-gradient, seed 123";
        let mut sink = ProgressSink { bar: None, ..ProgressSink::new(label) };
        let at = |step: u64, seconds: f64| {
            let hands = step * 1024;
            TrainingProgress { step, steps_total: 9_000, hands, seconds, ..TrainingProgress::default() }
        };
        sink.scalars(&at(100, 50.0), &[("regret", 0.25)]).unwrap();
        sink.scalars(&at(200, 150.0), &[]).unwrap();
        let fixed = label.len() + BAR + " ".len() * 3 + "100%".len();
        let state = sink.state();
        let shown = &state[..80 - fixed];
        assert!(shown.contains("regret 0.25000, 2:26:40 left"), "{shown}");
    }

    #[test]
    fn numbers_are_short() {
        for (number, text) in
            [(0.0, "0"), (999.0, "999"), (1000.0, "1.00k"), (99_960.0, "100k"), (999_600.0, "1.00M"), (2.5e9, "2.50G")]
        {
            assert_eq!(short(number), text);
        }
        assert_eq!((clock(3.4), clock(61.0), clock(3723.0)), ("3 s".into(), "1:01".into(), "1:02:03".into()));
    }

    #[test]
    fn steps_of_all_runs_are_added() {
        let shared = SharedProgress::new("sweep", 30);
        let (mut one, mut two) = (shared.sink(), shared.sink());
        for step in [0, 5, 10] {
            let progress = TrainingProgress { step, ..TrainingProgress::default() };
            one.scalars(&progress, &[]).unwrap();
            two.scalars(&TrainingProgress { step: 2 * step, ..progress }, &[]).unwrap();
        }
        assert_eq!(shared.done.load(Ordering::Relaxed), 30);
    }
}
