//! Sums over the other side's hands that only take ranks into account, as if there were no flushes.
//!
//! A rank profile's weight is a product over its ranks. The factor for a rank is the number of ways to pick the
//! profile's cards from the available ones, i.e. from the deck without this side's hand and any known cards. If all cards
//! of the rank are available, the factor is constant, so a cell is the restriction of the profile to the other ranks.
//! Cells are in the same order as profiles, first by the ranks from nine to ace and then by the ranks from two to eight.
//! Each of these two halves has a table of all possible card counts.

use super::kernels::{Kernels, LANES};
use super::multiset::Queries;
use super::opponent::{HasFront, RankProfile, RankProfiles};
use super::sweep::{Cells, CountBuffers, Parts, Tasks, each_interleaved, sweep};
use houseway_env::cards::Rank;
use houseway_env::cards::combinations::binomial;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The cells for rank profiles.
struct RankCells<'a> {
    profiles: &'a RankProfiles,
    /// The first cell and the number of ways to pick cards with other ranks, indexed by the high half's state.
    high: Vec<(u32, i32)>,
    /// The offset from the first cell and the number of ways, indexed by the low half's state.
    low: &'static [(u32, i32)],
    /// The first cell and the number of cells, indexed by the high half's pattern.
    blocks: Vec<(usize, usize)>,
    cells: usize,
}

impl<'a> RankCells<'a> {
    fn new(profiles: &'a RankProfiles, ranks: &[Rank]) -> RankCells<'a> {
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
            profiles,
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
}

impl Cells for RankCells<'_> {
    type Outcome = RankProfile;

    fn len(&self) -> usize {
        self.cells
    }

    fn outcomes(&self) -> &RankProfiles {
        self.profiles
    }

    fn count(&self, outcomes: &[RankProfile], parts: &Parts, counts: &mut [i32]) {
        // Nearly all time goes here. Everything that depends on one half of the ranks only is looked up, so an outcome
        // costs a few loads, two products and an addition, without a branch.
        each_interleaved(outcomes, |profile| {
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
    ranks: &[Rank],
    groups: &[Queries<'_>],
    tasks: &Tasks,
    counts: &mut CountBuffers,
) -> Vec<Vec<i32>> {
    let cells = RankCells::new(profiles, ranks);
    let weights: Vec<Vec<i32>> = groups.iter().map(|&queries| cells.weights(queries)).collect();
    let mut sums: Vec<Vec<i32>> = groups.iter().map(|queries| vec![0; queries.asks.len()]).collect();
    sweep(kernels, tasks, &cells, counts, |tasks, below| {
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
            pattern.iter().zip(left).map(|(&n, left)| WAYS[left as usize][n as usize]).product()
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
            (0..LOW_RANKS).filter(|rank| held >> rank & 1 == 0).map(|rank| WAYS[4][state[rank] as usize]).product()
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

/// The binomial coefficients up to C(4, 4). `WAYS[n][k]` is the number of ways to pick `k` out of `n` cards.
const WAYS: [[i32; 5]; 5] = {
    let mut ways = [[0; 5]; 5];
    let mut i = 0;
    while i < 25 {
        ways[i / 5][i % 5] = binomial(i as u64 / 5, i as u64 % 5) as i32;
        i += 1;
    }
    ways
};
