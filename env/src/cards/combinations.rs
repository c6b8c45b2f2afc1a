//! Exhaustive enumeration of fixed-size card subsets, for reference implementations and tests.

use super::{Card, CardSet};

/// Returns the binomial coefficient C(n, k), or 0 if k > n. The result is exact for n up to 61.
pub const fn binomial(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    let mut result = 1;
    let mut i = 0;
    while i < k {
        result = result * (n - i) / (i + 1);
        i += 1;
    }
    result
}

/// Calls `visit` exactly once for each subset of `from` that has `size` cards.
pub fn for_each_subset(from: CardSet, size: usize, mut visit: impl FnMut(CardSet)) {
    let cards: Vec<Card> = from.iter().collect();
    if size <= cards.len() {
        choose(&cards, size, CardSet::EMPTY, &mut visit);
    }
}

fn choose(cards: &[Card], size: usize, chosen: CardSet, visit: &mut impl FnMut(CardSet)) {
    if size == 0 {
        return visit(chosen);
    }
    for (i, &card) in cards[..=cards.len() - size].iter().enumerate() {
        choose(&cards[i + 1..], size - 1, chosen.with(card), visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn binomials_of_the_game() {
        assert_eq!(binomial(53, 7), 154_143_080);
        assert_eq!(binomial(46, 7), 53_524_680);
        assert_eq!((binomial(5, 0), binomial(5, 5), binomial(5, 6)), (1, 1, 0));
    }

    #[test]
    fn subsets_are_distinct_and_complete() {
        let from: CardSet = "Jk As Kd 7c 7d 2h 3s 4c".parse().unwrap();
        for size in 0..=8 {
            let mut seen = HashSet::new();
            for_each_subset(from, size, |subset| {
                assert_eq!((subset.len(), subset.difference(from)), (size, CardSet::EMPTY));
                assert!(seen.insert(subset));
            });
            assert_eq!(seen.len() as u64, binomial(8, size as u64));
        }
    }
}
