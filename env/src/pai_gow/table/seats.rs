//! The number of seats, the clockwise order, and the dice.

use crate::pai_gow::HANDS;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

/// The maximum number of seats. One deck has enough cards for this many hands.
pub const MAX_SEATS: usize = HANDS;

/// The house's seat. When the house banks, this is the banker's seat. When a player banks, it is either empty or has a
/// hand for the house. Players sit on the following seats, clockwise.
pub const HOUSE_SEAT: usize = 0;

/// The number of seats at a table, including the house's.
///
/// There are 2 to 7 seats, because seven hands take 49 of the 53 cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "usize", into = "usize")]
pub struct TableSize(u8);

impl TableSize {
    /// The maximum of seven seats.
    pub const SEVEN: TableSize = TableSize(MAX_SEATS as u8);

    /// Creates a table size.
    ///
    /// # Errors
    /// Returns a message if there are fewer than two or more than seven seats.
    pub fn new(seats: usize) -> Result<TableSize, String> {
        match seats {
            2..=MAX_SEATS => Ok(TableSize(seats as u8)),
            _ => Err(format!(
                "invalid number of seats {seats}: one deck has seven hands, so a table has 2 to {MAX_SEATS} seats, \
                 including the house's"
            )),
        }
    }

    /// Returns the number of seats.
    #[inline]
    pub const fn seats(self) -> usize {
        self.0 as usize
    }

    /// Returns the number of player seats, not including the house's.
    #[inline]
    pub const fn players(self) -> usize {
        self.0 as usize - 1
    }

    /// Iterates over all seats once, going clockwise from the given seat.
    #[inline]
    pub fn clockwise(self, from: usize) -> impl Iterator<Item = usize> {
        let seats = self.seats();
        (0..seats).map(move |i| (from + i) % seats)
    }
}

impl TryFrom<usize> for TableSize {
    type Error = String;

    fn try_from(seats: usize) -> Result<TableSize, String> {
        TableSize::new(seats)
    }
}

impl From<TableSize> for usize {
    fn from(size: TableSize) -> usize {
        size.seats()
    }
}

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
    use crate::gym::{AgentSet, stream};

    #[test]
    fn invalid_numbers_of_seats_are_rejected() {
        for seats in [0, 1, 8, 100] {
            let error = TableSize::new(seats).unwrap_err();
            assert!(error.contains("2 to 7 seats"), "{error}");
        }
        assert_eq!(TableSize::new(7), Ok(TableSize::SEVEN));
        assert_eq!((TableSize::SEVEN.seats(), TableSize::SEVEN.players()), (7, 6));
    }

    #[test]
    fn seats_are_iterated_clockwise() {
        let table = TableSize::new(4).unwrap();
        assert_eq!(table.clockwise(2).collect::<Vec<_>>(), [2, 3, 0, 1]);
        let set: AgentSet = [5, 1, 3].into_iter().collect();
        assert_eq!(set.without(3).iter().collect::<Vec<_>>(), [1, 5]);
        assert_eq!((set.first(), set.contains(3), set.contains(9), set.contains(70)), (Some(1), true, false, false));
    }

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
