//! The whole game for a pair of strategies, as commands use it: asked, counted, written, read again, added up.
//!
//! - [`Pair`]: who plays whom. One side at most is optimal, and answers the other.
//! - [`Pass`]: a pair ready to be counted; [`count_resumable`] counts it in pieces that outlive an interruption.
//! - [`Question`]: the same as data: what decides the numbers, and with that which results belong together.
//! - [`Answer`]: a question with its integers; JSON in and out.
//! - [`Part`] and [`merge()`]: a game in shards, for any number of machines, and one again.
//! - [`StrategyTable`]: any strategy as a file of one byte a class.
//! - [`ClassesWriter`]: all classes with the counts of all their settings, as a Parquet file for others to load.
//!
//! Any strategy that treats suits alike can be counted on either side: house ways, tables, and the optimum against either.

mod answer;
mod class_sink;
mod classes;
mod merge;
mod pair;
mod part;
mod question;
mod resume;
mod strategy_sink;
mod strategy_table;
mod text;

pub use answer::{Answer, AnswerError};
pub use class_sink::ClassSink;
pub use classes::{ClassesError, ClassesWriter};
pub use merge::{MergeError, merge};
pub use pair::{Given, OPTIMAL, Pair, Pass};
pub use part::{Part, PartError};
pub use question::{Bank, Question};
pub use resume::{ResumeError, count_resumable};
pub use strategy_sink::StrategySink;
pub use strategy_table::{StrategyTable, StrategyTableError};
