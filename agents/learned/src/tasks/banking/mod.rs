//! Deciding when to take the bank, with which stake, and how much to bet.
//!
//! A [`BankOffer`] contains everything that a seat sees when it is offered the bank: its own bet and chips, and the bet
//! and known strategy of every other player. The network reads a row for each answer and learns two values by
//! regression on the [`rewards`] of all answers: the profit and the log growth of the chips. [`LearnedBanker`] chooses
//! answers by either value ([`Objective`]) and bets the amount with the most valuable answer. How to set hands as the
//! bank is learned from [`BankDeals`](super::pai_gow::BankDeals).

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
