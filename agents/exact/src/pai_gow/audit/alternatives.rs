//! Represents alternatives to the audited house way by their differences from it. As a result, one pass can evaluate
//! any number of alternatives at almost no extra cost.

use crate::pai_gow::whole::{ClassCounts, Payoff};
use houseway_env::cards::profile::{PROFILES, Profile};
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{ProfileStrategy, SetHand, Setting};

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
