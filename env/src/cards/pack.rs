//! Pack of cards for drawing uniformly random hands without allocation.
//!
//! Several cards are drawn by a partial Fisher-Yates shuffle whose bounded draws all come from one 64-bit random
//! number, with the method of Brackett-Rozinsky and Lemire ("Batched ranged random integer generation", 2024):
//! multiplying the number by n gives a draw below n in the upper half and fresh bits in the lower half, which are used
//! for the next draw. With p the product of the bounds, the draws are exactly uniform if numbers whose last lower half
//! is less than 2^64 mod p are rejected.

use super::Card;
use rand::Rng;

/// Maximum number of cards in a pack: 52 and two jokers.
const MOST: usize = 54;

/// Remaining cards of a pack of 52, 53 or 54 cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pack {
    cards: [u8; MOST],
    left: u8,
}

impl Pack {
    /// Creates a full pack: the 52 natural cards, the joker if `cards` is at least 53, and the second joker if it is
    /// 54.
    ///
    /// # Panics
    /// If `cards` is not 52, 53 or 54.
    #[inline]
    pub const fn new(cards: usize) -> Pack {
        const SORTED: [u8; MOST] = {
            let mut cards = [0; MOST];
            let mut i = 0;
            while i < MOST {
                cards[i] = i as u8;
                i += 1;
            }
            cards
        };
        assert!(cards <= MOST && cards >= 52, "a pack has 52, 53 or 54 cards");
        Pack { cards: SORTED, left: cards as u8 }
    }

    /// Returns the number of remaining cards.
    pub const fn left(&self) -> usize {
        self.left as usize
    }

    /// Draws `N` of the remaining cards, uniformly over ordered choices, or returns `None` if fewer are left. `N` is at
    /// most 11, so that a single random number suffices.
    #[inline]
    pub fn draw<const N: usize>(&mut self, rng: &mut impl Rng) -> Option<[Card; N]> {
        const { assert!(N <= 11, "the product of the bounds must fit into 64 bits") };
        let left = self.left();
        if left < N {
            return None;
        }
        let product = (left - N + 1..=left).fold(1, |product, bound| product * bound as u64);
        let draws = loop {
            let mut bits = rng.next_u64();
            let draws: [usize; N] = std::array::from_fn(|i| {
                let wide = u128::from(bits) * (left - i) as u128;
                bits = wide as u64;
                (wide >> 64) as usize
            });
            // The remainder is less than the product, and a division is more expensive than this comparison.
            if bits >= product || bits >= product.wrapping_neg() % product {
                break draws;
            }
        };
        let mut cards = [Card::JOKER; N];
        for (card, draw) in cards.iter_mut().zip(draws) {
            self.left -= 1;
            let last = self.left();
            self.cards.swap(draw, last);
            *card = Card::from_index(self.cards[last])?;
        }
        Some(cards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::CardSet;
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
        // Chi-squared test of 7 x 54 cells with about 20,000 each; 53 degrees of freedom per position, 99.99% quantile
        // 101.
        let (mut counts, mut rng) = ([[0u32; 54]; 7], stream(11.into()));
        for _ in 0..54 * 20_000 {
            let hand: [Card; 7] = Pack::new(54).draw(&mut rng).unwrap();
            hand.iter().zip(&mut counts).for_each(|(card, counts)| counts[card.index()] += 1);
        }
        for place in counts {
            let chi_square: f64 = place.iter().map(|&n| (f64::from(n) - 20_000.0).powi(2) / 20_000.0).sum();
            assert!(chi_square < 101.0, "{chi_square}");
        }
    }
}
