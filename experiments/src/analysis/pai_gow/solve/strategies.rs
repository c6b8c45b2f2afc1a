//! Strategies by name: 'optimal', 'random', a house way by name or file, or the file of a strategy table.

use super::strategy_table::StrategyTable;
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_exact::pai_gow::matchup::{Given, OPTIMAL};
use houseway_exact::pai_gow::{RANDOM, load_ways};
use houseway_exact::solver::SolverError;
use std::path::Path;

/// Remedy for an unknown strategy.
const STRATEGIES: &str = "a side is the name or file of a house way, the file of a strategy table, 'optimal' or \
     'random'";

/// The strategy of a side.
pub(super) enum SideStrategy {
    /// The best response to the other side.
    Optimal,
    /// A legal setting uniformly at random.
    Random,
    /// A house way.
    Way(Box<HouseWay>),
    /// A table over all classes.
    Table(StrategyTable),
}

impl SideStrategy {
    /// The strategy, unless it is a best response or random.
    pub(super) fn given(&self) -> Option<Given<'_>> {
        match self {
            SideStrategy::Optimal | SideStrategy::Random => None,
            SideStrategy::Way(way) => Some((&**way).into()),
            SideStrategy::Table(table) => Some(table.into()),
        }
    }
}

/// Strategies by name or file, house ways with the options that the assignments choose.
pub(super) fn load<const N: usize>(
    names: [&str; N],
    assignments: &[String],
    game: &Game,
) -> Result<[SideStrategy; N], SolverError> {
    let is_table = |name: &str| !Way::is_built_in(name) && StrategyTable::is_one(Path::new(name));
    let of_ways: Vec<&str> =
        names.into_iter().filter(|&name| name != OPTIMAL && name != RANDOM && !is_table(name)).collect();
    for name in &of_ways {
        Way::load(name).map_err(|error| SolverError::Invalid(format!("{error}; {STRATEGIES}")))?;
    }
    let mut ways = load_ways(&of_ways, assignments)?.into_iter();
    let mut strategies = Vec::with_capacity(N);
    for name in names {
        strategies.push(match name {
            OPTIMAL => SideStrategy::Optimal,
            RANDOM => SideStrategy::Random,
            name if is_table(name) => {
                SideStrategy::Table(StrategyTable::load(Path::new(name), game).map_err(SolverError::invalid)?)
            }
            _ => {
                let way = ways.next().expect("there is a house way for each name");
                SideStrategy::Way(Box::new(HouseWay::compile(way, game).map_err(SolverError::invalid)?))
            }
        });
    }
    Ok(strategies.try_into().unwrap_or_else(|_| unreachable!("there is a strategy for each name")))
}
