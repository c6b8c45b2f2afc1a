//! Units of work.

use super::counted::PassOptions;
use super::multiset::Multiset;
use super::suitings::{MAX_RANKS, Pattern};
use houseway_env::cards::Rank;

/// Patterns by presence of the joker (0 or 1), then by number of ranks.
pub(super) type Patterns = [[Vec<Pattern>; MAX_RANKS + 1]; 2];

/// Unit of work: the multisets on one set of ranks, with or without the joker.
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

/// Returns all pieces of work, the largest first.
pub(super) fn pieces() -> Vec<Piece> {
    let mut pieces = vec![];
    for joker in [false, true] {
        for mask in 0..1u16 << 13 {
            let ranks: Vec<Rank> = Rank::ALL.into_iter().filter(|rank| mask >> rank.index() & 1 == 1).collect();
            // At most four cards of each rank, and at least one.
            let cards = 7 - joker as usize;
            if (cards.div_ceil(4)..=cards).contains(&ranks.len()) {
                pieces.push(Piece { ranks, joker });
            }
        }
    }
    pieces.sort_by_key(|piece| std::cmp::Reverse(piece.ranks.len()));
    pieces
}
