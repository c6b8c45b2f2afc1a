//! Uniformly random deals for the dealer, the board and the player.

use super::Hole;
use crate::cards::{Card, CardSet, Pack};
use rand::Rng;

/// The number of cards in the pack.
const PACK: usize = 52;
/// The number of cards dealt in a round. The dealer gets two, the board five and the player two.
const DEALT: usize = 9;

/// The cards dealt in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deal {
    /// The dealer's cards, the flop, the last two board cards and the player's cards, in this order.
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

    /// Returns the first `cards` board cards. 0 is an empty board, 3 is the flop, and 5 is the complete board.
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
