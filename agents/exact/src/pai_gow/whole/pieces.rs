//! Divides a pass over all hands into units of work.

use super::counted::PassOptions;
use super::multiset::Multiset;
use super::suitings::{MAX_RANKS, Pattern};
use houseway_env::cards::Rank;

/// The patterns, indexed by the number of jokers (0 or 1) and the number of ranks.
pub(super) type Patterns = [[Vec<Pattern>; MAX_RANKS + 1]; 2];

/// A unit of work. It covers all multisets with the same set of ranks, either with or without the joker.
pub(super) struct Piece {
    pub(super) ranks: Vec<Rank>,
    pub(super) joker: bool,
}

impl Piece {
    pub(super) fn patterns<'p>(&self, patterns: &'p Patterns) -> &'p [Pattern] {
        &patterns[self.joker as usize][self.ranks.len()]
    }

    /// Returns the number of hands in this piece.
    pub(super) fn hands(&self, patterns: &Patterns) -> u64 {
        let suitings = self.patterns(patterns).iter().flat_map(|pattern| &pattern.suitings);
        suitings.map(|suiting| u64::from(suiting.orbit)).sum()
    }

    /// Returns the multisets without queries.
    pub(super) fn multisets<'p>(&'p self, counted: &PassOptions<'_>, patterns: &'p Patterns) -> Vec<Multiset<'p>> {
        let patterns = self.patterns(patterns).iter();
        patterns.map(|pattern| Multiset::new(counted, &self.ranks, pattern, self.joker)).collect()
    }

    /// Returns the multisets with queries for all settings.
    pub(super) fn with_asks<'p>(&'p self, counted: &PassOptions<'_>, patterns: &'p Patterns) -> Vec<Multiset<'p>> {
        self.multisets(counted, patterns).into_iter().map(|multiset| multiset.with_asks(counted)).collect()
    }
}

/// The number of rank sets that hands can have, counted separately for hands with and without the joker.
pub(super) const SETS_OF_RANKS: usize = 9_880;

/// Returns all rank sets that hands can have, as bit masks. Each is paired with `true` if the hands include the joker.
/// Larger sets come first.
pub(super) fn sets_of_ranks() -> Vec<(u16, bool)> {
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
