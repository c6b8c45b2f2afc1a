//! Other ways to set than the one that is audited, kept where they differ alone, so that any number of them is counted in
//! one pass at hardly any cost.

use crate::pai_gow::whole::{ClassCounts, Payoff};
use houseway_env::cards::profile::{PROFILES, Profile};
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{ProfileStrategy, SetHand, Setting};

/// Ways that differ from a house way on some hands.
pub struct Alternatives<'a> {
    way: &'a HouseWay,
    /// Differences so far: profile, number of the alternative, what it makes.
    differences: Vec<(u32, u16, SetHand)>,
    len: usize,
}

/// What an alternative changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChangeCounts {
    /// Hands that it sets otherwise.
    pub hands: u64,
    /// Those of them that do better by it.
    pub better: u64,
    /// Those of them that do worse.
    pub worse: u64,
    /// What it gains over all deals, in millionths of a stake.
    pub gain: i128,
}

impl<'a> Alternatives<'a> {
    /// None yet.
    pub fn to(way: &'a HouseWay) -> Alternatives<'a> {
        Alternatives { way, differences: Vec::new(), len: 0 }
    }

    /// The way that they are alternatives to.
    pub fn way(&self) -> &'a HouseWay {
        self.way
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds one: what it makes of a profile, or `None` where it follows the house way. Gives its number, from 0.
    ///
    /// # Panics
    /// At the 65,537th.
    pub fn add(&mut self, set: impl Fn(Profile) -> Option<SetHand>) -> usize {
        let number = self.len;
        let short = u16::try_from(number).expect("no house way has so many readings and rules");
        for profile in Profile::all() {
            let other = set(profile).filter(|&other| other != self.way.set_profile(profile));
            self.differences.extend(other.map(|other| (profile.index() as u32, short, other)));
        }
        self.len += 1;
        number
    }

    /// Adds a whole strategy.
    pub fn add_strategy(&mut self, strategy: &impl ProfileStrategy) -> usize {
        self.add(|profile| Some(strategy.set_profile(profile)))
    }

    /// Ready to be looked up.
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

/// The differences by profile.
pub(super) struct Index {
    starts: Vec<u32>,
    differences: Vec<(u16, SetHand)>,
}

impl Index {
    /// Who sets the hands of a profile otherwise, and what they make.
    #[inline]
    pub(super) fn of(&self, profile: Profile) -> &[(u16, SetHand)] {
        let at = |i: usize| self.starts[i] as usize;
        &self.differences[at(profile.index())..at(profile.index() + 1)]
    }
}

impl ChangeCounts {
    /// Counts the hands of a class that are set otherwise.
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
