//! Strategies in the form in which they are evaluated exactly.

use super::banker::BankerTable;
use super::mixed::MixedTable;
use super::outcomes::Side;
use super::table::ClassTable;
use super::whole::{Pass, Play};
use crate::solver::SolverError;
use houseway_env::cards::profile::Profiles;
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{Dealt, Game, Hand, SetHand, Setting, Strategy};
use houseway_env::rules::short_hash;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// A strategy with its table. It can play either side, and passes can evaluate hands against it. Clones share the table.
#[derive(Clone)]
pub struct Tabulated {
    table: Table,
    way: Option<Arc<HouseWay>>,
    hash: Arc<OnceLock<String>>,
}

#[derive(Clone)]
enum Table {
    /// A pure strategy that only depends on profiles, like every house way.
    Profiles(Arc<BankerTable>),
    /// Any other suit-isomorphic strategy.
    Classes(Arc<ClassTable>),
    /// A mixed strategy.
    Mixed(Arc<MixedTable>),
}

impl From<Arc<HouseWay>> for Tabulated {
    fn from(way: Arc<HouseWay>) -> Tabulated {
        Tabulated { table: Table::Profiles(BankerTable::shared(&way)), way: Some(way), hash: Arc::default() }
    }
}

impl From<ClassTable> for Tabulated {
    fn from(table: ClassTable) -> Tabulated {
        Tabulated { table: Table::Classes(Arc::new(table)), way: None, hash: Arc::default() }
    }
}

impl From<MixedTable> for Tabulated {
    fn from(table: MixedTable) -> Tabulated {
        Tabulated { table: Table::Mixed(Arc::new(table)), way: None, hash: Arc::default() }
    }
}

impl Tabulated {
    /// Creates a strategy that only depends on profiles. `id` is its hash, or another identifier that only strategies
    /// with identical settings share.
    pub fn new(table: BankerTable, id: &str) -> Tabulated {
        let hash = Arc::new(OnceLock::from(id.to_owned()));
        Tabulated { table: Table::Profiles(Arc::new(table)), way: None, hash }
    }

    /// Returns the strategy's name.
    pub fn name(&self) -> &str {
        match &self.table {
            Table::Profiles(table) => table.name(),
            Table::Classes(table) => table.name(),
            Table::Mixed(table) => table.name(),
        }
    }

    /// Returns a house way's title, or any other strategy's name.
    pub fn title(&self) -> &str {
        self.way().map_or(self.name(), |way| way.way().title())
    }

    /// Returns the hash of the settings, which is computed on first use.
    pub fn hash(&self) -> &str {
        self.hash.get_or_init(|| match (&self.way, &self.table) {
            (_, Table::Classes(table)) => short_hash([table.settings()]),
            (_, Table::Mixed(table)) => table.hash(),
            (Some(way), _) => way.hash(),
            (None, Table::Profiles(_)) => unreachable!("a table over profiles is created with its hash"),
        })
    }

    /// Returns the house way, or `None` for any other strategy.
    pub fn way(&self) -> Option<&Arc<HouseWay>> {
        self.way.as_ref()
    }

    /// Returns the options chosen for the house way's readings.
    pub fn readings(&self) -> BTreeMap<String, String> {
        self.way().map(|way| way.way().chosen_options()).unwrap_or_default()
    }

    /// Returns the table over profiles of a pure strategy that only depends on them.
    pub fn profiles(&self) -> Option<&BankerTable> {
        if let Table::Profiles(table) = &self.table { Some(table) } else { None }
    }

    /// Returns the table of a mixed strategy.
    pub fn mixed(&self) -> Option<&MixedTable> {
        if let Table::Mixed(table) = &self.table { Some(table) } else { None }
    }

    /// Checks that the strategy is pure, for uses that need a single setting for every hand.
    ///
    /// # Errors
    /// Returns an error if it's a mixed strategy.
    pub fn check_pure(&self) -> Result<(), SolverError> {
        let Some(table) = self.mixed() else { return Ok(()) };
        Err(SolverError::Invalid(format!(
            "'{}' is a mixed strategy, which is not supported here because it has no single setting for a hand; use a pure \
             strategy, such as the strategy table (.safetensors) that 'houseway equilibrium' writes beside it",
            table.name()
        )))
    }

    /// Returns the strategy as the evaluated side plays it.
    pub fn play(&self) -> Play<'_> {
        match &self.table {
            Table::Profiles(table) => Play::Profiles(table),
            Table::Classes(table) => Play::Classes(table),
            Table::Mixed(table) => Play::Mixed(table),
        }
    }

    /// Prepares the evaluation of all hands on `side` against this strategy.
    ///
    /// # Errors
    /// Returns an error if the strategy is a table that fouls under the game's rules, or if these rules don't support
    /// tables.
    pub fn pass<'g>(&self, game: &'g Game, side: Side) -> Result<Pass<'g>, SolverError> {
        match &self.table {
            Table::Profiles(table) => Ok(Pass::new(game, side, table)),
            Table::Classes(table) => Pass::against_table(game, side, table),
            Table::Mixed(table) => Ok(Pass::against_mixed(game, side, table)),
        }
    }

    /// Returns a number that is higher if a pass against this strategy takes longer.
    pub(super) fn cost(&self) -> u8 {
        match &self.table {
            Table::Profiles(_) => 0,
            Table::Mixed(_) => 1,
            Table::Classes(_) => 2,
        }
    }

    /// Sets a hand. For a mixed strategy, this is the most probable setting, or the first one of them.
    pub fn set(&self, game: &Game, hand: Hand) -> Setting {
        match (&self.table, &self.way) {
            (_, Some(way)) => way.set(hand),
            (Table::Classes(table), _) => table.set(hand),
            (Table::Mixed(table), _) => table.most_probable(game, hand),
            (Table::Profiles(table), _) => {
                let chosen = table.set(Profiles::get().of(hand.set()));
                let found = game.settings(hand).find(|&(_, set)| set == chosen);
                found.expect("hands with the same profile have the same set hands").0
            }
        }
    }

    /// Sets a dealt hand in a simulation.
    ///
    /// # Panics
    /// Panics if the strategy is mixed.
    pub fn set_dealt(&self, game: &Game, dealt: Dealt) -> SetHand {
        match &self.table {
            Table::Profiles(table) => table.set(dealt.profile(Profiles::get())),
            Table::Classes(table) => game.set(dealt.hand(), table.set(dealt.hand())),
            Table::Mixed(_) => panic!("'{}' has no single setting for a hand", self.name()),
        }
    }
}
