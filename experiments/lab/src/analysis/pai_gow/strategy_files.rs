//! Strategies stored in files: strategy tables and mixed strategies.

use super::solve::{MixedFile, StrategyTable};
use houseway_env::pai_gow::Game;
use houseway_exact::pai_gow::{NamedStrategy, StrategyFormat, register_strategy_format};
use std::path::Path;

static TABLE: StrategyFormat = StrategyFormat {
    about: "a strategy table that 'houseway solve --strategy' wrote",
    is_one: StrategyTable::is_one,
    read: read_table,
};

static MIXED: StrategyFormat = StrategyFormat {
    about: "a mixed strategy that 'houseway equilibrium' wrote (Parquet)",
    is_one: MixedFile::is_one,
    read: read_mixed,
};

/// Registers these file formats, so that such files can be used wherever a strategy is expected.
pub fn register() {
    register_strategy_format(&TABLE);
    register_strategy_format(&MIXED);
}

fn read_table(path: &Path, game: &Game) -> Result<NamedStrategy, String> {
    StrategyTable::load(path, game).map(NamedStrategy::Exact)
}

fn read_mixed(path: &Path, game: &Game) -> Result<NamedStrategy, String> {
    MixedFile::load(path, game).map(|table| NamedStrategy::Exact(table.into()))
}
