//! Set hands of the other side in the order of evaluation, which is the strength of the back. Banker hands against
//! which every bet pushes are excluded.

use super::halves::HALVES;
use crate::pai_gow::BankerTable;
use houseway_env::cards::profile::{OFF_SUIT_STATES, Profiles, RANK_PROFILES};
use houseway_env::pai_gow::{BankerSet, SetHand};
use houseway_env::rank::TwoStrength;

/// Indices of the first off-suit states of 0, 1 and 2 cards among all 105 states.
pub(super) const OFF_SUIT: [usize; 3] = [104, 91, 0];

/// A correction for a flush profile, which adds its true outcome or subtracts the outcome of its ranks alone.
///
/// Bits 0 to 12 are the ranks of the flush suit, bits 13 to 19 the front, bits 24 to 30 the off-suit state, and bit 31
/// is set for a subtraction.
#[derive(Clone, Copy)]
pub(super) struct Event(u32);

impl Event {
    fn new(mask: u16, set: SetHand, off_suit: usize, subtracts: bool) -> Event {
        let front = (set.front.index() as u32) << 13;
        Event(u32::from(mask) | front | (off_suit as u32) << 24 | u32::from(subtracts) << 31)
    }

    #[inline]
    pub(super) fn mask(self) -> usize {
        (self.0 & 0x1fff) as usize
    }

    #[inline]
    pub(super) fn front(self) -> usize {
        (self.0 >> 13 & 0x7f) as usize
    }

    /// Returns the off-suit state, plus [`SUBTRACTS`] if the event subtracts.
    #[inline]
    pub(super) fn signed_off_suit(self) -> usize {
        (self.0 >> 24) as usize
    }
}

/// Offset of the off-suit state of an event that subtracts.
pub(super) const SUBTRACTS: usize = 128;

/// A rank profile and its outcome. Bits 0 to 12 are the state of the low half, bits 13 to 24 the state of the high
/// half, and bits 25 to 31 the front.
#[derive(Clone, Copy)]
pub(super) struct RankProfile(u32);

impl RankProfile {
    fn new(counts: &[u8; 13], set: SetHand) -> RankProfile {
        let [low, high] = HALVES.each_ref().map(|half| half.place(counts) as u32);
        RankProfile(low | high << 13 | (set.front.index() as u32) << 25)
    }

    #[inline]
    pub(super) fn low(self) -> usize {
        (self.0 & 0x1fff) as usize
    }

    #[inline]
    pub(super) fn high(self) -> usize {
        (self.0 >> 13 & 0xfff) as usize
    }

    #[inline]
    pub(super) fn front(self) -> usize {
        (self.0 >> 25) as usize
    }
}

/// An outcome.
pub(super) trait HasFront: Copy {
    /// Returns the front.
    fn front(self) -> usize;
}

impl HasFront for Event {
    fn front(self) -> usize {
        Event::front(self)
    }
}

impl HasFront for RankProfile {
    fn front(self) -> usize {
        RankProfile::front(self)
    }
}

/// Outcomes sorted by back and sorted by front.
pub(super) struct Outcomes<T> {
    /// Sorted by back.
    pub by_back: Vec<T>,
    /// Number of outcomes with a lower back, indexed by back.
    below: Vec<u32>,
    /// Sorted by front.
    by_front: Vec<T>,
    /// Number of outcomes with a lower front, indexed by front.
    front_below: Vec<u32>,
}

pub(super) type Events = Outcomes<Event>;
pub(super) type RankProfiles = Outcomes<RankProfile>;

impl<T: HasFront> Outcomes<T> {
    /// Sorts outcomes given with their backs.
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

/// Returns, for each integer from 0 to `end`, how many of the numbers are lower.
fn below(numbers: impl Iterator<Item = usize>, end: usize) -> Vec<u32> {
    let mut below = vec![0; end + 1];
    numbers.for_each(|number| below[number + 1] += 1);
    for i in 1..=end {
        below[i] += below[i - 1];
    }
    below
}

fn rank_profiles(table: &BankerTable, jokers: &[bool], strengths: usize) -> RankProfiles {
    let mut ranks = vec![];
    for &joker in jokers {
        let (start, index) = Profiles::get().rank_index(joker);
        let sets = table.ranks()[start..].iter().zip(index.multisets());
        let compared = sets.filter(|&(&set, _)| set != BankerSet::PUSHES.strengths());
        ranks.extend(compared.map(|(&set, counts)| (set.back.index(), RankProfile::new(&counts, set))));
    }
    Outcomes::new(ranks, strengths)
}

fn events(table: &BankerTable, jokers: &[bool], strengths: usize) -> Events {
    let (flushes, without_suits) = table.flushes();
    let mut events = vec![];
    for block in Profiles::get().flush_blocks().iter().filter(|block| jokers.contains(&block.joker)) {
        for state in 0..OFF_SUIT_STATES[block.off_suit] {
            let at = block.start - RANK_PROFILES + state;
            if flushes[at] == without_suits[at] {
                continue;
            }
            let outcomes = [(flushes[at], false), (without_suits[at], true)];
            for (set, subtracts) in outcomes.into_iter().filter(|&(set, _)| set != BankerSet::PUSHES.strengths()) {
                let event = Event::new(block.mask, set, OFF_SUIT[block.off_suit] + state, subtracts);
                events.push((set.back.index(), event));
            }
        }
    }
    Outcomes::new(events, strengths)
}

/// Hands that the other side can hold.
pub(super) struct Hands {
    /// Hands by ranks alone.
    pub ranks: RankProfiles,
    /// Corrections for flush profiles that change the outcome.
    pub events: Events,
}

/// The other side's strategy, prepared for evaluation (about 8 MB).
pub(super) struct Opponent {
    hands: [Hands; 2],
}

impl Opponent {
    pub(super) fn new(table: &BankerTable, strengths: usize) -> Opponent {
        let hands = |jokers: &[bool]| Hands {
            ranks: rank_profiles(table, jokers, strengths),
            events: events(table, jokers, strengths),
        };
        let (all, without) = rayon::join(|| hands(&[false, true]), || hands(&[false]));
        Opponent { hands: [all, without] }
    }

    /// Returns the hands that the other side can hold, depending on whether this side holds the joker.
    pub(super) fn hands(&self, joker: bool) -> &Hands {
        &self.hands[joker as usize]
    }
}
