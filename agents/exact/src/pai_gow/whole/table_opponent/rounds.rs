//! Prepares the values for each round.

use super::super::counted::PassOptions;
use super::super::kernels::Kernels;
use super::super::multiset::{FormKind, Multiset};
use super::super::pieces::{Patterns, Piece};
use super::asked::{Asked, different_limits};
use super::levels::kinds;
use super::part::PartScratch;
use super::prepared::{Preparation, PreparedValues};
use super::shapes::HAND;
use super::strategy::TableOpponent;
use super::width::Width;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The target size of a round's values in bytes. The last pieces in a round may exceed it.
const ROUND: usize = 3 << 29;
/// The number of pieces that are added to a round at a time.
const CHUNK: usize = 128;

impl TableOpponent {
    /// Prepares the values for the first pieces, as many as fit into one round. Returns the values and the number of
    /// prepared pieces. The memory of the last round's values is reused.
    pub(in super::super) fn prepare(
        &self,
        counted: &PassOptions<'_>,
        kernels: Kernels,
        patterns: &Patterns,
        pieces: &[Piece],
        last: PreparedValues,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> (PreparedValues, usize) {
        let pairs = if counted.copies { 2 } else { 1 };
        let (mut asked, mut taken, mut lens) = (vec![], 0, [0; Width::COUNT]);
        for chunk in pieces.chunks(CHUNK) {
            let of_piece =
                |piece: &Piece| piece.multisets(counted, patterns).iter().map(|it| self.ask(counted, it)).collect();
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
        self.count_parts((counted, kernels), &preparation, cancelled);
        (preparation.finish(), taken)
    }

    fn ask(&self, counted: &PassOptions<'_>, multiset: &Multiset<'_>) -> Asked {
        let hand = self.levels.hand(&kinds(multiset));
        let limits = FormKind::ALL.map(|form| different_limits(counted, multiset.form(form)).0);
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

    fn count_parts(
        &self,
        options: (&PassOptions<'_>, Kernels),
        preparation: &Preparation,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) {
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
        (0..rayon::current_num_threads()).into_par_iter().with_max_len(1).for_each(work);
    }
}
