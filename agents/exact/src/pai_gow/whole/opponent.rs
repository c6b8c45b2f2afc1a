//! What the other side makes of its hands, in the order in which counting goes over them: by the strength of the back.
//! A banker's hands against which every bet is a push are left out.

use super::ranks::HALVES;
use crate::pai_gow::BankerTable;
use houseway_env::cards::profile::{OFF_SUIT_STATES, Profiles, RANK_PROFILES};
use houseway_env::pai_gow::SetHand;
use houseway_env::rank::TwoStrength;

/// Where the off-suit states of 0, 1 and 2 cards start among all 105.
pub(super) const OFF_SUIT: [usize; 3] = [104, 91, 0];

/// A flush profile that adds to one outcome or takes away from another: its true one and that of its ranks alone.
///
/// Ranks of the flush suit in bits 0 to 12, front in bits 13 to 19, off-suit state in bits 24 to 30, bit 31 if it takes away.
#[derive(Clone, Copy)]
pub(super) struct Event(u32);

impl Event {
    fn new(mask: u16, set: SetHand, off_suit: usize, takes_away: bool) -> Event {
        let front = (set.front.index() as u32) << 13;
        Event(u32::from(mask) | front | (off_suit as u32) << 24 | u32::from(takes_away) << 31)
    }

    #[inline]
    pub(super) fn mask(self) -> usize {
        (self.0 & 0x1fff) as usize
    }

    #[inline]
    pub(super) fn front(self) -> usize {
        (self.0 >> 13 & 0x7f) as usize
    }

    /// The off-suit state; plus [`TAKES_AWAY`] if it takes away.
    #[inline]
    pub(super) fn signed_off_suit(self) -> usize {
        (self.0 >> 24) as usize
    }
}

/// Added to the off-suit state of an event that takes away.
pub(super) const TAKES_AWAY: usize = 128;

/// A rank profile and its outcome: state of the low half in bits 0 to 12, of the high half in bits 13 to 24, front in bits
/// 25 to 31.
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

/// An outcome that can be counted.
pub(super) trait Outcome: Copy {
    /// Its front.
    fn front(self) -> usize;
}

impl Outcome for Event {
    fn front(self) -> usize {
        Event::front(self)
    }
}

impl Outcome for RankProfile {
    fn front(self) -> usize {
        RankProfile::front(self)
    }
}

/// Outcomes in the order of their backs, and again in the order of their fronts.
pub(super) struct Outcomes<T> {
    pub by_back: Vec<T>,
    /// By back: how many have a lower one.
    below: Vec<u32>,
    by_front: Vec<T>,
    /// By front: how many have a lower one.
    front_below: Vec<u32>,
}

pub(super) type Events = Outcomes<Event>;
pub(super) type RankProfiles = Outcomes<RankProfile>;

impl<T: Outcome> Outcomes<T> {
    /// Of outcomes with their backs.
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

    /// How many have a back below this one.
    pub(super) fn below(&self, back: usize) -> usize {
        self.below[back.min(self.below.len() - 1)] as usize
    }

    /// Those with this back.
    pub(super) fn of_back(&self, back: usize) -> &[T] {
        &self.by_back[self.below(back)..self.below(back + 1)]
    }

    /// Those with this front.
    pub(super) fn of_front(&self, front: usize) -> &[T] {
        &self.by_front[self.front_below[front] as usize..self.front_below[front + 1] as usize]
    }
}

/// By number from 0 to `end`: how many of the numbers are lower.
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
        let compared = sets.filter(|&(&set, _)| set != SetHand::PUSHES);
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
            for (set, takes_away) in outcomes.into_iter().filter(|&(set, _)| set != SetHand::PUSHES) {
                let event = Event::new(block.mask, set, OFF_SUIT[block.off_suit] + state, takes_away);
                events.push((set.back.index(), event));
            }
        }
    }
    Outcomes::new(events, strengths)
}

/// The hands that the other side can hold.
pub(super) struct Hands {
    pub ranks: RankProfiles,
    /// Flush profiles where they change the outcome.
    pub events: Events,
}

/// The other side's strategy, ready for counting (about 8 MB).
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

    /// The hands that the other side can hold if this side holds the joker, or does not.
    pub(super) fn hands(&self, joker: bool) -> &Hands {
        &self.hands[joker as usize]
    }
}
