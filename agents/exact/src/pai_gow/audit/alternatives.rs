//! Alternatives to the audited house way, represented by their differences from it. As a result, one pass can evaluate
//! any number of alternatives at almost no extra cost.
//!
//! The usual alternatives are every other option for each reading, and the way with each rule left out.

use crate::pai_gow::whole::{ClassCounts, Payoff};
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{Game, ProfileStrategy, SetHand, Setting};

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
