//! What beats what: strengths of hands as small ordered integers.
//!
//! - [`Ranking`]: strength of five cards with or without the half-wild joker, under the readings of [`FiveRules`].
//! - [`TwoStrength`]: strength of the two-card front.
//! - [`SevenCategory`], [`Holdings`]: what seven cards hold, three pairs and seven-card straight flushes included.
//!
//! A larger number is the better hand and equal numbers are an exact tie, so settling is comparing integers.
//! Rules: `pai-gow-poker.md`, "Five-card ranking".

mod five;
mod seven;
mod two;

pub use five::{Category, FiveRules, FiveStrength, JokerInFlush, Ranking, WheelStraightFlush};
pub use seven::{Holdings, HoldingsTable, SevenCategory};
pub use two::TwoStrength;
