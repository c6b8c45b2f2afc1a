//! Loads ways for use at a table and by opponents.

use houseway_env::cards::profile::Profile;
use houseway_env::pai_gow::house_way::{HouseWay, Way, WayError};
use houseway_env::pai_gow::{Game, Hand, ProfileStrategy, ProfileTable, SetHand, Setting, Strategy, strategy_hash};
use houseway_exact::pai_gow::whole::{Play, Run};
use houseway_exact::pai_gow::{
    BankerTable, ClassTable, NamedStrategy, RANDOM, Tabulated, is_strategy_file, load_strategies, unknown_strategy,
};
use houseway_exact::solver::SolverError;
use std::sync::Arc;

/// Simple ways for players who don't follow a house way.
pub const PLAIN_WAYS: [&str; 2] = ["highest-front", "lowest-front"];

/// A way that sets hands at a table. Clones share it.
#[derive(Clone)]
pub struct TableWay {
    name: String,
    id: String,
    way: Arc<dyn ProfileStrategy + Send>,
}

impl TableWay {
    /// Loads a house way by name or file, or one of the [`PLAIN_WAYS`]. These set either the highest legal front or the
    /// lowest front, which is the last setting in the fixed order and is never a foul.
    pub fn load(name: &str, game: &Game) -> Result<TableWay, WayError> {
        if is_strategy_file(name) {
            return Err(WayError::Reading(format!(
                "{name} is a strategy file, which can only be used for seats; use a house way here"
            )));
        }
        let plain = |way: ProfileTable| (name.to_owned(), Arc::new(way) as Arc<dyn ProfileStrategy + Send>);
        let (id, way) = match name {
            "highest-front" => plain(ProfileTable::max_front(game)),
            "lowest-front" => plain(ProfileTable::min_front(game)),
            RANDOM => {
                return Err(WayError::Reading(
                    "'random' cannot be used at a table; use a house way here. 'random' can be the banker of 'ev' and either \
                     side of 'solve', and policy = \"random\" makes all of a player's moves at random"
                        .to_owned(),
                ));
            }
            _ => {
                let way = Way::load(name).map_err(|error| match error {
                    WayError::NotFound { name, known, reason } => {
                        WayError::NotFound { name, reason, known: format!("{known}, {}", PLAIN_WAYS.join(", ")) }
                    }
                    error => error,
                })?;
                let way = HouseWay::compile(way, game)?;
                (way.hash(), Arc::new(way) as Arc<dyn ProfileStrategy + Send>)
            }
        };
        Ok(TableWay { name: name.to_owned(), id, way })
    }

    /// Creates a way from a table of all profiles, and derives its id from the contents.
    pub fn from_table(name: &str, table: ProfileTable) -> TableWay {
        TableWay { name: name.to_owned(), id: strategy_hash(&table), way: Arc::new(table) }
    }

    /// Returns an identifier that is equal only for ways that set all hands identically.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the name that the way was loaded by.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn shared(&self) -> Arc<dyn ProfileStrategy + Send> {
        Arc::clone(&self.way)
    }

    /// Returns the way as a lookup table for evaluation.
    pub fn tabulated(&self) -> Tabulated {
        Tabulated::new(BankerTable::new(&*self.way), &self.id)
    }
}

impl Strategy for TableWay {
    fn name(&self) -> &str {
        &self.name
    }

    fn set(&self, hand: Hand) -> Setting {
        self.way.set(hand)
    }
}

impl ProfileStrategy for TableWay {
    fn set_profile(&self, profile: Profile) -> SetHand {
        self.way.set_profile(profile)
    }
}

/// The strategy of a seat or a bank. It is a way or any other kind of strategy read from a file. Clones share it.
#[derive(Clone)]
pub enum SeatWay {
    Way(TableWay),
    /// Another strategy, and the name that it was loaded by.
    Table(String, Tabulated),
}

impl SeatWay {
    /// Loads a way like [`TableWay::load`], a strategy table, or a trained agent. A trained agent then sets all hands
    /// once, to fill a table.
    pub fn load(name: &str, game: &Game, run: &Run<'_>) -> Result<SeatWay, SolverError> {
        if !is_strategy_file(name) {
            return TableWay::load(name, game).map(SeatWay::Way).map_err(|error| match error {
                error @ WayError::NotFound { .. } => unknown_strategy(error),
                error => SolverError::invalid(error),
            });
        }
        let strategies = load_strategies(&[name], &[], game)?;
        let strategy = NamedStrategy::prepare_all(&strategies, game, run)?.remove(0);
        strategy.check_pure().map_err(SolverError::invalid)?;
        if strategy.profiles().is_none() {
            ClassTable::check_rules(game).map_err(SolverError::invalid)?;
        }
        Ok(SeatWay::Table(name.to_owned(), strategy))
    }

    /// Returns an identifier that is equal only for strategies that set all hands identically.
    pub fn id(&self) -> &str {
        match self {
            SeatWay::Way(way) => way.id(),
            SeatWay::Table(_, table) => table.hash(),
        }
    }

    /// Returns the name that the strategy was loaded by.
    pub fn name(&self) -> &str {
        match self {
            SeatWay::Way(way) => way.name(),
            SeatWay::Table(name, _) => name,
        }
    }

    /// Returns the strategy as a lookup table for evaluation.
    pub fn tabulated(&self) -> Tabulated {
        match self {
            SeatWay::Way(way) => way.tabulated(),
            SeatWay::Table(_, table) => table.clone(),
        }
    }
}

impl Strategy for SeatWay {
    fn name(&self) -> &str {
        SeatWay::name(self)
    }

    fn set(&self, hand: Hand) -> Setting {
        match self {
            SeatWay::Way(way) => way.set(hand),
            SeatWay::Table(_, strategy) => match (strategy.way(), strategy.play()) {
                (Some(way), _) => way.set(hand),
                (_, Play::Classes(table)) => table.set(hand),
                _ => unreachable!("files contain no other pure strategies"),
            },
        }
    }
}

pub(crate) fn default_way() -> String {
    Way::DEFAULT.to_owned()
}
