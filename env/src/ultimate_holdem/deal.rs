//! Uniformly random deals for dealer, board and player.

use super::Hole;
use crate::cards::{Card, CardSet, Pack};
use rand::Rng;

/// Number of cards in the pack.
const PACK: usize = 52;
/// Number of cards in a round: two for the dealer, five for the board, two for the player.
const DEALT: usize = 9;

/// All cards in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deal {
    /// Cards of the dealer, the flop, the last two board cards, and cards of the player.
    cards: [Card; DEALT],
}

impl Deal {
    /// Deals a round.
    #[inline]
    pub fn new(rng: &mut impl Rng) -> Deal {
        Deal { cards: Pack::top(PACK, rng) }
    }

    /// Returns the dealer's two cards.
    #[inline]
    pub fn dealer(&self) -> Hole {
        Hole::from_dealt(self.cards[0], self.cards[1])
    }

    /// Returns the board cards shown so far: none, the three of the flop, or all five.
    #[inline]
    pub fn board(&self, cards: usize) -> CardSet {
        self.cards[2..2 + cards].iter().copied().collect()
    }

    /// Returns the player's two cards.
    #[inline]
    pub fn hole(&self) -> Hole {
        Hole::from_dealt(self.cards[7], self.cards[8])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gym::stream;

    #[test]
    fn no_card_is_dealt_twice() {
        for seed in 0..2_000 {
            let deal = Deal::new(&mut stream(seed.into()));
            let all = deal.dealer().set().union(deal.board(5)).union(deal.hole().set());
            assert_eq!(all.len(), DEALT);
            assert_eq!((deal.board(3).difference(deal.board(5)), deal.board(0)), (CardSet::EMPTY, CardSet::EMPTY));
        }
    }
}
