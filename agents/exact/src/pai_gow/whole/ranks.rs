//! Sums over the other side's hands by ranks alone, as if there were no flushes.
//!
//! A rank profile weighs the product over ranks of the ways to pick its cards from those that this side's multiset left. The
//! ranks that are not held give a constant, so a cell is what the profile has of the held ranks: how many of each. Cells go
//! by those from nine to ace, then by those from two to eight, as the profiles are stored.

use super::kernels::{Kernels, LANES};
use super::multiset::Multiset;
use super::opponent::{RankProfile, RankProfiles};
use super::sweep::{Cells, Counts, Parts, Tasks, each_interleaved, sweep};
use houseway_env::cards::Rank;
use houseway_env::cards::combinations::binomial;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Most cards of natural ranks in a hand.
const CARDS: usize = 7;
/// The ranks of the low half are two to eight.
const LOW_RANKS: usize = 7;

/// Half of the ranks: all multisets of at most seven cards of them, at most four of each.
pub(super) struct Half {
    /// First rank.
    first: usize,
    /// How many ranks.
    ranks: usize,
    place: HashMap<[u8; LOW_RANKS], u16>,
    /// By set of held ranks, in bits from `first` on.
    held: Vec<HeldHalf>,
}

/// What is left of the states of a half when only the held ranks count.
struct HeldHalf {
    /// Cards of each rank, those of ranks not held left out; ascending by number of cards.
    patterns: Vec<[u8; LOW_RANKS]>,
    /// By number of cards: how many patterns have no more.
    up_to: [usize; CARDS + 1],
    /// For each state: its pattern, and the ways to pick its cards of ranks not held.
    states: Vec<(u32, i32)>,
}

/// The half from two to eight, and that from nine to ace.
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

    /// The place of the state that a multiset has in this half.
    pub(super) fn place(&self, counts: &[u8; 13]) -> usize {
        let mut state = [0; LOW_RANKS];
        state[..self.ranks].copy_from_slice(&counts[self.first..][..self.ranks]);
        self.place[&state].into()
    }

    fn held(&self, ranks: &[Rank]) -> &HeldHalf {
        let here = ranks.iter().filter_map(|rank| rank.index().checked_sub(self.first));
        let set = here.filter(|&rank| rank < self.ranks).fold(0, |set, rank| set | 1 << rank);
        &self.held[set]
    }

    /// The ways to pick each of the patterns from what the multiset leaves.
    fn ways(&self, multiset: &Multiset<'_>) -> Vec<i32> {
        let mut left = [4; LOW_RANKS];
        for (rank, &count) in multiset.ranks.iter().zip(&multiset.pattern.counts) {
            if let Some(left) = rank.index().checked_sub(self.first).and_then(|rank| left.get_mut(rank)) {
                *left -= count;
            }
        }
        let ways = |pattern: &[u8; LOW_RANKS]| {
            pattern.iter().zip(left).map(|(&n, left)| WAYS[left as usize][n as usize]).product()
        };
        self.held(multiset.ranks).patterns.iter().map(ways).collect()
    }
}

impl HeldHalf {
    fn new(states: &[[u8; LOW_RANKS]], held: usize) -> HeldHalf {
        let pattern = |state: &[u8; LOW_RANKS]| -> [u8; LOW_RANKS] {
            std::array::from_fn(|rank| if held >> rank & 1 == 1 { state[rank] } else { 0 })
        };
        // States come by number of cards, and each pattern is a state itself.
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

fn cards(state: &[u8; LOW_RANKS]) -> usize {
    state.iter().map(|&count| usize::from(count)).sum()
}

/// Binomials up to C(4, 4).
const WAYS: [[i32; 5]; 5] = {
    let mut ways = [[0; 5]; 5];
    let mut i = 0;
    while i < 25 {
        ways[i / 5][i % 5] = binomial(i as u64 / 5, i as u64 % 5) as i32;
        i += 1;
    }
    ways
};

/// Where rank profiles are counted.
struct RankCells<'a> {
    profiles: &'a RankProfiles,
    /// By state of the high half: start of its cells, and the ways to pick its ranks not held.
    high: Vec<(u32, i32)>,
    /// By state of the low half: place from that start, and the ways.
    low: &'static [(u32, i32)],
    /// By pattern of the high half: start of its cells, and how many.
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

    /// The weight of each cell for a multiset.
    fn weights(&self, multiset: &Multiset<'_>) -> Vec<i32> {
        let [low, high] = HALVES.each_ref().map(|half| half.ways(multiset));
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
        each_interleaved(outcomes, |profile| {
            let ((start, high), (place, low)) = (self.high[profile.high()], self.low[profile.low()]);
            counts[(start + place + parts[profile.front()]) as usize] += high * low;
        });
    }
}

/// For each of some multisets on the same ranks, the sums for its asks.
pub(super) fn sums(
    kernels: Kernels,
    profiles: &RankProfiles,
    ranks: &[Rank],
    multisets: &[Multiset<'_>],
    tasks: &Tasks,
    counts: &mut Counts,
) -> Vec<Vec<i32>> {
    let cells = RankCells::new(profiles, ranks);
    let weights: Vec<Vec<i32>> = multisets.iter().map(|multiset| cells.weights(multiset)).collect();
    let mut sums: Vec<Vec<i32>> = multisets.iter().map(|multiset| vec![0; multiset.asks.len()]).collect();
    sweep(kernels, tasks, &cells, counts, |tasks, below| {
        for task in tasks {
            sums[task.multiset][task.place] = kernels.product(below, &weights[task.multiset]);
        }
    });
    sums
}
