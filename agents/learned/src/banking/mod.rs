//! When to take the bank, with what stake, how much to bet, and how to set as the bank: learned from what the table pays.
//!
//! A [`Situation`] is what a seat sees that is offered the bank: its own bet and chips, and of every other player the bet and
//! the way by which that player is known to set. A network (the [`Scorer`](crate::network::Scorer) that scores settings
//! elsewhere) has a row for each answer and learns two values of it, by regression on the [`rewards`] of all answers: the
//! profit, and the logarithm of the growth of the chips. [`LearnedBanker`] answers by the one or the other
//! ([`Objective`]), and bets what makes the answer worth most. How to set as the bank is learned from [`BankDeals`].

mod banker;
mod rewards;
mod rows;
mod setting;
mod situation;
mod train;

pub use banker::{LearnedBanker, Objective};
pub use rewards::rewards;
pub use setting::BankDeals;
pub use situation::{ANSWERS, BankingTable, MOST_OTHERS, MOST_WAYS, OtherBet, Setter, Situation, TAKE_ALL, draw_bet};
pub use train::{BankerTraining, train_banker};
