//! The hole cards of the player and the dealer.

use crate::cards::{Card, CardError, CardSet, Rank, impl_hand_text};

/// The two hole cards of the player or the dealer.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hole(CardSet);

impl Hole {
    /// The number of different starting hands: 13 pairs, 78 suited hands and 78 offsuit hands.
    pub const KINDS: usize = 169;

    /// Creates hole cards from a set of cards.
    ///
    /// # Errors
    /// Returns an error if there are not exactly two cards, or if one of them is a joker.
    pub fn new(cards: CardSet) -> Result<Hole, CardError> {
        cards.check_hand(2, CardSet::DECK_52).map(Hole)
    }

    /// Creates hole cards from two different natural cards.
    pub(super) fn from_dealt(a: Card, b: Card) -> Hole {
        Hole(CardSet::EMPTY.with(a).with(b))
    }

    /// Returns the cards as a set.
    #[inline]
    pub const fn set(self) -> CardSet {
        self.0
    }

    /// Returns the cards, with the higher one first.
    #[inline]
    pub fn cards(self) -> [Card; 2] {
        let bits = self.0.bits();
        let card = |index: u32| Card::from_index(index as u8).unwrap_or(Card::JOKER);
        [card(63 - bits.leading_zeros()), card(bits.trailing_zeros())]
    }

    /// Returns the ranks, with the higher one first.
    pub fn ranks(self) -> [Rank; 2] {
        self.cards().map(|card| Rank::from_index(card.index() / 4))
    }

    /// Returns `true` if both cards have the same suit.
    pub fn is_suited(self) -> bool {
        let [a, b] = self.cards();
        a.suit() == b.suit()
    }

    /// Returns the kind of starting hand as a number from 0 to 168. Suited cards have kind `13 * high + low`, and all
    /// other cards have kind `13 * low + high`.
    pub fn kind(self) -> usize {
        let [high, low] = self.ranks().map(Rank::index);
        if self.is_suited() { 13 * high + low } else { 13 * low + high }
    }

    /// Returns the name of the kind, such as `AKs`, `AKo` or `AA`.
    pub fn kind_name(self) -> String {
        let [high, low] = self.ranks();
        let suited = if self.is_suited() { "s" } else { "o" };
        format!("{high}{low}{}", if high == low { "" } else { suited })
    }
}

impl_hand_text!(Hole);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::combinations::for_each_subset;
    use std::collections::HashMap;

    #[test]
    fn there_are_169_kinds() {
        let mut kinds: HashMap<usize, (String, u32)> = HashMap::new();
        for_each_subset(CardSet::DECK_52, 2, |cards| {
            let hole = Hole::new(cards).unwrap();
            let kind = kinds.entry(hole.kind()).or_insert((hole.kind_name(), 0));
            assert_eq!(kind.0, hole.kind_name());
            kind.1 += 1;
        });
        assert_eq!((kinds.len(), kinds.keys().max()), (Hole::KINDS, Some(&(Hole::KINDS - 1))));
        for (name, combinations) in kinds.values() {
            let expected = if name.ends_with('s') {
                4
            } else if name.ends_with('o') {
                12
            } else {
                6
            };
            assert_eq!(*combinations, expected, "{name}");
        }
    }

    #[test]
    fn invalid_hands_are_rejected() {
        assert_eq!("8c Kh".parse::<Hole>().unwrap().to_string(), "Kh 8c");
        assert_eq!("8c Kh".parse::<Hole>().unwrap().kind_name(), "K8o");
        for (text, part) in [("Kh", "has 2 cards"), ("Kh Jk", "not in the deck"), ("Kh Kh", "twice")] {
            assert!(text.parse::<Hole>().unwrap_err().to_string().contains(part), "{text}");
        }
    }
}
