//! Ways that can be used at a table and by opponents.

use houseway_env::cards::profile::Profile;
use houseway_env::pai_gow::house_way::{HouseWay, Way, WayError};
use houseway_env::pai_gow::{Game, Hand, ProfileStrategy, ProfileTable, SetHand, Setting, Strategy, strategy_hash};
use houseway_exact::pai_gow::banking::{Seated, SeatedTable};
use houseway_exact::pai_gow::matchup::HashedTable;
use houseway_exact::pai_gow::whole::Run;
use houseway_exact::pai_gow::{
    BankerTable, ClassTable, ExactStrategy, NamedStrategy, RANDOM, is_strategy_file, load_strategies, unknown_strategy,
};
use houseway_exact::solver::SolverError;
use std::sync::Arc;

/// Simple ways for players who do not follow a house way.
pub const PLAIN_WAYS: [&str; 2] = ["highest-front", "lowest-front"];

/// Way that sets hands at a table. Clones share it.
#[derive(Clone)]
pub struct TableWay {
    name: String,
    id: String,
    way: Arc<dyn ProfileStrategy + Send>,
}

impl TableWay {
    /// Loads a house way by name or file, or one of the [`PLAIN_WAYS`]: the highest legal front, or the lowest front
    /// (the last setting in the fixed order, which is never a foul).
    ///
    /// # Errors
    /// Returns an error if the name is unknown, or if the way does not set every hand.
    pub fn load(name: &str, game: &Game) -> Result<TableWay, WayError> {
        if is_strategy_file(name) {
            return Err(WayError::Reading(format!(
                "{name} is a strategy file, which can be used only for seats: name a house way here"
            )));
        }
        let plain = |way: ProfileTable| (name.to_owned(), Arc::new(way) as Arc<dyn ProfileStrategy + Send>);
        let (id, way) = match name {
            "highest-front" => plain(ProfileTable::max_front(game)),
            "lowest-front" => plain(ProfileTable::min_front(game)),
            RANDOM => {
                return Err(WayError::Reading(
                    "'random' cannot sit at a table: name a house way; 'random' can be the banker of 'ev' and either \
                     side of 'solve', and policy = \"random\" plays at an entire table at random"
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

    /// Creates a way from a table of all profiles. Its id is derived from the contents.
    pub fn from_table(name: &str, table: ProfileTable) -> TableWay {
        TableWay { name: name.to_owned(), id: strategy_hash(&table), way: Arc::new(table) }
    }

    /// Returns an identifier that is equal only for ways that set all hands identically.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the name under which the way was loaded.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the strategy.
    pub fn shared(&self) -> Arc<dyn ProfileStrategy + Send> {
        Arc::clone(&self.way)
    }

    /// Returns the tabulated way for evaluations.
    pub fn seated(&self) -> Seated {
        Seated { id: self.id.clone(), table: SeatedTable::Profiles(BankerTable::new(&*self.way)) }
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

/// Strategy of a seat or of a bank: a way, or a strategy of any other kind read from a file. Clones share it.
#[derive(Clone)]
pub enum SeatWay {
    /// A way.
    Way(TableWay),
    /// Another strategy, with the name under which it was loaded.
    Table(String, Arc<HashedTable>),
}

impl SeatWay {
    /// Loads a way like [`TableWay::load`], a strategy table, or a trained agent, for which all hands are set once.
    ///
    /// # Errors
    /// Returns an error if the name is unknown, if the strategy is invalid or not supported by the rules, or if the run
    /// was cancelled.
    pub fn load(name: &str, game: &Game, run: &Run<'_>) -> Result<SeatWay, SolverError> {
        if !is_strategy_file(name) {
            return TableWay::load(name, game).map(SeatWay::Way).map_err(|error| match error {
                error @ WayError::NotFound { .. } => unknown_strategy(error),
                error => SolverError::invalid(error),
            });
        }
        let strategies = load_strategies(&[name], &[], game)?;
        match NamedStrategy::prepare_all(&strategies, game, run)?.remove(0) {
            ExactStrategy::Way(way) => Ok(SeatWay::Way(TableWay { name: name.to_owned(), id: way.hash(), way })),
            ExactStrategy::Table(table) => {
                ClassTable::check_rules(game).map_err(SolverError::invalid)?;
                Ok(SeatWay::Table(name.to_owned(), table))
            }
        }
    }

    /// Returns an identifier that is equal only for strategies that set all hands identically.
    pub fn id(&self) -> &str {
        match self {
            SeatWay::Way(way) => way.id(),
            SeatWay::Table(_, table) => table.hash(),
        }
    }

    /// Returns the name under which the strategy was loaded.
    pub fn name(&self) -> &str {
        match self {
            SeatWay::Way(way) => way.name(),
            SeatWay::Table(name, _) => name,
        }
    }

    /// Returns the tabulated strategy for evaluations.
    pub fn seated(&self) -> Seated {
        match self {
            SeatWay::Way(way) => way.seated(),
            SeatWay::Table(_, table) => {
                Seated { id: table.hash().to_owned(), table: SeatedTable::Classes(table.table().clone()) }
            }
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
            SeatWay::Table(_, table) => table.table().set(hand),
        }
    }
}

/// Returns the default way for seats.
pub(crate) fn default_way() -> String {
    Way::DEFAULT.to_owned()
}
