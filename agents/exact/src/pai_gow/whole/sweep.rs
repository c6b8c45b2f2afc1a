//! One pass over outcomes in the order of their backs, which answers how many lie below limits on back and front.
//!
//! What is counted falls into cells (the reason why lies with those who count), and each cell into as many parts as there are
//! limits on the front. At each limit on the back the parts are added up from below; what stands in the cells at a limit on
//! the front is then the answer, cell by cell.

use super::kernels::Kernels;
use super::multiset::{Ask, Multiset};
use std::ops::Range;

/// A sum that one of the multisets needs.
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
        let mut fronts: Vec<u8> = tasks.iter().map(|task| task.ask.front).collect();
        fronts.sort_unstable();
        fronts.dedup();
        Tasks { tasks, fronts }
    }
}

/// By front: where the cells of its part start.
pub(super) type Parts = [u32; 128];

/// Outcomes in the order of their backs.
pub(super) trait Outcomes {
    /// How many have a back below this one.
    fn below(&self, back: usize) -> usize;

    /// Counts some of them.
    fn count(&self, range: Range<usize>, parts: &Parts, counts: &mut [i32]);
}

/// Memory that is used again and again.
#[derive(Default)]
pub(super) struct Counts {
    by_front: Vec<i32>,
    below: Vec<i32>,
}

/// Goes over all outcomes and calls `answer` with the tasks of each ask and the cells below its limits.
pub(super) fn sweep(
    kernels: Kernels,
    tasks: &Tasks,
    cells: usize,
    outcomes: &impl Outcomes,
    counts: &mut Counts,
    mut answer: impl FnMut(&[Task], &[i32]),
) {
    let Tasks { tasks, fronts } = tasks;
    let limits_below = |front: usize| fronts.partition_point(|&limit| usize::from(limit) <= front);
    let parts: Parts = std::array::from_fn(|front| (limits_below(front) * cells) as u32);
    let Counts { by_front, below } = counts;
    for counts in [&mut *by_front, &mut *below] {
        counts.clear();
    }
    by_front.resize(cells * fronts.len(), 0);
    below.resize(cells, 0);
    let mut done = 0;
    for same_back in tasks.chunk_by(|a, b| a.ask.back == b.ask.back) {
        let more = done..outcomes.below(same_back[0].ask.back.into());
        done = more.end;
        outcomes.count(more.clone(), &parts, by_front);
        if same_back[0].ask.front == u8::MAX {
            // Asked for any front only: what was below the limit before, and these.
            outcomes.count(more, &[0; 128], below);
            answer(same_back, below);
            continue;
        }
        below.fill(0);
        let mut parts = fronts.iter().zip(by_front.chunks_exact(cells)).peekable();
        for same_ask in tasks_of_an_ask(same_back) {
            while let Some((_, part)) = parts.next_if(|&(&front, _)| front <= same_ask[0].ask.front) {
                kernels.add(below, part);
            }
            answer(same_ask, below);
        }
        debug_assert!(parts.peek().is_none(), "every limit on the back is asked for with any front");
    }
}

fn tasks_of_an_ask(tasks: &[Task]) -> impl Iterator<Item = &[Task]> {
    tasks.chunk_by(|a, b| a.ask == b.ask)
}
