//! Counts of ranks and suits, shared by encodings.

use crate::cards::{Card, CardSet};

/// Counts of the cards of a hand.
pub(super) struct CardCounts {
    /// Natural cards of each rank, two first.
    pub(super) ranks: [u8; 13],
    /// Natural cards of each suit, clubs first.
    suits: [u8; 4],
    /// The joker is held.
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

    /// Returns the counts of the suits, largest first, without their names.
    pub(super) fn sorted_suits(&self) -> [u8; 4] {
        let mut suits = self.suits;
        suits.sort_unstable_by(|a, b| b.cmp(a));
        suits
    }
}
