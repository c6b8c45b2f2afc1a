//! The effect of changes to a strategy.
//!
//! Alternatives to the audited house way are represented by their differences from it. As a result, one pass can evaluate
//! any number of alternatives at almost no extra cost. The usual ones are every other option for each reading, and the way
//! with each rule left out.
//!
//! [`differences`] compares any two strategies, and keeps an example for each group of hands that they set differently.

use super::Group;
use crate::Ratio;
use crate::pai_gow::outcomes::{BANKER_HANDS, DealCounts, Payoff};
use crate::pai_gow::whole::{ClassCounts, Pass, Play, Run};
use crate::solver::Cancelled;
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::money::Rate;
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{Game, Hand, ProfileStrategy, SetHand, Setting};
use std::cmp::Reverse;
use std::collections::HashMap;

/// A collection of strategies that differ from a house way on some hands.
pub struct Alternatives<'a> {
    way: &'a HouseWay,
    /// The differences, each with the profile, the index of the alternative, and the new set hand.
    differences: Vec<(u32, u16, SetHand)>,
    len: usize,
}

/// The effect of switching to an alternative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChangeCounts {
    /// The number of hands that are set differently.
    pub hands: u64,
    /// The number of these hands whose EV increases.
    pub better: u64,
    /// The number of these hands whose EV decreases.
    pub worse: u64,
    /// The total gain over all deals, in millionths of a stake.
    pub gain: i128,
}

impl<'a> Alternatives<'a> {
    /// Creates an empty collection of alternatives to a house way.
    pub fn new(way: &'a HouseWay) -> Alternatives<'a> {
        Alternatives { way, differences: Vec::new(), len: 0 }
    }

    /// Returns the house way.
    pub fn way(&self) -> &'a HouseWay {
        self.way
    }

    /// Returns the number of alternatives.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if there are no alternatives.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds an alternative and returns its index. `set` returns the set hand for a profile, or `None` where the
    /// alternative follows the house way.
    ///
    /// # Panics
    /// Panics if there are already 65,536 alternatives.
    pub fn add(&mut self, set: impl Fn(Profile) -> Option<SetHand>) -> usize {
        let number = self.len;
        let short = u16::try_from(number).expect("there are at most 65,536 alternatives");
        for profile in Profile::all() {
            let other = set(profile).filter(|&other| other != self.way.set_profile(profile));
            self.differences.extend(other.map(|other| (profile.index() as u32, short, other)));
        }
        self.len += 1;
        number
    }

    /// Adds a complete strategy and returns its index.
    pub fn add_strategy(&mut self, strategy: &impl ProfileStrategy) -> usize {
        self.add(|profile| Some(strategy.set_profile(profile)))
    }

    /// Builds an index of the differences by profile.
    pub(super) fn index(&self) -> Index {
        let mut sorted = self.differences.clone();
        sorted.sort_unstable_by_key(|&(profile, number, _)| (profile, number));
        let mut starts = vec![0; PROFILES + 1];
        sorted.iter().for_each(|&(profile, ..)| starts[profile as usize + 1] += 1);
        for i in 0..PROFILES {
            starts[i + 1] += starts[i];
        }
        Index { starts, differences: sorted.into_iter().map(|(_, number, set)| (number, set)).collect() }
    }
}

/// The differences indexed by profile. Empty by default.
#[derive(Default)]
pub(super) struct Index {
    starts: Vec<u32>,
    differences: Vec<(u16, SetHand)>,
}

impl Index {
    /// Returns the alternatives that set a profile differently, along with their set hands.
    #[inline]
    pub(super) fn get(&self, profile: Profile) -> &[(u16, SetHand)] {
        if self.differences.is_empty() {
            return &[];
        }
        let at = |i: usize| self.starts[i] as usize;
        &self.differences[at(profile.index())..at(profile.index() + 1)]
    }
}

impl ChangeCounts {
    /// Adds a class whose hands are set differently.
    pub(super) fn add(&mut self, class: &ClassCounts, from: Setting, to: Setting, payoff: Payoff) {
        let hands = u64::from(class.orbit);
        let gain = class.gain(to, payoff) - class.gain(from, payoff);
        self.hands += hands;
        self.better += if gain > 0 { hands } else { 0 };
        self.worse += if gain < 0 { hands } else { 0 };
        self.gain += i128::from(gain) * i128::from(hands);
    }

    pub(super) fn plus(self, more: ChangeCounts) -> ChangeCounts {
        ChangeCounts {
            hands: self.hands + more.hands,
            better: self.better + more.better,
            worse: self.worse + more.worse,
            gain: self.gain + more.gain,
        }
    }
}

/// A way's alternatives and their descriptions.
pub struct Prices<'a> {
    /// The alternatives.
    pub alternatives: Alternatives<'a>,
    /// Each option that wasn't chosen for one of the way's readings, with the reading itself and the alternative's
    /// index. If the way can't use the option, the result is the reason instead of an index.
    pub readings: Vec<(String, String, Result<usize, String>)>,
    /// The index of the alternative that results from removing each rule. If no other rule would set some of its hands,
    /// this is the number of those hands instead.
    pub rules: Vec<Result<usize, u64>>,
}

impl<'a> Prices<'a> {
    /// Collects the alternatives to a way.
    pub fn new(way: &'a HouseWay, game: &Game) -> Prices<'a> {
        let mut prices = Prices { alternatives: Alternatives::new(way), readings: Vec::new(), rules: Vec::new() };
        prices.add_readings(game);
        prices.add_rules(game);
        prices
    }

    fn add_readings(&mut self, game: &Game) {
        let way = self.alternatives.way().way();
        for reading in way.readings() {
            for (_, option) in reading.options.iter().enumerate().filter(|&(i, _)| i != reading.chosen) {
                let mut other = way.clone();
                let chosen = other.choose(&reading.name, option);
                let compiled = chosen.and_then(|()| HouseWay::compile(other, game));
                let number = compiled.map(|other| self.alternatives.add_strategy(&other));
                let number = number.map_err(|error| error.to_string());
                self.readings.push((reading.name.clone(), option.clone(), number));
            }
        }
    }

    fn add_rules(&mut self, game: &Game) {
        let way = self.alternatives.way();
        let fallbacks = way.way().fallbacks(game);
        let mut uncovered = vec![0; way.survey().rules.len()];
        for profile in Profile::all().filter(|profile| fallbacks[profile.index()].is_none()) {
            uncovered[way.rule_index(profile)] += Profiles::get().hands(profile);
        }
        for (rule, uncovered) in uncovered.into_iter().enumerate() {
            self.rules.push(match uncovered {
                0 => {
                    let is_its = |profile: &Profile| way.rule_index(*profile) == rule;
                    Ok(self.alternatives.add(|profile| fallbacks[Some(profile).filter(is_its)?.index()]))
                }
                hands => Err(hands),
            });
        }
    }
}

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

/// The outcomes of a strategy, and its differences from the first one by group.
#[derive(Clone, Default)]
struct Tally {
    counts: DealCounts,
    groups: HashMap<Group, (ChangeCounts, Option<Sample>)>,
}

/// Compares two strategies on the evaluated side.
///
/// # Errors
/// Returns an error if the run was canceled.
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
/// Returns an error if the run was canceled.
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
    let visit = |(first, tallies): &mut (DealCounts, Vec<Tally>), classes: &[ClassCounts]| {
        let before = from.choose(classes);
        classes.iter().zip(&before).for_each(|(class, &before)| first.add(class, before));
        let groups: Vec<Group> = Group::of_classes(whole.game(), classes).collect();
        for (tally, to) in tallies.iter_mut().zip(to) {
            let settings = before.iter().zip(to.choose(classes));
            for ((class, &group), (&before, after)) in classes.iter().zip(&groups).zip(settings) {
                tally.counts.add(class, after);
                // Different settings can produce the same set hand.
                if class.sets[before.index()] != class.sets[after.index()] {
                    let (change, sample) = tally.groups.entry(group).or_default();
                    change.add(class, before, after, payoff);
                    *sample = Sample::clearest(*sample, Some(Sample::new(class, before, after, payoff)));
                }
            }
        }
    };
    let none = || (DealCounts::default(), vec![Tally::default(); to.len()]);
    let merge = |(first, tallies): (DealCounts, Vec<Tally>), (more, others): (_, Vec<_>)| {
        (first.plus(more), tallies.into_iter().zip(others).map(|(tally, more)| tally.plus(more)).collect())
    };
    let (first, tallies) = whole.fold(run, none, visit, merge)?;
    Ok(tallies.into_iter().map(|tally| tally.difference(first)).collect())
}

impl Tally {
    fn plus(mut self, more: Tally) -> Tally {
        for (group, (change, sample)) in more.groups {
            let (known, known_sample) = self.groups.entry(group).or_default();
            *known = known.plus(change);
            *known_sample = Sample::clearest(*known_sample, sample);
        }
        Tally { counts: self.counts.plus(more.counts), groups: self.groups }
    }

    fn difference(self, from: DealCounts) -> Difference {
        let groups = self.groups.into_iter().filter_map(|(group, (change, sample))| Some((group, change, sample?)));
        let mut groups: Vec<(Group, ChangeCounts, Sample)> = groups.collect();
        groups.sort_by_key(|(group, change, _)| (Reverse(change.gain.abs()), *group));
        let change = groups.iter().fold(ChangeCounts::default(), |sum, (_, change, _)| sum.plus(*change));
        Difference { from, to: self.counts, change, groups }
    }
}

/// A hand with two settings to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The hand.
    pub hand: Hand,
    /// The setting that is played.
    pub plays: Setting,
    /// The alternative setting.
    pub other: Setting,
    /// The gain from the setting actually played, in millionths of a stake, summed over all opposing hands.
    pub gain: i64,
    /// The gain from the alternative setting, in the same unit.
    pub other_gain: i64,
}

impl Sample {
    pub(super) fn new(class: &ClassCounts, plays: Setting, other: Setting, payoff: Payoff) -> Sample {
        let [gain, other_gain] = [plays, other].map(|setting| class.gain(setting, payoff));
        Sample { hand: class.hand, plays, other, gain, other_gain }
    }

    /// Returns the EV of the setting actually played, per unit staked.
    pub fn ev(&self) -> Ratio {
        ev(self.gain)
    }

    /// Returns the EV of the alternative setting.
    pub fn other_ev(&self) -> Ratio {
        ev(self.other_gain)
    }

    /// Returns the sample with the larger difference. Ties are broken in a way that doesn't depend on the number of
    /// threads.
    fn clearer(self, other: Sample) -> Sample {
        let order = |sample: &Sample| {
            ((sample.other_gain - sample.gain).abs(), Reverse(sample.hand.set().bits()), Reverse(sample.other.index()))
        };
        if order(&other) > order(&self) { other } else { self }
    }

    /// Returns the clearer of two samples, either of which may be missing.
    pub(super) fn clearest(one: Option<Sample>, other: Option<Sample>) -> Option<Sample> {
        match (one, other) {
            (Some(one), Some(other)) => Some(one.clearer(other)),
            (one, other) => one.or(other),
        }
    }
}

fn ev(gain: i64) -> Ratio {
    Ratio::new(gain.into(), i128::from(BANKER_HANDS) * i128::from(Rate::WHOLE))
}
