//! Exact evaluation of Pai Gow Poker.
//!
//! - [`HandEvaluator`] evaluates all 21 settings of a hand against every banker hand, in less than a millisecond.
//! - [`KnownCards`] is a hand with dead cards, which the banker can't hold.
//! - [`whole`] evaluates every hand class and all deals, in seconds.
//! - [`BankerTable`] holds an opponent's strategy as a table over the 292,253 profiles, for strategies that depend only on
//!   a hand's profile, such as house ways ([`ProfileStrategy`](houseway_env::pai_gow::ProfileStrategy)).
//! - [`ClassTable`] holds any strategy, such as a best response, as a table over all classes.
//! - [`MixedTable`] holds a mixed strategy over profiles, with integer weights.
//! - [`Tabulated`] is a strategy in any of these three forms.
//! - [`audit`] computes how much EV a house way loses: in total, per group of hands, and per rule.
//! - [`banking`] computes the EV and variance of banking, and the banker's optimal settings and bets.
//! - [`equilibrium`] computes mixed strategies for both sides, with exact bounds for the value of the game.
//! - [`face_up`] solves Face Up Pai Gow Poker against any house way that the dealer uses.
//! - [`matchup`] evaluates a pair of strategies over all deals.
//! - [`load_strategies`] loads house ways, and strategies in files with a [registered format](StrategyFormat), by name.
//! - [`count_against_random`] evaluates a hand against a banker who sets uniformly at random, and
//!   [`count_against_mixed`] against a mixed strategy.
//! - [`PowerRating`] is a published heuristic that serves as a baseline. [`NoCardRemoval`] is the best strategy that
//!   ignores the cards that the player holds.

pub mod audit;
mod banker;
pub mod banking;
mod baselines;
mod enumerate;
pub mod equilibrium;
mod evaluation;
pub mod face_up;
mod hand;
mod hand_answer;
mod known;
pub mod matchup;
mod mixed;
mod outcomes;
mod policy;
pub mod search;
mod solver;
mod strategies;
mod table;
#[cfg(test)]
mod tests;
pub mod whole;

pub use banker::BankerTable;
pub use baselines::{NoCardRemoval, PowerRating};
pub use hand::{HandCounts, HandEvaluator, LowerHalves};
pub use hand_answer::{Mixture, hand_answer, hand_counts};
pub use known::KnownCards;
pub use mixed::{MixedTable, count_against_mixed, count_against_random};
pub use outcomes::{BANKER_HANDS, DEALS, HANDS, MAX_LOSS, Side, Ties};
pub use policy::SettingValues;
pub use solver::{NO_PUSH, SOLVER, TOPICS, outcomes_by_row, setting_with_front};
pub use strategies::{
    NamedStrategy, RANDOM, StrategyFormat, WAY_PREFIX, choose_readings, is_strategy_file, load_strategies, load_ways,
    register_strategy_format, unknown_strategy, with_assignments,
};
pub use table::{ClassTable, Tabulated};
#[cfg(test)]
pub(crate) use tests::slow::{self, AnyLegal};
