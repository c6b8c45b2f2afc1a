//! Evaluates a piece against a strategy that only depends on profiles.

use super::answers::answers;
use super::classes::{self, ClassCounts, FormValues, ROWS};
use super::counted::PassOptions;
use super::kernels::Kernels;
use super::multiset::{FormKind, Multiset, Queries};
use super::opponent::Hands;
use super::sweep::CountBuffers;
use crate::pai_gow::BANKER_HANDS;

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
    multisets: &[Multiset<'_>],
    ProfileScratch { counts, classes }: &mut ProfileScratch,
    mut visit: impl FnMut(&[ClassCounts]),
) {
    let rows = if counted.halves { ROWS } else { ROWS - 2 };
    let all_hands = weight.wrapping_mul(BANKER_HANDS as i32);
    let groups: Vec<Queries<'_>> = multisets.iter().map(Multiset::queries).collect();
    for (multiset, answers) in multisets.iter().zip(answers(kernels, hands, &groups, counts)) {
        let [plain, suited] = FormKind::ALL.map(|form| FormValues::new(multiset.form(form), rows, all_hands, &answers));
        let values = |form, suiting: usize| match form {
            FormKind::Plain => plain.values(&multiset.pattern.suitings[suiting].masks),
            FormKind::Suited => suited.values(&multiset.pattern.suitings[suiting].masks),
        };
        classes.clear();
        classes::put_classes(counted, multiset, values, classes);
        visit(classes);
    }
}
