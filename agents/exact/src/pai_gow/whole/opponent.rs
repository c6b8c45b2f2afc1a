//! What the other side makes of its hands, in the order in which counting goes over them: by the strength of the back.

use super::kernels::OFF_SUIT_START;
use crate::pai_gow::BankerTable;
use houseway_env::cards::combinations::binomial;
use houseway_env::cards::profile::{OFF_SUIT_STATES, Profiles, RANK_PROFILES};
use houseway_env::pai_gow::SetHand;

/// A flush profile that adds to one outcome or takes away from another: its true one and that of its ranks alone.
///
/// Ranks of the flush suit in bits 0 to 12, front in bits 13 to 19, place in a row of off-suit states in bits 20 to 26,
/// bit 31 if it takes away.
#[derive(Clone, Copy)]
pub(super) struct Event(u32);

impl Event {
    fn new(mask: u16, set: SetHand, off_suit: usize, takes_away: bool) -> Event {
        let front = (set.front.index() as u32) << 13;
        Event(u32::from(mask) | front | (off_suit as u32) << 20 | u32::from(takes_away) << 31)
    }

    #[inline]
    pub(super) fn mask(self) -> usize {
        (self.0 & 0x1fff) as usize
    }

    #[inline]
    pub(super) fn front(self) -> usize {
        (self.0 >> 13 & 0x7f) as usize
    }

    #[inline]
    pub(super) fn off_suit(self) -> usize {
        (self.0 >> 20 & 0x7f) as usize
    }

    /// 1, or -1 if it takes away.
    #[inline]
    pub(super) fn sign(self) -> i16 {
        1 - 2 * (self.0 >> 31) as i16
    }
}

/// The outcomes of the hands that the other side can hold.
pub(super) struct Outcomes {
    /// Front of each rank profile, in ascending order of the back.
    pub fronts: Vec<u8>,
    /// By back: how many rank profiles have a lower one.
    ranks_below: Vec<u32>,
    /// By rank and how many cards of it this side holds: for each rank profile, the ways to pick its cards of this rank.
    factors: [[Vec<u8>; 5]; 13],
    /// Flush profiles where they change the outcome, in ascending order of the back.
    pub events: Vec<Event>,
    /// By back: how many events have a lower one.
    events_below: Vec<u32>,
}

impl Outcomes {
    /// Of all hands, or only of those without the joker.
    fn new(table: &BankerTable, jokers: &[bool], strengths: usize) -> Outcomes {
        let profiles = Profiles::get();
        let mut ranks: Vec<(SetHand, [u8; 13])> = vec![];
        for &joker in jokers {
            let (start, index) = profiles.rank_index(joker);
            ranks.extend(table.ranks()[start..].iter().copied().zip(index.multisets()));
        }
        ranks.sort_by_key(|(set, _)| set.back);
        let events = events(table, jokers);
        let ways = |rank: usize, held: usize| {
            let ways = |counts: &[u8; 13]| binomial(4 - held as u64, counts[rank].into()) as u8;
            ranks.iter().map(|(_, counts)| ways(counts)).collect()
        };
        Outcomes {
            fronts: ranks.iter().map(|(set, _)| set.front.index() as u8).collect(),
            ranks_below: below(ranks.iter().map(|(set, _)| set.back.index()), strengths),
            factors: std::array::from_fn(|rank| std::array::from_fn(|held| ways(rank, held))),
            events_below: below(events.iter().map(|&(back, _)| back), strengths),
            events: events.into_iter().map(|(_, event)| event).collect(),
        }
    }

    /// The ways to pick the cards of this rank, for each rank profile, if this side holds `held` of them.
    pub(super) fn factors(&self, rank: usize, held: usize) -> &[u8] {
        &self.factors[rank][held]
    }

    /// How many rank profiles have a back below this one.
    pub(super) fn ranks_below(&self, back: usize) -> usize {
        self.ranks_below[back.min(self.ranks_below.len() - 1)] as usize
    }

    /// How many events have a back below this one.
    pub(super) fn events_below(&self, back: usize) -> usize {
        self.events_below[back.min(self.events_below.len() - 1)] as usize
    }
}

fn events(table: &BankerTable, jokers: &[bool]) -> Vec<(usize, Event)> {
    let (flushes, without_suits) = table.flushes();
    let mut events = vec![];
    for block in Profiles::get().flush_blocks().iter().filter(|block| jokers.contains(&block.joker)) {
        for state in 0..OFF_SUIT_STATES[block.off_suit] {
            let at = block.start - RANK_PROFILES + state;
            if flushes[at] == without_suits[at] {
                continue;
            }
            for (set, takes_away) in [(flushes[at], false), (without_suits[at], true)] {
                let place = OFF_SUIT_START[block.off_suit] + state;
                events.push((set.back.index(), Event::new(block.mask, set, place, takes_away)));
            }
        }
    }
    // Those of one front and one mask side by side: they fall into the same rows.
    events.sort_by_key(|&(back, event)| (back, event.front(), event.mask()));
    events
}

/// By number from 0 to `end`: how many of the ascending numbers are lower.
fn below(ascending: impl Iterator<Item = usize>, end: usize) -> Vec<u32> {
    let mut below = vec![0; end + 1];
    ascending.for_each(|number| below[number + 1] += 1);
    for i in 1..=end {
        below[i] += below[i - 1];
    }
    below
}

/// The other side's strategy, ready for counting (about 10 MB).
pub(super) struct Opponent {
    outcomes: [Outcomes; 2],
}

impl Opponent {
    pub(super) fn new(table: &BankerTable, strengths: usize) -> Opponent {
        let (all, without) = rayon::join(
            || Outcomes::new(table, &[false, true], strengths),
            || Outcomes::new(table, &[false], strengths),
        );
        Opponent { outcomes: [all, without] }
    }

    /// The hands that the other side can hold if this side holds the joker, or does not.
    pub(super) fn outcomes(&self, joker: bool) -> &Outcomes {
        &self.outcomes[joker as usize]
    }
}
