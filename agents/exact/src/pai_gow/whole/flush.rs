//! Corrections for the other side's flushes, computed for one suit at a time.
//!
//! The number of hands with a flush profile depends on `m`, the set of ranks that this side holds in the flush suit.
//! None of these ranks can occur in the profile's flush suit. If `v` is the set of ranks in the profile's flush suit
//! that this side holds in any suit, this means that `v` and `m` must be disjoint. The profile's remaining cards, of
//! which there are at most two, come from the rest of the deck. Those whose ranks this side holds contribute a product
//! that depends on its hand. For any other rank, all three cards in the other suits are available unless they are dead, so
//! the factor is constant. Known cards count as held by this side.
//!
//! A cell therefore consists of a set `v` and a multiset of at most two held ranks, and each event is weighted by its
//! constant factor. For a set `m`, the cells for all subsets `v` of its complement are added up and multiplied by the
//! weights for `m`.

use super::kernels::{Kernels, LANES};
use super::multiset::Queries;
use super::opponent::{Event, Events, HasFront, OFF_SUIT};
use super::sweep::{Cells, CountBuffers, Parts, Tasks, each_interleaved, sweep};
use houseway_env::cards::Rank;
use houseway_env::cards::profile::off_suit_place;

/// The corrections for one group of queries. There is one value per query and set of held ranks in the flush suit.
pub(super) struct Corrections {
    sets: usize,
    numbers: Vec<i32>,
    /// The number of ways to pick each multiset of at most two held ranks from other suits. There is one row for each
    /// set of held ranks in the flush suit.
    weights: Vec<i32>,
}

impl Corrections {
    fn new(queries: Queries<'_>) -> Corrections {
        let sets = 1 << queries.ranks.len();
        let weights = (0..sets).flat_map(|set| off_suit_ways(queries, set)).collect();
        Corrections { sets, numbers: vec![0; sets * queries.asks.len()], weights }
    }

    /// Returns the number of sets of held ranks.
    pub(super) fn sets(&self) -> usize {
        self.sets
    }

    /// Returns the corrections for one query, indexed by the set of held ranks in the flush suit. Values for sets that
    /// can't be held in one suit are meaningless.
    #[inline]
    pub(super) fn get(&self, ask: usize) -> &[i32] {
        &self.numbers[ask * self.sets..][..self.sets]
    }
}

/// Returns the width of a row: the number of multisets of at most two out of `ranks` ranks, padded to a multiple of
/// [`LANES`]. Smaller multisets come first in a row.
fn width(ranks: usize) -> usize {
    (1 + ranks + ranks * (ranks + 1) / 2).next_multiple_of(LANES)
}

/// Returns the number of ways to pick each multiset of at most two held ranks from other suits, if this side holds the
/// ranks in `set` in the flush suit.
fn off_suit_ways(queries: Queries<'_>, set: usize) -> Vec<i32> {
    let ranks = queries.ranks.len();
    let mut row = vec![0; width(ranks)];
    let held = queries.counts.iter().enumerate();
    let left: Vec<i32> = held.map(|(at, &count)| 3 + (set >> at & 1) as i32 - i32::from(count)).collect();
    if left.iter().any(|&left| left < 0) {
        return row; // impossible: all four cards of a rank are held, but none in this suit
    }
    row[0] = 1;
    row[1..=ranks].copy_from_slice(&left);
    for high in 0..ranks {
        for low in 0..high {
            row[1 + ranks + off_suit_place(2, high, low)] = left[high] * left[low];
        }
        row[1 + ranks + off_suit_place(2, high, high)] = left[high] * (left[high] - 1) / 2;
    }
    row
}

/// Computes the corrections for several groups of queries with the same ranks. `left` is the number of available cards
/// outside the flush suit for each of the other ranks.
pub(super) fn corrections(
    kernels: Kernels,
    events: &Events,
    left: &[i32; 13],
    ranks: &[Rank],
    groups: &[Queries<'_>],
    tasks: &Tasks,
    counts: &mut CountBuffers,
) -> Vec<Corrections> {
    let mut corrections: Vec<Corrections> = groups.iter().copied().map(Corrections::new).collect();
    let (sets, width) = (1 << ranks.len(), width(ranks.len()));
    let mut subsets = vec![0; sets * width];
    let cells = FlushCells::new(events, left, ranks);
    sweep(kernels, tasks, &cells, counts, |tasks, below| {
        subsets.copy_from_slice(below);
        kernels.subset_sums(&mut subsets, width);
        for task in tasks {
            let Corrections { numbers, weights, .. } = &mut corrections[task.group];
            kernels.products(&subsets, weights, width, &mut numbers[task.place * sets..][..sets]);
        }
    });
    corrections
}

/// The cells for flush events.
struct FlushCells<'a> {
    events: &'a Events,
    cells: usize,
    /// The start of the row for each set of ranks in the flush suit. Ranks that this side doesn't hold are ignored.
    rows: Box<[u16; 1 << 13]>,
    /// The index of the held ranks within the row and the weighted number of ways to pick the other ranks, indexed by
    /// [`Event::state`].
    states: Box<[(u32, i32); Event::STATES]>,
}

impl<'a> FlushCells<'a> {
    fn new(events: &'a Events, left: &[i32; 13], ranks: &[Rank]) -> FlushCells<'a> {
        let mut places = [None; 13];
        ranks.iter().enumerate().for_each(|(at, rank)| places[rank.index()] = Some(at));
        let mut rows = Box::new([0; 1 << 13]);
        for mask in 1..1usize << 13 {
            let (rank, rest) = (mask.trailing_zeros() as usize, mask & (mask - 1));
            rows[mask] = rows[rest] + places[rank].map_or(0, |at| (width(ranks.len()) << at) as u16);
        }
        let two_held = |a: usize, b: usize| (1 + ranks.len() + off_suit_place(2, a.max(b), a.min(b))) as u32;
        let mut off_suit = [(0, 0); 128];
        off_suit[OFF_SUIT[0]] = (0, 1);
        for high in 0..13 {
            off_suit[OFF_SUIT[1] + high] = places[high].map_or((0, left[high]), |at| (1 + at as u32, 1));
            for low in 0..=high {
                off_suit[OFF_SUIT[2] + off_suit_place(2, high, low)] = match (places[high], places[low]) {
                    (Some(a), Some(b)) => (two_held(a, b), 1),
                    (Some(at), None) => (1 + at as u32, left[low]),
                    (None, Some(at)) => (1 + at as u32, left[high]),
                    (None, None) if high == low => (0, left[high] * (left[high] - 1) / 2),
                    (None, None) => (0, left[high] * left[low]),
                };
            }
        }
        let mut states = Box::new([(0, 0); Event::STATES]);
        for (state, value) in states.iter_mut().enumerate() {
            let (at, weight) = Event::split_state(state);
            let (place, ways) = off_suit[at];
            *value = (place, weight.wrapping_mul(ways));
        }
        FlushCells { events, cells: width(ranks.len()) << ranks.len(), rows, states }
    }
}

impl Cells for FlushCells<'_> {
    type Outcome = Event;

    fn len(&self) -> usize {
        self.cells
    }

    fn outcomes(&self) -> &Events {
        self.events
    }

    fn count(&self, outcomes: &[Event], parts: &Parts, counts: &mut [i32]) {
        // The weight is looked up along with the state of the other cards, and counts may wrap, because only their sums
        // have to fit in 32 bits.
        each_interleaved(outcomes, |event| {
            let (place, ways) = self.states[event.state()];
            let place = u32::from(self.rows[event.mask()]) + parts[event.front()] + place;
            let count = &mut counts[place as usize];
            *count = count.wrapping_add(ways);
        });
    }
}
