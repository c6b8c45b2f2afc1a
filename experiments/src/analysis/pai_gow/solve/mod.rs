//! Enumeration of all deals for a pair of strategies: shards, files and resumption.
//!
//! - [`EXTENSION`]: these features as options of `houseway solve`.
//! - [`count_resumable`]: an enumeration in pieces that survives interruptions.
//! - [`merge()`]: adds up the shards of a game.
//! - [`StrategyTable`]: a strategy as a file with one byte per class.
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
