//! Pai Gow Poker, counted.
//!
//! - [`BankerTable`]: how a banker's strategy sets each of the 292,253 profiles of hands: what counting goes over.
//! - [`HandCounter`]: all 21 settings of one hand against every banker hand, in less than a millisecond.
//! - [`whole`]: every class of hands and all deals, in seconds.
//! - [`slow`]: the same by plain enumeration, the yardstick of everything here.
//! - [`HighestFront`], [`HighestBack`], [`AnyLegal`]: simple strategies to count against.
//!
//! Which strategies can be the banker: those that implement
//! [`ProfileStrategy`](houseway_env::pai_gow::ProfileStrategy), so that what they make of a hand depends on its
//! [`Profile`](houseway_env::cards::profile::Profile) alone. Every house way does.

mod banker;
mod hand;
mod simple;
pub mod slow;
pub mod whole;

pub use banker::BankerTable;
pub use hand::{HandCounter, HandCounts, SettingCounts};
pub use simple::{AnyLegal, HighestBack, HighestFront};

/// Hands that the banker can hold once the player's seven cards are known: C(46,7).
pub const BANKER_HANDS: u64 = 53_524_680;
