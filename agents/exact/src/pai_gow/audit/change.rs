//! The effect of changes to a strategy.
//!
//! Alternatives to the audited house way are represented by their differences from it. As a result, one pass can evaluate
//! any number of alternatives at almost no extra cost. The usual ones are every other option for each reading, and the way
//! with each rule left out.
//!
//! [`differences`] compares any two strategies, and keeps an example for each group of hands that they set differently.
//! A [`Group`] has a readable name, such as "two pairs KK 66, single ace".

use crate::Ratio;
use crate::pai_gow::outcomes::{BANKER_HANDS, DealCounts, Payoff};
use crate::pai_gow::whole::{ClassCounts, Pass, Play, Run};
use crate::solver::Cancelled;
use houseway_env::cards::Rank;
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::money::Rate;
use houseway_env::pai_gow::house_way::{HouseWay, Shape};
use houseway_env::pai_gow::{Game, Hand, ProfileStrategy, SetHand, Setting};
use houseway_env::rank::Category;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;

/// A collection of strategies that differ from a house way on some hands.
pub struct Alternatives<'a> {
    /// The house way.
    pub way: &'a HouseWay,
    /// The alternatives that set each profile differently, as their indices and the new set hands.
    pub(super) differences: Vec<Vec<(u16, SetHand)>>,
    pub(super) len: usize,
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
        Alternatives { way, differences: vec![vec![]; PROFILES], len: 0 }
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
            self.differences[profile.index()].extend(other.map(|other| (short, other)));
        }
        self.len += 1;
        number
    }
}

impl ChangeCounts {
    /// Adds a class whose hands are set differently.
    pub(super) fn add(&mut self, class: &ClassCounts, from: Setting, to: Setting, payoff: Payoff) {
        self.add_hands(class.orbit.into(), class.gain(to, payoff) - class.gain(from, payoff));
    }

    /// Adds hands that are set differently, given the gain of each.
    pub(crate) fn add_hands(&mut self, hands: u64, gain: i64) {
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

    /// Returns the effect as JSON, given the change in EV that the gain amounts to.
    pub fn json(&self, ev: Ratio) -> Value {
        json!({
            "ev_change": ev.value(),
            "ev_change_exact": ev.to_json(),
            "hands_changed": self.hands.to_string(),
            "better": self.better.to_string(),
            "worse": self.worse.to_string(),
        })
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
        let way = self.alternatives.way.way();
        for reading in way.readings() {
            for (_, option) in reading.options.iter().enumerate().filter(|&(i, _)| i != reading.chosen) {
                let mut other = way.clone();
                let chosen = other.choose(&reading.name, option);
                let compiled = chosen.and_then(|()| HouseWay::compile(other, game));
                let number = compiled.map(|other| self.alternatives.add(|profile| Some(other.set_profile(profile))));
                let number = number.map_err(|error| error.to_string());
                self.readings.push((reading.name.clone(), option.clone(), number));
            }
        }
    }

    fn add_rules(&mut self, game: &Game) {
        let way = self.alternatives.way;
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
#[derive(Default)]
struct Tally {
    counts: DealCounts,
    groups: HashMap<Group, (ChangeCounts, Option<Sample>)>,
}

/// Compares a strategy on the evaluated side with each of the others in a single pass.
///
/// # Errors
/// Returns an error if the run was canceled.
///
/// # Panics
/// Panics if one of the strategies was made for other rules and fouls under the current ones.
pub fn differences<const N: usize>(
    whole: &Pass<'_>,
    from: Play<'_>,
    to: [Play<'_>; N],
    payoff: Payoff,
    run: &Run<'_>,
) -> Result<[Difference; N], Cancelled> {
    let visit = |(first, tallies): &mut (DealCounts, [Tally; N]), classes: &[ClassCounts]| {
        let before = from.choose(classes);
        classes.iter().zip(&before).for_each(|(class, &before)| first.add(class, before));
        let groups: Vec<Group> = Group::of_classes(whole.game(), classes).collect();
        for (tally, to) in tallies.iter_mut().zip(&to) {
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
    let none = || (DealCounts::default(), std::array::from_fn(|_| Tally::default()));
    let merge = |(first, tallies): (DealCounts, [Tally; N]), (more, others): (_, [Tally; N])| {
        let mut others = others.into_iter();
        let plus = |tally: Tally| tally.plus(others.next().expect("there is a tally for each strategy"));
        (first.plus(more), tallies.map(plus))
    };
    let (first, tallies) = whole.fold(run, none, visit, merge)?;
    Ok(tallies.map(|tally| tally.difference(first)))
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
    /// The gain from the setting actually played before the fee, in millionths of a stake, summed over all opposing
    /// hands.
    pub gain: i64,
    /// The gain from the alternative setting, in the same unit.
    pub other_gain: i64,
    /// The fee for each hand, per unit staked. It is negative for the side that receives it.
    pub fee: Ratio,
}

impl Sample {
    pub(super) fn new(class: &ClassCounts, plays: Setting, other: Setting, payoff: Payoff) -> Sample {
        let [gain, other_gain] = [plays, other].map(|setting| class.gain(setting, payoff));
        Sample { hand: class.hand, plays, other, gain, other_gain, fee: payoff.fee() }
    }

    /// Returns the EV of the setting actually played after the fee, per unit staked.
    pub fn ev(&self) -> Ratio {
        ev(self.gain) - self.fee
    }

    /// Returns the EV of the alternative setting after the fee, per unit staked.
    pub fn other_ev(&self) -> Ratio {
        ev(self.other_gain) - self.fee
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

/// Returns the EV that a gain amounts to, before the fee.
fn ev(gain: i64) -> Ratio {
    Ratio::new(gain.into(), i128::from(BANKER_HANDS) * i128::from(Rate::WHOLE))
}

/// The kinds of complete five-card hands that a hand can play in the back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Complete {
    /// No complete hand.
    #[default]
    None,
    /// A straight.
    Straight,
    /// A flush.
    Flush,
    /// Either a straight or, with different cards, a flush.
    StraightOrFlush,
    /// A straight flush or royal flush.
    StraightFlush,
}

/// A group of hands that have the same shape, the same ranks for pairs and sets, the same highest single cards and the
/// same complete hands. The joker counts as an ace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group {
    shape: u8,
    /// The repeated ranks, each as a rank and its number of cards. Sorted by number and then rank, both descending, and
    /// padded with zeros.
    parts: [(u8, u8); 3],
    /// The highest rank that occurs once, or the two highest if there is no pair.
    singles: [Option<u8>; 2],
    complete: Complete,
}

impl Group {
    /// Groups a hand by its ranks, ignoring complete hands.
    fn by_ranks(hand: Hand) -> Group {
        let mut counts = [0u8; 13];
        hand.cards().iter().for_each(|card| counts[card.rank().unwrap_or(Rank::Ace).index()] += 1);
        let shape = Shape::from_counts(&counts);
        let ranks = (0..13u8).rev().map(|rank| (counts[usize::from(rank)], rank));
        let mut parts = [(0, 0); 3];
        let mut many: Vec<(u8, u8)> = ranks.clone().filter(|&(n, _)| n > 1).collect();
        many.sort_by(|a, b| b.cmp(a));
        parts.iter_mut().zip(many).for_each(|(part, known)| *part = known);
        let mut single = ranks.filter(|&(n, _)| n == 1).map(|(_, rank)| rank);
        let highest = single.next();
        let second = if shape == Shape::NoPair { single.next() } else { None };
        Group { shape: shape as u8, parts, singles: [highest, second], complete: Complete::None }
    }

    /// Returns the group of each class. All classes must have the same ranks.
    pub(super) fn of_classes(game: &Game, classes: &[ClassCounts]) -> impl Iterator<Item = Group> {
        let by_ranks = classes.first().map(|class| Group::by_ranks(class.hand));
        let complete = move |class: &ClassCounts| {
            let backs = class.legal_settings().map(|setting| class.sets[setting.index()].back);
            complete(backs.map(|back| game.ranking().category(back)))
        };
        classes.iter().filter_map(move |class| Some(Group { complete: complete(class), ..by_ranks? }))
    }

    /// Returns the group of a hand.
    pub fn new(game: &Game, hand: Hand) -> Group {
        let legal = game.settings(hand).map(|(_, set)| set).filter(|&set| game.is_legal(set));
        let backs = legal.map(|set| game.ranking().category(set.back));
        Group { complete: complete(backs), ..Group::by_ranks(hand) }
    }

    /// Returns the shape of the hands.
    pub fn shape(self) -> Shape {
        Shape::ALL[usize::from(self.shape)]
    }
}

/// Returns the complete hands among the categories of all backs that can be played.
fn complete(backs: impl Iterator<Item = Category>) -> Complete {
    let (mut straight, mut flush) = (false, false);
    for back in backs {
        match back {
            Category::StraightFlush | Category::RoyalFlush => return Complete::StraightFlush,
            Category::Straight => straight = true,
            Category::Flush => flush = true,
            _ => {}
        }
    }
    match (straight, flush) {
        (false, false) => Complete::None,
        (true, false) => Complete::Straight,
        (false, true) => Complete::Flush,
        (true, true) => Complete::StraightOrFlush,
    }
}

/// Returns the name of a rank, given its index.
fn word(rank: u8) -> &'static str {
    ["2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace"][usize::from(rank)]
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.shape().name().to_owned();
        for &(n, rank) in self.parts.iter().filter(|(n, _)| *n > 0) {
            text += " ";
            text += &Rank::from_index(rank.into()).to_string().repeat(n.into());
        }
        match self.singles {
            [Some(highest), Some(second)] => text += &format!(", {} {}", word(highest), word(second)),
            [Some(highest), None] => text += &format!(", single {}", word(highest)),
            _ => {}
        }
        text += match self.complete {
            Complete::None => "",
            Complete::Straight => ", with a straight",
            Complete::Flush => ", with a flush",
            Complete::StraightOrFlush => ", with a straight and a flush",
            Complete::StraightFlush => ", with a straight flush",
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::Rules;

    #[test]
    fn groups_have_readable_names() {
        for (hand, name) in [
            ("As Kd Kc 6d 6c 3s 2h", "two pairs KK 66, single ace"),
            ("Jk As Kd 7d 7c 3s 2h", "two pairs AA 77, single king"),
            ("As Kd Qh 9c 7d 5h 3s", "no pair, ace king"),
            ("Ts Td Tc 9h 9s 4d 4c", "full house and a pair TTT 99 44"),
            ("Jk As Ad Ah Ac 2s 2d", "five aces and a pair AAAAA 22"),
            ("9s 9d 9c 9h Ts Td Tc", "four and three of a kind 9999 TTT"),
            ("Qs Qd 8c 7h 5s 3d 2c", "one pair QQ, single 8"),
        ] {
            assert_eq!(Group::by_ranks(hand.parse().unwrap()).to_string(), name);
        }
        let game = Game::new(Rules::default());
        for (hand, name) in [
            ("As Kd Qh 9c 7d 5h 3s", "no pair, ace king"),
            ("As Ks Qs 9s 7s 5h 3d", "no pair, ace king, with a flush"),
            ("As Kd Qh Jc Td 5d 3d", "no pair, ace king, with a straight"),
            ("Jk 9s 8s 7s 6s 2d 2c", "one pair 22, single ace, with a straight flush"),
        ] {
            assert_eq!(Group::new(&game, hand.parse().unwrap()).to_string(), name);
        }
        let flush = Group { complete: Complete::Flush, ..Group::by_ranks("Qs Qd 8s 7s 5s 3s 2c".parse().unwrap()) };
        assert_eq!(flush.to_string(), "one pair QQ, single 8, with a flush");
    }
}
