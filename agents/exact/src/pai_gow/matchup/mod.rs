//! Evaluates a pair of strategies over all deals.
//!
//! - [`Pair`] contains the player's and the banker's strategy. At most one side is optimal, meaning that it plays the
//!   best response to the other.
//! - [`Pass`] is a pair that has been prepared for enumeration.
//! - [`WeightedPair`] is a pair in which a side plays a mixed strategy or sets uniformly at random.
//! - [`Question`] describes the pair and the rules as data. If two questions are equal, their results can be combined.
//! - [`PairTotals`] holds the outcome counts for a question and converts them to and from JSON.
//!
//! Either side can play any suit-isomorphic strategy, such as a house way, a table, a mixed strategy, or the best response
//! to any of them.

mod class_sink;
mod pair;
mod question;
mod sections;
mod totals;
mod weighted;

pub use class_sink::ClassSink;
pub use pair::{Given, GivenError, HashedTable, OPTIMAL, Pair, Pass};
pub use question::{BankedBy, Question};
pub use totals::{PairTotals, PairTotalsError};
pub use weighted::WeightedPair;

/// The number of deals in the game, which is C(53,7) player hands times C(46,7) banker hands.
pub const DEALS: u64 = 8_250_459_031_214_400;
