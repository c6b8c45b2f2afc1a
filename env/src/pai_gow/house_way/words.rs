//! Vocabulary of the rule language.

use crate::cards::Rank;
use crate::pai_gow::Hand;
use crate::rank::{Category, TwoStrength};

crate::named_enum! {
    /// Numbers of cards of equal rank in a hand, the joker as an ace. Every hand has exactly one shape.
    #[repr(u8)]
    #[allow(missing_docs)]
    pub enum Shape: words {
        NoPair,
        OnePair,
        TwoPairs,
        ThreePairs,
        ThreeOfAKind,
        FullHouse,
        FullHouseAndPair = "full house and a pair",
        TwoThreesOfAKind,
        FourOfAKind,
        FourOfAKindAndPair = "four of a kind and a pair",
        FourAndThreeOfAKind,
        FiveAces,
        FiveAcesAndPair = "five aces and a pair",
    }
}

impl Shape {
    /// Returns the shape of a hand.
    pub fn from_hand(hand: Hand) -> Shape {
        let mut counts = [0; 13];
        hand.cards().iter().for_each(|card| counts[card.rank().unwrap_or(Rank::Ace).index()] += 1);
        Shape::from_counts(&counts)
    }

    /// Returns the shape of a hand with these counts of ranks, with the joker among the aces.
    pub fn from_counts(counts: &[u8; 13]) -> Shape {
        let of_size = |size| counts.iter().filter(|&&n| n == size).count();
        match (of_size(5), of_size(4), of_size(3), of_size(2)) {
            (1, _, _, 0) => Shape::FiveAces,
            (1, ..) => Shape::FiveAcesAndPair,
            (_, 1, 1, _) => Shape::FourAndThreeOfAKind,
            (_, 1, _, 1) => Shape::FourOfAKindAndPair,
            (_, 1, ..) => Shape::FourOfAKind,
            (_, _, 2, _) => Shape::TwoThreesOfAKind,
            (_, _, 1, 2) => Shape::FullHouseAndPair,
            (_, _, 1, 1) => Shape::FullHouse,
            (_, _, 1, _) => Shape::ThreeOfAKind,
            (_, _, _, 3) => Shape::ThreePairs,
            (_, _, _, 2) => Shape::TwoPairs,
            (_, _, _, 1) => Shape::OnePair,
            _ => Shape::NoPair,
        }
    }
}

crate::named_enum! {
    /// Group of equal ranks to which a card belongs, the joker as an ace.
    #[derive(PartialOrd, Ord)]
    #[repr(u8)]
    #[allow(missing_docs)]
    pub enum Part: kebab_case {
        Aces,
        Quads,
        Trips,
        SecondTrips,
        Pair,
        HighPair,
        MiddlePair,
        LowPair,
        Single,
    }
}

impl Part {
    /// Returns the bit of a pair of parts in a set of such pairs; the order of the two does not matter.
    pub(super) const fn pair_bit(self, other: Part) -> u64 {
        let (a, b) = (self as u32, other as u32);
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        1 << (high * (high + 1) / 2 + low)
    }
}

/// Formats the error for an unknown word, with the known ones.
fn unknown(kind: &str, word: &str, known: impl Iterator<Item = &'static str>) -> String {
    let known: Vec<String> = known.map(|name| format!("\"{name}\"")).collect();
    format!("unknown {kind} \"{word}\", expected one of {}", known.join(", "))
}

pub(super) fn shape(word: &str) -> Result<Shape, String> {
    let found = Shape::ALL.into_iter().find(|shape| shape.name() == word);
    found.ok_or_else(|| unknown("shape", word, Shape::ALL.into_iter().map(Shape::name)))
}

/// Parses two parts, in any order, to their [`Part::pair_bit`].
pub(super) fn front_parts(words: &str) -> Result<u64, String> {
    let part = |word: &str| {
        let found = Part::ALL.into_iter().find(|part| part.name() == word);
        found.ok_or_else(|| unknown("part of a hand", word, Part::ALL.into_iter().map(Part::name)))
    };
    match words.split_whitespace().collect::<Vec<_>>()[..] {
        [a, b] => Ok(part(a)?.pair_bit(part(b)?)),
        _ => Err(format!("invalid front \"{words}\": expected two parts of the hand, such as \"pair pair\"")),
    }
}

/// Parses ranks such as "2-6", "A" or "7-10, A" to a bit mask.
pub(super) fn ranks(words: &str) -> Result<u16, String> {
    let error = || format!("invalid ranks \"{words}\": expected a form such as \"A\", \"J-K\" or \"2-6, A\"");
    let rank = |word: &str| word.trim().parse::<Rank>().map(Rank::index).map_err(|_| error());
    let mut mask = 0;
    for range in words.split(',') {
        let (low, high) = range.split_once('-').unwrap_or((range, range));
        let (low, high) = (rank(low)?, rank(high)?);
        if low > high {
            return Err(format!("invalid range \"{}\": write the lower one first", range.trim()));
        }
        mask |= (low..=high).fold(0, |mask, rank| mask | 1 << rank);
    }
    Ok(mask)
}

/// Parses a minimum front such as "K", "A J" or "10 10".
pub(super) fn front_strength(words: &str) -> Result<TwoStrength, String> {
    let ranks: Result<Vec<Rank>, _> = words.split_whitespace().map(str::parse).collect();
    match ranks.as_deref() {
        // The weakest front with this high card. A single two would be the weakest front of all and is rejected.
        Ok([high]) if *high > Rank::Two => Ok(TwoStrength::from_ranks(*high, Rank::Two)),
        Ok([a, b]) => Ok(TwoStrength::from_ranks(*a, *b)),
        _ => Err(format!("invalid front \"{words}\": expected its ranks, such as \"K\", \"A J\" or \"10 10\"")),
    }
}

/// Parses categories to a bit mask.
pub(super) fn categories(word: &str) -> Result<u16, String> {
    let bits = |test: &dyn Fn(Category) -> bool| {
        Category::ALL.into_iter().filter(|&c| test(c)).fold(0u16, |mask, c| mask | 1 << c as u16)
    };
    let found = if word == "complete" { bits(&Category::is_complete) } else { bits(&|c| c.name() == word) };
    if found == 0 {
        let known = std::iter::once("complete").chain(Category::ALL.into_iter().map(Category::name));
        return Err(unknown("back", word, known));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_sets() {
        assert_eq!(ranks("2-6").unwrap(), 0b1_1111);
        assert_eq!(ranks("7-10, A").unwrap(), 1 << 12 | 0b1111 << 5);
        assert_eq!(ranks("K").unwrap(), 1 << 11);
        for bad in ["", "K-J", "1", "2-", "2 6", "joker"] {
            assert!(ranks(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn fronts() {
        assert_eq!(front_strength("K").unwrap().to_string(), "K2");
        assert_eq!(front_strength("A J").unwrap().to_string(), "AJ");
        assert_eq!(front_strength("10 10").unwrap().to_string(), "TT");
        assert!(front_strength("2").is_err() && front_strength("A K Q").is_err() && front_strength("").is_err());
        assert_eq!(front_parts("single trips").unwrap(), Part::Trips.pair_bit(Part::Single));
        assert!(front_parts("pair").unwrap_err().contains("pair pair"));
        assert!(front_parts("pair kings").unwrap_err().contains("high-pair"));
    }

    #[test]
    fn every_pair_of_parts_has_a_bit_of_its_own() {
        let mut bits = 0;
        for (i, a) in Part::ALL.into_iter().enumerate() {
            for b in &Part::ALL[..=i] {
                assert_eq!((bits & a.pair_bit(*b), a.pair_bit(*b)), (0, b.pair_bit(a)));
                bits |= a.pair_bit(*b);
            }
        }
        assert_eq!(bits.count_ones(), 45);
    }

    #[test]
    fn backs() {
        assert_eq!(categories("complete").unwrap().count_ones(), 4);
        assert_eq!(categories("full house").unwrap(), 1 << Category::FullHouse as u16);
        assert!(categories("fullhouse").unwrap_err().contains("full house"));
    }

    #[test]
    fn every_count_of_ranks_has_a_shape() {
        let mut counts = [0; 13];
        counts[12] = 5;
        counts[3] = 2;
        assert_eq!(Shape::from_counts(&counts), Shape::FiveAcesAndPair);
        counts = [2, 2, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(Shape::from_counts(&counts), Shape::ThreePairs);
        counts = [3, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(Shape::from_counts(&counts), Shape::TwoThreesOfAKind);
    }
}
