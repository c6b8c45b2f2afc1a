//! Evaluates a piece against a strategy that only depends on profiles.

use super::classes::{self, ClassCounts, FormValues, ROWS};
use super::counted::PassOptions;
use super::kernels::Kernels;
use super::multiset::{FormKind, Multiset};
use super::opponent::Hands;
use super::sweep::{CountBuffers, Tasks};
use super::{flush, ranks};
use houseway_env::cards::Rank;

/// Buffers that a thread reuses.
#[derive(Default)]
pub(super) struct ProfileScratch {
    counts: CountBuffers,
    classes: Vec<ClassCounts>,
}

/// Visits the classes for each of the multisets. All multisets must have the same ranks. Every opposing hand has the
/// given weight.
pub(super) fn count_by_profiles(
    (counted, kernels): (&PassOptions<'_>, Kernels),
    (hands, weight): (&Hands, i32),
    ranks: &[Rank],
    multisets: &[Multiset<'_>],
    ProfileScratch { counts, classes }: &mut ProfileScratch,
    mut visit: impl FnMut(&[ClassCounts]),
) {
    let rows = if counted.halves { ROWS } else { ROWS - 2 };
    let tasks = Tasks::new(multisets);
    let base = ranks::sums(kernels, &hands.ranks, ranks, multisets, &tasks, counts);
    let corrections = flush::corrections(kernels, &hands.events, ranks, multisets, &tasks, counts);
    for ((multiset, base), corrections) in multisets.iter().zip(&base).zip(&corrections) {
        let [plain, suited] = FormKind::ALL
            .map(|form| FormValues::new(multiset.form(form), rows, 1 << ranks.len(), (weight, base), corrections));
        let values = |form, suiting: usize| match form {
            FormKind::Plain => plain.values(&multiset.pattern.suitings[suiting]),
            FormKind::Suited => suited.values(&multiset.pattern.suitings[suiting]),
        };
        classes.clear();
        classes::put_classes(counted, multiset, values, classes);
        visit(classes);
    }
}
