//! Computes each class's values by adding up its parts.

use super::super::classes::{ROWS, Values, WIDTH};
use super::super::counted::PassOptions;
use super::super::kernels::{Kernels, LANES};
use super::super::multiset::{FormKind, Multiset};
use super::asked::different_limits;
use super::levels::kinds;
use super::prepared::PreparedValues;
use super::shapes::HAND;
use super::strategy::TableOpponent;
use super::width::Width;
use houseway_env::pai_gow::Setting;

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
        let shape = self.shapes.get(self.levels.hands()[hand].shape);
        let made = &self.made[hand];
        scratch.numbers = prepared.numbers;
        for (form, sums) in scratch.forms.iter_mut().enumerate() {
            let (_, places) = different_limits(counted, multiset.form(FormKind::ALL[form]));
            (sums.legal, sums.places) = (multiset.form(FormKind::ALL[form]).legal, places);
            let layout = &shape.layouts[form];
            let row = asked.limits[form].len() * prepared.numbers;
            sums.width = row.next_multiple_of(LANES);
            sums.rows.clear();
            sums.rows.resize((layout.rows + made.sets.len()) * sums.width, 0);
            for (place, part) in shape.parts.iter().enumerate() {
                for cards in part.cards..(part.cards + 1 + usize::from(multiset.joker)).min(HAND) {
                    let joker = cards - part.cards;
                    let width = Width::of_part(cards);
                    let subtract = !cards.is_multiple_of(2);
                    let mut at = asked.starts[form][width as usize] + layout.stored[joker][place] * row;
                    let rows = &mut sums.rows[layout.first[place] * sums.width..];
                    for numbers in rows.chunks_exact_mut(sums.width.max(1)).take(layout.suitings[place].len()) {
                        prepared.add(width, at, subtract, &mut numbers[..row]);
                        at += row;
                    }
                }
            }
            // The class itself is a part as well. It contains a single opposing hand, which is compared here.
            let own = sums.rows[layout.rows * sums.width..].chunks_exact_mut(sums.width.max(1));
            for (&set, numbers) in made.sets.iter().zip(own) {
                for (limits, numbers) in asked.limits[form].iter().zip(numbers.chunks_exact_mut(prepared.numbers)) {
                    let results = limits.results(set).map(|holds| -i32::from(holds));
                    numbers.copy_from_slice(&results[..prepared.numbers]);
                }
            }
            sums.of_suiting.clear();
            sums.of_suiting.resize(shape.suitings.len() * sums.width, 0);
            let of_suiting = sums.of_suiting.chunks_exact_mut(sums.width.max(1)).enumerate();
            for ((suiting, sums_of_suiting), set) in of_suiting.zip(made.of_suitings()) {
                kernels.sum_rows(&sums.rows, layout.terms(suiting), sums_of_suiting);
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
    /// A bit mask of the legal settings.
    legal: u32,
    /// The index into the distinct limits for each setting.
    places: [usize; Setting::COUNT],
    width: usize,
    /// One row per suiting of each part, followed by one row per set hand that the other side makes of the same cards.
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
