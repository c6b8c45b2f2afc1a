//! Exact evaluation of Pai Gow Poker.
//!
//! - [`HandEvaluator`]: evaluates all 21 settings of a hand against every banker hand, in less than a millisecond.
//! - [`whole`]: evaluates every class of hands and all deals, in seconds.
//! - [`BankerTable`]: an opponent's strategy, tabulated over the 292,253 profiles.
//! - [`ClassTable`]: any strategy, such as a best response, tabulated over all classes.
//! - [`audit`]: the EV lost by a house way, in total, by group of hands and by rule.
//! - [`banking`]: EV and variance of banking, and the banker's optimal settings and bets.
//! - [`matchup`]: evaluates a pair of strategies over all deals.
//! - [`load_strategies`]: loads house ways, and strategies in files of [registered formats](StrategyFormat), by name.
//! - [`slow`]: reference implementation by brute-force enumeration.
//! - [`count_against_random`]: evaluates a hand against a banker who sets uniformly at random.
//! - [`PowerRating`]: a published heuristic, for comparison.
//! - [`AnyLegal`]: an arbitrary strategy for tests.
//!
//! Supported opponents:
//! - Strategies that depend only on the [`Profile`](houseway_env::cards::profile::Profile) of a hand, as
//!   [`BankerTable`]s. This is the fastest form. House ways qualify by their type
//!   ([`ProfileStrategy`](houseway_env::pai_gow::ProfileStrategy)), and [`BankerTable::from_strategy`] checks any other
//!   strategy.
//! - All other suit-isomorphic strategies, as [`ClassTable`]s, with [`whole::FullGame::against_table`]. Examples are
//!   the optimum, a best response and a learned network. A table that fouls is rejected.
//!
//! The evaluated strategy itself may be any suit-isomorphic one.

pub mod audit;
mod banker;
pub mod banking;
mod evaluation;
mod exact_game;
mod hand;
mod hand_answer;
pub mod matchup;
mod policy;
mod power_rating;
mod random;
pub mod search;
mod side;
mod simple;
pub mod slow;
mod solver;
mod strategies;
mod table;
pub mod whole;

pub use banker::{BankerTable, ProfileError};
pub use hand::{HandCounts, HandEvaluator, SettingCounts};
pub use power_rating::PowerRating;
pub use random::{RANDOM, count_against_random};
pub use side::{Side, Ties};
pub use simple::AnyLegal;
pub use solver::{SOLVER, random_needs_a_strategy, random_side};
pub use strategies::{
    ExactStrategy, NamedStrategy, StrategyFormat, WAY_PREFIX, is_strategy_file, load_strategies, load_ways,
    register_strategy_format, unknown_strategy,
};
pub use table::{ClassTable, ClassTableError};

/// Number of hands that the banker can hold given the player's seven cards: C(46,7).
pub const BANKER_HANDS: u64 = 53_524_680;
