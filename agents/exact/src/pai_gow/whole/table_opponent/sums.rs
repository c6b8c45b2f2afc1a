//! Computes each class's values by adding up its parts.

use super::super::classes::{ROWS, Values, WIDTH};
use super::super::counted::PassOptions;
use super::super::kernels::{Kernels, LANES};
use super::super::multiset::{FormKind, Multiset};
use super::asked::{Limits, different_limits};
use super::levels::kinds;
use super::prepared::PreparedValues;
use super::shapes::HAND;
use super::strategy::TableOpponent;
use super::width::Width;
use houseway_env::pai_gow::{SetHand, Setting};

impl TableOpponent {
    /// Adds up the values for all classes of a multiset and stores them in `scratch`.
    pub(in super::super) fn sum_up(
        &self,
        (counted, kernels): (&PassOptions<'_>, Kernels),
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
            let (_, places) = different_limits(counted, multiset.form(FormKind::ALL[form]));
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
                        prepared.add(kernels, width, at, subtract, &mut sums[..2 * row]);
                        at += row;
                    }
                }
            }
            for at in 0..layout.rows {
                let (before, rows) = sums.rows.split_at_mut(at * sums.width);
                kernels.add_rows(before, layout.terms(at), &mut rows[..sums.width]);
            }
            sums.compare(&asked.limits[form], (made.sets, layout.rows), scratch.numbers, Limits::ties(counted));
            sums.of_suiting.clear();
            sums.of_suiting.resize(shape.suitings.len() * sums.width, 0);
            let of_suiting = sums.of_suiting.chunks_exact_mut(sums.width).enumerate();
            for ((suiting, sums_of_suiting), set) in of_suiting.zip(made.of_suitings()) {
                kernels.add_rows(&sums.rows, layout.terms_of_whole(suiting), sums_of_suiting);
                kernels.add(sums_of_suiting, &sums.rows[(layout.rows + set) * sums.width..][..sums.width]);
            }
        }
    }
}

/// Buffers for adding up the values.
#[derive(Default)]
pub(in super::super) struct TableScratch {
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
    pub(in super::super) fn values(&self, form: FormKind, suiting: usize) -> Values {
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
