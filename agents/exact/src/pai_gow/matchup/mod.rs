//! All deals for a pair of strategies.
//!
//! - [`Pair`]: the strategies of player and banker. At most one side is optimal: the best response to the other.
//! - [`Pass`]: a pair prepared for enumeration.
//! - [`RandomPair`]: a given strategy and a side that sets uniformly at random.
//! - [`Question`]: the pair and the rules as data; results of equal questions belong together.
//! - [`PairTotals`]: a question with its integers; JSON in and out.
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

/// All deals of the game: C(53,7) hands of the player, C(46,7) of the banker for each.
pub const DEALS: u64 = 8_250_459_031_214_400;
