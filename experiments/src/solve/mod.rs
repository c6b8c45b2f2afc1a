//! The whole game for a pair of strategies, as commands use it: asked, counted, written, read again, added up.
//!
//! - [`Pair`]: who plays whom. One side at most is optimal, and answers the other.
//! - [`Question`]: the same as data: what decides the numbers, and with that which results belong together.
//! - [`Answer`]: a question with its integers; JSON in and out.
//! - [`Part`] and [`merge()`]: a game in shards, for any number of machines, and one again.
//! - [`Bar`]: how far a count is.
//! - [`claim`]: the return to player that the source states, put to the test.
//!
//! Which strategies can be counted: house ways on either side, and the optimum against one of them. Tables of other
//! strategies cannot be read yet.

mod answer;
pub mod claim;
mod merge;
mod pair;
mod part;
mod progress;
mod text;

pub(crate) use answer::ratio_json;
pub use answer::{Answer, AnswerError};
pub use merge::{MergeError, merge};
pub use pair::{Bank, OPTIMAL, Pair, Question};
pub use part::{Part, PartError};
pub use progress::Bar;
pub use text::{grouped, instructions_name, percent};

/// All deals of the game: C(53,7) hands for the player, C(46,7) for the banker with each.
pub const DEALS: u64 = 8_250_459_031_214_400;
