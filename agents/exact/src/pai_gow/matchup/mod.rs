//! Evaluation of a pair of strategies over all deals.
//!
//! - [`Pair`]: the strategies of player and banker. At most one side is optimal, that is, the best response to the
//!   other.
//! - [`Pass`]: a pair prepared for enumeration.
//! - [`RandomPair`]: a given strategy against a side that sets uniformly at random.
//! - [`Question`]: the pair and the rules as data. Results of equal questions can be combined.
//! - [`PairTotals`]: the outcome counts of a question, with conversion from and to JSON.
//!
//! Any suit-isomorphic strategy can be on either side: house ways, tables, and the best response to either.

mod class_sink;
mod pair;
mod question;
mod random;
mod sections;
mod totals;

pub use class_sink::ClassSink;
pub use pair::{Given, HashedTable, OPTIMAL, Pair, Pass};
pub use question::{BankedBy, Question};
pub use random::RandomPair;
pub use totals::{PairTotals, PairTotalsError};

/// Number of deals of the game: C(53,7) player hands times C(46,7) banker hands.
pub const DEALS: u64 = 8_250_459_031_214_400;
