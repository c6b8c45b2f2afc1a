//! Hands against every hand that the other side can hold, one by one. There are 53,524,680 of them, or fewer with dead
//! cards.

use super::hand::HandCounts;
use super::known::KnownCards;
use super::outcomes::{DealCounts, Side};
use super::table::{ClassTable, canonical_hand};
use houseway_env::cards::classes::Classes;
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::cards::{Card, CardSet};
use houseway_env::pai_gow::{Game, Hand, Outcome, SetHand, Setting, Settlement};
use rayon::prelude::*;

/// Evaluates a hand on `side` against a table that sets each class of the other side's hands. This takes about ten
/// seconds on one core.
pub(super) fn count_by_class(game: &Game, side: Side, table: &ClassTable, hand: impl Into<KnownCards>) -> HandCounts {
    let classes = Classes::seven();
    let set = |class| game.set(canonical_hand(class), table.setting(class));
    let sets: Vec<SetHand> = (0..classes.len()).into_par_iter().map(set).collect();
    count_with(game, side, hand.into(), |other| sets[classes.index(other.set())])
}

/// Evaluates a hand against all hands of the other side, given a function that sets those hands.
pub(super) fn count_with(
    game: &Game,
    side: Side,
    known: KnownCards,
    set: impl Fn(Hand) -> SetHand + Sync,
) -> HandCounts {
    let hand = known.hand();
    let settings: Vec<SetHand> = game.settings(hand).map(|(_, set)| set).collect();
    let counts = over_all_hands(known, [DealCounts::default(); Setting::COUNT], |counts, cards| {
        let other = Hand::new(cards).expect("seven cards are dealt");
        let theirs = set(other);
        for (count, &own) in counts.iter_mut().zip(&settings) {
            count.settle(settle(game, side, (hand, own), (other, theirs)), side, 1);
        }
    });
    let sum = |mut sum: [DealCounts; Setting::COUNT], piece: [DealCounts; Setting::COUNT]| {
        sum.iter_mut().zip(piece).for_each(|(sum, piece)| *sum = sum.plus(piece));
        sum
    };
    legal_ones(game, known, counts.into_iter().fold([DealCounts::default(); Setting::COUNT], sum))
}

/// Settles a hand on `side` against a hand on the other side.
pub(super) fn settle(
    game: &Game,
    side: Side,
    (hand, own): (Hand, SetHand),
    (other, theirs): (Hand, SetHand),
) -> Settlement {
    match side {
        Side::Player => game.settle(own, game.banker_set(other, theirs)),
        Side::Banker => game.settle(theirs, game.banker_set(hand, own)),
    }
}

/// Calls `visit` with the cards in every hand that the other side can hold, in parallel. Each chunk of work starts from
/// `empty`.
pub(super) fn over_all_hands<T: Clone + Send + Sync>(
    known: KnownCards,
    empty: T,
    visit: impl Fn(&mut T, CardSet) + Sync,
) -> Vec<T> {
    let deck: Vec<Card> = CardSet::DECK_53.difference(known.set()).iter().collect();
    // There is one chunk for each highest card in the other hand.
    let pieces = (0..=deck.len() - Hand::CARDS).into_par_iter().map(|first| {
        let mut piece = empty.clone();
        let rest: CardSet = deck[first + 1..].iter().copied().collect();
        for_each_subset(rest, Hand::CARDS - 1, |others| visit(&mut piece, others.with(deck[first])));
        piece
    });
    pieces.collect()
}

/// Returns the counts of the settings that are legal.
pub(super) fn legal_ones(game: &Game, known: KnownCards, counts: [DealCounts; Setting::COUNT]) -> HandCounts {
    let all = counts[0].all();
    assert!(counts.iter().all(|count| count.all() == all) && all.is_multiple_of(known.other_hands()));
    let legal = game.legal_mask(known.hand());
    let counts = std::array::from_fn(|i| (legal >> i & 1 == 1).then_some(counts[i]));
    HandCounts::new(game, counts)
}

impl DealCounts {
    /// Adds `hands` opposing hands with the given settlement, whose outcome is the player's.
    pub(super) fn settle(&mut self, settlement: Settlement, side: Side, hands: u64) {
        match (settlement.outcome, side) {
            (Outcome::Push, _) => self.pushes += hands,
            (Outcome::Win, Side::Player) | (Outcome::Loss, Side::Banker) => self.wins += hands,
            (Outcome::Loss, Side::Player) | (Outcome::Win, Side::Banker) => self.losses += hands,
        }
        self.copies_back += hands * u64::from(settlement.copy_back);
        self.copies_front += hands * u64::from(settlement.copy_front);
    }
}
