//! How far a count is, for whoever waits.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};

/// A bar on standard error if that is a terminal; nothing otherwise.
pub struct Bar(Option<ProgressBar>);

impl Bar {
    /// A bar of hands with this label.
    pub fn new(label: &str) -> Bar {
        Bar::of(label, "hands")
    }

    /// A bar with this label, of things with this name.
    pub fn of(label: &str, things: &str) -> Bar {
        Bar(io::stderr().is_terminal().then(|| bar(label, things)))
    }

    /// Shows how many are done and how many there are. Threads may tell it in any order: it never goes back.
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

fn bar(label: &str, things: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr()).with_prefix(label.to_owned());
    let template = format!("{{prefix}} {{bar:24}} {{percent:>3}}% of {{human_len}} {things}, {{eta}} left");
    match ProgressStyle::with_template(&template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
