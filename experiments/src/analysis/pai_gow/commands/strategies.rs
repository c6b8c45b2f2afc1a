//! Strategies as commands take them: 'optimal', a house way by name or file, or the file of a strategy table.

use super::ways::compile;
use crate::analysis::pai_gow::solve::{Given, OPTIMAL, StrategyTable};
use crate::console::{Failure, GameOptions, OrUsage, Outcome};
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use std::path::Path;

/// What a side can be.
const STRATEGIES: &str = "a side is the name or file of a house way, the file of a strategy table, or 'optimal'";

/// A side's strategy.
pub(crate) enum Strategy {
    /// The best answer to the other side.
    Optimal,
    /// A house way.
    Way(Box<HouseWay>),
    /// A table over all classes.
    Table(StrategyTable),
}

impl Strategy {
    /// The strategy, unless it is the best answer to another one.
    pub(crate) fn given(&self) -> Option<Given<'_>> {
        match self {
            Strategy::Optimal => None,
            Strategy::Way(way) => Some((&**way).into()),
            Strategy::Table(table) => Some(table.into()),
        }
    }
}

impl GameOptions {
    /// Strategies by name or file, house ways among them with the readings chosen.
    ///
    /// # Errors
    /// If there is no such strategy, it cannot be played under the rules, or nobody has such a reading.
    pub(crate) fn strategies<const N: usize>(&self, names: [&str; N], game: &Game) -> Outcome<[Strategy; N]> {
        let is_table = |name: &str| !Way::is_built_in(name) && StrategyTable::is_one(Path::new(name));
        let of_ways: Vec<&str> = names.into_iter().filter(|&name| name != OPTIMAL && !is_table(name)).collect();
        for name in &of_ways {
            Way::load(name).map_err(|error| Failure::usage(format!("{error}; {STRATEGIES}")))?;
        }
        let mut ways = self.list_of_ways(&of_ways)?.into_iter();
        let mut strategies = Vec::with_capacity(N);
        for name in names {
            strategies.push(match name {
                OPTIMAL => Strategy::Optimal,
                name if is_table(name) => Strategy::Table(StrategyTable::load(Path::new(name), game).or_usage()?),
                _ => Strategy::Way(Box::new(compile(ways.next().expect("one way for each name"), game)?)),
            });
        }
        Ok(strategies.try_into().unwrap_or_else(|_| unreachable!("one strategy for each name")))
    }
}
