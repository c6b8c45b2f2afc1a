//! Computes each class's values by adding up its parts.

use super::super::classes::{ROWS, Values, WIDTH};
use super::super::kernels::{Kernels, LANES};
use super::super::multiset::{FormKind, Multiset};
use super::asked::different_needs;
use super::levels::kinds;
use super::prepared::PreparedValues;
use super::strategy::TableOpponent;
use super::width::Width;
use houseway_env::pai_gow::Setting;

impl TableOpponent {
    /// Adds up the values for all classes of a multiset and stores them in `scratch`.
    pub(in super::super) fn sum_up(
        &self,
        kernels: Kernels,
        prepared: &PreparedValues,
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
                    let width = Width::of_part(cards);
                    let sign = if cards.is_multiple_of(2) { 1 } else { -1 };
                    let mut at = asked.starts[form][width as usize] + layout.stored[joker][place] * row;
                    let rows = &mut sums.rows[layout.first[place] * sums.width..];
                    for numbers in rows.chunks_exact_mut(sums.width.max(1)).take(layout.suitings[place].len()) {
                        prepared.add(width, at, sign, &mut numbers[..row]);
                        at += row;
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

/// Buffers for adding up the values.
#[derive(Default)]
pub(in super::super) struct TableScratch {
    numbers: usize,
    forms: [FormSums; 2],
}

/// The sums for one form.
#[derive(Default)]
struct FormSums {
    /// A bit mask of the legal settings.
    legal: u32,
    /// The index into the distinct needs for each setting.
    places: [usize; Setting::COUNT],
    width: usize,
    /// One row per suiting of each part.
    rows: Vec<i32>,
    /// One row per suiting of the multiset.
    of_suiting: Vec<i32>,
}

impl TableScratch {
    /// Returns the values for a suiting.
    pub(in super::super) fn values(&self, form: FormKind, suiting: usize) -> Values {
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
