//! Rank and suit counts shared by several encodings.

use crate::cards::{Card, CardSet};

/// The rank and suit counts of a hand.
pub(super) struct CardCounts {
    /// The number of natural cards for each rank, starting with two.
    pub(super) ranks: [u8; 13],
    /// The number of natural cards for each suit, starting with clubs.
    suits: [u8; 4],
    /// True if the hand contains the joker.
    pub(super) joker: bool,
}

impl CardCounts {
    pub(super) fn new(cards: CardSet) -> CardCounts {
        let mut counts = CardCounts { ranks: [0; 13], suits: [0; 4], joker: cards.contains(Card::JOKER) };
        for card in cards.iter() {
            if let (Some(rank), Some(suit)) = (card.rank(), card.suit()) {
                counts.ranks[rank.index()] += 1;
                counts.suits[suit.index()] += 1;
            }
        }
        counts
    }

    /// Returns the suit counts in descending order, regardless of which suits they belong to.
    pub(super) fn sorted_suits(&self) -> [u8; 4] {
        let mut suits = self.suits;
        suits.sort_unstable_by(|a, b| b.cmp(a));
        suits
    }
}
