//! Ranking of hands: strengths as small ordered integers.
//!
//! - [`Ranking`]: strength of five cards and of two, with or without the joker, under the readings of [`FiveRules`].
//! - [`TwoStrength`]: strength of the two-card front.
//! - [`BestOfSeven`]: strength of the best five of seven natural cards, with three look-ups.
//! - [`Category`]: categories of five cards. [`SevenCategory`], [`Holdings`]: the hands that seven cards hold, three pairs and
//!   seven-card straight flushes included.
//!
//! A larger number is the better hand and equal numbers are an exact tie, so settling is comparing integers.
//! Rules name the order: by default that of Pai Gow Poker, see [`pai_gow`](crate::pai_gow); [`FiveRules::POKER`] is that of
//! poker as it is played everywhere.

mod best;
mod category;
mod five;
mod seven;
mod two;

pub use best::BestOfSeven;
pub use category::{Category, SevenCategory};
pub use five::{FiveRules, FiveStrength, JokerInFlush, JokerUse, Ranking, WheelStraight, WheelStraightFlush};
pub use seven::{Holdings, HoldingsTable};
pub use two::TwoStrength;
