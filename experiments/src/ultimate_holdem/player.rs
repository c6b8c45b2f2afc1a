//! A learned policy as a strategy that can be counted.

use houseway_env::cards::{Card, CardSet};
use houseway_env::ultimate_holdem::Hole;
use houseway_exact::ultimate_holdem::Strategy;
use houseway_learned::ultimate_holdem::LearnedPolicy;
use std::sync::LazyLock;

/// Pairs of cards of a deck.
const PAIRS: usize = 1_326;

/// Looks at a board once, with all hands that wait for it. Hands that play before the flop are left out: they never decide.
pub struct Player<'a>(pub &'a LearnedPolicy<'a>);

/// With which hands it plays on a board, by [`number`].
pub struct Plays([u64; PAIRS.div_ceil(64)]);

/// The two cards of each hand, by [`number`].
static HOLES: LazyLock<Vec<Hole>> = LazyLock::new(|| {
    let mut holes: Vec<Hole> = Vec::with_capacity(PAIRS);
    let cards: Vec<Card> = CardSet::DECK_52.iter().collect();
    for (i, &a) in cards.iter().enumerate() {
        let pairs = cards[..i].iter().map(|&b| CardSet::EMPTY.with(a).with(b));
        holes.extend(pairs.map(|cards| Hole::new(cards).expect("two cards of the deck")));
    }
    holes.sort_unstable_by_key(|&hole| number(hole));
    holes
});

/// The number of a hand, 0 to 1,325.
fn number(hole: Hole) -> usize {
    let [high, low] = hole.cards().map(Card::index);
    high * (high - 1) / 2 + low
}

impl Strategy for Player<'_> {
    type Board = Plays;

    fn board(&self, board: CardSet) -> Plays {
        let waiting = |hole: &Hole| hole.set().intersection(board).is_empty() && self.0.start(*hole) == 0;
        let holes: Vec<Hole> = HOLES.iter().copied().filter(waiting).collect();
        let mut plays = Plays([0; PAIRS.div_ceil(64)]);
        for (&hole, play) in holes.iter().zip(self.0.plays(board, &holes)) {
            plays.0[number(hole) / 64] |= u64::from(play) << (number(hole) % 64);
        }
        plays
    }

    fn start(&self, hole: Hole, _: &[(i64, i128)], _: i128) -> i64 {
        self.0.start(hole)
    }

    fn flop(&self, hole: Hole, seen: &Plays, _: i64, _: i64) -> bool {
        seen.holds(hole)
    }

    fn river(&self, hole: Hole, seen: &Plays, _: i64, _: i64) -> bool {
        seen.holds(hole)
    }
}

impl Plays {
    fn holds(&self, hole: Hole) -> bool {
        self.0[number(hole) / 64] >> (number(hole) % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_are_found_by_their_number() {
        assert!(HOLES.len() == PAIRS && HOLES.iter().enumerate().all(|(i, &hole)| number(hole) == i));
    }
}
