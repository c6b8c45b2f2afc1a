//! Setting Pai Gow Poker hands, either as the player against a banker or as the bank.
//!
//! Every candidate setting of a hand is a row of the encoding
//! [`candidates`](houseway_env::pai_gow::observe::candidates), and a small network scores all of them with the same
//! weights. Full information comes from [`Deals`], which consist of a hand and many hands of the other side dealt from
//! the remaining cards.

mod deals;
mod hands;
mod strategy;
mod task;

pub use deals::{BankDeals, Deals, PlayerDeals};
pub use hands::{Among, encode};
pub use strategy::LearnedStrategy;
pub use task::{SettingTask, TASK, defaults, make};
