//! The other side's strategy.

use super::super::counted::PassOptions;
use super::super::pieces::{Patterns, pieces};
use super::levels::{JOKER, Levels};
use super::made::{AllMade, made_by};
use super::shapes::{HAND, Layout, Shapes, part_place};
use crate::pai_gow::{ClassTable, ClassTableError};
use rayon::prelude::*;

/// The other side's strategy, prepared for evaluation. It occupies about 70 MB.
pub(in super::super) struct TableOpponent {
    pub(super) shapes: Shapes,
    pub(super) levels: Levels,
    /// The full hands' multisets that contain each multiset with fewer cards, each with the index of this part among its
    /// parts. They are in the order of the levels.
    pub(super) containing: Vec<Vec<Vec<(u32, u16)>>>,
    pub(super) made: AllMade,
}

/// Returns the full hands' multisets that contain the given one, each with its index among their parts.
fn containing(levels: &Levels, cards: usize, place: usize) -> Vec<(u32, u16)> {
    let (part, mut hands) = (&levels.multisets(cards)[place], Vec::new());
    levels.each_hand(cards, place as u32, &mut |hand| {
        let place = part_place(&levels.hands()[hand as usize].kinds[..JOKER], &part.kinds[..JOKER]);
        hands.push((hand, place as u16));
    });
    hands
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
        let of_level = |cards| {
            let places = 0..levels.multisets(cards).len();
            places.into_par_iter().map(|place| containing(&levels, cards, place)).collect()
        };
        let containing = (0..HAND).map(of_level).collect();
        Ok(TableOpponent { shapes, levels, containing, made })
    }

    /// Returns the layouts for a full hand's multiset, one per form.
    pub(super) fn layouts(&self, hand: usize) -> &[Layout] {
        &self.shapes.get(self.levels.shape_of_hand(hand)).layouts
    }
}
