//! Compares two strategies.

use super::{ChangeCounts, Group, Sample};
use crate::pai_gow::whole::{Cancelled, Chooser, ClassCounts, DealCounts, FullGame, Payoff, Run};
use std::cmp::Reverse;
use std::collections::HashMap;

/// The differences between two strategies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The outcome counts of the first strategy over all deals.
    pub from: DealCounts,
    /// The outcome counts of the second strategy over all deals.
    pub to: DealCounts,
    /// The effect on all hands that are set differently.
    pub change: ChangeCounts,
    /// The effect on each group of hands, along with the hand whose EV changes the most. Groups are sorted by the
    /// absolute change in EV, largest first.
    pub groups: Vec<(Group, ChangeCounts, Sample)>,
}

#[derive(Default)]
struct Tally {
    from: DealCounts,
    to: DealCounts,
    groups: HashMap<Group, (ChangeCounts, Option<Sample>)>,
}

/// Compares two strategies on the evaluated side.
///
/// # Errors
/// Returns an error if the run was cancelled.
///
/// # Panics
/// Panics if one of the strategies was made for other rules and fouls under the current ones.
pub fn difference(
    whole: &FullGame<'_>,
    [from, to]: [&dyn Chooser; 2],
    payoff: Payoff,
    run: &Run<'_>,
) -> Result<Difference, Cancelled> {
    let visit = |tally: &mut Tally, classes: &[ClassCounts]| {
        let settings = from.choose(classes).into_iter().zip(to.choose(classes));
        for ((class, group), (before, after)) in
            classes.iter().zip(Group::of_classes(whole.game(), classes)).zip(settings)
        {
            tally.from.add(class, before);
            tally.to.add(class, after);
            // Different settings can produce the same set hand.
            if class.sets[before.index()] != class.sets[after.index()] {
                let (change, sample) = tally.groups.entry(group).or_default();
                change.add(class, before, after, payoff);
                *sample = Sample::clearest(*sample, Some(Sample::new(class, before, after, payoff)));
            }
        }
    };
    Ok(whole.fold(run, Tally::default, visit, Tally::plus)?.difference())
}

impl Tally {
    fn plus(mut self, more: Tally) -> Tally {
        for (group, (change, sample)) in more.groups {
            let (known, known_sample) = self.groups.entry(group).or_default();
            *known = known.plus(change);
            *known_sample = Sample::clearest(*known_sample, sample);
        }
        Tally { from: self.from.plus(more.from), to: self.to.plus(more.to), groups: self.groups }
    }

    fn difference(self) -> Difference {
        let groups = self.groups.into_iter().filter_map(|(group, (change, sample))| Some((group, change, sample?)));
        let mut groups: Vec<(Group, ChangeCounts, Sample)> = groups.collect();
        groups.sort_by_key(|(group, change, _)| (Reverse(change.gain.abs()), *group));
        let change = groups.iter().fold(ChangeCounts::default(), |sum, (_, change, _)| sum.plus(*change));
        Difference { from: self.from, to: self.to, change, groups }
    }
}
