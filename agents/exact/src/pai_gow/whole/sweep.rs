//! One pass over outcomes in the order of their backs, which answers how many lie below limits on back and front.
//!
//! What is counted falls into cells (the reason why lies with those who count), and each cell into as many parts as there are
//! limits on the front. At each limit on the back the parts are added up from below; what stands in the cells at a limit on
//! the front is then the answer, cell by cell. Ties are counted by themselves, as there are few of each.

use super::kernels::Kernels;
use super::multiset::{Ask, Multiset};
use super::opponent::{Outcome, Outcomes};

/// Something that one of the multisets asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Task {
    pub ask: Ask,
    pub multiset: usize,
    /// Place of the ask in its multiset.
    pub place: usize,
}

/// What several multisets ask for, in order.
pub(super) struct Tasks {
    tasks: Vec<Task>,
    /// Limits on the front, ascending.
    fronts: Vec<u8>,
}

impl Tasks {
    pub(super) fn of(multisets: &[Multiset<'_>]) -> Tasks {
        let mut tasks = vec![];
        for (i, multiset) in multisets.iter().enumerate() {
            let places = multiset.asks.iter().enumerate();
            tasks.extend(places.map(|(place, &ask)| Task { ask, multiset: i, place }));
        }
        tasks.sort_unstable();
        let limit = |task: &Task| if let Ask::Below { front, .. } = task.ask { Some(front) } else { None };
        let mut fronts: Vec<u8> = tasks.iter().filter_map(limit).collect();
        fronts.sort_unstable();
        fronts.dedup();
        Tasks { tasks, fronts }
    }
}

/// By front: where the cells of its part start.
pub(super) type Parts = [u32; 128];

/// What can be counted into cells: outcomes in the order of their backs, and in the order of their fronts.
pub(super) trait Cells {
    /// A kind of outcome.
    type Outcome: Outcome;

    /// How many cells there are.
    fn len(&self) -> usize;

    /// The outcomes.
    fn outcomes(&self) -> &Outcomes<Self::Outcome>;

    /// Counts some of them.
    fn count(&self, outcomes: &[Self::Outcome], parts: &Parts, counts: &mut [i32]);
}

/// Calls `count` with all outcomes, from four places in turn: neighbours often fall into one cell, where the second would
/// have to wait for the first.
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

/// Memory that is used again and again.
#[derive(Default)]
pub(super) struct Counts {
    by_front: Vec<i32>,
    below: Vec<i32>,
}

impl Counts {
    fn clear(&mut self, cells: usize, parts: usize) {
        for (counts, len) in [(&mut self.by_front, cells * parts), (&mut self.below, cells)] {
            counts.clear();
            counts.resize(len, 0);
        }
    }
}

/// Goes over all outcomes and calls `answer` with tasks of the same ask and what it asks for, cell by cell.
pub(super) fn sweep<C: Cells>(
    kernels: Kernels,
    tasks: &Tasks,
    cells: &C,
    counts: &mut Counts,
    mut answer: impl FnMut(&[Task], &[i32]),
) {
    let Tasks { tasks, fronts } = tasks;
    let limits_below = |front: usize| fronts.partition_point(|&limit| usize::from(limit) <= front);
    let parts: Parts = std::array::from_fn(|front| (limits_below(front) * cells.len()) as u32);
    counts.clear(cells.len(), fronts.len());
    // Limits on the back between which there is nothing are the same limit.
    let limits = |task: &Task| match task.ask {
        Ask::Below { back, front } => Some((cells.outcomes().below(back.into()), front)),
        _ => None,
    };
    let mut below: Vec<_> = tasks.iter().filter_map(|&task| Some((limits(&task)?, task))).collect();
    below.sort_unstable();
    let mut done = 0;
    let mut tasks_of_an_ask = vec![];
    for same_back in below.chunk_by(|((a, _), _), ((b, _), _)| a == b) {
        let end = same_back[0].0.0;
        cells.count(&cells.outcomes().by_back[done..end], &parts, &mut counts.by_front);
        done = end;
        counts.below.fill(0);
        let mut parts = fronts.iter().zip(counts.by_front.chunks_exact(cells.len())).peekable();
        for same_ask in same_back.chunk_by(|(a, _), (b, _)| a == b) {
            while let Some((_, part)) = parts.next_if(|&(&front, _)| front <= same_ask[0].0.1) {
                kernels.add(&mut counts.below, part);
            }
            tasks_of_an_ask.clear();
            tasks_of_an_ask.extend(same_ask.iter().map(|&(_, task)| task));
            answer(&tasks_of_an_ask, &counts.below);
        }
    }
    for same_ask in tasks.chunk_by(|a, b| a.ask == b.ask) {
        let tied = match same_ask[0].ask {
            Ask::Below { .. } => continue,
            Ask::Back(back) => cells.outcomes().of_back(back.into()),
            Ask::Front(front) => cells.outcomes().of_front(front.into()),
        };
        counts.below.fill(0);
        cells.count(tied, &[0; 128], &mut counts.below);
        answer(same_ask, &counts.below);
    }
}
