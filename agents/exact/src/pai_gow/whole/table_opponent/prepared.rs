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
    wide: Vec<u32>,
    narrow: Vec<u16>,
    bytes: Vec<u8>,
}

/// The values of one round while several threads store them.
pub(super) struct Preparation {
    /// Everything but the values.
    pub(super) round: PreparedValues,
    wide: Vec<AtomicU32>,
    narrow: Vec<AtomicU16>,
    bytes: Vec<AtomicU8>,
}

/// Converts each element. The result has the same memory if the elements have the same layout.
fn convert<T, U>(values: Vec<T>, convert: impl Fn(T) -> U) -> Vec<U> {
    values.into_iter().map(convert).collect()
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
    ) -> Preparation {
        let PreparedValues { mut wide, mut narrow, mut bytes, .. } = self;
        wide.resize(lens[0], 0);
        narrow.resize(lens[1], 0);
        bytes.resize(lens[2], 0);
        Preparation {
            round: PreparedValues { asked, places, numbers, ..PreparedValues::default() },
            wide: convert(wide, AtomicU32::new),
            narrow: convert(narrow, AtomicU16::new),
            bytes: convert(bytes, AtomicU8::new),
        }
    }

    pub(super) fn asked(&self, hand: usize) -> Option<&Asked> {
        self.places[hand].map(|place| &self.asked[place as usize])
    }

    /// Adds consecutive values to `sums`, or subtracts them if `subtract` is `true`.
    #[inline]
    pub(super) fn add(&self, width: Width, at: usize, subtract: bool, sums: &mut [i32]) {
        fn add<T: Copy>(sums: &mut [i32], subtract: bool, values: &[T], convert: impl Fn(T) -> i32) {
            let values = sums.iter_mut().zip(values);
            if subtract {
                values.for_each(|(sum, &value)| *sum -= convert(value));
            } else {
                values.for_each(|(sum, &value)| *sum += convert(value));
            }
        }
        match width {
            Width::Wide => add(sums, subtract, &self.wide[at..], |value| value as i32),
            Width::Narrow => add(sums, subtract, &self.narrow[at..], i32::from),
            Width::Byte => add(sums, subtract, &self.bytes[at..], i32::from),
        }
    }
}

impl Preparation {
    /// Stores a pair of numbers for each of the given suitings. The first pair is stored at the index `first`, and each
    /// of the others `step` after the one before it. `results` contains the numbers for all suitings.
    #[inline]
    pub(super) fn put(&self, width: Width, (first, step): (usize, usize), suitings: &[u16], results: &[[i32; 2]]) {
        let pairs = suitings.iter().map(|&suiting| results[usize::from(suiting)]).zip((first..).step_by(step));
        let relaxed = Ordering::Relaxed;
        match width {
            Width::Wide => pairs.for_each(|([one, other], at)| {
                self.wide[at].store(one as u32, relaxed);
                self.wide[at + 1].store(other as u32, relaxed);
            }),
            Width::Narrow => pairs.for_each(|([one, other], at)| {
                self.narrow[at].store(one as u16, relaxed);
                self.narrow[at + 1].store(other as u16, relaxed);
            }),
            Width::Byte => pairs.for_each(|([one, other], at)| {
                self.bytes[at].store(one as u8, relaxed);
                self.bytes[at + 1].store(other as u8, relaxed);
            }),
        }
    }

    pub(super) fn finish(self) -> PreparedValues {
        let Preparation { round, wide, narrow, bytes } = self;
        PreparedValues {
            wide: convert(wide, AtomicU32::into_inner),
            narrow: convert(narrow, AtomicU16::into_inner),
            bytes: convert(bytes, AtomicU8::into_inner),
            ..round
        }
    }
}
