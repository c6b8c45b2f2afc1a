//! Evaluation against any suit-isomorphic strategy of the other side, given as a table over all classes of hands.
//!
//! The hands of the other side that share no card with a given hand are counted by inclusion and exclusion: every
//! subset of the given hand contributes the other side's hands that contain it, with the sign of its size. The set
//! hands to compare with are nearly the same for all suitings of a multiset of ranks. So:
//! - For each multiset of 0 to 7 ranks ([`part`]), the other side's hands that contain it are sorted once for all its
//!   suitings ([`shapes`]), and counted below the limits that the hands containing it query ([`asked`]).
//! - The results are stored by multiset of full hands, with a row for each suiting of each of its parts.
//! - A class sums the rows of its 128 subsets.
//!
//! The results are computed in several rounds of about 1 GB; each round repeats the sorting.

mod asked;
mod levels;
mod made;
mod part;
mod shapes;
#[cfg(test)]
mod tests;

use super::classes::{ROWS, Values, WIDTH};
use super::kernels::{Kernels, LANES};
use super::multiset::{FormKind, Multiset};
use super::{Counted, Patterns, Piece, pieces};
use crate::pai_gow::{ClassTable, ClassTableError};
use asked::{Asked, Limits, different_needs};
use houseway_env::pai_gow::Setting;
use levels::{JOKER, Kinds, Levels};
use made::{Made, made_by};
use part::PartScratch;
use rayon::prelude::*;
use shapes::{Layout, NARROW, Shapes};
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicUsize, Ordering};

/// Size in bytes of the values of a round, except for its last pieces.
const ROUND: usize = 1 << 30;
/// Number of pieces whose needs are determined at a time.
const CHUNK: usize = 128;

/// The other side's strategy, prepared for evaluation (about 25 MB).
pub(super) struct TableOpponent {
    shapes: Shapes,
    levels: Levels,
    made: Vec<Made>,
}

/// Returns the number of cards of each kind in a multiset.
fn kinds(multiset: &Multiset<'_>) -> Kinds {
    let mut kinds = Kinds::default();
    for (rank, &count) in multiset.ranks.iter().zip(&multiset.pattern.counts) {
        kinds[rank.index()] = count;
    }
    kinds[JOKER] = multiset.joker.into();
    kinds
}

/// Values of one round.
pub(super) struct Prepared {
    asked: Vec<Asked>,
    /// By multiset of full hands: index in `asked`.
    places: Vec<Option<u32>>,
    /// Number of values per setting: two, or four with copies.
    numbers: usize,
    /// Values of parts with few cards.
    wide: Vec<AtomicU32>,
    /// Values of parts with at least [`NARROW`] cards.
    narrow: Vec<AtomicU16>,
}

impl Prepared {
    fn asked(&self, hand: usize) -> Option<&Asked> {
        self.places[hand].map(|place| &self.asked[place as usize])
    }

    #[inline]
    fn put(&self, narrow: bool, at: usize, number: i32) {
        if narrow {
            self.narrow[at].store(number as u16, Ordering::Relaxed);
        } else {
            self.wide[at].store(number as u32, Ordering::Relaxed);
        }
    }

    #[inline]
    fn get(&self, narrow: bool, at: usize) -> i32 {
        if narrow {
            self.narrow[at].load(Ordering::Relaxed).into()
        } else {
            self.wide[at].load(Ordering::Relaxed) as i32
        }
    }
}

impl TableOpponent {
    pub(super) fn new(
        counted: &Counted<'_>,
        patterns: &Patterns,
        table: &ClassTable,
    ) -> Result<TableOpponent, ClassTableError> {
        let shapes = Shapes::new();
        let levels = Levels::new(&shapes);
        let made = made_by(counted, &pieces(), patterns, &levels, table)?;
        Ok(TableOpponent { shapes, levels, made })
    }

    fn layouts(&self, hand: usize) -> &[Layout] {
        &self.shapes.get(self.levels.hands()[hand].shape).layouts
    }

    /// Prepares as many of the first pieces as fit into a round, and returns their number.
    pub(super) fn prepare(
        &self,
        counted: &Counted<'_>,
        kernels: Kernels,
        patterns: &Patterns,
        pieces: &[Piece],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> (Prepared, usize) {
        let numbers = if counted.copies { 4 } else { 2 };
        let (mut asked, mut taken, mut lens) = (vec![], 0, [0; 2]);
        for chunk in pieces.chunks(CHUNK) {
            let of_piece = |piece: &Piece| piece.multisets(counted, patterns).iter().map(|it| self.ask(it)).collect();
            let of_chunk: Vec<Vec<Asked>> = chunk.par_iter().map(of_piece).collect();
            for mut one in of_chunk.into_iter().flatten() {
                self.place(&mut one, numbers, &mut lens);
                asked.push(one);
            }
            taken += chunk.len();
            if lens[0] * size_of::<u32>() + lens[1] * size_of::<u16>() > ROUND {
                break;
            }
        }
        let mut places = vec![None; self.levels.hands().len()];
        asked.iter().enumerate().for_each(|(place, asked)| places[asked.hand as usize] = Some(place as u32));
        let wide = (0..lens[0]).map(|_| AtomicU32::new(0)).collect();
        let narrow = (0..lens[1]).map(|_| AtomicU16::new(0)).collect();
        let prepared = Prepared { asked, places, numbers, wide, narrow };
        self.count_parts(kernels, &prepared, cancelled);
        (prepared, taken)
    }

    fn ask(&self, multiset: &Multiset<'_>) -> Asked {
        let hand = self.levels.hand(&kinds(multiset));
        Asked { hand: hand as u32, limits: Limits::of(multiset), starts: [[0; 2]; 2] }
    }

    /// Assigns offsets to the values of a multiset. `lens` holds the numbers of wide and narrow values so far.
    fn place(&self, asked: &mut Asked, numbers: usize, lens: &mut [usize; 2]) {
        for (form, layout) in self.layouts(asked.hand as usize).iter().enumerate() {
            asked.starts[form] = *lens;
            let row = asked.limits[form].len() * numbers;
            lens.iter_mut().zip(layout.stored_rows).for_each(|(len, rows)| *len += rows * row);
        }
    }

    fn count_parts(&self, kernels: Kernels, prepared: &Prepared, cancelled: &(dyn Fn() -> bool + Sync)) {
        // Parts with few cards take longest and come first.
        let parts: Vec<(usize, usize)> =
            (0..=7).flat_map(|cards| (0..self.levels.of(cards).len()).map(move |place| (cards, place))).collect();
        let next = AtomicUsize::new(0);
        let work = |_| {
            let mut scratch = PartScratch::default();
            while !cancelled()
                && let Some(&part) = parts.get(next.fetch_add(1, Ordering::Relaxed))
            {
                self.count_part(kernels, prepared, part, &mut scratch);
            }
        };
        (0..rayon::current_num_threads()).into_par_iter().with_max_len(1).for_each(work);
    }

    /// Sums the values of all classes of a multiset.
    pub(super) fn sum_up(
        &self,
        kernels: Kernels,
        prepared: &Prepared,
        multiset: &Multiset<'_>,
        scratch: &mut TableScratch,
    ) {
        let hand = self.levels.hand(&kinds(multiset));
        let asked = prepared.asked(hand).expect("the piece is prepared");
        let shape = self.shapes.get(self.levels.hands()[hand].shape);
        scratch.numbers = prepared.numbers;
        for (form, sums) in scratch.forms.iter_mut().enumerate() {
            let (_, places) = different_needs(multiset.form(FormKind::ALL[form]));
            (sums.legal, sums.places) = (multiset.form(FormKind::ALL[form]).legal, places);
            let layout = &shape.layouts[form];
            let row = asked.limits[form].len() * prepared.numbers;
            sums.width = row.next_multiple_of(LANES);
            sums.rows.clear();
            sums.rows.resize(layout.rows * sums.width, 0);
            for (place, part) in shape.parts.iter().enumerate() {
                for joker in 0..=usize::from(multiset.joker) {
                    let cards = part.cards + joker;
                    let narrow = cards >= NARROW;
                    let sign = if cards.is_multiple_of(2) { 1 } else { -1 };
                    let mut at = asked.starts[form][usize::from(narrow)] + layout.stored[joker][place] * row;
                    let rows = &mut sums.rows[layout.first[place] * sums.width..];
                    for numbers in rows.chunks_exact_mut(sums.width.max(1)).take(layout.suitings[place].len()) {
                        for number in &mut numbers[..row] {
                            *number += sign * prepared.get(narrow, at);
                            at += 1;
                        }
                    }
                }
            }
            sums.of_suiting.clear();
            sums.of_suiting.resize(shape.suitings.len() * sums.width, 0);
            for (suiting, sums_of_suiting) in sums.of_suiting.chunks_exact_mut(sums.width.max(1)).enumerate() {
                kernels.sum_rows(&sums.rows, layout.terms(suiting), sums_of_suiting);
            }
        }
    }
}

/// Buffers for the summation.
#[derive(Default)]
pub(super) struct TableScratch {
    numbers: usize,
    forms: [FormSums; 2],
}

/// Sums of one form.
#[derive(Default)]
struct FormSums {
    /// Bit mask of the legal settings.
    legal: u32,
    /// By setting: index among the distinct needs.
    places: [usize; Setting::COUNT],
    width: usize,
    /// One row for each suiting of each part.
    rows: Vec<i32>,
    /// One row for each suiting of the multiset.
    of_suiting: Vec<i32>,
}

impl TableScratch {
    /// Returns the values of a suiting.
    pub(super) fn values(&self, form: FormKind, suiting: usize) -> Values {
        let sums = &self.forms[form as usize];
        let row = &sums.of_suiting[suiting * sums.width..][..sums.width];
        let mut values = [[0; WIDTH]; ROWS];
        for setting in (0..Setting::COUNT).filter(|&setting| sums.legal >> setting & 1 == 1) {
            let numbers = &row[sums.places[setting] * self.numbers..][..self.numbers];
            values.iter_mut().zip(numbers).for_each(|(values, &number)| values[setting] = number);
        }
        values
    }
}
