//! Represents rule conditions, which combine a set of shapes with ranges for the ranks of a hand's parts.

use super::words::Word;
use houseway_env::cards::Rank;
use houseway_env::pai_gow::house_way::{HandParts, Part, Shape};
use serde::{Deserialize, Serialize};

houseway_env::named_enum! {
    /// A number that conditions may bound. Its name is the word used in the house way language.
    #[derive(PartialOrd, Ord)]
    pub enum Quantity: kebab_case {
        /// The rank of the four of a kind.
        Quads,
        /// The rank of the three of a kind, or of the higher one if there are two.
        Trips,
        /// The rank of the lower three of a kind if there are two.
        SecondTrips,
        /// The only pair's rank.
        Pair,
        /// The highest pair's rank.
        HighPair,
        /// The middle pair's rank.
        MiddlePair,
        /// The lowest pair's rank.
        LowPair,
        /// The sum of both pairs' ranks.
        PairSum,
        /// The highest single's rank.
        Single,
        /// The second highest single's rank.
        SecondSingle,
        /// The third highest single's rank.
        ThirdSingle,
        /// The fourth highest single's rank.
        FourthSingle,
    }
}

impl Quantity {
    /// The lowest possible sum for two pairs (twos and threes).
    pub const MIN_SUM: u8 = 5;

    /// Returns the quantities that conditions may bound for a shape.
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

    /// Returns the vocabulary word required to use the quantity, or `None` if it is always allowed.
    pub fn word(self) -> Option<Word> {
        match self {
            Quantity::PairSum => Some(Word::PairSum),
            Quantity::SecondSingle | Quantity::ThirdSingle | Quantity::FourthSingle => Some(Word::LowerSingles),
            _ => None,
        }
    }

    /// Returns the number of possible values.
    pub const fn values(self) -> usize {
        match self {
            Quantity::PairSum => 23,
            _ => 13,
        }
    }

    /// Returns the quantity's value for a hand, or `None` if the hand lacks the part.
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

/// An inclusive range of values for a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Range {
    /// The quantity.
    pub of: Quantity,
    /// The lowest value.
    pub low: u8,
    /// The highest value.
    pub high: u8,
}

impl Range {
    /// Returns the number of ends that exclude some values.
    pub fn bounds(self) -> usize {
        usize::from(self.low > 0) + usize::from(usize::from(self.high) + 1 < self.of.values())
    }
}

/// A set of ranges that must all hold, sorted by quantity. Unbounded ranges are omitted.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Ranges(pub Vec<Range>);

impl Ranges {
    /// Returns the total number of bounds.
    pub fn bounds(&self) -> usize {
        self.0.iter().map(|range| range.bounds()).sum()
    }
}
