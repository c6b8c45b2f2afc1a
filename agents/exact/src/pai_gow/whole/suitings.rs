//! Assignments of suits to a multiset of ranks, up to permutations of suits.
//!
//! They depend only on the number of cards of each rank, not on the ranks themselves. There are 85 patterns for the
//! 67,600 multisets. Sets of ranks are bit masks relative to the multiset: bit 0 is its lowest rank.

/// Maximum number of distinct ranks in a hand.
pub(super) const MAX_RANKS: usize = 7;

/// A class of hands of a multiset of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Suiting {
    /// Ranks of spades, hearts, diamonds and clubs in canonical order, which is descending by number of cards, then by
    /// bit mask.
    pub masks: [u8; 4],
    /// Number of hands in the class.
    pub orbit: u8,
    /// `true` if the spades and the joker are five cards or more.
    pub flush: bool,
}

/// The number of cards of each rank in ascending order, and the suitings of such multisets.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// Number of cards of each rank, 1 to 4.
    pub counts: Vec<u8>,
    /// All classes.
    pub suitings: Vec<Suiting>,
}

/// Returns the patterns of hands with or without the joker, indexed by number of ranks and in lexicographic order of
/// their counts.
pub(super) fn patterns(joker: bool) -> [Vec<Pattern>; MAX_RANKS + 1] {
    std::array::from_fn(|ranks| {
        let mut patterns = vec![];
        each_composition(7 - joker as usize, ranks, &mut vec![], &mut |counts| {
            patterns.push(Pattern { counts: counts.to_vec(), suitings: suitings(counts, joker) });
        });
        patterns
    })
}

/// Calls `visit` with every ordered sum of `ranks` numbers from 1 to 4 that equals `cards`.
pub(super) fn each_composition(cards: usize, ranks: usize, before: &mut Vec<u8>, visit: &mut impl FnMut(&[u8])) {
    if ranks == 0 {
        if cards == 0 {
            visit(before);
        }
        return;
    }
    for count in 1..=cards.min(4) {
        before.push(count as u8);
        each_composition(cards - count, ranks - 1, before, visit);
        before.pop();
    }
}

/// Returns the suitings of a pattern, which are all canonical assignments of suits to ranks.
pub(super) fn suitings(counts: &[u8], joker: bool) -> Vec<Suiting> {
    let mut all = vec![[0u8; 4]];
    for (bit, &count) in counts.iter().enumerate() {
        let suits = (0..16u8).filter(|suits| suits.count_ones() == u32::from(count));
        all = suits.flat_map(|suits| all.iter().map(move |masks| with_rank(*masks, bit, suits))).collect();
    }
    let key = |mask: u8| (mask.count_ones(), mask);
    let canonical = all.into_iter().filter(|masks| masks.is_sorted_by_key(|&mask| std::cmp::Reverse(key(mask))));
    canonical
        .map(|masks| {
            let same: u8 = masks.chunk_by(|a, b| a == b).map(|equal| (1..=equal.len() as u8).product::<u8>()).product();
            Suiting { masks, orbit: 24 / same, flush: masks[0].count_ones() + joker as u32 >= 5 }
        })
        .collect()
}

fn with_rank(mut masks: [u8; 4], bit: usize, suits: u8) -> [u8; 4] {
    for (suit, mask) in masks.iter_mut().enumerate() {
        *mask |= (suits >> suit & 1) << bit;
    }
    masks
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::cards::combinations::binomial;

    #[test]
    fn patterns_cover_all_classes_and_hands() {
        let (mut multisets, mut classes, mut hands) = (0, 0, 0);
        for joker in [false, true] {
            for (ranks, patterns) in patterns(joker).iter().enumerate() {
                let rank_sets = binomial(13, ranks as u64);
                multisets += rank_sets * patterns.len() as u64;
                for suiting in patterns.iter().flat_map(|pattern| &pattern.suitings) {
                    classes += rank_sets;
                    hands += rank_sets * u64::from(suiting.orbit);
                }
            }
        }
        assert_eq!((multisets, classes, hands), (67_600, 6_972_147, 154_143_080));
    }
}
