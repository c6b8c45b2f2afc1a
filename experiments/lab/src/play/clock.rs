//! The time limit for decisions.

use super::session::Session;
use std::time::{Duration, Instant};

/// A clock that limits the time for each decision, as long as the game can make the decision without the player.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    limit: Option<Duration>,
    /// The open decision and its deadline. The decision is identified by its round and its number in that round.
    open: Option<((u64, usize), Instant)>,
}

impl Clock {
    /// Creates a clock. Without a limit, it never runs.
    pub fn new(limit: Option<Duration>) -> Clock {
        Clock { limit, open: None }
    }

    /// Returns the time left for the open decision, or `None` if its time isn't limited. The clock starts when this is
    /// first called for a decision.
    pub fn left(&mut self, session: &Session) -> Option<Duration> {
        let limit = self.limit.filter(|_| session.late_action().is_some())?;
        let place = (session.record().rounds, session.decisions().len());
        let end = match self.open {
            Some((open, end)) if open == place => end,
            _ => Instant::now() + limit,
        };
        self.open = Some((place, end));
        Some(end.saturating_duration_since(Instant::now()))
    }
}
