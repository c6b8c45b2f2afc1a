//! Evaluation against any suit-isomorphic strategy for the other side, given as a table of all classes of hands.
//!
//! The other side's hands that don't share any cards with a given hand are counted by inclusion-exclusion. Every subset
//! of the given hand contributes the number of hands that contain it, with a positive sign if the subset has an even
//! number of cards and a negative sign otherwise. All suitings of a multiset of ranks are compared with nearly the same
//! set hands, so most of the work can be shared between them:
//! - For each multiset of up to six ranks ([`part`]), the other side's hands that contain it are sorted once for all
//!   suitings ([`shapes`]), and then counted below the limits queried by this side's hands that contain the same
//!   multiset ([`prepared`]).
//! - The results are stored for each full hand's multiset, with one row per suiting of each of its smaller parts.
//! - Each class adds up the rows for its 127 smaller subsets. Most of these sums are shared, because a row first adds up
//!   the rows for those of its own subsets that are only reached through it. The subset that is the class itself only
//!   stands for one opposing hand, which is compared directly.
//!
//! The results are computed in several rounds of about 1.6 GB each, and the sorting is repeated in every round.

mod levels;
mod part;
mod prepared;
mod shapes;
#[cfg(test)]
mod tests;

use super::classes::{ROWS, Values, WIDTH};
use super::kernels::LANES;
use super::multiset::{FormKind, Limits, Multiset, Patterns};
use super::pass::{PassOptions, in_parallel};
use super::shard::{Piece, pieces};
use crate::pai_gow::table::ClassTable;
use crate::solver::SolverError;
use houseway_env::pai_gow::{SetHand, Setting};
use levels::{AllMade, JOKER, Levels, kinds, made_by};
use part::PartScratch;
pub(super) use prepared::PreparedValues;
use prepared::{Asked, Preparation, Width, different_limits};
use rayon::prelude::*;
use shapes::{HAND, Layout, Shapes, part_place};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The target size of a round's values in bytes. The last pieces in a round may exceed it.
const ROUND: usize = 3 << 29;
/// The number of pieces that are added to a round at a time.
const CHUNK: usize = 128;

/// The other side's strategy, prepared for evaluation. It occupies about 70 MB.
pub(super) struct TableOpponent {
    shapes: Shapes,
    levels: Levels,
    /// The full hands' multisets that contain each multiset with fewer cards, each with the index of this part among its
    /// parts. They are in the order of the levels.
    containing: Vec<Vec<Vec<(u32, u16)>>>,
    made: AllMade,
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
    pub(super) fn new(
        options: &PassOptions<'_>,
        patterns: &Patterns,
        table: &ClassTable,
    ) -> Result<TableOpponent, SolverError> {
        let shapes = Shapes::new();
        let levels = Levels::new(&shapes);
        let made = made_by(options, &pieces(), patterns, &levels, table)?;
        let of_level = |cards| {
            let places = 0..levels.multisets(cards).len();
            places.into_par_iter().map(|place| containing(&levels, cards, place)).collect()
        };
        let containing = (0..HAND).map(of_level).collect();
        Ok(TableOpponent { shapes, levels, containing, made })
    }

    /// Returns the layouts for a full hand's multiset, one per form.
    fn layouts(&self, hand: usize) -> &[Layout] {
        &self.shapes.get(self.levels.shape_of_hand(hand)).layouts
    }

    /// Prepares the values for the first pieces, as many as fit into one round. Returns the values and the number of
    /// prepared pieces. The memory of the last round's values is reused.
    pub(super) fn prepare(
        &self,
        options: &PassOptions<'_>,
        patterns: &Patterns,
        pieces: &[Piece],
        last: PreparedValues,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> (PreparedValues, usize) {
        let pairs = if options.copies { 2 } else { 1 };
        let (mut asked, mut taken, mut lens) = (vec![], 0, [0; Width::COUNT]);
        for chunk in pieces.chunks(CHUNK) {
            let of_piece =
                |piece: &Piece| piece.multisets(options, patterns).iter().map(|it| self.ask(options, it)).collect();
            let of_chunk: Vec<Vec<Asked>> = chunk.par_iter().map(of_piece).collect();
            for mut one in of_chunk.into_iter().flatten() {
                self.place(&mut one, pairs, &mut lens);
                asked.push(one);
            }
            taken += chunk.len();
            if Width::bytes(lens) > ROUND {
                break;
            }
        }
        let mut places = vec![None; self.levels.hands().len()];
        asked.iter().enumerate().for_each(|(place, asked)| places[asked.hand as usize] = Some(place as u32));
        let preparation = last.replace(asked, places, pairs, lens);
        self.count_parts(options, &preparation, cancelled);
        (preparation.finish(), taken)
    }

    fn ask(&self, options: &PassOptions<'_>, multiset: &Multiset<'_>) -> Asked {
        let hand = self.levels.hand(&kinds(multiset));
        let limits = FormKind::ALL.map(|form| different_limits(options, multiset.form(form)).0);
        Asked { hand: hand as u32, limits, starts: [[0; Width::COUNT]; 2] }
    }

    /// Assigns offsets to a multiset's values. `lens` holds how many pairs of each width there are already and is
    /// updated.
    fn place(&self, asked: &mut Asked, pairs: usize, lens: &mut [usize; Width::COUNT]) {
        for (form, layout) in self.layouts(asked.hand as usize).iter().enumerate() {
            asked.starts[form] = *lens;
            let row = asked.limits[form].len() * pairs;
            lens.iter_mut().zip(layout.stored_rows).for_each(|(len, rows)| *len += rows * row);
        }
    }

    fn count_parts(&self, options: &PassOptions<'_>, preparation: &Preparation, cancelled: &(dyn Fn() -> bool + Sync)) {
        // Parts with few cards take the longest, so start with them.
        let parts: Vec<(usize, usize)> = (0..HAND)
            .flat_map(|cards| (0..self.levels.multisets(cards).len()).map(move |place| (cards, place)))
            .collect();
        let next = AtomicUsize::new(0);
        let work = |_| {
            let mut scratch = PartScratch::default();
            while !cancelled()
                && let Some(&part) = parts.get(next.fetch_add(1, Ordering::Relaxed))
            {
                self.count_part(options, preparation, part, &mut scratch);
            }
        };
        in_parallel(rayon::current_num_threads(), &work);
    }

    /// Adds up the values for all classes of a multiset and stores them in `scratch`.
    pub(super) fn sum_up(
        &self,
        options: &PassOptions<'_>,
        prepared: &PreparedValues,
        multiset: &Multiset<'_>,
        scratch: &mut TableScratch,
    ) {
        let hand = self.levels.hand(&kinds(multiset));
        let asked = prepared.asked(hand).expect("the piece is prepared");
        let shape = self.shapes.get(self.levels.shape_of_hand(hand));
        let made = self.made.get(hand);
        scratch.numbers = 2 * prepared.pairs;
        for (form, sums) in scratch.forms.iter_mut().enumerate() {
            let (_, places) = different_limits(options, multiset.form(FormKind::ALL[form]));
            sums.places = places;
            let layout = &shape.layouts[form];
            let row = asked.limits[form].len() * prepared.pairs;
            sums.limits = asked.limits[form].len();
            sums.width = (2 * row).next_multiple_of(LANES);
            if row == 0 {
                continue;
            }
            sums.rows.clear();
            sums.rows.resize((layout.rows + made.sets.len()) * sums.width, 0);
            for (place, part) in shape.parts.iter().enumerate() {
                for cards in part.cards..(part.cards + 1 + usize::from(multiset.joker)).min(HAND) {
                    let joker = cards - part.cards;
                    let width = Width::of_part(cards);
                    let subtract = !cards.is_multiple_of(2);
                    let mut at = asked.starts[form][width as usize] + layout.stored[joker][place] * row;
                    let rows = &mut sums.rows[layout.first[place] * sums.width..];
                    for sums in rows.chunks_exact_mut(sums.width).take(layout.suitings[place].len()) {
                        prepared.add(options.kernels, width, at, subtract, &mut sums[..2 * row]);
                        at += row;
                    }
                }
            }
            for at in 0..layout.rows {
                let (before, rows) = sums.rows.split_at_mut(at * sums.width);
                options.kernels.add_rows(before, layout.terms(at), &mut rows[..sums.width]);
            }
            sums.compare(&asked.limits[form], (made.sets, layout.rows), scratch.numbers, Limits::ties(options));
            sums.of_suiting.clear();
            sums.of_suiting.resize(shape.suitings.len() * sums.width, 0);
            let of_suiting = sums.of_suiting.chunks_exact_mut(sums.width).enumerate();
            for ((suiting, sums_of_suiting), set) in of_suiting.zip(made.of_suitings()) {
                options.kernels.add_rows(&sums.rows, layout.terms_of_whole(suiting), sums_of_suiting);
                options.kernels.add(sums_of_suiting, &sums.rows[(layout.rows + set) * sums.width..][..sums.width]);
            }
        }
    }
}

/// Buffers for adding up the values.
#[derive(Default)]
pub(super) struct TableScratch {
    numbers: usize,
    forms: [FormSums; 2],
}

/// The sums for one form.
#[derive(Default)]
struct FormSums {
    /// The index into the distinct limits for each legal setting.
    places: [usize; Setting::COUNT],
    /// The number of distinct limits.
    limits: usize,
    /// The length of a row. It has one number per limit for each kind of result.
    width: usize,
    /// One row per suiting of each part, followed by one row per set hand that the other side makes of the same cards.
    rows: Vec<i32>,
    /// One row per suiting of the multiset.
    of_suiting: Vec<i32>,
}

impl FormSums {
    /// Fills the rows for the set hands, which start at the row `first`. The class itself is a part as well. It contains
    /// a single opposing hand, which is compared here.
    fn compare(&mut self, limits: &[Limits], (sets, first): (&[SetHand], usize), numbers: usize, ties: u8) {
        for (&set, row) in sets.iter().zip(self.rows[first * self.width..].chunks_exact_mut(self.width)) {
            for (at, own) in limits.iter().enumerate() {
                let places = (at..).step_by(limits.len()).take(numbers);
                places.zip(own.results(ties, set)).for_each(|(at, holds)| row[at] = -i32::from(holds));
            }
        }
    }
}

impl TableScratch {
    /// Returns the values for a suiting.
    pub(super) fn values(&self, form: FormKind, suiting: usize) -> Values {
        let sums = &self.forms[form as usize];
        let row = &sums.of_suiting[suiting * sums.width..][..sums.width];
        let mut values = [[0; WIDTH]; ROWS];
        for (values, numbers) in values.iter_mut().zip(row.chunks_exact(sums.limits.max(1))).take(self.numbers) {
            for (value, &place) in values.iter_mut().zip(&sums.places) {
                *value = numbers[place];
            }
        }
        values
    }
}
