//! Enumerates the ways to assign suits to a rank multiset, up to suit permutations.
//!
//! The assignments depend on how many cards there are per rank, but not on the ranks themselves, so 85 patterns are
//! enough for all 67,600 multisets. Sets of ranks are bit masks in which bit 0 is the lowest rank in the multiset.

use std::collections::BTreeMap;

/// The maximum number of distinct ranks in a hand.
pub(super) const MAX_RANKS: usize = 7;

/// A class of hands with a given multiset of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Suiting {
    /// The ranks held in spades, hearts, diamonds, and clubs. In canonical order, suits with more cards come first, and
    /// suits with equally many cards are in descending order of their bit masks.
    pub masks: [u8; 4],
    /// The number of hands in the class.
    pub orbit: u8,
    /// `true` if there are at least five spades, where the joker counts as a spade.
    pub flush: bool,
}

/// The number of cards per rank, in ascending order of rank, and the suitings for multisets with these counts.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// The number of cards for each rank, from 1 to 4.
    pub counts: Vec<u8>,
    /// All classes of hands with these counts.
    pub suitings: Vec<Suiting>,
    /// The same classes, grouped by profile.
    pub profiles: Vec<SuitedProfile>,
}

/// The suitings whose hands have the same profile.
#[derive(Clone, Debug)]
pub(super) struct SuitedProfile {
    /// The index of the first suiting.
    pub first: usize,
    /// The number of hands.
    pub hands: u32,
    /// All sets of ranks that some of the hands have in one suit, and the number of hands and suits with each of them.
    pub held: Vec<(u8, u32)>,
}

impl SuitedProfile {
    /// Groups suitings by their ranks in the flush suit, or puts them together if there is no flush.
    fn group(suitings: &[Suiting]) -> Vec<SuitedProfile> {
        let mut groups: BTreeMap<Option<u8>, (usize, u32, BTreeMap<u8, u32>)> = BTreeMap::new();
        for (i, suiting) in suitings.iter().enumerate() {
            let orbit = u32::from(suiting.orbit);
            let flush = suiting.flush.then_some(suiting.masks[0]);
            let (_, hands, held) = groups.entry(flush).or_insert_with(|| (i, 0, BTreeMap::new()));
            *hands += orbit;
            suiting.masks.iter().for_each(|&mask| *held.entry(mask).or_default() += orbit);
        }
        let profile = |(first, hands, held): (_, _, BTreeMap<_, _>)| SuitedProfile {
            first,
            hands,
            held: held.into_iter().collect(),
        };
        groups.into_values().map(profile).collect()
    }
}

/// Returns the patterns for hands with or without the joker, grouped by the number of ranks and sorted
/// lexicographically by their counts.
pub(super) fn patterns(joker: bool) -> [Vec<Pattern>; MAX_RANKS + 1] {
    std::array::from_fn(|ranks| {
        let mut patterns = vec![];
        each_composition(7 - joker as usize, ranks, &mut vec![], &mut |counts| {
            let suitings = suitings(counts, joker);
            let profiles = SuitedProfile::group(&suitings);
            patterns.push(Pattern { counts: counts.to_vec(), suitings, profiles });
        });
        patterns
    })
}

/// Calls `visit` with every sequence of `ranks` numbers from 1 to 4 that add up to `cards`. Each sequence starts with
/// the numbers in `before`, which aren't part of the sum.
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

/// Returns all suitings of a pattern, i.e. all canonical ways to assign suits to its ranks.
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
    use houseway_env::cards::profile::PROFILES;

    #[test]
    fn patterns_cover_all_classes_and_hands() {
        let (mut multisets, mut profiles, mut classes, mut hands) = (0, 0, 0, 0);
        for joker in [false, true] {
            for (ranks, patterns) in patterns(joker).iter().enumerate() {
                let rank_sets = binomial(13, ranks as u64);
                multisets += rank_sets * patterns.len() as u64;
                for pattern in patterns {
                    profiles += rank_sets * pattern.profiles.len() as u64;
                    let grouped: u32 = pattern.profiles.iter().map(|group| group.hands).sum();
                    assert_eq!(grouped, pattern.suitings.iter().map(|suiting| u32::from(suiting.orbit)).sum::<u32>());
                }
                for suiting in patterns.iter().flat_map(|pattern| &pattern.suitings) {
                    classes += rank_sets;
                    hands += rank_sets * u64::from(suiting.orbit);
                }
            }
        }
        assert_eq!((multisets, profiles as usize), (67_600, PROFILES));
        assert_eq!((classes, hands), (6_972_147, 154_143_080));
    }
}
