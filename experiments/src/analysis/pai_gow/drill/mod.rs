//! Drills on hands that house ways get wrong. They repeat the player's own mistakes at growing intervals.

mod hands;
mod question;
mod record;

pub use hands::HandSource;
pub use question::Question;
pub use record::{Answer, DrillRecord, Score};
