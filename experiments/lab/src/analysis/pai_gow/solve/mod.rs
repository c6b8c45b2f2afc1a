//! Enumerating all deals for a pair of strategies, with shards and files.
//!
//! - [`EnumerationOptions`] are the options of `houseway solve` for these features.
//! - [`merge()`] adds up the shards of a game.
//! - [`strategy_table`] has strategies stored in files with one byte per class.
//! - [`mixed_file`] has mixed strategies stored in Parquet files.
//! - `classes` writes all classes with the counts of all their settings as a Parquet file.

mod classes;
mod enumeration;
pub mod mixed_file;
pub mod strategy_table;

pub use enumeration::{EnumerationOptions, MACHINE, machine, merge};

use houseway_exact::pai_gow::{NamedStrategy, StrategyFormat, register_strategy_format};

static TABLE: StrategyFormat = StrategyFormat {
    about: "a strategy table that 'houseway solve --strategy' wrote",
    is_one: strategy_table::is_one,
    read: |path, game| strategy_table::load(path, game).map(NamedStrategy::Exact),
};

static MIXED: StrategyFormat = StrategyFormat {
    about: "a mixed strategy that 'houseway equilibrium' wrote (Parquet)",
    is_one: mixed_file::is_one,
    read: |path, game| mixed_file::load(path, game).map(|table| NamedStrategy::Exact(table.into())),
};

/// Registers the formats of strategies in files, so that such files can be used wherever a strategy is expected. This must
/// be called once before running a command.
pub fn register() {
    register_strategy_format(&TABLE);
    register_strategy_format(&MIXED);
}
