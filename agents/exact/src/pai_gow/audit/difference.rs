//! Comparison of two house ways.

use super::{ChangeCounts, Group, Sample, set_by};
use crate::pai_gow::whole::{Cancelled, ClassCounts, DealCounts, FullGame, Payoff, Run};
use houseway_env::pai_gow::house_way::HouseWay;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Differences between two house ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Outcome counts over all deals of the first way.
    pub from: DealCounts,
    /// Outcome counts over all deals of the second way.
    pub to: DealCounts,
    /// Effect on all hands that are set differently.
    pub change: ChangeCounts,
    /// Effect by group of hands, with the hand that changes most; sorted by the absolute change in EV, descending.
    pub groups: Vec<(Group, ChangeCounts, Sample)>,
}

#[derive(Default)]
struct Tally {
    from: DealCounts,
    to: DealCounts,
    groups: HashMap<Group, (ChangeCounts, Option<Sample>)>,
}

/// Compares two house ways on the evaluated side.
///
/// # Errors
/// If the run was cancelled.
///
/// # Panics
/// If a way was compiled for other rules and fouls under these.
pub fn difference(
    whole: &FullGame<'_>,
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
            // Equal set hands of a class map to the same setting.
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
