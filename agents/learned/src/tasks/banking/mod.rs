//! Decisions about banking: when to take the bank, how much to stake, and how much to bet.
//!
//! A [`BankOffer`] contains everything a seat sees when it is offered the bank, namely its own bet and chips and every
//! other player's bet and known strategy. The network reads one row per answer and learns two values, the profit and
//! the log growth of the chips, by regression on the [`rewards`] of all answers. A [`LearnedBanker`] chooses answers by
//! either value (see [`Objective`]) and picks the bet whose best answer is worth the most. Setting hands as the bank is
//! a separate task, learned from [`BankDeals`](super::pai_gow::BankDeals).

mod banker;
mod features;
mod raw;
mod rewards;
mod rows;
mod situation;
mod task;

pub use banker::{LearnedBanker, Objective};
pub use features::OfferFeatures;
pub use rewards::rewards;
pub use situation::{
    ANSWERS, BankOffer, BankingTable, MAX_OTHERS, MAX_WAYS, OtherBet, SeatStrategy, TAKE_ALL, draw_bet,
};
pub use task::{BankingTask, defaults};
