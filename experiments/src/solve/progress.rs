//! How far a count is, for whoever waits.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};

/// A bar on standard error if that is a terminal; nothing otherwise.
pub struct Bar(Option<ProgressBar>);

impl Bar {
    /// A bar with this label.
    pub fn new(label: &str) -> Bar {
        Bar(io::stderr().is_terminal().then(|| bar(label)))
    }

    /// Shows hands done and hands in all. Threads may tell it in any order: it never goes back.
    pub fn tell(&self, done: u64, all: u64) {
        if let Some(bar) = &self.0 {
            bar.set_length(all);
            bar.update(|state| state.set_pos(state.pos().max(done)));
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.iter().for_each(ProgressBar::finish_and_clear);
    }
}

fn bar(label: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr()).with_prefix(label.to_owned());
    match ProgressStyle::with_template("{prefix} {bar:24} {percent:>3}% of {human_len} hands, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
