//! All deals for a pair of strategies: shards, files and resumption.
//!
//! - [`EXTENSION`]: these as options of `houseway solve`.
//! - [`count_resumable`]: an enumeration in pieces that survive an interruption.
//! - [`merge()`]: adds up the shards of a game.
//! - [`StrategyTable`]: any strategy as a file of one byte per class.
//! - [`ClassesWriter`]: all classes with the counts of all their settings, as a Parquet file.

mod classes;
mod extension;
mod merge;
mod resume;
mod strategies;
mod strategy_sink;
mod strategy_table;

pub use classes::{ClassesError, ClassesWriter};
pub use extension::EXTENSION;
pub use merge::{MergeError, merge};
pub use resume::{ResumeError, count_resumable};
pub use strategy_sink::StrategySink;
pub use strategy_table::{StrategyTable, StrategyTableError};
