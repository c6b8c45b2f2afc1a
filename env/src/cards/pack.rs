//! A pack of cards to draw from: exactly uniform hands, without allocation.
//!
//! Several cards are drawn by a partial Fisher-Yates shuffle whose bounded draws all come out of one 64-bit random number
//! (the method of Brackett-Rozinsky and Lemire, "Batched ranged random integer generation", 2024): the number times n is a
//! draw below n in its upper half and fresh bits in its lower half, again and again. With the product p of the bounds the
//! draws are exactly uniform if numbers whose last lower half is below 2^64 mod p are thrown away.

use super::Card;
use rand::Rng;

/// The most cards of a pack: 52 and two jokers.
const MOST: usize = 54;

/// What is left of a pack of 52, 53 or 54 cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pack {
    cards: [u8; MOST],
    left: u8,
}

impl Pack {
    /// A whole pack: the 52 natural cards, with 53 the joker, with 54 the second joker too.
    ///
    /// # Panics
    /// If there is no such pack.
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

    /// How many cards are left.
    pub const fn left(&self) -> usize {
        self.left as usize
    }

    /// Draws `N` of the cards left, each ordered choice with the same chance; `None` if fewer are left. `N` is at most 11,
    /// for which one random number is enough.
    #[inline]
    pub fn draw<const N: usize>(&mut self, rng: &mut impl Rng) -> Option<[Card; N]> {
        const { assert!(N <= 11, "the bounds of more cards do not fit into 64 bits") };
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
            // The remainder is below the product, and a division costs more than this comparison.
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
    fn a_pack_is_drawn_to_its_end_without_repetition() {
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
    fn every_place_meets_every_card_alike() {
        // Chi-square of 7 x 54 cells around 20,000 each; 53 degrees of freedom a place, 99.99% of them below 101.
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
