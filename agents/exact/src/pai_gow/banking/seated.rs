//! Prepares strategies for being evaluated in pairs.

use crate::pai_gow::whole::{Cancelled, Chooser, FullGame, Play, Side};
use crate::pai_gow::{BankerTable, ClassTable, ClassTableError};
use houseway_env::cards::profile::Profiles;
use houseway_env::pai_gow::{Dealt, Game, SetHand, Strategy};

/// The error returned when the outcomes of a pair can't be counted.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// The run was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The rules don't support the strategy's table.
    #[error(transparent)]
    Table(#[from] ClassTableError),
}

/// A tabulated strategy and its identifier.
pub struct Seated {
    /// An identifier that only strategies with identical settings share, such as
    /// [`HouseWay::hash`](houseway_env::pai_gow::house_way::HouseWay::hash).
    pub id: String,
    /// The strategy.
    pub table: SeatedTable,
}

/// A strategy that can set dealt hands in a simulation.
pub trait SetsDealt: Sync {
    /// Returns the set hand.
    fn set_dealt(&self, game: &Game, dealt: Dealt) -> SetHand;
}

impl SetsDealt for BankerTable {
    fn set_dealt(&self, _: &Game, dealt: Dealt) -> SetHand {
        self.set(dealt.profile(Profiles::get()))
    }
}

impl SetsDealt for ClassTable {
    fn set_dealt(&self, game: &Game, dealt: Dealt) -> SetHand {
        game.set(dealt.hand(), self.set(dealt.hand()))
    }
}

impl SetsDealt for Seated {
    fn set_dealt(&self, game: &Game, dealt: Dealt) -> SetHand {
        match &self.table {
            SeatedTable::Profiles(table) => table.set_dealt(game, dealt),
            SeatedTable::Classes(table) => table.set_dealt(game, dealt),
        }
    }
}

/// A strategy's table.
pub enum SeatedTable {
    /// A strategy that depends only on profiles, like every house way.
    Profiles(BankerTable),
    /// Any suit-isomorphic strategy.
    Classes(ClassTable),
}

impl Seated {
    /// Returns the table over profiles, if the strategy depends only on profiles.
    pub fn profiles(&self) -> Option<&BankerTable> {
        match &self.table {
            SeatedTable::Profiles(table) => Some(table),
            SeatedTable::Classes(_) => None,
        }
    }

    pub(super) fn chooser(&self) -> &dyn Chooser {
        match &self.table {
            SeatedTable::Profiles(table) => table,
            SeatedTable::Classes(table) => table,
        }
    }

    /// Returns the strategy for the evaluated side.
    pub(super) fn play(&self) -> Play<'_> {
        match &self.table {
            SeatedTable::Profiles(table) => Play::Profiles(table.clone()),
            SeatedTable::Classes(table) => Play::Classes(table),
        }
    }

    /// Prepares the evaluation of all hands on `side` against the strategy.
    pub(super) fn against<'g>(&self, game: &'g Game, side: Side) -> Result<FullGame<'g>, ClassTableError> {
        match &self.table {
            SeatedTable::Profiles(table) => Ok(FullGame::new(game, side, table)),
            SeatedTable::Classes(table) => FullGame::against_table(game, side, table),
        }
    }
}
