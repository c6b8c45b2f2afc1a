//! A progress bar for several training runs at once.

use super::{MetricSink, TrainingProgress};
use houseway_lab::run::{ProgressBar, notice};
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time between lines of output when standard error isn't a terminal.
const LINE_EVERY: Duration = Duration::from_secs(60);

/// A progress bar that counts the steps of several training runs, which may be trained in parallel. If standard error
/// isn't a terminal, it prints a line from time to time instead.
pub struct SharedProgress {
    bar: ProgressBar,
    done: AtomicU64,
    total: u64,
    last_line: Mutex<Instant>,
}

/// A sink that adds the steps of one training run.
struct Steps<'a> {
    shared: &'a SharedProgress,
    counted: u64,
}

impl SharedProgress {
    /// Creates a bar for training runs with `total` steps altogether.
    pub fn new(label: &str, total: u64) -> SharedProgress {
        let bar = ProgressBar::new(label, "steps");
        bar.update(0, total);
        SharedProgress { bar, done: AtomicU64::new(0), total, last_line: Mutex::new(Instant::now()) }
    }

    /// Changes the label.
    pub fn label(&self, label: &str) {
        self.bar.label(label);
    }

    /// Returns a sink for a training run.
    pub fn sink(&self) -> impl MetricSink + '_ {
        Steps { shared: self, counted: 0 }
    }

    fn add(&self, steps: u64) {
        let done = self.done.fetch_add(steps, Ordering::Relaxed) + steps;
        self.bar.update(done, self.total);
        let mut last = self.last_line.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= LINE_EVERY && !io::stderr().is_terminal() {
            *last = Instant::now();
            notice(&format!("{done} of {} steps", self.total));
        }
    }

    /// Returns the number of steps done so far.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }
}

impl MetricSink for Steps<'_> {
    fn scalars(&mut self, progress: &TrainingProgress, _: &[(&str, f64)]) -> io::Result<()> {
        let new = progress.step.saturating_sub(self.counted);
        self.counted += new;
        self.shared.add(new);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_all_runs_are_added() {
        let shared = SharedProgress::new("sweep", 30);
        let (mut one, mut two) = (shared.sink(), shared.sink());
        for step in [0, 5, 10] {
            let progress = TrainingProgress { step, ..TrainingProgress::default() };
            one.scalars(&progress, &[]).unwrap();
            two.scalars(&TrainingProgress { step: 2 * step, ..progress }, &[]).unwrap();
        }
        assert_eq!(shared.done(), 30);
    }
}
