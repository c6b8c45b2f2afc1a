//! Strategies that take part in pairs.

use crate::pai_gow::whole::{Cancelled, Chooser, FullGame, Side};
use crate::pai_gow::{BankerTable, ClassTable, ClassTableError};
use houseway_env::cards::profile::Profiles;
use houseway_env::pai_gow::{Dealt, Game, SetHand, Strategy};

/// The reason why a pair has no counts.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// The run was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The rules do not support the table of a strategy.
    #[error(transparent)]
    Table(#[from] ClassTableError),
}

/// Tabulated strategy with an identifier.
pub struct Seated {
    /// Identifier that is equal only for strategies that set all hands the same way, such as
    /// [`HouseWay::hash`](houseway_env::pai_gow::house_way::HouseWay::hash).
    pub id: String,
    /// The strategy.
    pub table: SeatedTable,
}

/// A strategy that sets dealt hands, as a sample needs it.
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

/// Table of a strategy.
pub enum SeatedTable {
    /// Depends on profiles only, like every house way.
    Profiles(BankerTable),
    /// Any suit-isomorphic strategy.
    Classes(ClassTable),
}

impl Seated {
    /// Returns the table over profiles, if the strategy depends on them only.
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

    /// Prepares the evaluation of the hands of `side` against the strategy.
    pub(super) fn against<'g>(&self, game: &'g Game, side: Side) -> Result<FullGame<'g>, ClassTableError> {
        match &self.table {
            SeatedTable::Profiles(table) => Ok(FullGame::new(game, side, table)),
            SeatedTable::Classes(table) => FullGame::against_table(game, side, table),
        }
    }
}
