//! The other side's strategy.

use super::super::counted::PassOptions;
use super::super::pieces::{Patterns, pieces};
use super::levels::Levels;
use super::made::{Made, made_by};
use super::shapes::{Layout, Shapes};
use crate::pai_gow::{ClassTable, ClassTableError};

/// The other side's strategy, prepared for evaluation. It occupies about 25 MB.
pub(in super::super) struct TableOpponent {
    pub(super) shapes: Shapes,
    pub(super) levels: Levels,
    pub(super) made: Vec<Made>,
}

impl TableOpponent {
    pub(in super::super) fn new(
        counted: &PassOptions<'_>,
        patterns: &Patterns,
        table: &ClassTable,
    ) -> Result<TableOpponent, ClassTableError> {
        let shapes = Shapes::new();
        let levels = Levels::new(&shapes);
        let made = made_by(counted, &pieces(), patterns, &levels, table)?;
        Ok(TableOpponent { shapes, levels, made })
    }

    /// Returns the layouts for a full hand's multiset, one per form.
    pub(super) fn layouts(&self, hand: usize) -> &[Layout] {
        &self.shapes.get(self.levels.hands()[hand].shape).layouts
    }
}
