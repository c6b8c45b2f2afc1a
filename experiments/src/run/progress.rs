//! Progress bar of a long computation.

use indicatif::{ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};

/// Progress bar on standard error, if that is a terminal; nothing otherwise.
pub struct ProgressBar(Option<indicatif::ProgressBar>);

impl ProgressBar {
    /// Creates a bar with a label and a unit, such as "hands" or "boards".
    pub fn new(label: &str, unit: &str) -> ProgressBar {
        ProgressBar(io::stderr().is_terminal().then(|| bar(label, unit)))
    }

    /// Shows the position. Threads may report in any order; the bar never moves backwards.
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

fn bar(label: &str, unit: &str) -> indicatif::ProgressBar {
    let target = ProgressDrawTarget::stderr();
    let bar = indicatif::ProgressBar::with_draw_target(Some(0), target).with_prefix(label.to_owned());
    let template = format!("{{prefix}} {{bar:24}} {{percent:>3}}% of {{human_len}} {unit}, {{eta}} left");
    match ProgressStyle::with_template(&template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
