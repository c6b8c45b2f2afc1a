//! Cards, card sets, and equivalence classes of hands.
//!
//! - [`Card`], [`Rank`], [`Suit`], and [`CardSet`], a set of cards from a deck of up to 54 in one `u64`.
//! - Text: `"As Kd Jk 7c"` parses with [`str::parse`] into a [`CardSet`], and every type displays in the same form.
//! - [`classes`]: hands that are equal up to a permutation of suits, with a dense index of the 6,972,147 seven-card
//!   classes.
//! - [`profile`]: hands that are equal up to suits that cannot make a flush: 292,253 profiles, which determine the
//!   strengths of all settings.
//! - [`Pack`]: a pack to draw from, with 52 cards and zero, one or two jokers.
//! - [`combinations`]: subsets of a given size, for reference implementations and tests.

mod card;
pub mod classes;
pub mod combinations;
pub mod key;
mod pack;
pub mod profile;
mod set;
mod text;

pub use card::{Card, Rank, Suit};
pub use pack::Pack;
pub use set::CardSet;
pub use text::CardError;
pub(crate) use text::impl_hand_text;
