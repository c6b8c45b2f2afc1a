//! Setting Pai Gow Poker hands, either as a player against a banker or as the bank.
//!
//! Each candidate setting of a hand is one row in the [`candidates`](houseway_env::pai_gow::observe::candidates)
//! encoding, and a small network scores every row with the same weights. For full information, [`Deals`] provide a hand
//! and many opposing hands from the remaining cards.

mod deals;
mod hands;
mod strategy;
mod task;

pub use deals::{BankDeals, Deals, PlayerDeals, ProfileMixture, Seat, SelfPlayDeals};
pub use hands::{Among, encode};
pub use strategy::LearnedStrategy;
pub use task::{SettingTask, TASK, defaults, make};
