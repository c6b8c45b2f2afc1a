//! A progress bar for long computations.

use houseway_exact::solver::{Control, Progress};
use indicatif::{ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

/// A progress bar on standard error, shown only if that's a terminal.
pub struct ProgressBar(Option<indicatif::ProgressBar>);

impl ProgressBar {
    /// Creates a bar with a label and a unit, such as "hands" or "boards".
    pub fn new(label: &str, unit: &str) -> ProgressBar {
        ProgressBar(io::stderr().is_terminal().then(|| bar(label, unit)))
    }

    /// Creates a bar that is never shown, for work that is already shown by another one.
    pub fn hidden() -> ProgressBar {
        ProgressBar(None)
    }

    /// Changes the label.
    pub fn label(&self, label: &str) {
        self.0.iter().for_each(|bar| bar.set_prefix(label.to_owned()));
    }

    /// Updates the position. Threads may report in any order, so the bar ignores positions before its current one.
    pub fn update(&self, done: u64, total: u64) {
        if let Some(bar) = &self.0 {
            bar.set_length(total);
            bar.update(|state| state.set_pos(state.pos().max(done)));
        }
    }
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        self.0.iter().for_each(indicatif::ProgressBar::finish_and_clear);
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

fn bar(label: &str, unit: &str) -> indicatif::ProgressBar {
    let target = ProgressDrawTarget::stderr();
    let bar = indicatif::ProgressBar::with_draw_target(Some(0), target).with_prefix(label.to_owned());
    let template = format!("{{prefix}} {{bar:24}} {{percent:>3}}% of {{human_len}} {unit}, {{eta}} left");
    match ProgressStyle::with_template(&template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
