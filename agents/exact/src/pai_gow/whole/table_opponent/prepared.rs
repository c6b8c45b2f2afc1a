//! The queries that settings make for each part, and the values prepared for them in one round.

use crate::pai_gow::outcomes::Ties;
use crate::pai_gow::whole::kernels::Kernels;
use crate::pai_gow::whole::multiset::{Form, Limits};
use crate::pai_gow::whole::pass::PassOptions;
use houseway_env::pai_gow::{SetHand, Setting};
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

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

    /// Returns the size of the given number of pairs of values of each width in bytes.
    pub(super) const fn bytes([wide, narrow, byte]: [usize; Width::COUNT]) -> usize {
        wide * size_of::<u64>() + narrow * size_of::<u32>() + byte * size_of::<u16>()
    }
}

/// A multiset's queries and the offsets of their results.
pub(super) struct Asked {
    /// The index of the multiset in [`Levels::hands`](super::levels::Levels::hands).
    pub hand: u32,
    /// The queries for each form, which several settings can share. This side beats every back and front below them.
    pub limits: [Vec<Limits>; 2],
    /// The offset of the pairs of values of each width, for each form.
    pub starts: [[usize; Width::COUNT]; 2],
}

/// Returns the distinct limits in a form, and the index into them for each setting.
pub(super) fn different_limits(options: &PassOptions<'_>, form: &Form) -> (Vec<Limits>, [usize; Setting::COUNT]) {
    let (mut limits, mut places) = (vec![], [0; Setting::COUNT]);
    for (setting, set) in form.legal_sets() {
        let own = Limits::from(set).with_ties(Limits::ties(options));
        places[setting] = limits.iter().position(|&other| other == own).unwrap_or_else(|| {
            limits.push(own);
            limits.len() - 1
        });
    }
    (limits, places)
}

impl Limits {
    /// Returns 1 if this side beats its own strengths, and otherwise 0. Ties that push aren't supported.
    pub(super) fn ties(options: &PassOptions<'_>) -> u8 {
        u8::from(options.side.ties(options.game.rules().copies) == Ties::Won)
    }

    /// Returns the limits on strengths below this side's own, given the result of [`ties`](Self::ties).
    pub(super) fn own(self, ties: u8) -> Limits {
        Limits { back: self.back - u16::from(ties), front: self.front - ties }
    }

    /// Compares a single opposing hand. The results are `true` if this side wins both comparisons, if it loses both, if
    /// the backs are equal, and if the fronts are equal.
    pub(super) fn results(self, ties: u8, opposing: SetHand) -> [bool; 4] {
        let Limits { back, front } = opposing.into();
        let (wins_back, wins_front) = (back < self.back, front < self.front);
        let own = self.own(ties);
        [wins_back && wins_front, !wins_back && !wins_front, back == own.back, front == own.front]
    }
}

/// The values prepared in one round.
///
/// Values are stored as pairs of wins and losses, or of equal backs and equal fronts. The second number is in the upper
/// half. A row contains the first pairs for all queries of a multiset, followed by the second pairs if copies are
/// counted.
#[derive(Default)]
pub(in crate::pai_gow::whole) struct PreparedValues {
    asked: Vec<Asked>,
    /// The index into `asked` for each full hand's multiset, or `None` if it isn't part of this round.
    places: Vec<Option<u32>>,
    /// The number of pairs per query, which is 1 without copies and 2 with copies.
    pub(super) pairs: usize,
    wide: Vec<u64>,
    narrow: Vec<u32>,
    bytes: Vec<u16>,
}

/// The values of one round while several threads store them.
pub(super) struct Preparation {
    /// Everything but the values.
    pub(super) round: PreparedValues,
    wide: Vec<AtomicU64>,
    narrow: Vec<AtomicU32>,
    bytes: Vec<AtomicU16>,
}

/// Rows of values, packed as they are stored.
#[derive(Default)]
pub(super) struct PackedRows {
    wide: Vec<u64>,
    narrow: Vec<u32>,
    bytes: Vec<u16>,
}

impl PackedRows {
    pub(super) fn clear(&mut self) {
        self.wide.clear();
        self.narrow.clear();
        self.bytes.clear();
    }

    /// Appends a row of pairs, which fit into the given width.
    pub(super) fn push(&mut self, width: Width, row: &[[i32; 2]]) {
        match width {
            Width::Wide => {
                self.wide.extend(row.iter().map(|&[one, other]| u64::from(one as u32) | u64::from(other as u32) << 32));
            }
            Width::Narrow => self.narrow.extend(row.iter().map(|&[one, other]| (one | other << 16) as u32)),
            Width::Byte => self.bytes.extend(row.iter().map(|&[one, other]| (one | other << 8) as u16)),
        }
    }
}

/// The place of the values that a multiset in one form needs for the part. There is one row per suiting of the part,
/// with the values for each query of the multiset.
#[derive(Clone)]
pub(super) struct Block<'a> {
    /// The part's suitings that are needed.
    pub suitings: &'a [u16],
    /// The index of the first pair.
    pub first: usize,
    /// The number of pairs in a row.
    pub row: usize,
    /// The number of queries.
    pub asks: usize,
}

/// The number of rows that are stored together, so that a query's results are next to each other.
const TILE: usize = 8;

/// Converts each element. The result has the same memory if the elements have the same layout.
fn convert<T, U>(values: Vec<T>, convert: impl Fn(T) -> U) -> Vec<U> {
    values.into_iter().map(convert).collect()
}

/// Resizes a vector whose elements will be replaced. A new vector consists of untouched zero pages.
fn resize<T: Clone + Default>(mut values: Vec<T>, len: usize) -> Vec<T> {
    if values.capacity() < len {
        // Growing would hold the old and the new elements in memory while they are copied.
        drop(values);
        return vec![T::default(); len];
    }
    values.resize(len, T::default());
    values
}

impl PreparedValues {
    /// Reuses the memory for the values of another round, with `lens` pairs of each width. Every value must be
    /// replaced.
    pub(super) fn replace(
        self,
        asked: Vec<Asked>,
        places: Vec<Option<u32>>,
        pairs: usize,
        lens: [usize; Width::COUNT],
    ) -> Preparation {
        let PreparedValues { wide, narrow, bytes, .. } = self;
        Preparation {
            round: PreparedValues { asked, places, pairs, ..PreparedValues::default() },
            wide: convert(resize(wide, lens[0]), AtomicU64::new),
            narrow: convert(resize(narrow, lens[1]), AtomicU32::new),
            bytes: convert(resize(bytes, lens[2]), AtomicU16::new),
        }
    }

    pub(super) fn asked(&self, hand: usize) -> Option<&Asked> {
        self.places[hand].map(|place| &self.asked[place as usize])
    }

    /// Adds a row of pairs to `sums`, or subtracts them if `subtract` is `true`. `sums` consists of the first numbers
    /// of all pairs followed by the second ones, separately for each pair of a query.
    #[inline]
    pub(super) fn add(&self, kernels: Kernels, width: Width, at: usize, subtract: bool, sums: &mut [i32]) {
        let asks = sums.len() / (2 * self.pairs);
        for (pair, sums) in sums.chunks_exact_mut((2 * asks).max(1)).enumerate() {
            let (first, second) = sums.split_at_mut(asks);
            let at = at + pair * asks;
            match width {
                Width::Wide => kernels.add_wide(first, second, &self.wide[at..], subtract),
                Width::Narrow => kernels.add_narrow(first, second, &self.narrow[at..], subtract),
                Width::Byte => kernels.add_bytes(first, second, &self.bytes[at..], subtract),
            }
        }
    }
}

impl Preparation {
    /// Stores one pair per suiting and query of a block. `found` contains the index of each query's results for all
    /// suitings in `results`.
    #[inline]
    pub(super) fn put(&self, width: Width, block: &Block<'_>, found: &[u32], results: &PackedRows) {
        fn put<A, T: Copy>(to: &[A], block: &Block<'_>, found: &[u32], results: &[T], store: impl Fn(&A, T)) {
            let (tiles, rest) = block.suitings.as_chunks::<TILE>();
            let row = |at: usize| &to[block.first + at * block.row..][..found.len()];
            for (tile, suitings) in tiles.iter().enumerate() {
                let rows: [&[A]; TILE] = std::array::from_fn(|at| row(tile * TILE + at));
                let adjacent = suitings[TILE - 1] - suitings[0] == TILE as u16 - 1;
                for (ask, &found) in found.iter().enumerate() {
                    let results = &results[found as usize..];
                    let results = match results[usize::from(suitings[0])..].first_chunk::<TILE>() {
                        Some(chunk) if adjacent => *chunk,
                        _ => suitings.map(|suiting| results[usize::from(suiting)]),
                    };
                    rows.iter().zip(results).for_each(|(row, result)| store(&row[ask], result));
                }
            }
            for (at, &suiting) in rest.iter().enumerate() {
                let results = &results[usize::from(suiting)..];
                let row = row(tiles.len() * TILE + at).iter().zip(found);
                row.for_each(|(to, &found)| store(to, results[found as usize]));
            }
        }
        let relaxed = Ordering::Relaxed;
        match width {
            Width::Wide => put(&self.wide, block, found, &results.wide, |to, pair| to.store(pair, relaxed)),
            Width::Narrow => put(&self.narrow, block, found, &results.narrow, |to, pair| to.store(pair, relaxed)),
            Width::Byte => put(&self.bytes, block, found, &results.bytes, |to, pair| to.store(pair, relaxed)),
        }
    }

    pub(super) fn finish(self) -> PreparedValues {
        let Preparation { round, wide, narrow, bytes } = self;
        PreparedValues {
            wide: convert(wide, AtomicU64::into_inner),
            narrow: convert(narrow, AtomicU32::into_inner),
            bytes: convert(bytes, AtomicU16::into_inner),
            ..round
        }
    }
}
