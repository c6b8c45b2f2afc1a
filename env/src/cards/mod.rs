//! Cards, card sets, and equivalence classes of hands.
//!
//! - [`Card`] is a card with its [`Rank`] and [`Suit`]. [`CardSet`] stores a set of cards in a single `u64`.
//! - Cards are parsed from strings such as `"As Kd Jk 7c"` and displayed in the same form.
//! - [`classes`] groups hands that are equal up to a permutation of suits and provides a dense index of the 6,972,147
//!   seven-card classes.
//! - [`profile`] also groups hands that differ only in suits that can't make a flush. Each of the 292,253 profiles
//!   determines the strengths of all settings.
//! - [`Pack`] is a pack to draw from, with 52 cards and up to two jokers, or with other pieces.
//! - [`combinations`] enumerates fixed-size subsets, for reference implementations and tests.

mod card;
pub mod classes;
pub mod combinations;
pub mod key;
mod pack;
pub mod profile;
mod text;

pub(crate) use card::gather;
pub use card::{Card, CardSet, Rank, Suit};
pub use pack::Pack;
pub(crate) use text::impl_hand_text;
