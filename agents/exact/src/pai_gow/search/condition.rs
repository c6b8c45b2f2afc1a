//! Conditions of rules: a set of shapes, and ranges of ranks for parts of the hand.

use super::words::Word;
use houseway_env::cards::Rank;
use houseway_env::pai_gow::house_way::{HandParts, Part, Shape};
use serde::{Deserialize, Serialize};

/// A number that conditions may bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs)] // the words of the language
pub enum Quantity {
    Quads,
    Trips,
    SecondTrips,
    Pair,
    HighPair,
    MiddlePair,
    LowPair,
    PairSum,
    First,
    Second,
    Third,
    Fourth,
}

impl Quantity {
    /// Lowest sum of the ranks of two pairs: twos and threes.
    pub const MIN_SUM: u8 = 5;

    /// Returns the quantities of a shape that conditions may bound.
    pub fn of_shape(shape: Shape) -> &'static [Quantity] {
        use Quantity::*;
        match shape {
            Shape::NoPair => &[First, Second, Third, Fourth],
            Shape::OnePair => &[Pair, First, Second, Third],
            Shape::TwoPairs => &[HighPair, LowPair, PairSum, First, Second],
            Shape::ThreePairs => &[HighPair, MiddlePair, LowPair, First],
            Shape::ThreeOfAKind => &[Trips, First, Second],
            Shape::FullHouse => &[Trips, Pair, First, Second],
            Shape::FullHouseAndPair => &[Trips, HighPair, LowPair],
            Shape::TwoThreesOfAKind => &[Trips, SecondTrips, First],
            Shape::FourOfAKind => &[Quads, First, Second],
            Shape::FourOfAKindAndPair => &[Quads, Pair, First],
            Shape::FourAndThreeOfAKind => &[Quads, Trips],
            Shape::FiveAces => &[First],
            Shape::FiveAcesAndPair => &[Pair],
        }
    }

    /// Returns the word of the vocabulary that the quantity belongs to; `None` if it is always allowed.
    pub fn word(self) -> Option<Word> {
        match self {
            Quantity::PairSum => Some(Word::PairSum),
            Quantity::Second | Quantity::Third | Quantity::Fourth => Some(Word::LowerSingles),
            _ => None,
        }
    }

    /// Returns the number of values.
    pub const fn values(self) -> usize {
        match self {
            Quantity::PairSum => 23,
            _ => 13,
        }
    }

    /// Returns the value for a hand that has the part.
    pub fn value(self, parts: &HandParts) -> Option<u8> {
        let rank = |part: Part| parts.ranks[part as usize].map(|rank| rank.index() as u8);
        let single = |i: usize| parts.singles.get(i).map(|rank: &Rank| rank.index() as u8);
        match self {
            Quantity::Quads => rank(Part::Quads),
            Quantity::Trips => rank(Part::Trips),
            Quantity::SecondTrips => rank(Part::SecondTrips),
            Quantity::Pair => rank(Part::Pair),
            Quantity::HighPair => rank(Part::HighPair),
            Quantity::MiddlePair => rank(Part::MiddlePair),
            Quantity::LowPair => rank(Part::LowPair),
            Quantity::PairSum => Some(rank(Part::HighPair)? + rank(Part::LowPair)? + 4 - Quantity::MIN_SUM),
            Quantity::First => single(0),
            Quantity::Second => single(1),
            Quantity::Third => single(2),
            Quantity::Fourth => single(3),
        }
    }
}

/// Range of values of a quantity, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Range {
    /// The quantity.
    pub of: Quantity,
    /// Lowest value.
    pub low: u8,
    /// Highest value.
    pub high: u8,
}

impl Range {
    /// Number of ends that exclude something.
    pub fn bounds(self) -> usize {
        usize::from(self.low > 0) + usize::from(usize::from(self.high) + 1 < self.of.values())
    }
}

/// Ranges that must all hold, sorted by quantity; open ranges are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Ranges(pub Vec<Range>);

impl Ranges {
    /// Number of bounds.
    pub fn bounds(&self) -> usize {
        self.0.iter().map(|range| range.bounds()).sum()
    }
}
