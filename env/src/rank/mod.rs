//! Hand strengths as small ordered integers.
//!
//! - [`Ranking`]: strength of five cards and of two cards, with or without the joker, under the readings of
//!   [`FiveRules`].
//! - [`TwoStrength`]: strength of the two-card front.
//! - [`BestOfSeven`]: strength of the best five of seven natural cards, with three look-ups.
//! - [`Category`]: categories of five cards. [`SevenCategory`], [`Holdings`]: all hands that seven cards contain,
//!   including three pairs and seven-card straight flushes.
//!
//! A larger number is the better hand and equal numbers are an exact tie. The order depends on the rules: the default
//! is that of Pai Gow Poker, see [`pai_gow`](crate::pai_gow); [`FiveRules::POKER`] is standard poker.

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
