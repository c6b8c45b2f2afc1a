//! Collects the rank multisets that this side's hands can have, along with the set hands they make and the queries that
//! evaluate those.
//!
//! The ways to assign suits to a multiset depend on how many cards there are per rank, but not on the ranks themselves,
//! so 85 patterns are enough for all 67,600 multisets. Sets of ranks are bit masks in which bit 0 is the lowest rank in
//! the multiset.

use super::pass::PassOptions;
use crate::pai_gow::outcomes::{Side, Ties};
use houseway_env::cards::{Card, CardSet, Rank, Suit};
use houseway_env::pai_gow::{BankPushes, SetHand, Setting};
use std::collections::BTreeMap;

/// Exclusive upper limits on the strengths of a back and a front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::pai_gow) struct Limits {
    pub(in crate::pai_gow) back: u16,
    pub(in crate::pai_gow) front: u8,
}

impl Limits {
    /// The limits that exceed every strength.
    pub(in crate::pai_gow) const ANY: Limits = Limits { back: u16::MAX, front: u8::MAX };

    /// Returns the limits that also include ties if `ties` is 1 instead of 0.
    pub(super) fn with_ties(self, ties: u8) -> Limits {
        Limits { back: self.back + u16::from(ties), front: self.front + ties }
    }
}

impl From<SetHand> for Limits {
    /// Returns the limits on strengths below those of a set hand.
    fn from(set: SetHand) -> Limits {
        Limits { back: set.back.index() as u16, front: set.front.index() as u8 }
    }
}

/// A query for the number of opposing hands with a certain property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ask {
    /// The hands whose back and front are both below these limits.
    Below(Limits),
    /// The hands with this back.
    Back(u16),
    /// The hands with this front.
    Front(u8),
}

/// The queries for one setting, as indices into its multiset's queries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    /// The hands with a lower back and a lower front, which lose to this side.
    pub both: u16,
    /// The hands with a lower back and any front.
    pub back: u16,
    /// The hands with a lower front and any back.
    pub front: u16,
    /// The same three queries with equal backs and fronts included, if ties push.
    pub with_ties: Option<[u16; 3]>,
    /// All hands that are compared with this side's hand. `None` if every hand is compared.
    pub all: Option<u16>,
    /// The hands with an equal back, if copies are counted.
    pub same_back: Option<u16>,
    /// The hands with an equal front, if copies are counted.
    pub same_front: Option<u16>,
    /// `true` if "lower" includes ties because this side wins them.
    pub ties_are_below: bool,
}

/// A condition on the suits in a setting's back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormKind {
    /// The cards in the back don't all have the same suit.
    Plain,
    /// All five cards in the back have the same suit, apart from the joker.
    Suited,
}

impl FormKind {
    pub(super) const ALL: [FormKind; 2] = [FormKind::Plain, FormKind::Suited];
}

/// The set hands for all settings under one suit condition.
#[derive(Clone, Debug, Default)]
pub(super) struct Form {
    /// The set hand for each setting. Meaningless for settings that aren't in `legal`.
    pub sets: [SetHand; Setting::COUNT],
    /// A bit mask of the settings that are legal in this form.
    pub legal: u32,
    /// The queries for each legal setting. Meaningless unless they have been made.
    pub needs: [Needs; Setting::COUNT],
}

/// Queries about the opposing hands that are possible if certain cards are unavailable.
#[derive(Clone, Copy)]
pub(super) struct Queries<'a> {
    /// The ranks of the unavailable cards other than the joker, in any order.
    pub ranks: &'a [Rank],
    /// The number of unavailable cards for each of these ranks.
    pub counts: &'a [u8],
    pub asks: &'a [Ask],
}

/// A multiset of ranks.
pub(super) struct Multiset<'a> {
    pub pattern: &'a Pattern,
    pub joker: bool,
    /// The distinct ranks, in ascending order.
    pub ranks: &'a [Rank],
    /// Each card's index in `ranks`, in display order. `None` for the joker.
    pub positions: [Option<u8>; 7],
    /// The distinct queries for all settings. Empty unless they have been made.
    pub asks: Vec<Ask>,
    pub plain: Form,
    pub suited: Form,
}

/// Returns a setting's queries, in the order of the fields in [`Needs`].
fn asks(options: &PassOptions<'_>, set: SetHand) -> [Option<Ask>; 9] {
    let ties = options.side.ties(options.game.rules().copies);
    let own = Limits::from(set);
    let below = |back_ties: bool, front_ties: bool| {
        Ask::Below(Limits { back: own.back + u16::from(back_ties), front: own.front + u8::from(front_ties) })
    };
    let won = ties == Ties::Won;
    let limits = own.with_ties(u8::from(won));
    let pushed = |ask: Ask| (ties == Ties::Pushed).then_some(ask);
    let copies = |ask: Ask| options.copies.then_some(ask);
    // Only banker hands can make every bet push.
    let some_push = options.side == Side::Player && options.game.rules().bank_pushes != BankPushes::None;
    [
        Some(Ask::Below(limits)),
        Some(Ask::Below(Limits { front: Limits::ANY.front, ..limits })),
        Some(Ask::Below(Limits { back: Limits::ANY.back, ..limits })),
        pushed(below(true, true)),
        pushed(below(true, false)),
        pushed(below(false, true)),
        some_push.then_some(Ask::Below(Limits::ANY)),
        copies(Ask::Back(own.back)),
        copies(Ask::Front(own.front)),
    ]
}

impl<'a> Multiset<'a> {
    pub(super) fn new(options: &PassOptions<'_>, ranks: &'a [Rank], pattern: &'a Pattern, joker: bool) -> Multiset<'a> {
        let mut positions = [None; 7];
        let held = (0..ranks.len()).rev().flat_map(|at| std::iter::repeat_n(at as u8, pattern.counts[at].into()));
        positions[joker as usize..].iter_mut().zip(held).for_each(|(position, at)| *position = Some(at));
        let mut multiset = Multiset {
            pattern,
            joker,
            ranks,
            positions,
            asks: vec![],
            plain: Form::default(),
            suited: Form::default(),
        };
        multiset.make_settings(options);
        multiset
    }

    /// Returns the queries for all settings. The multiset's own cards are unavailable.
    pub(super) fn queries(&self) -> Queries<'_> {
        Queries { ranks: self.ranks, counts: &self.pattern.counts, asks: &self.asks }
    }

    /// Returns the rank of the card at a position, or `None` for the joker.
    fn rank(&self, position: usize) -> Option<Rank> {
        self.positions[position].map(|at| self.ranks[at as usize])
    }

    /// Returns the cards that aren't at the `front` positions. `suit` maps a natural card's position to its suit.
    fn back_cards(&self, front: (usize, usize), suit: impl Fn(usize) -> Suit) -> CardSet {
        let positions = (0..7).filter(|&i| i != front.0 && i != front.1);
        positions.map(|i| self.rank(i).map_or(Card::JOKER, |rank| Card::new(rank, suit(i)))).collect()
    }

    pub(super) fn form(&self, kind: FormKind) -> &Form {
        match kind {
            FormKind::Plain => &self.plain,
            FormKind::Suited => &self.suited,
        }
    }

    fn make_settings(&mut self, options: &PassOptions<'_>) {
        let ranking = options.game.ranking();
        for setting in Setting::all() {
            let (a, b) = setting.positions();
            let front = ranking.two_of_ranks(self.rank(a), self.rank(b));
            // Suits are assigned in rotation, so neither five natural cards nor four and the joker share a suit.
            let plain = ranking.five(self.back_cards((a, b), |i| Suit::ALL[(i - self.joker as usize) % 4]));
            self.plain.add(options, setting, SetHand { back: plain, front });
            let suited = self.back_cards((a, b), |_| Suit::Spades);
            if suited.len() == 5 {
                self.suited.add(options, setting, SetHand { back: ranking.five(suited), front });
            }
        }
        if options.undominated {
            // This is also correct for hands with a flush, because a flush only makes the dominating back stronger.
            self.plain.drop_dominated();
            self.suited.drop_dominated_by(&self.plain);
        }
    }

    /// Makes all settings illegal except those that make one of the given set hands, and, if `with_best` is true, those
    /// that a best response may choose. Dominated settings must be at least as bad as the ones that dominate them.
    pub(super) fn keep(&mut self, sets: &[SetHand], with_best: bool) {
        let best = |form: &Form| if with_best { form.contenders(&self.plain) } else { 0 };
        let [plain, suited] = [&self.plain, &self.suited].map(|form| form.making(sets) | best(form));
        self.plain.legal &= plain;
        self.suited.legal &= suited;
    }

    /// Makes the queries for all settings.
    pub(super) fn with_asks(mut self, options: &PassOptions<'_>) -> Self {
        let sets = [&self.plain, &self.suited].into_iter().flat_map(Form::legal_sets);
        let mut all: Vec<Ask> = sets.flat_map(|(_, set)| asks(options, set)).flatten().collect();
        all.sort_unstable();
        all.dedup();
        for form in [&mut self.plain, &mut self.suited] {
            for (setting, set) in form.legal_sets().collect::<Vec<_>>() {
                let place = |ask: Ask| all.binary_search(&ask).expect("all queries are collected first") as u16;
                let [both, back, front, ties, back_ties, front_ties, all, same_back, same_front] =
                    asks(options, set).map(|ask| ask.map(place));
                let [both, back, front] = [both, back, front].map(|place| place.expect("these are always requested"));
                let with_ties = ties.zip(back_ties).zip(front_ties).map(|((a, b), c)| [a, b, c]);
                let ties_are_below = options.side.ties(options.game.rules().copies) == Ties::Won;
                form.needs[setting] =
                    Needs { both, back, front, with_ties, all, same_back, same_front, ties_are_below };
            }
        }
        self.asks = all;
        self
    }
}

impl Form {
    fn add(&mut self, options: &PassOptions<'_>, setting: Setting, set: SetHand) {
        self.sets[setting.index()] = set;
        self.legal |= u32::from(options.game.is_legal(set)) << setting.index();
    }

    /// Makes a setting illegal if another one dominates it, or if an earlier one makes the same set hand.
    fn drop_dominated(&mut self) {
        let better = |i: usize, j: usize| {
            let (own, other) = (self.sets[i], self.sets[j]);
            other.dominates(own) || other == own && j < i
        };
        let dropped = |&(i, _): &(usize, SetHand)| self.legal_sets().any(|(j, _)| better(i, j));
        let dropped = self.legal_sets().filter(dropped).fold(0, |dropped, (i, _)| dropped | 1 << i);
        self.legal &= !dropped;
    }

    /// Returns the settings that make one of the given set hands.
    fn making(&self, sets: &[SetHand]) -> u32 {
        self.legal_sets().filter(|(_, set)| sets.contains(set)).fold(0, |kept, (i, _)| kept | 1 << i)
    }

    /// Returns the settings that a best response may choose. It takes the first of several equally good settings, so it
    /// never chooses one that comes after another setting that is equal or dominates it. In hands with a flush, the other
    /// setting can only be better than its `plain` form.
    fn contenders(&self, plain: &Form) -> u32 {
        let is_beaten = |own: usize, set: SetHand| {
            plain.legal_sets().take_while(|&(i, _)| i < own).any(|(_, other)| other == set || other.dominates(set))
        };
        self.legal_sets().filter(|&(i, set)| !is_beaten(i, set)).fold(0, |kept, (i, _)| kept | 1 << i)
    }

    /// Makes a setting illegal if a setting in another form dominates it.
    fn drop_dominated_by(&mut self, other: &Form) {
        let dropped = |own: SetHand| other.legal_sets().any(|(_, other)| other.dominates(own));
        let dropped = self.legal_sets().filter(|&(_, own)| dropped(own)).fold(0, |dropped, (i, _)| dropped | 1 << i);
        self.legal &= !dropped;
    }

    /// Iterates over the indices and set hands of the legal settings.
    pub(super) fn legal_sets(&self) -> impl Iterator<Item = (usize, SetHand)> + '_ {
        (0..Setting::COUNT).filter(|i| self.legal >> i & 1 == 1).map(|i| (i, self.sets[i]))
    }
}

/// The maximum number of distinct ranks in a hand.
pub(super) const MAX_RANKS: usize = 7;

/// A class of hands with a given multiset of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Suiting {
    /// The ranks held in spades, hearts, diamonds, and clubs. In canonical order, suits with more cards come first, and
    /// suits with equally many cards are in descending order of their bit masks.
    pub masks: [u8; 4],
    /// The number of hands in the class.
    pub orbit: u8,
    /// `true` if there are at least five spades, where the joker counts as a spade.
    pub flush: bool,
}

/// The number of cards per rank, in ascending order of rank, and the suitings for multisets with these counts.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// The number of cards for each rank, from 1 to 4.
    pub counts: Vec<u8>,
    /// All classes of hands with these counts.
    pub suitings: Vec<Suiting>,
    /// The same classes, grouped by profile.
    pub profiles: Vec<SuitedProfile>,
}

/// The suitings whose hands have the same profile.
#[derive(Clone, Debug)]
pub(super) struct SuitedProfile {
    /// The index of the first suiting.
    pub first: usize,
    /// The number of hands.
    pub hands: u32,
    /// All sets of ranks that some of the hands have in one suit, and the number of hands and suits with each of them.
    pub held: Vec<(u8, u32)>,
}

impl SuitedProfile {
    /// Groups suitings by their ranks in the flush suit, or puts them together if there is no flush.
    fn group(suitings: &[Suiting]) -> Vec<SuitedProfile> {
        let mut groups: BTreeMap<Option<u8>, (usize, u32, BTreeMap<u8, u32>)> = BTreeMap::new();
        for (i, suiting) in suitings.iter().enumerate() {
            let orbit = u32::from(suiting.orbit);
            let flush = suiting.flush.then_some(suiting.masks[0]);
            let (_, hands, held) = groups.entry(flush).or_insert_with(|| (i, 0, BTreeMap::new()));
            *hands += orbit;
            suiting.masks.iter().for_each(|&mask| *held.entry(mask).or_default() += orbit);
        }
        let profile = |(first, hands, held): (_, _, BTreeMap<_, _>)| SuitedProfile {
            first,
            hands,
            held: held.into_iter().collect(),
        };
        groups.into_values().map(profile).collect()
    }
}

/// The patterns, indexed by the number of jokers (0 or 1) and the number of ranks.
pub(super) type Patterns = [[Vec<Pattern>; MAX_RANKS + 1]; 2];

/// Returns the patterns for hands with or without the joker, grouped by the number of ranks and sorted
/// lexicographically by their counts.
pub(super) fn patterns(joker: bool) -> [Vec<Pattern>; MAX_RANKS + 1] {
    std::array::from_fn(|ranks| {
        let mut patterns = vec![];
        each_composition(7 - joker as usize, ranks, &mut vec![], &mut |counts| {
            let suitings = suitings(counts, joker);
            let profiles = SuitedProfile::group(&suitings);
            patterns.push(Pattern { counts: counts.to_vec(), suitings, profiles });
        });
        patterns
    })
}

/// Calls `visit` with every sequence of `ranks` numbers from 1 to 4 that add up to `cards`. Each sequence starts with
/// the numbers in `before`, which aren't part of the sum.
pub(super) fn each_composition(cards: usize, ranks: usize, before: &mut Vec<u8>, visit: &mut impl FnMut(&[u8])) {
    if ranks == 0 {
        if cards == 0 {
            visit(before);
        }
        return;
    }
    for count in 1..=cards.min(4) {
        before.push(count as u8);
        each_composition(cards - count, ranks - 1, before, visit);
        before.pop();
    }
}

/// Returns all suitings of a pattern, i.e. all canonical ways to assign suits to its ranks.
pub(super) fn suitings(counts: &[u8], joker: bool) -> Vec<Suiting> {
    let mut all = vec![[0u8; 4]];
    for (bit, &count) in counts.iter().enumerate() {
        let suits = (0..16u8).filter(|suits| suits.count_ones() == u32::from(count));
        all = suits.flat_map(|suits| all.iter().map(move |masks| with_rank(*masks, bit, suits))).collect();
    }
    let key = |mask: u8| (mask.count_ones(), mask);
    let canonical = all.into_iter().filter(|masks| masks.is_sorted_by_key(|&mask| std::cmp::Reverse(key(mask))));
    canonical
        .map(|masks| {
            let same: u8 = masks.chunk_by(|a, b| a == b).map(|equal| (1..=equal.len() as u8).product::<u8>()).product();
            Suiting { masks, orbit: 24 / same, flush: masks[0].count_ones() + joker as u32 >= 5 }
        })
        .collect()
}

fn with_rank(mut masks: [u8; 4], bit: usize, suits: u8) -> [u8; 4] {
    for (suit, mask) in masks.iter_mut().enumerate() {
        *mask |= (suits >> suit & 1) << bit;
    }
    masks
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::cards::combinations::binomial;
    use houseway_env::cards::profile::PROFILES;

    #[test]
    fn patterns_cover_all_classes_and_hands() {
        let (mut multisets, mut profiles, mut classes, mut hands) = (0, 0, 0, 0);
        for joker in [false, true] {
            for (ranks, patterns) in patterns(joker).iter().enumerate() {
                let rank_sets = binomial(13, ranks as u64);
                multisets += rank_sets * patterns.len() as u64;
                for pattern in patterns {
                    profiles += rank_sets * pattern.profiles.len() as u64;
                    let grouped: u32 = pattern.profiles.iter().map(|group| group.hands).sum();
                    assert_eq!(grouped, pattern.suitings.iter().map(|suiting| u32::from(suiting.orbit)).sum::<u32>());
                }
                for suiting in patterns.iter().flat_map(|pattern| &pattern.suitings) {
                    classes += rank_sets;
                    hands += rank_sets * u64::from(suiting.orbit);
                }
            }
        }
        assert_eq!((multisets, profiles as usize), (67_600, PROFILES));
        assert_eq!((classes, hands), (6_972_147, 154_143_080));
    }
}
