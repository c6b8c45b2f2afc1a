//! The opponent's strategy as outcomes by ranks and corrections for flushes, sorted by strength.

use super::flush::HALVES;
use crate::pai_gow::banker::BankerTable;
use crate::pai_gow::mixed::MixedTable;
use crate::pai_gow::outcomes::Side;
use houseway_env::cards::key::Key;
use houseway_env::cards::profile::{OFF_SUIT_STATES, PROFILES, Profile, Profiles};
use houseway_env::pai_gow::{BankPushes, Game, Hand, SetHand};

/// The indices of the first off-suit states with 0, 1 and 2 cards among all 105 states.
pub(super) const OFF_SUIT: [usize; 3] = [104, 91, 0];

/// A correction for a flush profile. It either adds the profile's true outcome, or subtracts the outcome that the same
/// ranks would have without the flush.
///
/// The weight is plus or minus a power of two, so that an event fits in 32 bits and its weight can be looked up along
/// with the state of the other cards. Other weights are the sums of several events. Starting at the lowest bit, an
/// event contains the ranks in the flush suit, the front, and the state (see [`Event::state`]).
#[derive(Clone, Copy)]
pub(super) struct Event(u32);

impl Event {
    /// The number of values that [`Event::state`] can have.
    pub(super) const STATES: usize = 1 << 12;
    /// The number of bits for the state of the other cards.
    const OFF_SUIT_BITS: u32 = 7;

    /// Creates the events whose weights add up to `weight`. Uses the signed binary digits of the weight without two
    /// consecutive nonzero digits, which are the fewest.
    fn with_weight(mask: u16, front: usize, off_suit: usize, weight: i16) -> impl Iterator<Item = Event> {
        let (mut rest, mut power) = (i32::from(weight), 0);
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let zeros = rest.trailing_zeros();
            rest >>= zeros;
            power += zeros;
            // The remainder becomes divisible by 4.
            let negative = rest & 3 == 3;
            rest -= if negative { -1 } else { 1 };
            let state = off_suit as u32 | (2 * power + u32::from(negative)) << Event::OFF_SUIT_BITS;
            Some(Event(u32::from(mask) | (front as u32) << 13 | state << 20))
        })
    }

    /// Returns the ranks in the flush suit.
    #[inline]
    pub(super) fn mask(self) -> usize {
        (self.0 & 0x1fff) as usize
    }

    #[inline]
    pub(super) fn front(self) -> usize {
        (self.0 >> 13 & 0x7f) as usize
    }

    /// Returns the index of the other cards' state and the weight, below [`Event::STATES`].
    #[inline]
    pub(super) fn state(self) -> usize {
        (self.0 >> 20) as usize
    }

    /// Splits an index from [`Event::state`] into the state of the other cards, as an index into all 105 states, and
    /// the weight.
    pub(super) fn split_state(state: usize) -> (usize, i32) {
        let weight = state >> Event::OFF_SUIT_BITS;
        let power = 1 << (weight / 2);
        (state & ((1 << Event::OFF_SUIT_BITS) - 1), if weight % 2 == 1 { -power } else { power })
    }
}

/// A rank profile and its outcome. Starting at the lowest bit, it contains the states of the low and the high half, the
/// front, and the weight.
#[derive(Clone, Copy)]
pub(super) struct RankProfile(u64);

impl RankProfile {
    fn new([low, high]: [usize; 2], front: usize, weight: i8) -> RankProfile {
        RankProfile(low as u64 | (high as u64) << 13 | (front as u64) << 25 | (i64::from(weight) << 32) as u64)
    }

    /// Returns the state of the low half.
    #[inline]
    pub(super) fn low(self) -> usize {
        (self.0 & 0x1fff) as usize
    }

    /// Returns the state of the high half.
    #[inline]
    pub(super) fn high(self) -> usize {
        (self.0 >> 13 & 0xfff) as usize
    }

    #[inline]
    pub(super) fn front(self) -> usize {
        (self.0 >> 25 & 0x7f) as usize
    }

    #[inline]
    pub(super) fn weight(self) -> i32 {
        (self.0 >> 32) as i32
    }
}

/// A list of outcomes, sorted by back and then by front.
pub(super) struct Outcomes<T> {
    /// The outcomes sorted by back.
    pub by_back: Vec<T>,
    /// The number of outcomes with a lower back, indexed by back.
    below: Vec<u32>,
}

pub(super) type Events = Outcomes<Event>;
pub(super) type RankProfiles = Outcomes<RankProfile>;

impl<T: Copy> Outcomes<T> {
    /// Sorts outcomes, each given with its set hand.
    fn new(mut outcomes: Vec<(SetHand, T)>, strengths: usize) -> Outcomes<T> {
        outcomes.sort_by_key(|(set, _)| (set.back.index(), set.front.index()));
        let by_back: Vec<T> = outcomes.iter().map(|&(_, outcome)| outcome).collect();
        Outcomes { below: below(outcomes.iter().map(|(set, _)| set.back.index()), strengths), by_back }
    }

    /// Returns the outcomes without those that `is_left_out` selects.
    pub(super) fn without(&self, is_left_out: impl Fn(T) -> bool) -> Outcomes<T> {
        let strengths = self.below.len() - 1;
        let kept = |back: usize| self.of_back(back).iter().copied().filter(|&outcome| !is_left_out(outcome));
        let backs = (0..strengths).flat_map(|back| kept(back).map(move |_| back));
        Outcomes { below: below(backs, strengths), by_back: (0..strengths).flat_map(kept).collect() }
    }

    /// Returns the number of outcomes with a lower back.
    pub(super) fn below(&self, back: usize) -> usize {
        self.below[back.min(self.below.len() - 1)] as usize
    }

    /// Returns the outcomes with this back.
    pub(super) fn of_back(&self, back: usize) -> &[T] {
        &self.by_back[self.below(back)..self.below(back + 1)]
    }
}

/// Returns how many of the numbers are lower than each integer from 0 to `end`.
fn below(numbers: impl Iterator<Item = usize>, end: usize) -> Vec<u32> {
    let mut below = vec![0; end + 1];
    numbers.for_each(|number| below[number + 1] += 1);
    for i in 1..=end {
        below[i] += below[i - 1];
    }
    below
}

fn rank_profiles(table: &WeightedTable, jokers: &[bool], strengths: usize) -> RankProfiles {
    let mut ranks = vec![];
    for &joker in jokers {
        let (start, index) = Profiles::get().rank_index(joker);
        for (i, counts) in index.multisets().enumerate() {
            let halves = HALVES.each_ref().map(|half| half.place(&counts));
            let sets = table.of(start + i).iter();
            ranks.extend(sets.map(|&(set, weight)| (set, RankProfile::new(halves, set.front.index(), weight))));
        }
    }
    Outcomes::new(ranks, strengths)
}

fn events(table: &WeightedTable, jokers: &[bool], strengths: usize) -> Events {
    let profiles = Profiles::get();
    let (mut events, mut changes) = (vec![], vec![]);
    for block in profiles.flush_blocks.iter().filter(|block| jokers.contains(&block.joker)) {
        for state in 0..OFF_SUIT_STATES[block.off_suit] {
            let profile = Profile::from_index(block.start + state);
            let same_ranks = profiles.rank_profile(Key::from_set(profiles.representative(profile)));
            table.changes(profile.index(), same_ranks.index(), &mut changes);
            let off_suit = OFF_SUIT[block.off_suit] + state;
            for &(set, weight) in &changes {
                let parts = Event::with_weight(block.mask, set.front.index(), off_suit, weight);
                events.extend(parts.map(|event| (set, event)));
            }
        }
    }
    Outcomes::new(events, strengths)
}

/// The hands that the opponent can hold.
pub(super) struct Hands {
    /// The hands' outcomes by ranks only.
    pub ranks: RankProfiles,
    /// The corrections for flush profiles whose outcome differs.
    pub events: Events,
}

/// A part of the opponent's strategy over profiles, prepared for evaluation. It occupies about 8 MB.
pub(super) struct Part {
    /// The factor for all weights.
    pub factor: i64,
    /// The total weight per profile.
    pub weight: i32,
    hands: [Hands; 2],
}

impl Part {
    /// Prepares the opponent's table for evaluating the hands of `side`. Excludes banker hands against which every bet
    /// pushes.
    pub(super) fn against(game: &Game, side: Side, factor: i64, table: WeightedTable) -> Part {
        let some_push = side == Side::Player && game.rules().bank_pushes != BankPushes::None;
        let compared = |profile, set| {
            let hand = Hand::representative(profile);
            let set = game.banker_set(hand, set);
            (!set.pushes()).then(|| set.strengths())
        };
        let table = if some_push { table.map_sets(compared) } else { table };
        let strengths = game.ranking().strengths();
        let hands = |jokers: &[bool]| Hands {
            ranks: rank_profiles(&table, jokers, strengths),
            events: events(&table, jokers, strengths),
        };
        let (all, without) = rayon::join(|| hands(&[false, true]), || hands(&[false]));
        Part { factor, weight: table.weight, hands: [all, without] }
    }

    /// Returns the hands that the opponent can hold. `joker` is `true` if the joker is held by this side.
    pub(super) fn hands(&self, joker: bool) -> &Hands {
        &self.hands[joker as usize]
    }

    /// Returns the number that the bits of a count stand for.
    #[inline]
    pub(super) fn number(&self, bits: i32) -> i64 {
        // Weights that add up to 0 include negative ones, so their counts are signed. All others fit in 32 bits without
        // a sign.
        if self.weight == 0 { bits.into() } else { (bits as u32).into() }
    }
}

/// The set hands for each profile, with integer weights. The weights have the same total in every profile.
#[derive(Clone)]
pub(super) struct WeightedTable {
    /// The index of each profile's first set hand, followed by the total number of set hands.
    starts: Vec<u32>,
    sets: Vec<(SetHand, i8)>,
    weight: i32,
}

/// The total weight per hand in a mixed strategy's high digits, small enough for sums over all hands to fit in 32 bits.
pub(super) const DIGIT: i32 = 64;
/// The exclusive upper bound for the absolute values of signed sums.
const SIGNED_SUMS: u64 = 1 << 31;

impl WeightedTable {
    fn new(weight: i32) -> WeightedTable {
        WeightedTable { starts: vec![0], sets: vec![], weight }
    }

    fn push(&mut self, sets: impl IntoIterator<Item = (SetHand, i32)>) {
        let weighted = sets.into_iter().filter(|&(_, weight)| weight != 0);
        self.sets.extend(weighted.map(|(set, weight)| (set, i8::try_from(weight).expect("a digit fits into a byte"))));
        self.starts.push(self.sets.len() as u32);
    }

    /// Skips ahead to a profile. The profiles in between have no set hands.
    fn skip_to(&mut self, profile: usize) {
        self.starts.resize(profile + 1, self.sets.len() as u32);
    }

    /// Returns a pure strategy's set hands, each with weight 1.
    pub(super) fn pure(table: &BankerTable) -> WeightedTable {
        let mut weighted = WeightedTable::new(1);
        Profile::all().for_each(|profile| weighted.push([(table.set(profile), 1)]));
        weighted
    }

    /// Splits a mixed strategy into tables, each with a factor. The tables' weights times their factors add up to the
    /// strategy's weights. The first table contains the high digits, with a total weight of [`DIGIT`]. The weights in
    /// all other tables total 0.
    pub(super) fn digits(table: &MixedTable) -> Vec<(i64, WeightedTable)> {
        const { assert!(MixedTable::WHOLE == DIGIT as u32 * DIGIT as u32) };
        let mut high = WeightedTable::new(DIGIT);
        let mut low = Signed::default();
        let mut digits = vec![];
        for profile in Profile::all() {
            let sets = table.sets(profile);
            digits.clear();
            digits.extend(sets.iter().map(|&(_, weight)| i32::from(weight) / DIGIT));
            // Round up the largest remainders until the high digits add up to their total.
            let rest = |i: usize, digits: &[i32]| i32::from(sets[i].1) - DIGIT * digits[i];
            for _ in digits.iter().sum()..DIGIT {
                let most = (0..sets.len()).rev().max_by_key(|&i| rest(i, &digits)).expect("a profile has a setting");
                digits[most] += 1;
            }
            low.push(profile, (0..sets.len()).map(|i| (sets[i].0, rest(i, &digits))));
            high.push(sets.iter().zip(&digits).map(|(&(set, _), &digit)| (set, digit)));
        }
        let low = low.finish().into_iter().map(|table| (1, table));
        [(DIGIT.into(), high)].into_iter().chain(low).collect()
    }

    /// Returns tables whose weights add up to the difference between two mixed strategies, in units of the high digits.
    /// The weights in each table total 0. Returns `None` if any changed weight has low digits.
    pub(super) fn changes_of(from: &MixedTable, to: &MixedTable) -> Option<Vec<WeightedTable>> {
        let mut changes = Signed::default();
        let mut of_profile: Vec<(SetHand, i32)> = vec![];
        for profile in Profile::all() {
            let (from, to) = (from.sets(profile), to.sets(profile));
            if from == to {
                continue;
            }
            of_profile.clear();
            for (sets, sign) in [(to, 1), (from, -1)] {
                for &(set, weight) in sets {
                    if i32::from(weight) % DIGIT != 0 {
                        return None;
                    }
                    add(&mut of_profile, set, sign * i32::from(weight) / DIGIT);
                }
            }
            changes.push(profile, of_profile.iter().copied());
        }
        Some(changes.finish())
    }

    /// Returns a profile's set hands and their weights.
    pub(super) fn of(&self, profile: usize) -> &[(SetHand, i8)] {
        &self.sets[self.starts[profile] as usize..self.starts[profile + 1] as usize]
    }

    /// Subtracts the set hands for `other` from the set hands for `profile` and writes the nonzero differences to
    /// `changes`.
    pub(super) fn changes(&self, profile: usize, other: usize, changes: &mut Vec<(SetHand, i16)>) {
        changes.clear();
        for &(set, weight) in self.of(profile) {
            add(changes, set, i16::from(weight));
        }
        for &(set, weight) in self.of(other) {
            add(changes, set, -i16::from(weight));
        }
        changes.retain(|&(_, weight)| weight != 0);
    }

    /// Converts every set hand, and drops the ones for which `convert` returns `None`.
    pub(super) fn map_sets(&self, convert: impl Fn(Profile, SetHand) -> Option<SetHand>) -> WeightedTable {
        let mut converted = WeightedTable::new(self.weight);
        for profile in Profile::all() {
            let sets = self.of(profile.index()).iter();
            converted.push(sets.filter_map(|&(set, weight)| Some((convert(profile, set)?, i32::from(weight)))));
        }
        converted
    }
}

fn add<W: Copy + std::ops::AddAssign>(sets: &mut Vec<(SetHand, W)>, set: SetHand, weight: W) {
    match sets.iter_mut().find(|(other, _)| *other == set) {
        Some((_, sum)) => *sum += weight,
        None => sets.push((set, weight)),
    }
}

/// A builder for tables with signed weights that total 0. To avoid overflow, a new table is started whenever sums over
/// a table's hands might no longer fit in an `i32`.
#[derive(Default)]
struct Signed {
    finished: Vec<WeightedTable>,
    last: Option<WeightedTable>,
    /// An upper bound for the absolute values of sums over the last table.
    sums: u64,
}

impl Signed {
    fn push(&mut self, profile: Profile, sets: impl Iterator<Item = (SetHand, i32)> + Clone) {
        let positive: u64 = sets.clone().map(|(_, weight)| weight.max(0) as u64).sum();
        if positive == 0 {
            return;
        }
        let sums = positive * Profiles::get().hands(profile);
        if self.sums + sums >= SIGNED_SUMS {
            self.finished.extend(self.last.take());
            self.sums = 0;
        }
        self.sums += sums;
        let table = self.last.get_or_insert_with(|| WeightedTable::new(0));
        table.skip_to(profile.index());
        table.push(sets);
    }

    fn finish(self) -> Vec<WeightedTable> {
        let mut tables: Vec<WeightedTable> = self.finished.into_iter().chain(self.last).collect();
        tables.iter_mut().for_each(|table| table.skip_to(PROFILES));
        tables
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_add_up_to_every_weight() {
        for weight in -254..=254 {
            let events: Vec<Event> = Event::with_weight(0x1234, 101, 104, weight).collect();
            let weights = events.iter().map(|event| Event::split_state(event.state()).1);
            assert_eq!(weights.sum::<i32>(), i32::from(weight));
            assert!(events.len() <= 5 && events.iter().all(|event| event.mask() == 0x1234 && event.front() == 101));
            assert!(events.iter().all(|event| Event::split_state(event.state()).0 == 104));
        }
    }

    #[test]
    fn rank_profiles_keep_their_parts() {
        for weight in [-128, -1, 1, 64, 127] {
            let profile = RankProfile::new([0x1fff, 0xfff], 127, weight);
            assert_eq!((profile.low(), profile.high(), profile.front()), (0x1fff, 0xfff, 127));
            assert_eq!(profile.weight(), i32::from(weight));
        }
    }
}
