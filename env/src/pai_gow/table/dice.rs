//! The three dice and the seat they select.

use super::TableSize;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

/// A throw of three dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Dice(pub [u8; 3]);

impl Dice {
    /// Throws the dice.
    pub fn roll(rng: &mut impl Rng) -> Dice {
        Dice(std::array::from_fn(|_| rng.random_range(1..=6)))
    }

    /// Returns the sum of the dice, from 3 to 18.
    pub fn total(self) -> usize {
        self.0.iter().map(|&die| usize::from(die)).sum()
    }

    /// Returns the seat that the sum selects. Seats are counted clockwise, starting with the banker's own seat as 1 and
    /// including empty seats.
    pub fn seat(self, banker: usize, size: TableSize) -> usize {
        (banker + self.total() - 1) % size.seats()
    }

    /// Iterates over all 216 throws.
    pub fn all() -> impl Iterator<Item = Dice> {
        (0..216u8).map(|i| Dice([i / 36 + 1, i / 6 % 6 + 1, i % 6 + 1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gym::stream;

    #[test]
    fn totals_of_1_8_and_15_select_the_banker_of_seven_seats() {
        for banker in 0..7 {
            for dice in Dice::all() {
                let own = [8, 15].contains(&dice.total());
                assert_eq!(dice.seat(banker, TableSize::SEVEN) == banker, own, "{dice:?}");
                // A slow reference implementation that counts seat by seat.
                let mut seat = banker;
                (1..dice.total()).for_each(|_| seat = (seat + 1) % 7);
                assert_eq!(dice.seat(banker, TableSize::SEVEN), seat);
            }
        }
    }

    #[test]
    fn totals_have_the_distribution_of_three_fair_dice() {
        assert_eq!(Dice::all().filter(|dice| dice.total() == 10).count(), 27);
        let (mut rng, mut totals) = (stream(3.into()), [0u32; 19]);
        let throws = 216_000;
        (0..throws).for_each(|_| totals[Dice::roll(&mut rng).total()] += 1);
        for (total, &seen) in totals.iter().enumerate().skip(3) {
            let expected = 1_000.0 * Dice::all().filter(|dice| dice.total() == total).count() as f64;
            assert!((f64::from(seen) - expected).abs() < 4.5 * expected.sqrt(), "{total}: {seen}, {expected}");
        }
    }
}
