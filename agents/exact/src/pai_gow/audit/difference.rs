//! Two house ways side by side.

use super::{ChangeCounts, Group, Sample, set_by};
use crate::pai_gow::whole::{Cancelled, ClassCounts, DealCounts, Payoff, Run, Whole};
use houseway_env::pai_gow::house_way::HouseWay;
use std::cmp::Reverse;
use std::collections::HashMap;

/// What changes from one house way to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// How all deals end for the first way.
    pub from: DealCounts,
    /// How all deals end for the second.
    pub to: DealCounts,
    /// All hands that are set otherwise.
    pub change: ChangeCounts,
    /// The same by group, with the hand that changes most; the group whose EV changes most comes first.
    pub groups: Vec<(Group, ChangeCounts, Sample)>,
}

#[derive(Default)]
struct Tally {
    from: DealCounts,
    to: DealCounts,
    groups: HashMap<Group, (ChangeCounts, Option<Sample>)>,
}

/// Compares two house ways as the counted side.
///
/// # Errors
/// If the run was cancelled.
///
/// # Panics
/// If a way was made for other rules, by which it fouls under these.
pub fn difference(
    whole: &Whole<'_>,
    from: &HouseWay,
    to: &HouseWay,
    payoff: Payoff,
    run: &Run<'_>,
) -> Result<Difference, Cancelled> {
    let visit = |tally: &mut Tally, classes: &[ClassCounts]| {
        for (class, group) in classes.iter().zip(Group::of_classes(whole.game(), classes)) {
            let [before, after] = [from, to].map(|way| set_by(way, class));
            tally.from.add(class, before);
            tally.to.add(class, after);
            // Equal settings of a hand are found as the same one.
            if before != after {
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
