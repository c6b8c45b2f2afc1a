//! Observation encodings for hands of four tiles.
//!
#![doc = include_str!("observations.md")]

use super::{Half, Hand, SetHand};
use crate::gym::Encoding;

crate::named_enum! {
    /// An observation encoding.
    #[derive(Default)]
    pub enum Observation: kebab_case {
        /// The indices of the four tiles.
        RawTiles,
        /// The number of tiles of each kind.
        Counts,
        /// The number of tiles of each kind, and the strengths of both halves in each setting.
        #[default]
        Halves,
    }
}

/// The number of entries in the `counts` encoding.
const COUNTS: usize = 17;

impl Encoding for Observation {
    fn len(self) -> usize {
        match self {
            Observation::RawTiles => Hand::TILES,
            Observation::Counts => COUNTS,
            Observation::Halves => COUNTS + 4 * Hand::SETTINGS,
        }
    }

    fn high(self) -> f32 {
        if self == Observation::RawTiles { 31.0 } else { 1.0 }
    }
}

impl Observation {
    /// Writes the observation of a hand, given the strengths of its settings.
    ///
    /// # Panics
    /// Panics unless `out` has [`Encoding::len`] entries.
    #[inline]
    pub fn write(self, hand: Hand, sets: [SetHand; Hand::SETTINGS], out: &mut [f32]) {
        assert_eq!(out.len(), self.len(), "the length of the observation");
        if self == Observation::RawTiles {
            out.iter_mut().zip(hand.tiles()).for_each(|(place, tile)| *place = tile.index() as f32);
            return;
        }
        out[..COUNTS].fill(0.0);
        for tile in hand.tiles() {
            out[tile.value()] += if tile.value() < COUNTS - 2 { 0.5 } else { 1.0 };
        }
        if self == Observation::Halves {
            for (row, set) in out[COUNTS..].chunks_exact_mut(4).zip(sets) {
                let numbers = |half: Half| [f32::from(half.points()) / 12.0, f32::from(half.place()) / 32.0];
                row[..2].copy_from_slice(&numbers(set.low));
                row[2..].copy_from_slice(&numbers(set.high));
            }
        }
    }
}
