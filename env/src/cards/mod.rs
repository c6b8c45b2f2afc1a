//! Cards, sets of cards, and the two ways in which hands are alike.
//!
//! - [`Card`], [`Rank`], [`Suit`], and [`CardSet`], one `u64` for any set of cards of a deck of up to 54.
//! - Text: `"As Kd Jk 7c"` parses with [`str::parse`] into a [`CardSet`], and every type prints in the same form.
//! - [`classes`]: hands equal up to a permutation of suits, with a dense index of the 6,972,147 seven-card classes.
//! - [`profile`]: hands equal once the suits that cannot make a flush are forgotten: 292,253 profiles, on which every
//!   strength of every setting depends.
//! - [`Pack`]: a pack to draw from, 52 cards with no, one or two jokers.
//! - [`combinations`]: all subsets of a given size, for the slow and obvious proofs.

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
