//! Pai Gow Poker, counted.
//!
//! - [`BankerTable`]: how a banker's strategy sets each of the 292,253 profiles of hands: what counting goes over.
//! - [`HandCounter`]: all 21 settings of one hand against every banker hand, in less than a millisecond.
//! - [`whole`]: every class of hands and all deals, in seconds.
//! - [`audit`]: where a house way costs money, exactly.
//! - [`slow`]: the same by plain enumeration, the yardstick of everything here.
//! - [`banking`]: what the bank of a table is worth, and how to set and to bet as a banker.
//! - [`PowerRating`]: a published rule of thumb, as a strategy to compare with.
//! - [`HighestFront`], [`HighestBack`], [`AnyLegal`]: simple strategies to count against.
//!
//! - [`ClassTable`]: any strategy as a table over all classes, such as the best answer to another one.
//!
//! Which strategies can be counted *against*:
//! - Those for which what they make of a hand depends on its [`Profile`](houseway_env::cards::profile::Profile) alone, as
//!   [`BankerTable`]s: the fast way. Every house way is one, by its type
//!   ([`ProfileStrategy`](houseway_env::pai_gow::ProfileStrategy)); [`BankerTable::of_strategy`] finds out for any other
//!   strategy, and refuses those that look at more.
//! - All others that treat suits alike, as [`ClassTable`]s, by [`whole::Whole::against_table`]: the optimum, a best answer, a
//!   learned network. A table that fouls is refused.
//!
//! The strategy that is *counted* may be anything that treats suits alike.

pub mod audit;
mod banker;
pub mod banking;
mod hand;
mod power_rating;
mod simple;
pub mod slow;
mod table;
pub mod whole;

pub use banker::{BankerTable, ProfileError};
pub use hand::{HandCounter, HandCounts, SettingCounts};
pub use power_rating::PowerRating;
pub use simple::{AnyLegal, HighestBack, HighestFront};
pub use table::{ClassTable, ClassTableError};

/// Hands that the banker can hold once the player's seven cards are known: C(46,7).
pub const BANKER_HANDS: u64 = 53_524_680;
