//! Sums over the other side's hands that only take ranks into account, as if there were no flushes.
//!
//! A rank profile's weight is a product over its ranks. The factor for a rank is the number of ways to pick the
//! profile's cards from the available ones, i.e. from the deck without this side's hand and any known cards. If all cards
//! of the rank are available, the factor is constant, so a cell is the restriction of the profile to the other ranks. Cells are in the same order as
//! profiles, first by the ranks from nine to ace and then by the ranks from two to eight.

use super::halves::{CARDS, HALVES, LOW_RANKS, cards};
use super::kernels::{Kernels, LANES};
use super::multiset::Queries;
use super::opponent::{HasFront, RankProfile, RankProfiles};
use super::sweep::{Cells, CountBuffers, Parts, Tasks, each_interleaved, sweep};
use houseway_env::cards::Rank;
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
