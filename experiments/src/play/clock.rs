//! The clock of a decision.

use super::session::{Phase, Session};
use std::time::{Duration, Instant};

/// Limits the time of each decision in which the house's strategy could play instead.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    limit: Option<Duration>,
    /// Number of the round and of the decision in it, and its end.
    open: Option<((u64, usize), Instant)>,
}

impl Clock {
    /// Returns a clock; without a limit it never runs.
    pub fn new(limit: Option<Duration>) -> Clock {
        Clock { limit, open: None }
    }

    /// Returns the time left for the open decision; none if no clock runs. It starts when this is first asked.
    pub fn left(&mut self, session: &Session) -> Option<Duration> {
        let limit = self.limit.filter(|_| session.phase() == Phase::Deciding && session.house_action().is_some())?;
        let place = (session.record().rounds, session.decisions().len());
        let end = match self.open {
            Some((open, end)) if open == place => end,
            _ => Instant::now() + limit,
        };
        self.open = Some((place, end));
        Some(end.saturating_duration_since(Instant::now()))
    }
}
