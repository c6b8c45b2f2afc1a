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
#[derive(Clone, Copy)]
pub(super) struct Event {
    /// The ranks in the flush suit.
    pub mask: u16,
    /// The state of the other cards, as an index into all 105 states.
    pub off_suit: u8,
    front: u8,
    /// The weight. It is negative if the event subtracts an outcome.
    pub weight: i16,
}

/// A rank profile and its outcome.
#[derive(Clone, Copy)]
pub(super) struct RankProfile {
    /// The state of the low half.
    pub low: u16,
    /// The state of the high half.
    pub high: u16,
    front: u8,
    pub weight: i8,
}

/// An outcome with a front.
pub(super) trait HasFront: Copy {
    /// Returns the front.
    fn front(self) -> usize;
}

impl HasFront for Event {
    fn front(self) -> usize {
        self.front.into()
    }
}

impl HasFront for RankProfile {
    fn front(self) -> usize {
        self.front.into()
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
            let [low, high] = HALVES.each_ref().map(|half| half.place(&counts) as u16);
            for &(set, weight) in table.of(start + i) {
                let front = set.front.index() as u8;
                ranks.push((set.back.index(), RankProfile { low, high, front, weight }));
            }
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
            let off_suit = (OFF_SUIT[block.off_suit] + state) as u8;
            for &(set, weight) in &changes {
                let front = set.front.index() as u8;
                events.push((set.back.index(), Event { mask: block.mask, off_suit, front, weight }));
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
            let hand = Hand::new(Profiles::get().representative(profile)).expect("a profile has seven cards");
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
