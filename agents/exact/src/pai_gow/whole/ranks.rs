//! Sums over the other side's hands by ranks alone, as if there were no flushes.
//!
//! The weight of a rank profile is the product over ranks of the number of ways to pick its cards from those that this
//! side's multiset leaves. Ranks that this side does not hold contribute a constant, so a cell is the restriction of
//! the profile to the held ranks. Like the profiles, cells are ordered by the ranks from nine to ace, then by those
//! from two to eight.

use super::halves::{CARDS, HALVES, LOW_RANKS, cards};
use super::kernels::{Kernels, LANES};
use super::multiset::Multiset;
use super::opponent::{RankProfile, RankProfiles};
use super::sweep::{Cells, CountBuffers, Parts, Tasks, each_interleaved, sweep};
use houseway_env::cards::Rank;
use std::sync::LazyLock;

/// Cells for rank profiles.
struct RankCells<'a> {
    profiles: &'a RankProfiles,
    /// First cell and number of ways to pick the cards of other ranks, indexed by the state of the high half.
    high: Vec<(u32, i32)>,
    /// Offset from the first cell and number of ways, indexed by the state of the low half.
    low: &'static [(u32, i32)],
    /// First cell and number of cells, indexed by the pattern of the high half.
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

    /// Returns the weight of each cell for a multiset.
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

/// Returns the query results of several multisets on the same ranks.
pub(super) fn sums(
    kernels: Kernels,
    profiles: &RankProfiles,
    ranks: &[Rank],
    multisets: &[Multiset<'_>],
    tasks: &Tasks,
    counts: &mut CountBuffers,
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
