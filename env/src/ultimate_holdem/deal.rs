//! Dealing: uniform cards for the dealer, the board and the player, without allocation.
//!
//! Cards are drawn by a partial Fisher-Yates shuffle, all of them out of one 64-bit random number by the method of
//! Brackett-Rozinsky and Lemire ("Batched ranged random integer generation", 2024), which is exactly uniform.

use super::Hole;
use crate::cards::{Card, CardSet};
use rand::Rng;

/// Cards of a hand: two for the dealer, five for the board, two for the player.
const DEALT: usize = 9;
/// Cards of the pack.
const CARDS: usize = 52;

/// All cards of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deal {
    /// Dealer, flop, the last two board cards, player.
    cards: [u8; DEALT],
}

impl Deal {
    /// Deals a hand.
    #[inline]
    pub fn new(rng: &mut impl Rng) -> Deal {
        let mut pack: [u8; CARDS] = const {
            let mut cards = [0; CARDS];
            let mut i = 0;
            while i < CARDS {
                cards[i] = i as u8;
                i += 1;
            }
            cards
        };
        for (place, pick) in draws(rng).into_iter().enumerate() {
            pack.swap(place, place + pick);
        }
        Deal { cards: std::array::from_fn(|place| pack[place]) }
    }

    /// The dealer's two cards.
    pub fn dealer(&self) -> Hole {
        Hole::of_dealt(self.card(0), self.card(1))
    }

    /// The first cards of the board: none, the three of the flop, or all five.
    pub fn board(&self, cards: usize) -> CardSet {
        self.cards[2..2 + cards].iter().map(|&index| card(index)).collect()
    }

    /// The player's two cards.
    pub fn hole(&self) -> Hole {
        Hole::of_dealt(self.card(7), self.card(8))
    }

    #[inline]
    fn card(&self, place: usize) -> Card {
        card(self.cards[place])
    }
}

#[inline]
fn card(index: u8) -> Card {
    Card::from_index(index).unwrap_or(Card::JOKER)
}

/// Independent uniform numbers below 52, 51, ... out of one random number.
#[inline]
fn draws(rng: &mut impl Rng) -> [usize; DEALT] {
    let bounds: [u64; DEALT] = std::array::from_fn(|i| (CARDS - i) as u64);
    let product: u64 = bounds.iter().product();
    loop {
        let mut bits = rng.next_u64();
        let picks = bounds.map(|bound| {
            let wide = u128::from(bits) * u128::from(bound);
            bits = wide as u64;
            (wide >> 64) as usize
        });
        // Only numbers below the product can be among those that come too often.
        if bits >= product || bits >= product.wrapping_neg() % product {
            return picks;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gym::stream;

    #[test]
    fn every_card_comes_as_often_in_every_place() {
        // 52 cards by 9 places of 200,000 deals: each count is binomial with mean 3,846 and standard deviation 61.4. The
        // highest of 468 is below 4.5 standard deviations but once in 300 seeds; this seed is fixed.
        let (mut counts, mut rng) = ([[0u32; CARDS]; DEALT], stream(7.into()));
        let deals = 200_000;
        for _ in 0..deals {
            for (count, &card) in counts.iter_mut().zip(&Deal::new(&mut rng).cards) {
                count[usize::from(card)] += 1;
            }
        }
        let p = 1.0 / 52.0;
        let (mean, deviation) = (f64::from(deals) * p, (f64::from(deals) * p * (1.0 - p)).sqrt());
        for count in counts.iter().flatten() {
            assert!((f64::from(*count) - mean).abs() < 4.5 * deviation, "{count} is not near {mean}");
        }
    }

    #[test]
    fn no_card_is_dealt_twice() {
        let mut rng = stream(3.into());
        for _ in 0..2_000 {
            let deal = Deal::new(&mut rng);
            let all = deal.dealer().set().union(deal.board(5)).union(deal.hole().set());
            assert_eq!(all.len(), DEALT);
            assert_eq!((deal.board(3).len(), deal.board(3).difference(deal.board(5))), (3, CardSet::EMPTY));
        }
    }
}
