//! Compares two strategies.

use super::{ChangeCounts, Group, Sample};
use crate::pai_gow::whole::{Cancelled, ClassCounts, DealCounts, Pass, Payoff, Play, Run};
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

/// The outcomes of the first strategy, and the partial results for each of the others.
struct Tally {
    from: DealCounts,
    to: Vec<Other>,
}

/// The partial results for a strategy that is compared with the first one.
#[derive(Clone, Default)]
struct Other {
    counts: DealCounts,
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
    whole: &Pass<'_>,
    [from, to]: [Play<'_>; 2],
    payoff: Payoff,
    run: &Run<'_>,
) -> Result<Difference, Cancelled> {
    let found = differences(whole, from, &[to], payoff, run)?;
    Ok(found.into_iter().next().expect("there is one result for each strategy"))
}

/// Compares a strategy on the evaluated side with each of the others in a single pass.
///
/// # Errors
/// Returns an error if the run was cancelled.
///
/// # Panics
/// Panics if one of the strategies was made for other rules and fouls under the current ones.
pub fn differences(
    whole: &Pass<'_>,
    from: Play<'_>,
    to: &[Play<'_>],
    payoff: Payoff,
    run: &Run<'_>,
) -> Result<Vec<Difference>, Cancelled> {
    let visit = |tally: &mut Tally, classes: &[ClassCounts]| {
        let before = from.choose(classes);
        classes.iter().zip(&before).for_each(|(class, &before)| tally.from.add(class, before));
        let groups: Vec<Group> = Group::of_classes(whole.game(), classes).collect();
        for (other, to) in tally.to.iter_mut().zip(to) {
            let settings = before.iter().zip(to.choose(classes));
            for ((class, &group), (&before, after)) in classes.iter().zip(&groups).zip(settings) {
                other.counts.add(class, after);
                // Different settings can produce the same set hand.
                if class.sets[before.index()] != class.sets[after.index()] {
                    let (change, sample) = other.groups.entry(group).or_default();
                    change.add(class, before, after, payoff);
                    *sample = Sample::clearest(*sample, Some(Sample::new(class, before, after, payoff)));
                }
            }
        }
    };
    let none = || Tally { from: DealCounts::default(), to: vec![Other::default(); to.len()] };
    Ok(whole.fold(run, none, visit, Tally::plus)?.differences())
}

impl Tally {
    fn plus(self, more: Tally) -> Tally {
        let to = self.to.into_iter().zip(more.to).map(|(other, more)| other.plus(more));
        Tally { from: self.from.plus(more.from), to: to.collect() }
    }

    fn differences(self) -> Vec<Difference> {
        self.to.into_iter().map(|other| other.difference(self.from)).collect()
    }
}

impl Other {
    fn plus(mut self, more: Other) -> Other {
        for (group, (change, sample)) in more.groups {
            let (known, known_sample) = self.groups.entry(group).or_default();
            *known = known.plus(change);
            *known_sample = Sample::clearest(*known_sample, sample);
        }
        Other { counts: self.counts.plus(more.counts), groups: self.groups }
    }

    fn difference(self, from: DealCounts) -> Difference {
        let groups = self.groups.into_iter().filter_map(|(group, (change, sample))| Some((group, change, sample?)));
        let mut groups: Vec<(Group, ChangeCounts, Sample)> = groups.collect();
        groups.sort_by_key(|(group, change, _)| (Reverse(change.gain.abs()), *group));
        let change = groups.iter().fold(ChangeCounts::default(), |sum, (_, change, _)| sum.plus(*change));
        Difference { from, to: self.counts, change, groups }
    }
}
