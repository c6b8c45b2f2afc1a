//! Answers queries about a strategy that only depends on profiles, as a sum by ranks and corrections for flushes.
//!
//! Both count the outcomes below limits on the back and the front in a single pass over the outcomes sorted by back. They
//! divide the outcomes into cells, and the limits on the front divide each cell further. Whenever the pass reaches a limit
//! on the back, these divisions are added up in ascending order of front. The running sum at a front limit is the result
//! for both limits, with one number per cell. The outcomes that tie with a front are a division of their own. Those that tie
//! with a back are counted separately, because there are only a few for each strength.

use super::flush::{Answers, corrected, sums};
use super::kernels::Kernels;
use super::multiset::{Ask, Limits, Queries};
use super::opponent::{Hands, Outcomes};

/// A query from one of several groups.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Task {
    pub ask: Ask,
    /// The index of the group.
    pub group: usize,
    /// The index of the query in its group.
    pub place: usize,
}

/// The sorted queries from several groups.
pub(super) struct Tasks {
    tasks: Vec<Task>,
    /// The distinct limits on the front, in ascending order.
    fronts: Vec<u8>,
}

impl Tasks {
    pub(super) fn new(groups: &[Queries<'_>]) -> Tasks {
        let mut tasks = vec![];
        for (group, queries) in groups.iter().enumerate() {
            let places = queries.asks.iter().enumerate();
            tasks.extend(places.map(|(place, &ask)| Task { ask, group, place }));
        }
        tasks.sort_unstable();
        let limits = |task: &Task| match task.ask {
            Ask::Below(Limits { front, .. }) => [Some(front), None],
            Ask::Front(front) => [Some(front), Some(front + 1)],
            Ask::Back(_) => [None; 2],
        };
        let mut fronts: Vec<u8> = tasks.iter().flat_map(limits).flatten().collect();
        fronts.sort_unstable();
        fronts.dedup();
        Tasks { tasks, fronts }
    }
}

/// The index of the first cell in the division that each front belongs to.
pub(super) type Parts = [u32; 128];

/// Calls `count` with all outcomes, taking them from four positions in turn. Neighboring outcomes often share a cell,
/// and consecutive additions to the same cell would have to wait for each other.
#[inline(always)]
pub(super) fn each_interleaved<T: Copy>(outcomes: &[T], mut count: impl FnMut(T)) {
    let quarter = outcomes.len() / 4;
    let (quarters, rest) = outcomes.split_at(4 * quarter);
    let (half, other_half) = quarters.split_at(2 * quarter);
    let (first, second) = half.split_at(quarter);
    let (third, fourth) = other_half.split_at(quarter);
    for (((&first, &second), &third), &fourth) in first.iter().zip(second).zip(third).zip(fourth) {
        count(first);
        count(second);
        count(third);
        count(fourth);
    }
    rest.iter().copied().for_each(count);
}

/// Reusable buffers for counting.
#[derive(Default)]
pub(super) struct CountBuffers {
    by_front: Vec<i32>,
    below: Vec<i32>,
}

impl CountBuffers {
    fn clear(&mut self, cells: usize, parts: usize) {
        for (counts, len) in [(&mut self.by_front, cells * parts), (&mut self.below, cells)] {
            counts.clear();
            counts.resize(len, 0);
        }
    }
}

/// Passes over all outcomes and calls `answer` for each distinct query, with the tasks that share the query and its
/// result for each cell. `count` adds outcomes to the counts for their cells.
pub(super) fn sweep<T: Copy>(
    kernels: Kernels,
    Tasks { tasks, fronts }: &Tasks,
    outcomes: &Outcomes<T>,
    cells: usize,
    count: impl Fn(&[T], &Parts, &mut [i32]),
    counts: &mut CountBuffers,
    mut answer: impl FnMut(&[Task], &[i32]),
) {
    let limits_below = |front: usize| fronts.partition_point(|&limit| usize::from(limit) <= front);
    let parts: Parts = std::array::from_fn(|front| (limits_below(front) * cells) as u32);
    counts.clear(cells, fronts.len());
    // Replace back limits with the number of outcomes below them, since limits with no outcomes in between are
    // equivalent.
    let limits = |task: &Task| match task.ask {
        Ask::Below(Limits { back, front }) => Some((outcomes.below(back.into()), front)),
        _ => None,
    };
    let mut below: Vec<_> = tasks.iter().filter_map(|&task| Some((limits(&task)?, task))).collect();
    below.sort_unstable();
    let mut done = 0;
    let mut tasks_of_an_ask = vec![];
    for same_back in below.chunk_by(|((a, _), _), ((b, _), _)| a == b) {
        let end = same_back[0].0.0;
        count(&outcomes.by_back[done..end], &parts, &mut counts.by_front);
        done = end;
        // The queries with this back are in ascending order of front, so each part is added once for all of them.
        counts.below.fill(0);
        let mut below_fronts = fronts.iter().zip(counts.by_front.chunks_exact(cells)).peekable();
        for same_ask in same_back.chunk_by(|(a, _), (b, _)| a == b) {
            while let Some((_, part)) = below_fronts.next_if(|&(&front, _)| front <= same_ask[0].0.1) {
                kernels.add(&mut counts.below, part);
            }
            tasks_of_an_ask.clear();
            tasks_of_an_ask.extend(same_ask.iter().map(|&(_, task)| task));
            answer(&tasks_of_an_ask, &counts.below);
        }
    }
    for same_ask in tasks.chunk_by(|a, b| a.ask == b.ask) {
        match same_ask[0].ask {
            Ask::Below(_) => {}
            Ask::Back(back) => {
                counts.below.fill(0);
                count(outcomes.of_back(back.into()), &[0; 128], &mut counts.below);
                answer(same_ask, &counts.below);
            }
            // This front and the next one are both limits, so the front has a division to itself. It has all outcomes, because
            // the hands below the front, with any back, are always asked for as well.
            Ask::Front(front) => {
                debug_assert_eq!(done, outcomes.by_back.len());
                let start = parts[usize::from(front)] as usize;
                answer(same_ask, &counts.by_front[start..][..cells]);
            }
        }
    }
}

/// Answers several groups of queries. All groups must have the same ranks, in the same order.
pub(super) fn answers(
    kernels: Kernels,
    hands: &Hands,
    groups: &[Queries<'_>],
    counts: &mut CountBuffers,
) -> Vec<Answers> {
    if groups.is_empty() {
        return vec![];
    }
    let tasks = Tasks::new(groups);
    let base = sums(kernels, &hands.ranks, groups, &tasks, counts);
    corrected(kernels, base, &hands.events, &[3; 13], groups, &tasks, counts)
}
