//! Stores the values prepared in one round.

use super::asked::Asked;
use super::width::Width;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, Ordering};

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
