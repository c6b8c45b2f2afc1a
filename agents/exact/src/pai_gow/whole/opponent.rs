//! Sorts the opponent's set hands by back strength, ready for evaluation.

use super::halves::HALVES;
use super::weighted::WeightedTable;
use crate::pai_gow::Side;
use houseway_env::cards::key::Key;
use houseway_env::cards::profile::{OFF_SUIT_STATES, Profile, Profiles};
use houseway_env::pai_gow::{BankPushes, Game, Hand};
use houseway_env::rank::TwoStrength;

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
    pub(super) fn weight(self) -> i32 {
        (self.0 >> 32) as i32
    }
}

/// An outcome with a front.
pub(super) trait HasFront: Copy {
    /// Returns the front.
    fn front(self) -> usize;
}

impl HasFront for Event {
    #[inline]
    fn front(self) -> usize {
        (self.0 >> 13 & 0x7f) as usize
    }
}

impl HasFront for RankProfile {
    #[inline]
    fn front(self) -> usize {
        (self.0 >> 25 & 0x7f) as usize
    }
}

/// A list of outcomes, both sorted by back and sorted by front.
pub(super) struct Outcomes<T> {
    /// The outcomes sorted by back.
    pub by_back: Vec<T>,
    /// The number of outcomes with a lower back, indexed by back.
    below: Vec<u32>,
    /// The outcomes sorted by front.
    by_front: Vec<T>,
    /// The number of outcomes with a lower front, indexed by front.
    front_below: Vec<u32>,
}

pub(super) type Events = Outcomes<Event>;
pub(super) type RankProfiles = Outcomes<RankProfile>;

impl<T: HasFront> Outcomes<T> {
    /// Sorts outcomes, each given with its back.
    fn new(mut outcomes: Vec<(usize, T)>, strengths: usize) -> Outcomes<T> {
        outcomes.sort_by_key(|&(back, outcome)| (back, outcome.front()));
        let by_back: Vec<T> = outcomes.iter().map(|&(_, outcome)| outcome).collect();
        let mut by_front = by_back.clone();
        by_front.sort_by_key(|outcome| outcome.front());
        Outcomes {
            below: below(outcomes.iter().map(|&(back, _)| back), strengths),
            front_below: below(by_front.iter().map(|outcome| outcome.front()), TwoStrength::COUNT),
            by_back,
            by_front,
        }
    }

    /// Returns the number of outcomes with a lower back.
    pub(super) fn below(&self, back: usize) -> usize {
        self.below[back.min(self.below.len() - 1)] as usize
    }

    /// Returns the outcomes with this back.
    pub(super) fn of_back(&self, back: usize) -> &[T] {
        &self.by_back[self.below(back)..self.below(back + 1)]
    }

    /// Returns the outcomes with this front.
    pub(super) fn of_front(&self, front: usize) -> &[T] {
        &self.by_front[self.front_below[front] as usize..self.front_below[front + 1] as usize]
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
            ranks.extend(
                sets.map(|&(set, weight)| (set.back.index(), RankProfile::new(halves, set.front.index(), weight))),
            );
        }
    }
    Outcomes::new(ranks, strengths)
}

fn events(table: &WeightedTable, jokers: &[bool], strengths: usize) -> Events {
    let profiles = Profiles::get();
    let (mut events, mut changes) = (vec![], vec![]);
    for block in profiles.flush_blocks().iter().filter(|block| jokers.contains(&block.joker)) {
        for state in 0..OFF_SUIT_STATES[block.off_suit] {
            let profile = Profile::from_index(block.start + state);
            let same_ranks = profiles.rank_profile(Key::from_set(profiles.representative(profile)));
            table.changes(profile.index(), same_ranks.index(), &mut changes);
            let off_suit = OFF_SUIT[block.off_suit] + state;
            for &(set, weight) in &changes {
                let parts = Event::with_weight(block.mask, set.front.index(), off_suit, weight);
                events.extend(parts.map(|event| (set.back.index(), event)));
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

/// The opponent's strategy, prepared for evaluation. It occupies about 8 MB.
pub(super) struct Opponent {
    hands: [Hands; 2],
    weight: i32,
}

impl Opponent {
    fn new(table: &WeightedTable, strengths: usize) -> Opponent {
        let hands = |jokers: &[bool]| Hands {
            ranks: rank_profiles(table, jokers, strengths),
            events: events(table, jokers, strengths),
        };
        let (all, without) = rayon::join(|| hands(&[false, true]), || hands(&[false]));
        Opponent { hands: [all, without], weight: table.weight() }
    }

    /// Prepares the opponent's table for evaluating the hands of `side`. Excludes banker hands against which every bet
    /// pushes.
    pub(super) fn against(game: &Game, side: Side, table: WeightedTable) -> Opponent {
        let some_push = side == Side::Player && game.rules().bank_pushes != BankPushes::None;
        let compared = |profile, set| {
            let hand = Hand::representative(profile);
            let set = game.banker_set(hand, set);
            (!set.pushes()).then(|| set.strengths())
        };
        let table = if some_push { table.map_sets(compared) } else { table };
        Opponent::new(&table, game.ranking().strengths())
    }

    /// Returns the hands that the opponent can hold. `joker` is `true` if the joker is held by this side.
    pub(super) fn hands(&self, joker: bool) -> &Hands {
        &self.hands[joker as usize]
    }

    /// Returns the total weight per profile.
    pub(super) fn weight(&self) -> i32 {
        self.weight
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
