//! Time limit for decisions.

use super::session::{Phase, Session};
use std::time::{Duration, Instant};

/// Limits the time for each decision that the house's strategy could make instead.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    limit: Option<Duration>,
    /// Round number, number of the decision in that round, and its deadline.
    open: Option<((u64, usize), Instant)>,
}

impl Clock {
    /// Creates a clock, which never runs if there is no limit.
    pub fn new(limit: Option<Duration>) -> Clock {
        Clock { limit, open: None }
    }

    /// Returns the time left for the open decision, or `None` if no clock is running. The clock starts at the first
    /// call for a decision.
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
