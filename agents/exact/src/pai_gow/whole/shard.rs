//! Shards, which split a pass into parts, and the pieces of work that they consist of.

use super::multiset::{Multiset, Pattern, Patterns, each_composition};
use super::pass::PassOptions;
use crate::pai_gow::outcomes::BANKER_HANDS;
use crate::solver::{SolverError, invalid};
use houseway_env::cards::Rank;
use houseway_env::cards::combinations::binomial;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A part of a pass.
///
/// A shard consists of every `of`-th set of ranks, starting with set number `index` (zero-based). The results for all
/// shards add up to the results for the whole pass.
///
/// In text form, shards are numbered from 1, e.g. `3/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    index: usize,
    of: usize,
}

impl Shard {
    /// The whole pass.
    pub const WHOLE: Shard = Shard { index: 0, of: 1 };

    /// The maximum number of shards in text form. With more than that, some shards would be empty.
    pub const MAX: usize = SETS_OF_RANKS;

    /// Creates the shard with the given zero-based index out of `of` shards. Returns `None` if the index is out of
    /// range.
    pub const fn new(index: usize, of: usize) -> Option<Shard> {
        if index < of { Some(Shard { index, of }) } else { None }
    }

    /// Returns the zero-based index of the shard.
    pub fn index(self) -> usize {
        self.index
    }

    /// Returns the number of shards that make up the pass.
    pub fn count(self) -> usize {
        self.of
    }

    /// Returns the number of deals in the shard. Each of its hands counts once for every possible hand of the other
    /// side.
    pub fn deals(self) -> u64 {
        let sets = sets_of_ranks().into_iter().skip(self.index).step_by(self.of);
        // Sets of the same size have the same number of hands.
        let hands: [[u64; 8]; 2] = [false, true].map(|joker| std::array::from_fn(|ranks| hands_of_ranks(ranks, joker)));
        let hands: u64 = sets.map(|(set, joker)| hands[usize::from(joker)][set.count_ones() as usize]).sum();
        hands * BANKER_HANDS
    }
}

/// Returns the number of hands that have one to four cards with each of `ranks` given ranks, no other ranks, and the
/// joker if `joker` is true.
fn hands_of_ranks(ranks: usize, joker: bool) -> u64 {
    let mut hands = 0;
    let mut add = |counts: &[u8]| hands += counts.iter().map(|&count| binomial(4, count.into())).product::<u64>();
    each_composition(7 - usize::from(joker), ranks, &mut vec![], &mut add);
    hands
}

impl FromStr for Shard {
    type Err = SolverError;

    fn from_str(text: &str) -> Result<Shard, SolverError> {
        let parsed = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let valid = parsed.and_then(|(number, of): (usize, usize)| Shard::new(number.checked_sub(1)?, of));
        valid.filter(|shard| shard.of <= Shard::MAX).ok_or_else(|| {
            let max = Shard::MAX;
            invalid!("invalid shard '{text}': expected i/n, e.g. 1/8 to 8/8 for eight shards, where n is at most {max}")
        })
    }
}

impl TryFrom<String> for Shard {
    type Error = SolverError;

    fn try_from(text: String) -> Result<Shard, SolverError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.of)
    }
}

/// A unit of work. It covers all multisets with the same set of ranks, either with or without the joker.
pub(super) struct Piece {
    pub(super) ranks: Vec<Rank>,
    pub(super) joker: bool,
}

impl Piece {
    fn patterns<'p>(&self, patterns: &'p Patterns) -> &'p [Pattern] {
        &patterns[self.joker as usize][self.ranks.len()]
    }

    /// Returns the number of hands in this piece.
    pub(super) fn hands(&self, patterns: &Patterns) -> u64 {
        let suitings = self.patterns(patterns).iter().flat_map(|pattern| &pattern.suitings);
        suitings.map(|suiting| u64::from(suiting.orbit)).sum()
    }

    /// Returns the multisets without queries.
    pub(super) fn multisets<'p>(&'p self, options: &PassOptions<'_>, patterns: &'p Patterns) -> Vec<Multiset<'p>> {
        let patterns = self.patterns(patterns).iter();
        patterns.map(|pattern| Multiset::new(options, &self.ranks, pattern, self.joker)).collect()
    }

    /// Returns the multisets with queries for all settings.
    pub(super) fn with_asks<'p>(&'p self, options: &PassOptions<'_>, patterns: &'p Patterns) -> Vec<Multiset<'p>> {
        self.multisets(options, patterns).into_iter().map(|multiset| multiset.with_asks(options)).collect()
    }
}

/// The number of rank sets that hands can have, options separately for hands with and without the joker.
const SETS_OF_RANKS: usize = 9_880;

/// Returns all rank sets that hands can have, as bit masks. Each is paired with `true` if the hands include the joker.
/// Larger sets come first.
fn sets_of_ranks() -> Vec<(u16, bool)> {
    let mut sets = Vec::with_capacity(SETS_OF_RANKS);
    for joker in [false, true] {
        // There are at least one and at most four cards of each rank.
        let cards = 7 - u32::from(joker);
        let fits = |mask: &u16| (cards.div_ceil(4)..=cards).contains(&mask.count_ones());
        sets.extend((0..1 << 13).filter(fits).map(|mask| (mask, joker)));
    }
    sets.sort_by_key(|(mask, _)| std::cmp::Reverse(mask.count_ones()));
    sets
}

/// Sorts pieces so that those with the same high ranks are next to each other.
pub(super) fn sort_by_high_ranks(pieces: &mut [Piece]) {
    pieces.sort_by(|a, b| b.ranks.iter().rev().cmp(a.ranks.iter().rev()));
}

/// Returns all pieces. Pieces with more ranks come first.
pub(super) fn pieces() -> Vec<Piece> {
    let ranks = |mask: u16| Rank::ALL.into_iter().filter(move |rank| mask >> rank.index() & 1 == 1);
    sets_of_ranks().into_iter().map(|(mask, joker)| Piece { ranks: ranks(mask).collect(), joker }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_numbered_from_one() {
        let shard: Shard = "3/8".parse().unwrap();
        assert_eq!(shard, Shard::new(2, 8).unwrap());
        assert_eq!(shard.to_string(), "3/8");
        for text in ["", "3", "0/8", "9/8", "1/0", "-1/8", "1/8/2", "a/b", "1.5/3", "1/9881", "1/18446744073709551615"]
        {
            let error = text.parse::<Shard>().unwrap_err().to_string();
            assert!(error.contains("i/n"), "{error}");
        }
    }
}
