//! Answers queries about a strategy that only depends on profiles.

use super::flush::{self, Corrections};
use super::kernels::Kernels;
use super::multiset::Queries;
use super::opponent::Hands;
use super::ranks;
use super::sweep::{CountBuffers, Tasks};

/// The results for a group of queries.
pub(super) struct Answers {
    /// The results by ranks only.
    pub base: Vec<i32>,
    /// The corrections for flushes.
    pub corrections: Corrections,
}

/// Answers several groups of queries. All groups must have the same ranks, in the same order.
pub(super) fn answers(
    kernels: Kernels,
    hands: &Hands,
    groups: &[Queries<'_>],
    counts: &mut CountBuffers,
) -> Vec<Answers> {
    let Some(&Queries { ranks, .. }) = groups.first() else { return vec![] };
    let tasks = Tasks::new(groups);
    let base = ranks::sums(kernels, &hands.ranks, ranks, groups, &tasks, counts);
    let corrections = flush::corrections(kernels, &hands.events, ranks, groups, &tasks, counts);
    base.into_iter().zip(corrections).map(|(base, corrections)| Answers { base, corrections }).collect()
}
