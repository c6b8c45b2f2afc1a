//! Corrections for flushes of the other side in one suit.
//!
//! How many hands a flush profile stands for depends on which of the ranks held by this side lie in the flush suit (the set
//! `m`): none of them may be in the profile's flush suit, and its at most two other cards are picked from what this side's
//! other cards leave. The first is a matter of the set `v` of held ranks that the profile has in the flush suit (`v` and `m`
//! must be disjoint), the second a product of at most two small numbers for each of 105 off-suit states.
//!
//! So, for all multisets on one set of ranks together, events are counted by front (between the limits that are asked for),
//! by `v`, and by off-suit state, in the order of their backs. At each limit on the back the counts, summed over fronts
//! below a limit and over the subsets `v` of the complement of `m`, are multiplied with the weights of each `m`.

use super::Scratch;
use super::kernels::{Kernels, OFF_SUIT_START, ROW, Row};
use super::multiset::{Ask, Multiset};
use super::opponent::{Event, Outcomes};
use houseway_env::cards::Rank;
use houseway_env::cards::profile::off_suit_place;

/// The corrections of one multiset: for each ask, one number for each set of held ranks in the flush suit.
pub(super) struct Corrections {
    sets: usize,
    numbers: Vec<i32>,
    /// By set of held ranks in the flush suit: ways to pick the cards of each off-suit state.
    weights: Vec<Row>,
}

impl Corrections {
    fn new(multiset: &Multiset<'_>) -> Corrections {
        let sets = 1 << multiset.ranks.len();
        let weights = (0..sets).map(|set| off_suit_ways(multiset, set)).collect();
        Corrections { sets, numbers: vec![0; sets * multiset.asks.len()], weights }
    }

    /// The corrections for one ask, by set of held ranks in the flush suit. Those of sets that the multiset cannot have in
    /// a suit mean nothing.
    #[inline]
    pub(super) fn of(&self, ask: usize) -> &[i32] {
        &self.numbers[ask * self.sets..][..self.sets]
    }
}

/// Ways to pick each off-suit state if the ranks in `set` are held in the flush suit.
fn off_suit_ways(multiset: &Multiset<'_>, set: usize) -> Row {
    let mut left = [3i16; 13];
    for (at, (rank, &count)) in multiset.ranks.iter().zip(&multiset.pattern.counts).enumerate() {
        left[rank.index()] += (set >> at & 1) as i16 - i16::from(count);
    }
    let mut row = [0; ROW];
    if left.iter().any(|&left| left < 0) {
        return row; // four of a rank, and none of them in this suit
    }
    row[OFF_SUIT_START[0]] = 1;
    for high in 0..13 {
        row[OFF_SUIT_START[1] + high] = left[high];
        for low in 0..high {
            row[OFF_SUIT_START[2] + off_suit_place(2, high, low)] = left[high] * left[low];
        }
        row[OFF_SUIT_START[2] + off_suit_place(2, high, high)] = left[high] * (left[high] - 1) / 2;
    }
    row
}

/// A sum that one of the multisets needs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Task {
    ask: Ask,
    multiset: usize,
    place: usize,
}

/// The corrections of multisets on the same ranks.
pub(super) fn corrections(
    kernels: Kernels,
    outcomes: &Outcomes,
    ranks: &[Rank],
    multisets: &[Multiset<'_>],
    scratch: &mut Scratch,
) -> Vec<Corrections> {
    let mut corrections: Vec<Corrections> = multisets.iter().map(Corrections::new).collect();
    let mut tasks = vec![];
    for (i, multiset) in multisets.iter().enumerate() {
        let places = multiset.asks.iter().enumerate();
        tasks.extend(places.map(|(place, &ask)| Task { ask, multiset: i, place }));
    }
    tasks.sort_unstable();
    let mut fronts: Vec<u8> = tasks.iter().map(|task| task.ask.front).collect();
    fronts.sort_unstable();
    fronts.dedup();
    let sets = 1 << ranks.len();
    let places = Places::new(ranks, &fronts);
    scratch.counts.clear();
    scratch.counts.resize(fronts.len() * sets, [0; ROW]);
    let mut done = 0;
    for same_back in tasks.chunk_by(|a, b| a.ask.back == b.ask.back) {
        let end = outcomes.events_below(same_back[0].ask.back.into());
        places.count(&outcomes.events[done..end], scratch.counts.as_flattened_mut());
        done = end;
        answer(kernels, &fronts, sets, same_back, scratch, &mut corrections);
    }
    corrections
}

/// Answers tasks with the same limit on the back, once the events below it are counted.
fn answer(
    kernels: Kernels,
    fronts: &[u8],
    sets: usize,
    tasks: &[Task],
    scratch: &mut Scratch,
    corrections: &mut [Corrections],
) {
    scratch.below.clear();
    scratch.below.resize(sets, [0; ROW]);
    let mut fronts = fronts.iter().zip(scratch.counts.chunks_exact(sets)).peekable();
    for same_ask in tasks.chunk_by(|a, b| a.ask == b.ask) {
        while let Some((_, counts)) = fronts.next_if(|&(&front, _)| front <= same_ask[0].ask.front) {
            kernels.add_rows(&mut scratch.below, counts);
        }
        scratch.subsets.clone_from(&scratch.below);
        kernels.subset_sums(&mut scratch.subsets);
        for task in same_ask {
            let Corrections { numbers, weights, .. } = &mut corrections[task.multiset];
            kernels.products(&scratch.subsets, weights, &mut numbers[task.place * sets..][..sets]);
        }
    }
}

/// Where events are counted.
struct Places {
    /// By ranks of the flush suit: start of the row.
    row: Box<[u32; 1 << 13]>,
    /// By front: start of the rows of those between the same limits.
    rows: [u32; 128],
}

impl Places {
    /// Fronts below the first limit, between the first and the second, ... The last limit is above all fronts.
    fn new(ranks: &[Rank], limits: &[u8]) -> Places {
        let mut row = Box::new([0; 1 << 13]);
        for mask in 1..1usize << 13 {
            let (rank, rest) = (mask.trailing_zeros() as usize, mask & (mask - 1));
            let held = ranks.iter().position(|held| held.index() == rank);
            row[mask] = row[rest] + held.map_or(0, |at| (ROW << at) as u32);
        }
        let rows_of_a_front = ROW << ranks.len();
        let between = |front: usize| limits.partition_point(|&limit| usize::from(limit) <= front);
        Places { row, rows: std::array::from_fn(|front| (between(front) * rows_of_a_front) as u32) }
    }

    fn count(&self, events: &[Event], counts: &mut [i16]) {
        for event in events {
            let place = self.row[event.mask()] + self.rows[event.front()] + event.off_suit() as u32;
            counts[place as usize] += event.sign();
        }
    }
}
