//! Hand strengths as small ordered integers.
//!
//! - [`Ranking`] computes the strengths of five-card and two-card hands, with or without the joker, under the readings
//!   in [`FiveRules`].
//! - [`TwoStrength`] is the strength of a two-card front.
//! - [`BestOfSeven`] computes the strength of the best five of seven natural cards with three lookups.
//! - [`Category`] lists the five-card categories. [`SevenCategory`] and [`Holdings`] describe all hands contained in
//!   seven cards, including three pairs and seven-card straight flushes.
//!
//! Larger numbers are better hands, and equal numbers are exact ties. The order depends on the rules. By default, these
//! are the rules of Pai Gow Poker (see [`pai_gow`](crate::pai_gow)). [`FiveRules::POKER`] is standard poker.

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
