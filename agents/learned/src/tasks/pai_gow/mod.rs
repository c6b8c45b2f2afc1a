//! Setting hands of Pai Gow Poker, as the player against a banker or as the bank.
//!
//! Every candidate setting of a hand is a row of the encoding
//! [`candidates`](houseway_env::pai_gow::observe::candidates), and one small network scores all of them with the same
//! weights. Full information comes from [`Deals`]: a hand, and many hands of the other side on the cards that it
//! leaves.

mod deals;
mod hands;
mod strategy;
mod task;

pub use deals::{BankDeals, Deals, PlayerDeals};
pub use hands::{Among, encode};
pub use strategy::LearnedStrategy;
pub use task::{SettingTask, TASK, defaults, make};
