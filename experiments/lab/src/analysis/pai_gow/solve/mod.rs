//! Enumerating all deals for a pair of strategies, with shards, files, and resumption.
//!
//! - [`EXTENSION`] offers these features as options of `houseway solve`.
//! - [`count_resumable`] enumerates deals in pieces and survives interruptions.
//! - [`merge()`] adds up the shards of a game.
//! - [`StrategyTable`] is a strategy stored in a file with one byte per class.
//! - [`MixedFile`] is a mixed strategy stored in a Parquet file.
//! - [`ClassesWriter`] writes all classes with the counts of all their settings as a Parquet file.

mod classes;
mod extension;
mod merge;
mod mixed_file;
mod resume;
mod strategy_file;
mod strategy_table;

pub use classes::ClassesWriter;
pub use extension::EXTENSION;
pub use merge::merge;
pub use mixed_file::MixedFile;
pub use resume::count_resumable;
pub use strategy_table::{StrategySink, StrategyTable};
