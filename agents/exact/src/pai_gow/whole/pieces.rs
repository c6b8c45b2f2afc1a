//! Units of work.

use super::counted::PassOptions;
use super::multiset::Multiset;
use super::suitings::{MAX_RANKS, Pattern};
use houseway_env::cards::Rank;

/// Patterns indexed by presence of the joker (0 or 1) and by number of ranks.
pub(super) type Patterns = [[Vec<Pattern>; MAX_RANKS + 1]; 2];

/// A unit of work: the multisets on one set of ranks, with or without the joker.
pub(super) struct Piece {
    pub(super) ranks: Vec<Rank>,
    pub(super) joker: bool,
}

impl Piece {
    pub(super) fn patterns<'p>(&self, patterns: &'p Patterns) -> &'p [Pattern] {
        &patterns[self.joker as usize][self.ranks.len()]
    }

    pub(super) fn multisets<'p>(&'p self, counted: &PassOptions<'_>, patterns: &'p Patterns) -> Vec<Multiset<'p>> {
        let patterns = self.patterns(patterns).iter();
        patterns.map(|pattern| Multiset::new(counted, &self.ranks, pattern, self.joker)).collect()
    }
}

/// Number of sets of ranks, counted separately with and without the joker.
pub(super) const SETS_OF_RANKS: usize = 9_880;

/// Returns the bit masks of all sets of ranks of a hand, largest first, and whether the hand includes the joker.
pub(super) fn sets_of_ranks() -> Vec<(u16, bool)> {
    let mut sets = Vec::with_capacity(SETS_OF_RANKS);
    for joker in [false, true] {
        // At least one and at most four cards of each rank.
        let cards = 7 - u32::from(joker);
        let fits = |mask: &u16| (cards.div_ceil(4)..=cards).contains(&mask.count_ones());
        sets.extend((0..1 << 13).filter(fits).map(|mask| (mask, joker)));
    }
    sets.sort_by_key(|(mask, _)| std::cmp::Reverse(mask.count_ones()));
    sets
}

/// Returns all pieces of work, largest first.
pub(super) fn pieces() -> Vec<Piece> {
    let ranks = |mask: u16| Rank::ALL.into_iter().filter(move |rank| mask >> rank.index() & 1 == 1);
    sets_of_ranks().into_iter().map(|(mask, joker)| Piece { ranks: ranks(mask).collect(), joker }).collect()
}
