//! When to take the bank, with which stake, and how much to bet.
//!
//! A [`BankOffer`] is everything that a seat sees when it is offered the bank: its own bet and chips, and of every
//! other player the bet and the strategy by which that player is known to set. A network has a row for each answer and
//! learns two values of it, by regression on the [`rewards`] of all answers: the profit, and the logarithm of the
//! growth of the chips. [`LearnedBanker`] answers by either ([`Objective`]), and bets the amount with the most valuable
//! answer. How to set as the bank is learned from [`BankDeals`](super::pai_gow::BankDeals).

mod banker;
mod rewards;
mod rows;
mod situation;
mod task;

pub use banker::{LearnedBanker, Objective};
pub use rewards::rewards;
pub use situation::{
    ANSWERS, BankOffer, BankingTable, MAX_OTHERS, MAX_WAYS, OtherBet, SeatStrategy, TAKE_ALL, draw_bet,
};
pub use task::{BankingTask, defaults};
