//! Conditions of rules: a set of shapes, and ranges of ranks for parts of the hand.

use super::words::Word;
use houseway_env::cards::Rank;
use houseway_env::pai_gow::house_way::{HandParts, Part, Shape};
use serde::{Deserialize, Serialize};

houseway_env::named_enum! {
    /// A number that conditions may bound. Its name is the word of the language.
    #[derive(PartialOrd, Ord)]
    pub enum Quantity: kebab_case {
        /// Rank of the four of a kind.
        Quads,
        /// Rank of the three of a kind, the higher one of two.
        Trips,
        /// Rank of the lower three of a kind of two.
        SecondTrips,
        /// Rank of the only pair.
        Pair,
        /// Rank of the highest pair.
        HighPair,
        /// Rank of the middle pair of three.
        MiddlePair,
        /// Rank of the lowest pair.
        LowPair,
        /// Sum of the ranks of two pairs.
        PairSum,
        /// Rank of the highest single.
        Single,
        /// Rank of the second single.
        SecondSingle,
        /// Rank of the third single.
        ThirdSingle,
        /// Rank of the fourth single.
        FourthSingle,
    }
}

impl Quantity {
    /// Lowest sum of the ranks of two pairs: twos and threes.
    pub const MIN_SUM: u8 = 5;

    /// Returns the quantities of a shape that conditions may bound.
    pub fn of_shape(shape: Shape) -> &'static [Quantity] {
        use Quantity::*;
        match shape {
            Shape::NoPair => &[Single, SecondSingle, ThirdSingle, FourthSingle],
            Shape::OnePair => &[Pair, Single, SecondSingle, ThirdSingle],
            Shape::TwoPairs => &[HighPair, LowPair, PairSum, Single, SecondSingle],
            Shape::ThreePairs => &[HighPair, MiddlePair, LowPair, Single],
            Shape::ThreeOfAKind => &[Trips, Single, SecondSingle],
            Shape::FullHouse => &[Trips, Pair, Single, SecondSingle],
            Shape::FullHouseAndPair => &[Trips, HighPair, LowPair],
            Shape::TwoThreesOfAKind => &[Trips, SecondTrips, Single],
            Shape::FourOfAKind => &[Quads, Single, SecondSingle],
            Shape::FourOfAKindAndPair => &[Quads, Pair, Single],
            Shape::FourAndThreeOfAKind => &[Quads, Trips],
            Shape::FiveAces => &[Single],
            Shape::FiveAcesAndPair => &[Pair],
        }
    }

    /// Returns the word of the vocabulary that the quantity belongs to; `None` if it is always allowed.
    pub fn word(self) -> Option<Word> {
        match self {
            Quantity::PairSum => Some(Word::PairSum),
            Quantity::SecondSingle | Quantity::ThirdSingle | Quantity::FourthSingle => Some(Word::LowerSingles),
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
            Quantity::Single => single(0),
            Quantity::SecondSingle => single(1),
            Quantity::ThirdSingle => single(2),
            Quantity::FourthSingle => single(3),
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
