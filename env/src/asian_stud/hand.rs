//! Five cards, and the points that they count.

use crate::cards::{Card, CardError, CardSet, impl_hand_text};

/// Points of a card: 1 to 10, or the joker, whose points depend on the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(u8);

/// Index of the points of each card of the 53.
const POINTS: [u8; 53] = {
    let mut points = [0; 53];
    let mut card = 0;
    while card < 52 {
        // Ranks run from two (0) to ace (12).
        points[card] = match card as u8 / 4 {
            12 => 0,
            rank @ 0..9 => rank + 1,
            _ => 9,
        };
        card += 1;
    }
    points[52] = 10;
    points
};

impl Points {
    /// The number of kinds of points: 1 to 10 and the joker.
    pub const COUNT: usize = 11;
    /// The joker.
    pub const JOKER: Points = Points(10);

    /// The points of a card of the 53-card pack.
    ///
    /// # Panics
    /// On the second joker.
    #[inline]
    pub const fn from_card(card: Card) -> Points {
        Points(POINTS[card.index()])
    }

    /// 0 for one point to 9 for ten, 10 for the joker.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The points with this index, 0 to 10.
    ///
    /// # Panics
    /// If the index is above 10.
    pub const fn from_index(index: usize) -> Points {
        assert!(index < Points::COUNT, "there are eleven kinds of points");
        Points(index as u8)
    }

    /// The number of cards of a pack of 52 or 53 with these points.
    pub const fn cards(self, pack: usize) -> usize {
        match self.0 {
            10 => pack - 52,
            9 => 16,
            _ => 4,
        }
    }
}

/// Five different cards of the 53-card pack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hand(CardSet);

impl Hand {
    /// Cards in a hand.
    pub const CARDS: usize = 5;

    /// The hand of these cards.
    ///
    /// # Errors
    /// If there are not five of them, or a second joker is among them.
    pub fn new(cards: CardSet) -> Result<Hand, CardError> {
        cards.check_hand(Hand::CARDS, CardSet::DECK_53).map(Hand)
    }

    /// The hand of five drawn cards, which are different and do not include the second joker.
    #[inline]
    pub(super) fn from_drawn(cards: [Card; 5]) -> Hand {
        Hand(cards.into_iter().fold(CardSet::EMPTY, CardSet::with))
    }

    /// The cards as a set.
    #[inline]
    pub const fn set(self) -> CardSet {
        self.0
    }

    /// The numbers of cards that count 1, 2, ... 10, and of jokers.
    #[inline]
    pub fn counts(self) -> [u8; Points::COUNT] {
        // Four bits each, which fit a register.
        let packed = self.0.iter().fold(0_u64, |packed, card| packed + (1 << (4 * Points::from_card(card).index())));
        std::array::from_fn(|index| (packed >> (4 * index) & 15) as u8)
    }
}

impl_hand_text!(Hand);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_count_as_the_rules_say() {
        let hand: Hand = "As 2d 9h Tc Jk".parse().unwrap();
        let points: Vec<usize> = hand.set().iter().map(|card| Points::from_card(card).index()).collect();
        assert_eq!(points, [10, 0, 9, 8, 1]);
        for card in CardSet::DECK_53.iter() {
            let expected = match card.rank().map(|rank| rank.to_string()).as_deref() {
                None => 10,
                Some("A") => 0,
                Some("T" | "J" | "Q" | "K") => 9,
                Some(number) => number.parse::<usize>().unwrap() - 1,
            };
            assert_eq!(Points::from_card(card).index(), expected, "{card}");
        }
        for pack in [52, 53] {
            assert_eq!((0..Points::COUNT).map(|i| Points::from_index(i).cards(pack)).sum::<usize>(), pack);
        }
    }

    #[test]
    fn hands_are_checked() {
        assert!("As Kd".parse::<Hand>().unwrap_err().to_string().contains("a hand has 5 cards"));
        assert!("As Kd Jk2 7c 7d".parse::<Hand>().unwrap_err().to_string().contains("not in the deck"));
    }
}
