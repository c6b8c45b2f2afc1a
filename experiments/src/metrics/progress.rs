//! Displays of the progress of one training run, and of several at once.

use super::{MetricSink, TrainingProgress};
use houseway_lab::run::{ProgressBar, notice};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// Shows the steps, the remaining time and the last value reported as `regret` on standard error.
pub struct ProgressSink {
    label: String,
    bar: ProgressBar,
    /// The regret in words, after the step at which it was measured.
    regret: Option<String>,
}

impl ProgressSink {
    pub fn new(label: &str) -> ProgressSink {
        ProgressSink { label: label.to_owned(), bar: ProgressBar::new(label, "steps"), regret: None }
    }
}

impl MetricSink for ProgressSink {
    fn scalars(&mut self, progress: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()> {
        if let Some((_, regret)) = values.iter().find(|(name, _)| *name == "regret") {
            self.bar.label(&format!("{}, regret {regret:.5}", self.label));
            self.regret = Some(format!("regret {regret:.5} after step {}", progress.step));
        }
        self.bar.elapsed(progress.seconds);
        self.bar.update(progress.step, progress.steps_total);
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        if let Some(regret) = &self.regret {
            notice(&format!("{}: {regret}", self.label));
        }
        Ok(())
    }
}

/// A progress bar that counts the steps of several training runs, which may be trained in parallel.
pub struct SharedProgress {
    pub bar: ProgressBar,
    done: AtomicU64,
    total: u64,
}

struct Steps<'a> {
    shared: &'a SharedProgress,
    counted: u64,
}

impl SharedProgress {
    pub fn new(label: &str, total: u64) -> SharedProgress {
        let bar = ProgressBar::new(label, "steps");
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
    fn the_regret_is_that_of_the_last_measurement() {
        let mut sink = ProgressSink::new("all-action, seed 1");
        let at = |step| TrainingProgress { step, steps_total: 1000, ..TrainingProgress::default() };
        sink.scalars(&at(100), &[("loss", 1.0), ("regret", 0.0123456)]).unwrap();
        sink.scalars(&at(200), &[("loss", 1.0)]).unwrap();
        assert_eq!(sink.regret.as_deref(), Some("regret 0.01235 after step 100"));
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
