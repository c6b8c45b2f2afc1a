//! Stores the values prepared in one round.

use super::asked::Asked;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};

/// The values prepared in one round.
#[derive(Default)]
pub(in super::super) struct PreparedValues {
    pub(super) asked: Vec<Asked>,
    /// The index into `asked` for each full hand's multiset, or `None` if it isn't part of this round.
    pub(super) places: Vec<Option<u32>>,
    /// The number of values per setting, which is 2 without copies and 4 with copies.
    pub(super) numbers: usize,
    /// The values for smaller parts, which need 32 bits.
    pub(super) wide: Vec<AtomicU32>,
    /// The values for parts with at least [`NARROW`](super::shapes::NARROW) cards.
    pub(super) narrow: Vec<AtomicU16>,
}

impl PreparedValues {
    pub(super) fn asked(&self, hand: usize) -> Option<&Asked> {
        self.places[hand].map(|place| &self.asked[place as usize])
    }

    #[inline]
    pub(super) fn put(&self, narrow: bool, at: usize, number: i32) {
        if narrow {
            self.narrow[at].store(number as u16, Ordering::Relaxed);
        } else {
            self.wide[at].store(number as u32, Ordering::Relaxed);
        }
    }

    #[inline]
    pub(super) fn get(&self, narrow: bool, at: usize) -> i32 {
        if narrow {
            self.narrow[at].load(Ordering::Relaxed).into()
        } else {
            self.wide[at].load(Ordering::Relaxed) as i32
        }
    }
}
