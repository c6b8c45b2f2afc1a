//! Values of one round.

use super::asked::Asked;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};

/// Values of one round.
pub(in super::super) struct PreparedValues {
    pub(super) asked: Vec<Asked>,
    /// Index in `asked` of each multiset of full hands.
    pub(super) places: Vec<Option<u32>>,
    /// Number of values per setting, two without copies and four with copies.
    pub(super) numbers: usize,
    /// Values of parts with few cards.
    pub(super) wide: Vec<AtomicU32>,
    /// Values of parts with at least [`NARROW`] cards.
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
