//! A pack of cards that draws uniformly random hands without allocating.
//!
//! Drawing several cards is a partial Fisher-Yates shuffle. All of its bounded random numbers are derived from a single
//! 64-bit number, as described by Brackett-Rozinsky and Lemire ("Batched ranged random integer generation", 2024).
//! Multiplying the number by n yields a draw below n in the upper half of the product and fresh bits for the next draw
//! in the lower half. If p is the product of all bounds, the draws are exactly uniform once numbers whose last lower
//! half is less than 2^64 mod p are rejected.

use super::{Card, CardSet};
use rand::Rng;

/// The maximum number of cards in a pack, including two jokers.
const MAX_CARDS: usize = 54;

/// All cards, sorted by index.
const SORTED: [Card; MAX_CARDS] = {
    let mut cards = [Card(0); MAX_CARDS];
    let mut i = 0;
    while i < MAX_CARDS {
        cards[i] = Card(i as u8);
        i += 1;
    }
    cards
};

/// The rejection thresholds for drawing `N` cards.
struct Bounds<const N: usize>;

impl<const N: usize> Bounds<N> {
    /// 2^64 modulo the product of the bounds, indexed by the number of remaining cards.
    const REMAINDERS: [u64; MAX_CARDS + 1] = {
        assert!(N <= 11, "the product of the bounds must fit into 64 bits");
        let mut remainders = [0; MAX_CARDS + 1];
        let mut left = N;
        while left <= MAX_CARDS {
            let (mut product, mut i) = (1_u64, 0);
            while i < N {
                product *= (left - i) as u64;
                i += 1;
            }
            remainders[left] = product.wrapping_neg() % product;
            left += 1;
        }
        remainders
    };
}

/// A pack of cards or other pieces to draw from, which are numbered like cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pack {
    /// The remaining cards, followed by the drawn cards (most recent first) and the cards that were set aside.
    cards: [Card; MAX_CARDS],
    left: u8,
    /// The number of cards that were not set aside.
    whole: u8,
}

impl Pack {
    /// Creates a full pack. It contains the 52 natural cards, the joker if `cards` is at least 53, and the second joker
    /// if `cards` is 54. A pack of fewer pieces, such as tiles, contains the first ones.
    ///
    /// # Panics
    /// Panics if `cards` is greater than 54.
    #[inline]
    pub const fn new(cards: usize) -> Pack {
        assert!(cards <= MAX_CARDS, "a pack has at most 54 cards");
        Pack { cards: SORTED, left: cards as u8, whole: cards as u8 }
    }

    /// Creates a pack of the given size from which some cards have been removed.
    ///
    /// # Panics
    /// Panics if `cards` is greater than 54.
    pub fn without(cards: usize, removed: CardSet) -> Pack {
        let mut pack = Pack::new(cards);
        let (mut left, mut aside) = (0, cards);
        for card in SORTED.into_iter().take(cards) {
            if removed.contains(card) {
                aside -= 1;
                pack.cards[aside] = card;
            } else {
                pack.cards[left] = card;
                left += 1;
            }
        }
        Pack { left: left as u8, whole: left as u8, ..pack }
    }

    /// Returns the number of remaining cards.
    pub const fn left(&self) -> usize {
        self.left as usize
    }

    /// Returns all drawn cards to the pack, except for those that were set aside. Future draws don't depend on earlier
    /// ones, because every draw is uniform over the remaining cards, no matter how they are ordered.
    pub const fn gather(&mut self) {
        self.left = self.whole;
    }

    /// Sets the drawn cards aside so that [`Pack::gather`] doesn't return them.
    pub const fn set_aside(&mut self) {
        self.whole = self.left;
    }

    /// Draws `N` of the remaining cards, where every ordered choice is equally likely. Returns `None` if fewer than `N`
    /// cards are left. `N` must not exceed 11, so that a single random number suffices.
    // Drawing a hand takes 10 ns. Without inlining, the cards would be returned through memory, and that would double
    // the time.
    #[inline(always)]
    pub fn draw<const N: usize>(&mut self, rng: &mut impl Rng) -> Option<[Card; N]> {
        let left = self.left();
        if left < N {
            return None;
        }
        let draws = draws::<N>(left, rng);
        self.left -= N as u8;
        let mut cards = [Card(0); N];
        for (i, (card, draw)) in cards.iter_mut().zip(draws).enumerate() {
            let last = left - 1 - i;
            // A manual swap keeps the drawn card in a register.
            *card = self.cards[draw];
            self.cards[draw] = self.cards[last];
            self.cards[last] = *card;
        }
        Some(cards)
    }

    /// Returns the top `N` cards of a shuffled pack. The distribution is the same as for [`Pack::draw`], but a given
    /// random number produces different cards, as the pack is shuffled from the other end.
    ///
    /// # Panics
    /// Panics if `cards` is not 52, 53 or 54.
    #[inline]
    pub fn top<const N: usize>(cards: usize, rng: &mut impl Rng) -> [Card; N] {
        assert!((52..=MAX_CARDS).contains(&cards), "a pack has 52, 53 or 54 cards");
        let mut pack = SORTED;
        for (i, draw) in draws::<N>(cards, rng).into_iter().enumerate() {
            pack.swap(i, i + draw);
        }
        std::array::from_fn(|i| pack[i])
    }
}

/// Returns uniformly distributed random numbers below `left`, `left - 1`, and so on.
#[inline(always)]
fn draws<const N: usize>(left: usize, rng: &mut impl Rng) -> [usize; N] {
    let remainder = Bounds::<N>::REMAINDERS[left];
    loop {
        let mut bits = rng.next_u64();
        let draws: [usize; N] = std::array::from_fn(|i| {
            let wide = u128::from(bits) * (left - i) as u128;
            bits = wide as u64;
            (wide >> 64) as usize
        });
        if bits >= remainder {
            break draws;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gym::stream;

    #[test]
    fn a_pack_is_drawn_completely_without_repetition() {
        let mut rng = stream(3.into());
        for (cards, all) in [(52, CardSet::DECK_52), (53, CardSet::DECK_53), (54, CardSet::DECK_54)] {
            let mut pack = Pack::new(cards);
            let mut seen = CardSet::EMPTY;
            while let Some([a, b]) = pack.draw::<2>(&mut rng) {
                assert!(seen.insert(a) && seen.insert(b));
            }
            while let Some([card]) = pack.draw::<1>(&mut rng) {
                assert!(seen.insert(card));
            }
            assert_eq!((seen, pack.left()), (all, 0));
        }
    }

    #[test]
    fn every_position_is_uniform_over_cards() {
        // Chi-squared test on 49 x 53 cells with about 3,000 draws each. For the 52 degrees of freedom per position, the
        // 99.99% quantile is 99.
        let (mut counts, mut rng, mut pack) = ([[0u32; 53]; 49], stream(11.into()), Pack::new(53));
        for _ in 0..53 * 3_000 {
            pack.gather();
            for counts in counts.chunks_mut(7) {
                let hand: [Card; 7] = pack.draw(&mut rng).unwrap();
                hand.iter().zip(counts).for_each(|(card, counts)| counts[card.index()] += 1);
            }
        }
        for place in counts {
            let chi_square: f64 = place.iter().map(|&n| (f64::from(n) - 3_000.0).powi(2) / 3_000.0).sum();
            assert!(chi_square < 99.0, "{chi_square}");
        }
    }

    #[test]
    fn cards_removed_or_set_aside_are_not_drawn() {
        let mut rng = stream(5.into());
        let removed: CardSet = "Jk As 7d 2c".parse().unwrap();
        let mut pack = Pack::without(53, removed);
        for _ in 0..200 {
            pack.gather();
            assert_eq!(pack.left(), 49);
            let mut seen = removed;
            while let Some(cards) = pack.draw::<7>(&mut rng) {
                assert!(cards.into_iter().all(|card| seen.insert(card)));
            }
            assert_eq!((seen, pack.left()), (CardSet::DECK_53, 0));
        }
        pack.gather();
        let aside: [Card; 7] = pack.draw(&mut rng).unwrap();
        pack.set_aside();
        for _ in 0..200 {
            pack.gather();
            assert_eq!(pack.left(), 42);
            let drawn: [Card; 7] = pack.draw(&mut rng).unwrap();
            assert!(drawn.iter().all(|card| !aside.contains(card)));
        }
    }

    #[test]
    fn every_card_is_as_often_on_top() {
        // Chi-squared test on 9 x 52 cells with about 4,000 draws each. The 99.99% quantile for 51 degrees of freedom
        // is 98.
        let (mut counts, mut rng) = ([[0u32; 52]; 9], stream(7.into()));
        for _ in 0..52 * 4_000 {
            let top: [Card; 9] = Pack::top(52, &mut rng);
            assert_eq!(top.into_iter().collect::<CardSet>().len(), 9);
            top.iter().zip(&mut counts).for_each(|(card, counts)| counts[card.index()] += 1);
        }
        for place in counts {
            let chi_square: f64 = place.iter().map(|&n| (f64::from(n) - 4_000.0).powi(2) / 4_000.0).sum();
            assert!(chi_square < 98.0, "{chi_square}");
        }
    }

    /// A generator that returns predefined numbers, used to test both ends of the range.
    struct Given(Vec<u64>);

    impl rand::TryRng for Given {
        type Error = std::convert::Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            self.try_next_u64().map(|x| x as u32)
        }
        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            Ok(self.0.pop().expect("enough numbers should be given"))
        }
        fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
            unreachable!("packs only draw 64-bit numbers")
        }
    }

    #[test]
    fn numbers_that_would_favor_a_hand_are_thrown_away() {
        // 2^64 isn't a multiple of the product of the bounds, so 0 must be rejected.
        let mut two = Given(vec![u64::MAX, 0]);
        assert!(Pack::new(53).draw::<7>(&mut two).is_some() && two.0.is_empty(), "0 was accepted");
        let mut one = Given(vec![0, u64::MAX]);
        assert!(Pack::new(53).draw::<7>(&mut one).is_some() && one.0 == [0], "the highest number was rejected");
    }
}
