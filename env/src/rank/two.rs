//! The strength of two-card hands.

use crate::cards::Rank;
use std::fmt;

/// The strength of a two-card hand, from 0 (3-2) to 90 (a pair of aces). Any pair beats any two single cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TwoStrength(u8);

/// The number of unordered pairs of different ranks.
const SINGLES: usize = 78;

/// The ranks for every strength, starting with the higher one.
const RANKS: [(Rank, Rank); TwoStrength::COUNT] = {
    let mut ranks = [(Rank::Two, Rank::Two); TwoStrength::COUNT];
    let mut high = 0;
    while high < 13 {
        let mut low = 0;
        while low <= high {
            let (a, b) = (Rank::from_index(high), Rank::from_index(low));
            ranks[TwoStrength::from_ranks(a, b).index()] = (a, b);
            low += 1;
        }
        high += 1;
    }
    ranks
};

impl TwoStrength {
    /// The number of strengths.
    pub const COUNT: usize = SINGLES + 13;
    /// The highest strength, a pair of aces.
    pub const MAX: TwoStrength = TwoStrength(Self::COUNT as u8 - 1);

    /// Returns the strength with the given index.
    ///
    /// # Panics
    /// Panics if `index` is not less than [`TwoStrength::COUNT`].
    pub const fn from_index(index: usize) -> TwoStrength {
        assert!(index < Self::COUNT);
        TwoStrength(index as u8)
    }

    /// Returns the index of the strength. Two single cards have indices 0 to 77, and pairs have indices 78 to 90.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the strength of two ranks in either order. For hands with a joker, see
    /// [`Ranking::two`](super::Ranking::two).
    pub const fn from_ranks(a: Rank, b: Rank) -> TwoStrength {
        let (a, b) = (a.index(), b.index());
        let (high, low) = if a > b { (a, b) } else { (b, a) };
        TwoStrength(if high == low { SINGLES + high } else { high * (high - 1) / 2 + low } as u8)
    }

    /// Returns `true` if the hand is a pair.
    pub const fn is_pair(self) -> bool {
        self.index() >= SINGLES
    }

    /// Returns the two ranks, starting with the higher one.
    #[inline]
    pub const fn ranks(self) -> (Rank, Rank) {
        RANKS[self.index()]
    }
}

impl fmt::Display for TwoStrength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (high, low) = self.ranks();
        f.pad(&format!("{high}{low}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strengths_are_dense_and_ordered() {
        let mut before = None;
        for index in 0..TwoStrength::COUNT {
            let strength = TwoStrength::from_index(index);
            let (high, low) = strength.ranks();
            assert_eq!(TwoStrength::from_ranks(low, high), strength);
            // The reference order puts pairs above single cards and compares the higher card first, then the lower one.
            let words = (high == low, high, low);
            assert!(before < Some(words), "{strength}");
            before = Some(words);
        }
        assert_eq!(TwoStrength::MAX.to_string(), "AA");
        assert_eq!(TwoStrength::from_index(0).to_string(), "32");
    }
}
