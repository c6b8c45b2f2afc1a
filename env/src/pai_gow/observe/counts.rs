//! Rank and suit counts, shared by several encodings.

use crate::cards::{Card, CardSet};

/// Rank and suit counts of a hand.
pub(super) struct CardCounts {
    /// Number of natural cards of each rank, two first.
    pub(super) ranks: [u8; 13],
    /// Number of natural cards of each suit, clubs first.
    suits: [u8; 4],
    /// `true` if the joker is held.
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

    /// Returns the suit counts, largest first, without the suits they belong to.
    pub(super) fn sorted_suits(&self) -> [u8; 4] {
        let mut suits = self.suits;
        suits.sort_unstable_by(|a, b| b.cmp(a));
        suits
    }
}
