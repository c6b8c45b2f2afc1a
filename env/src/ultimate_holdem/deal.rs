//! Dealing: uniform cards for the dealer, the board and up to six players, without allocation.
//!
//! Cards are drawn by a partial Fisher-Yates shuffle, several of them out of one 64-bit random number by the method of
//! Brackett-Rozinsky and Lemire ("Batched ranged random integer generation", 2024), which is exactly uniform.

use super::Hole;
use crate::cards::{Card, CardSet};
use rand::Rng;

/// Seats of a table at most.
pub const SEATS: usize = 6;
/// Cards of dealer and board.
const SHARED: usize = 7;
/// Cards that one random number is good for.
const BATCH: usize = 9;
const CARDS: usize = 52;

/// All cards of a round: two for the dealer, five for the board, two for each seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deal {
    /// Dealer, flop, the last two board cards, seat after seat.
    cards: [u8; SHARED + 2 * SEATS],
    seats: u8,
}

impl Deal {
    /// Deals a round for so many seats.
    ///
    /// # Panics
    /// If there are more than [`SEATS`], or none.
    pub fn new(rng: &mut impl Rng, seats: usize) -> Deal {
        const SORTED: [u8; CARDS] = {
            let mut cards = [0; CARDS];
            let mut i = 0;
            while i < CARDS {
                cards[i] = i as u8;
                i += 1;
            }
            cards
        };
        assert!((1..=SEATS).contains(&seats), "a table has 1 to {SEATS} seats, not {seats}");
        let (mut deck, wanted) = (SORTED, SHARED + 2 * seats);
        draw::<BATCH>(rng, &mut deck);
        let mut dealt = BATCH;
        while dealt < wanted {
            draw::<2>(rng, &mut deck[dealt..]);
            dealt += 2;
        }
        let mut cards = [0; SHARED + 2 * SEATS];
        cards[..wanted].copy_from_slice(&deck[..wanted]);
        Deal { cards, seats: seats as u8 }
    }

    /// How many seats there are.
    pub fn seats(&self) -> usize {
        self.seats.into()
    }

    /// The dealer's two cards.
    pub fn dealer(&self) -> Hole {
        Hole::of_dealt(self.card(0), self.card(1))
    }

    /// The first cards of the board: none, the three of the flop, or all five.
    pub fn board(&self, cards: usize) -> CardSet {
        self.cards[2..2 + cards].iter().map(|&index| card(index)).collect()
    }

    /// The two cards of a seat.
    ///
    /// # Panics
    /// If there is no such seat.
    pub fn hole(&self, seat: usize) -> Hole {
        assert!(seat < self.seats(), "there are {} seats, numbered from 0", self.seats);
        let first = SHARED + 2 * seat;
        Hole::of_dealt(self.card(first), self.card(first + 1))
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

/// Brings `N` uniform cards to the front.
#[inline]
fn draw<const N: usize>(rng: &mut impl Rng, cards: &mut [u8]) {
    let bounds: [u64; N] = std::array::from_fn(|i| (cards.len() - i) as u64);
    let product: u64 = bounds.iter().product();
    let picks = loop {
        let mut bits = rng.next_u64();
        let picks = bounds.map(|bound| {
            let wide = u128::from(bits) * u128::from(bound);
            bits = wide as u64;
            (wide >> 64) as usize
        });
        // Only numbers below the product can be among those that come too often.
        if bits >= product || bits >= product.wrapping_neg() % product {
            break picks;
        }
    };
    picks.into_iter().enumerate().for_each(|(i, pick)| cards.swap(i, i + pick));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gym::stream;

    #[test]
    fn every_card_comes_as_often_in_every_place() {
        // 52 cards by 19 places of 200,000 deals: each count is binomial with mean 3,846 and deviation 61.4. The highest of
        // 988 is below 4.5 deviations but once in 150 seeds; this seed is fixed.
        let (mut counts, mut rng) = ([[0u32; CARDS]; SHARED + 2 * SEATS], stream(7.into()));
        let deals = 200_000;
        for _ in 0..deals {
            let deal = Deal::new(&mut rng, SEATS);
            for (count, &card) in counts.iter_mut().zip(&deal.cards) {
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
    fn no_card_is_dealt_twice_and_other_seats_change_nothing() {
        for seed in 0..2_000 {
            let deal = Deal::new(&mut stream(seed.into()), SEATS);
            let seats = (0..SEATS).map(|seat| deal.hole(seat).set());
            let all = seats.fold(deal.dealer().set().union(deal.board(5)), CardSet::union);
            assert_eq!(all.len(), SHARED + 2 * SEATS);
            assert_eq!(deal.board(3).difference(deal.board(5)), deal.board(0));
            let alone = Deal::new(&mut stream(seed.into()), 1);
            assert_eq!((alone.dealer(), alone.board(5)), (deal.dealer(), deal.board(5)));
            assert_eq!(alone.hole(0), deal.hole(0));
        }
    }
}
