//! Ways that can be used at a table and as opponents.

use houseway_env::cards::profile::Profile;
use houseway_env::pai_gow::house_way::{HouseWay, Way, WayError};
use houseway_env::pai_gow::{Game, Hand, ProfileStrategy, ProfileTable, SetHand, Setting, Strategy, strategy_hash};
use houseway_exact::pai_gow::banking::Seated;
use houseway_exact::pai_gow::{BankerTable, RANDOM};
use std::sync::Arc;

/// Simple ways of players who follow no house way.
pub const PLAIN_WAYS: [&str; 2] = ["highest-front", "lowest-front"];

/// Way that sets hands at a table; clones share it.
#[derive(Clone)]
pub struct TableWay {
    name: String,
    id: String,
    way: Arc<dyn ProfileStrategy + Send>,
}

impl TableWay {
    /// Loads a house way by name or file, or one of the [`PLAIN_WAYS`]: the highest legal front, or the lowest (the
    /// last setting in the fixed order, which is never a foul).
    ///
    /// # Errors
    /// If the name is unknown, or if the way does not set every hand.
    pub fn load(name: &str, game: &Game) -> Result<TableWay, WayError> {
        let plain = |way: ProfileTable| (name.to_owned(), Arc::new(way) as Arc<dyn ProfileStrategy + Send>);
        let (id, way) = match name {
            "highest-front" => plain(ProfileTable::highest_front(game)),
            "lowest-front" => plain(ProfileTable::lowest_front(game)),
            RANDOM => {
                return Err(WayError::Reading(
                    "'random' cannot sit at a table: name a house way; 'random' can be the banker of 'ev' and either \
                     side of 'solve', and policy = \"random\" plays a whole table at random"
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

    /// Creates a way from a table of all profiles; its id is derived from the contents.
    pub fn from_table(name: &str, table: ProfileTable) -> TableWay {
        TableWay { name: name.to_owned(), id: strategy_hash(&table), way: Arc::new(table) }
    }

    /// Returns an identifier that is equal only for ways that set all hands equally.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the name under which it was loaded.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the strategy.
    pub fn shared(&self) -> Arc<dyn ProfileStrategy + Send> {
        Arc::clone(&self.way)
    }

    /// Returns the tabulated way for evaluations.
    pub fn seated(&self) -> Seated {
        Seated { id: self.id.clone(), table: BankerTable::new(&*self.way) }
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

/// Returns the default way of a seat.
pub(crate) fn default_way() -> String {
    Way::DEFAULT.to_owned()
}
