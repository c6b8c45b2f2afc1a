//! Sets of cards stored as bits.

use super::{Card, Suit};

/// A set of cards from a deck with up to 54 cards. Each card is stored as the bit at its [`Card::index`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CardSet(u64);

impl CardSet {
    /// The empty set.
    pub const EMPTY: CardSet = CardSet(0);
    /// The 52 natural cards.
    pub const DECK_52: CardSet = CardSet((1 << 52) - 1);
    /// The 52 natural cards and one joker, as used in Pai Gow Poker.
    pub const DECK_53: CardSet = CardSet((1 << 53) - 1);
    /// The 52 natural cards and two jokers.
    pub const DECK_54: CardSet = CardSet((1 << 54) - 1);

    /// Creates a set from its bits. Bits beyond the 54 cards are ignored.
    pub const fn from_bits(bits: u64) -> CardSet {
        CardSet(bits & Self::DECK_54.0)
    }

    /// Returns the bits of the set. Each card is stored as the bit at its [`Card::index`].
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the number of cards in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns `true` if the set contains no cards.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if the set contains the given card.
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.index() & 1 == 1
    }

    /// Adds a card to the set. Returns `false` if the set already contained it.
    pub const fn insert(&mut self, card: Card) -> bool {
        let new = !self.contains(card);
        self.0 |= 1 << card.index();
        new
    }

    /// Returns a copy of the set with the given card added.
    pub const fn with(self, card: Card) -> CardSet {
        CardSet(self.0 | 1 << card.index())
    }

    /// Returns the cards that are in `self` or `other`.
    pub const fn union(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }

    /// Returns the cards that are in both `self` and `other`.
    pub const fn intersection(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }

    /// Returns the cards that are in `self` but not in `other`.
    pub const fn difference(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    /// Returns the ranks in a suit as a bit mask, in which bit 0 is two.
    #[inline]
    pub const fn ranks_in(self, suit: Suit) -> u16 {
        gather(self.0 >> suit.index() & 0x1_1111_1111_1111)
    }

    /// Returns an iterator over the cards in display order: the jokers first, then A, K, ... 2, and spades, hearts,
    /// diamonds, clubs within a rank.
    pub fn iter(self) -> impl ExactSizeIterator<Item = Card> + Clone {
        CardSetIter(self.0)
    }
}

/// Moves bit 4i to bit i for every i. All other bits must be 0.
#[inline]
pub(crate) const fn gather(bits: u64) -> u16 {
    let bits = (bits | bits >> 3) & 0x0303_0303_0303_0303;
    let bits = (bits | bits >> 6) & 0x000f_000f_000f_000f;
    let bits = (bits | bits >> 12) & 0x0000_00ff_0000_00ff;
    (bits | bits >> 24) as u16
}

#[derive(Clone)]
struct CardSetIter(u64);

impl Iterator for CardSetIter {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        let top = self.0.checked_ilog2()?;
        self.0 ^= 1 << top;
        Card::from_index(top as u8)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for CardSetIter {}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        cards.into_iter().fold(CardSet::EMPTY, CardSet::with)
    }
}
