//! Sums over the other side's hands that only take ranks into account, as if there were no flushes, and corrections for
//! the flushes, computed for one suit at a time.
//!
//! A rank profile's weight is a product over its ranks. The factor for a rank is the number of ways to pick the
//! profile's cards from the available ones, i.e. from the deck without this side's hand and any known cards. If all cards
//! of the rank are available, the factor is constant, so a cell is the restriction of the profile to the other ranks.
//! Cells are in the same order as profiles, first by the ranks from nine to ace and then by the ranks from two to eight.
//! Each of these two halves has a table of all possible card counts.
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
use super::opponent::{Event, Events, OFF_SUIT, RankProfile, RankProfiles};
use super::sweep::{CountBuffers, Parts, Tasks, each_interleaved, sweep};
use crate::pai_gow::hand::WAYS;
use houseway_env::cards::Rank;
use houseway_env::cards::profile::off_suit_place;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The results for one group of queries.
pub(super) struct Answers {
    /// The results by ranks only.
    pub base: Vec<i32>,
    /// The number of sets of held ranks in the flush suit.
    pub sets: usize,
    /// The corrections for flushes, with one value per query and set of held ranks in the flush suit.
    numbers: Vec<i32>,
    /// The number of ways to pick each multiset of at most two held ranks from other suits. There is one row for each
    /// set of held ranks in the flush suit.
    weights: Vec<i32>,
}

impl Answers {
    fn new(base: Vec<i32>, queries: Queries<'_>) -> Answers {
        let sets = 1 << queries.ranks.len();
        let weights = (0..sets).flat_map(|set| off_suit_ways(queries, set)).collect();
        Answers { base, sets, numbers: vec![0; sets * queries.asks.len()], weights }
    }

    /// Returns the corrections for one query, indexed by the set of held ranks in the flush suit. Values for sets that
    /// can't be held in one suit are meaningless.
    #[inline]
    pub(super) fn corrections(&self, ask: usize) -> &[i32] {
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

/// Adds the corrections to the results by ranks for several groups of queries with the same ranks. `left` is the number of
/// available cards outside the flush suit for each of the other ranks.
pub(super) fn corrected(
    kernels: Kernels,
    base: Vec<Vec<i32>>,
    events: &Events,
    left: &[i32; 13],
    groups: &[Queries<'_>],
    tasks: &Tasks,
    counts: &mut CountBuffers,
) -> Vec<Answers> {
    let ranks = groups[0].ranks;
    let mut answers: Vec<Answers> = base.into_iter().zip(groups).map(|(base, &it)| Answers::new(base, it)).collect();
    let (sets, width) = (1 << ranks.len(), width(ranks.len()));
    let mut subsets = vec![0; sets * width];
    let cells = FlushCells::new(left, ranks);
    let count = |events: &[Event], parts: &Parts, counts: &mut [i32]| cells.count(events, parts, counts);
    sweep(kernels, tasks, events, sets * width, count, counts, |tasks, below| {
        subsets.copy_from_slice(below);
        kernels.subset_sums(&mut subsets, width);
        for task in tasks {
            let Answers { numbers, weights, .. } = &mut answers[task.group];
            kernels.products(&subsets, weights, width, &mut numbers[task.place * sets..][..sets]);
        }
    });
    answers
}

/// The cells for flush events.
struct FlushCells {
    /// The start of the row for each set of ranks in the flush suit. Ranks that this side doesn't hold are ignored.
    rows: Box<[u16; 1 << 13]>,
    /// The index of the held ranks within the row and the weighted number of ways to pick the other ranks, indexed by
    /// [`Event::state`].
    states: Box<[(u32, i32); Event::STATES]>,
}

impl FlushCells {
    fn new(left: &[i32; 13], ranks: &[Rank]) -> FlushCells {
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
        FlushCells { rows, states }
    }

    fn count(&self, events: &[Event], parts: &Parts, counts: &mut [i32]) {
        // The weight is looked up along with the state of the other cards, and counts may wrap, because only their sums
        // have to fit in 32 bits.
        each_interleaved(events, |event| {
            let (place, ways) = self.states[event.state()];
            let place = u32::from(self.rows[event.mask()]) + parts[event.front()] + place;
            let count = &mut counts[place as usize];
            *count = count.wrapping_add(ways);
        });
    }
}

/// The cells for rank profiles.
struct RankCells {
    /// The first cell and the number of ways to pick cards with other ranks, indexed by the high half's state.
    high: Vec<(u32, i32)>,
    /// The offset from the first cell and the number of ways, indexed by the low half's state.
    low: &'static [(u32, i32)],
    /// The first cell and the number of cells, indexed by the high half's pattern.
    blocks: Vec<(usize, usize)>,
    cells: usize,
}

impl RankCells {
    fn new(ranks: &[Rank]) -> RankCells {
        let halves = LazyLock::force(&HALVES);
        let [low, high] = [halves[0].held(ranks), halves[1].held(ranks)];
        let mut cells = 0;
        let block = |pattern: &[u8; LOW_RANKS]| {
            let len = low.up_to[CARDS - cards(pattern)];
            cells += len;
            (cells - len, len)
        };
        let blocks: Vec<(usize, usize)> = high.patterns.iter().map(block).collect();
        let start = |&(pattern, ways): &(u32, i32)| (blocks[pattern as usize].0 as u32, ways);
        RankCells {
            high: high.states.iter().map(start).collect(),
            low: &low.states,
            blocks,
            cells: cells.next_multiple_of(LANES),
        }
    }

    /// Returns each cell's weight for the given queries.
    fn weights(&self, queries: Queries<'_>) -> Vec<i32> {
        let [low, high] = HALVES.each_ref().map(|half| half.ways(queries));
        let mut weights = Vec::with_capacity(self.cells);
        for (&(_, len), high) in self.blocks.iter().zip(high) {
            weights.extend(low[..len].iter().map(|low| high * low));
        }
        weights.resize(self.cells, 0);
        weights
    }

    fn count(&self, profiles: &[RankProfile], parts: &Parts, counts: &mut [i32]) {
        // Nearly all time goes here. Everything that depends on one half of the ranks only is looked up, so an outcome
        // costs a few loads, two products and an addition, without a branch.
        each_interleaved(profiles, |profile| {
            let (start, high) = self.high[profile.high()];
            let (place, low) = self.low[profile.low()];
            let count = &mut counts[(start + place + parts[profile.front()]) as usize];
            *count = count.wrapping_add((high * low).wrapping_mul(profile.weight()));
        });
    }
}

/// Returns the query results for several groups with the same ranks.
pub(super) fn sums(
    kernels: Kernels,
    profiles: &RankProfiles,
    groups: &[Queries<'_>],
    tasks: &Tasks,
    counts: &mut CountBuffers,
) -> Vec<Vec<i32>> {
    let cells = RankCells::new(groups[0].ranks);
    let weights: Vec<Vec<i32>> = groups.iter().map(|&queries| cells.weights(queries)).collect();
    let mut sums: Vec<Vec<i32>> = groups.iter().map(|queries| vec![0; queries.asks.len()]).collect();
    let count = |profiles: &[RankProfile], parts: &Parts, counts: &mut [i32]| cells.count(profiles, parts, counts);
    sweep(kernels, tasks, profiles, cells.cells, count, counts, |tasks, below| {
        for task in tasks {
            sums[task.group][task.place] = kernels.product(below, &weights[task.group]);
        }
    });
    sums
}

/// The number of cards in a hand.
const CARDS: usize = 7;
/// The number of ranks in the low half, from two to eight.
const LOW_RANKS: usize = 7;

/// One half of the ranks. A state is any multiset of up to seven cards with these ranks and up to four cards per rank.
pub(super) struct Half {
    /// The index of the first rank.
    first: usize,
    /// The number of ranks.
    ranks: usize,
    /// Maps each state to its index.
    place: HashMap<[u8; LOW_RANKS], u16>,
    /// The restricted states for each set of held ranks. The index is a bit mask whose lowest bit represents the rank
    /// `first`.
    held: Vec<HeldHalf>,
}

/// A half's states, restricted to the ranks that this side holds.
struct HeldHalf {
    /// All possible card counts for the held ranks, sorted by the total number of cards.
    patterns: Vec<[u8; LOW_RANKS]>,
    /// The number of patterns with at most `n` cards, indexed by `n`.
    up_to: [usize; CARDS + 1],
    /// The index of each state's pattern and the number of ways to pick the state's cards from the other ranks.
    states: Vec<(u32, i32)>,
}

/// The two halves, from two to eight and from nine to ace.
pub(super) static HALVES: LazyLock<[Half; 2]> =
    LazyLock::new(|| [Half::new(0, LOW_RANKS), Half::new(LOW_RANKS, 13 - LOW_RANKS)]);

impl Half {
    fn new(first: usize, ranks: usize) -> Half {
        let mut states = vec![[0; LOW_RANKS]];
        for rank in 0..ranks {
            let with = |state: &[u8; LOW_RANKS], count| {
                let mut state = *state;
                state[rank] = count;
                state
            };
            states = states.iter().flat_map(|state| (0..=4).map(move |count| with(state, count))).collect();
            states.retain(|state| cards(state) <= CARDS);
        }
        states.sort_by_key(cards);
        let place = states.iter().enumerate().map(|(i, &state)| (state, i as u16)).collect();
        let held = (0..1 << ranks).map(|held| HeldHalf::new(&states, held)).collect();
        Half { first, ranks, place, held }
    }

    /// Returns the index of the state that a multiset has in this half.
    pub(super) fn place(&self, counts: &[u8; 13]) -> usize {
        let mut state = [0; LOW_RANKS];
        state[..self.ranks].copy_from_slice(&counts[self.first..][..self.ranks]);
        self.place[&state].into()
    }

    /// Returns the states restricted to the given ranks.
    fn held(&self, ranks: &[Rank]) -> &HeldHalf {
        let here = ranks.iter().filter_map(|rank| rank.index().checked_sub(self.first));
        let set = here.filter(|&rank| rank < self.ranks).fold(0, |set, rank| set | 1 << rank);
        &self.held[set]
    }

    /// Returns the number of ways to pick each pattern from the available cards.
    fn ways(&self, queries: Queries<'_>) -> Vec<i32> {
        let mut left = [4; LOW_RANKS];
        for (rank, &count) in queries.ranks.iter().zip(queries.counts) {
            if let Some(left) = rank.index().checked_sub(self.first).and_then(|rank| left.get_mut(rank)) {
                *left -= count;
            }
        }
        let ways = |pattern: &[u8; LOW_RANKS]| {
            pattern.iter().zip(left).map(|(&n, left)| WAYS[left as usize][n as usize] as i32).product()
        };
        self.held(queries.ranks).patterns.iter().map(ways).collect()
    }
}

impl HeldHalf {
    fn new(states: &[[u8; LOW_RANKS]], held: usize) -> HeldHalf {
        let pattern = |state: &[u8; LOW_RANKS]| -> [u8; LOW_RANKS] {
            std::array::from_fn(|rank| if held >> rank & 1 == 1 { state[rank] } else { 0 })
        };
        // Each pattern is itself a state, so the patterns are sorted by number of cards, too.
        let patterns: Vec<_> = states.iter().copied().filter(|state| pattern(state) == *state).collect();
        let place: HashMap<_, u32> = patterns.iter().enumerate().map(|(i, &pattern)| (pattern, i as u32)).collect();
        let ways = |state: &[u8; LOW_RANKS]| {
            (0..LOW_RANKS)
                .filter(|rank| held >> rank & 1 == 0)
                .map(|rank| WAYS[4][state[rank] as usize] as i32)
                .product()
        };
        HeldHalf {
            up_to: std::array::from_fn(|most| patterns.partition_point(|pattern| cards(pattern) <= most)),
            states: states.iter().map(|state| (place[&pattern(state)], ways(state))).collect(),
            patterns,
        }
    }
}

/// Returns the total number of cards in a state.
fn cards(state: &[u8; LOW_RANKS]) -> usize {
    state.iter().map(|&count| usize::from(count)).sum()
}
