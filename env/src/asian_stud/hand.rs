//! Five-card hands and the points that cards are worth.

use crate::cards::{Card, CardError, CardSet, impl_hand_text};

/// The points that a card is worth, from 1 to 10. The joker is kept apart because its points depend on the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(u8);

/// The index of the points for each of the 53 cards.
const POINTS: [u8; 53] = {
    let mut points = [0; 53];
    let mut card = 0;
    while card < 52 {
        // Ranks go from two (0) to ace (12).
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
    /// The number of distinct point values, counting the joker as one of them.
    pub const COUNT: usize = 11;
    /// The joker.
    pub const JOKER: Points = Points(10);

    /// Returns the points for a card from the 53-card pack.
    ///
    /// # Panics
    /// Panics if the card is the second joker.
    #[inline]
    pub const fn from_card(card: Card) -> Points {
        Points(POINTS[card.index()])
    }

    /// Returns the index. One to ten points have indices 0 to 9, and the joker has index 10.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the points with this index.
    ///
    /// # Panics
    /// Panics if `index` is greater than 10.
    pub const fn from_index(index: usize) -> Points {
        assert!(index < Points::COUNT, "points have indices 0 to 10");
        Points(index as u8)
    }

    /// Returns how many cards in a pack of 52 or 53 cards are worth this many points.
    pub const fn cards(self, pack: usize) -> usize {
        match self.0 {
            10 => pack - 52,
            9 => 16,
            _ => 4,
        }
    }
}

/// A hand of five cards from the 53-card pack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hand(CardSet);

impl Hand {
    /// The number of cards in a hand.
    pub const CARDS: usize = 5;

    /// Creates a hand from a set of cards.
    ///
    /// # Errors
    /// Returns an error if there are not exactly five cards, or if one of them is the second joker.
    pub fn new(cards: CardSet) -> Result<Hand, CardError> {
        cards.check_hand(Hand::CARDS, CardSet::DECK_53).map(Hand)
    }

    /// Creates a hand from five different cards, none of which may be the second joker.
    #[inline]
    pub(super) fn from_drawn(cards: [Card; 5]) -> Hand {
        Hand(cards.into_iter().fold(CardSet::EMPTY, CardSet::with))
    }

    /// Returns the cards as a set.
    #[inline]
    pub const fn set(self) -> CardSet {
        self.0
    }

    /// Returns the number of cards for each point value, indexed by [`Points::index`]. The last entry counts jokers.
    #[inline]
    pub fn counts(self) -> [u8; Points::COUNT] {
        // All counts fit in one register with four bits each. The four suits of a rank are adjacent, so count by rank
        // first.
        let natural = self.0.intersection(CardSet::DECK_52).bits();
        let pairs = natural - (natural >> 1 & 0x5555_5555_5555_5555);
        let ranks = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let tens = [8, 9, 10, 11].iter().map(|rank| ranks >> (4 * rank) & 15).sum::<u64>();
        let packed =
            ranks >> 48 | (ranks & 0xFFFF_FFFF) << 4 | tens << 36 | u64::from(self.0.contains(Card::JOKER)) << 40;
        std::array::from_fn(|index| (packed >> (4 * index) & 15) as u8)
    }
}

impl_hand_text!(Hand);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Pack;

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
    fn counts_are_those_of_the_cards_one_by_one() {
        let mut rng = crate::gym::stream(5.into());
        for _ in 0..10_000 {
            let cards: [Card; 5] = Pack::new(53).draw(&mut rng).unwrap();
            let mut counts = [0; Points::COUNT];
            cards.iter().for_each(|&card| counts[Points::from_card(card).index()] += 1);
            assert_eq!(Hand::from_drawn(cards).counts(), counts, "{cards:?}");
        }
        // A hand with all four cards of one rank, and a hand in which every card is worth ten points.
        let rank_and_ten: Hand = "9s 9h 9d 9c Ts".parse().unwrap();
        assert_eq!(rank_and_ten.counts(), [0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0]);
        assert_eq!("Ts Jh Qd Kc Ks".parse::<Hand>().unwrap().counts()[9], 5);
    }

    #[test]
    fn hands_are_checked() {
        assert!("As Kd".parse::<Hand>().unwrap_err().to_string().contains("a hand has 5 cards"));
        assert!("As Kd Jk2 7c 7d".parse::<Hand>().unwrap_err().to_string().contains("not in the deck"));
    }
}
