//! Stores the values prepared in one round.

use super::asked::Asked;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, Ordering};

/// The width of a stored value. A part's values are at most the number of hands that contain it, so they take less
/// space if it has more cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// 32 bits.
    Wide,
    /// 16 bits. At most C(49, 3) = 18,424 hands contain four given cards.
    Narrow,
    /// 8 bits. At most 47 hands contain six given cards.
    Byte,
}

impl Width {
    /// The number of widths.
    pub(super) const COUNT: usize = 3;

    /// Returns the width of the values for parts with the given number of cards.
    pub(super) const fn of_part(cards: usize) -> Width {
        match cards {
            0..4 => Width::Wide,
            4..6 => Width::Narrow,
            _ => Width::Byte,
        }
    }

    /// Returns the size of the given number of values of each width in bytes.
    pub(super) const fn bytes([wide, narrow, byte]: [usize; Width::COUNT]) -> usize {
        wide * size_of::<u32>() + narrow * size_of::<u16>() + byte
    }
}

/// The values prepared in one round.
#[derive(Default)]
pub(in super::super) struct PreparedValues {
    asked: Vec<Asked>,
    /// The index into `asked` for each full hand's multiset, or `None` if it isn't part of this round.
    places: Vec<Option<u32>>,
    /// The number of values per setting, which is 2 without copies and 4 with copies.
    pub(super) numbers: usize,
    wide: Vec<AtomicU32>,
    narrow: Vec<AtomicU16>,
    bytes: Vec<AtomicU8>,
}

impl PreparedValues {
    /// Reuses the memory for the values of another round, with `lens` values of each width. Every value must be
    /// replaced.
    pub(super) fn replace(
        self,
        asked: Vec<Asked>,
        places: Vec<Option<u32>>,
        numbers: usize,
        lens: [usize; Width::COUNT],
    ) -> PreparedValues {
        let PreparedValues { mut wide, mut narrow, mut bytes, .. } = self;
        wide.resize_with(lens[0], AtomicU32::default);
        narrow.resize_with(lens[1], AtomicU16::default);
        bytes.resize_with(lens[2], AtomicU8::default);
        PreparedValues { asked, places, numbers, wide, narrow, bytes }
    }

    pub(super) fn asked(&self, hand: usize) -> Option<&Asked> {
        self.places[hand].map(|place| &self.asked[place as usize])
    }

    /// Stores numbers, the first of them at an index and each of the others `step` after the one before it.
    #[inline]
    pub(super) fn put(&self, width: Width, first: usize, step: usize, numbers: impl Iterator<Item = i32>) {
        match width {
            Width::Wide => {
                let values = self.wide[first..].iter().step_by(step).zip(numbers);
                values.for_each(|(value, number)| value.store(number as u32, Ordering::Relaxed));
            }
            Width::Narrow => {
                let values = self.narrow[first..].iter().step_by(step).zip(numbers);
                values.for_each(|(value, number)| value.store(number as u16, Ordering::Relaxed));
            }
            Width::Byte => {
                let values = self.bytes[first..].iter().step_by(step).zip(numbers);
                values.for_each(|(value, number)| value.store(number as u8, Ordering::Relaxed));
            }
        }
    }

    /// Adds consecutive values to `sums`, or subtracts them if `sign` is -1.
    #[inline]
    pub(super) fn add(&self, width: Width, at: usize, sign: i32, sums: &mut [i32]) {
        fn add<T: Copy + Into<i32>>(sums: &mut [i32], sign: i32, values: impl Iterator<Item = T>) {
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += sign * value.into());
        }
        match width {
            Width::Wide => add(sums, sign, self.wide[at..].iter().map(|value| value.load(Ordering::Relaxed) as i32)),
            Width::Narrow => add(sums, sign, self.narrow[at..].iter().map(|value| value.load(Ordering::Relaxed))),
            Width::Byte => add(sums, sign, self.bytes[at..].iter().map(|value| value.load(Ordering::Relaxed))),
        }
    }
}
