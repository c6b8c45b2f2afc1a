//! Profiles of seven-card hands from the 53-card deck. Hands with the same profile differ only in suits that can't make
//! a flush.
//!
//! - A hand without five cards in any suit (counting the joker) is determined by its rank multiset and whether it has
//!   the joker. There are 67,600 of these **rank profiles**.
//! - A hand with at least five cards in one suit is determined by the ranks in that suit, the ranks of the other cards
//!   (at most two), and whether it has the joker. No hand has two such suits. There are 224,653 of these **flush
//!   profiles**.
//!
//! The strengths of all 21 settings depend only on the profile. A house way is therefore a table with 292,253 entries,
//! and a property checked on all profiles, weighted by [`Profiles::hands`], covers all 154,143,080 hands.

use super::combinations::binomial;
use super::key::{Key, RankIndex};
use super::{Card, CardSet, Rank, Suit};
use rayon::prelude::*;
use std::sync::LazyLock;

/// The number of profiles without five cards in any suit.
pub const RANK_PROFILES: usize = 67_600;
/// The number of profiles with at least five cards in one suit, counting the joker.
pub const FLUSH_PROFILES: usize = 224_653;
/// The total number of profiles.
pub const PROFILES: usize = RANK_PROFILES + FLUSH_PROFILES;

/// The number of rank multisets for seven natural cards. The multisets for six natural cards and the joker follow them.
const WITHOUT_JOKER: usize = 49_205;

/// A profile as a dense index from 0 to [`PROFILES`] - 1. Rank profiles come first, then flush profiles. Within both
/// kinds, profiles without the joker precede those with the joker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Profile(u32);

impl Profile {
    /// Returns the profile with the given index.
    ///
    /// # Panics
    /// Panics if `index` is not less than [`PROFILES`].
    pub fn from_index(index: usize) -> Profile {
        assert!(index < PROFILES);
        Profile(index as u32)
    }

    /// Returns the profile's index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns an iterator over all profiles in index order.
    pub fn all() -> impl ExactSizeIterator<Item = Profile> + DoubleEndedIterator {
        (0..PROFILES as u32).map(Profile)
    }

    /// Returns a parallel iterator over all profiles in index order.
    pub fn all_parallel() -> impl IndexedParallelIterator<Item = Profile> {
        (0..PROFILES as u32).into_par_iter().map(Profile)
    }
}

/// A run of flush profiles that have the same ranks in the flush suit. Either all or none of them have the joker. There
/// is one profile for each rank multiset of the other cards, in the order defined by [`off_suit_place`].
#[derive(Clone, Copy, Debug)]
pub struct FlushBlock {
    /// The index of the first profile.
    pub start: usize,
    /// The bit mask of the ranks in the flush suit, where bit 0 is two.
    pub mask: u16,
    /// `true` if the hand has the joker.
    pub joker: bool,
    /// The number of cards in other suits, from 0 to 2.
    pub off_suit: usize,
}

/// The number of multisets of 0, 1 and 2 off-suit ranks.
pub const OFF_SUIT_STATES: [usize; 3] = [1, 13, 91];

/// Returns the index of a multiset of at most two off-suit ranks. `first` and `second` are the indices of the ranks.
/// Multisets of the same size are numbered from 0, by the higher rank first and then by the lower.
#[inline]
pub const fn off_suit_place(size: usize, first: usize, second: usize) -> usize {
    let (high, low) = if first > second { (first, second) } else { (second, first) };
    match size {
        0 => 0,
        1 => high,
        _ => high * (high + 1) / 2 + low,
    }
}

/// The tables behind [`Profile`], shared by the whole process. See [`Profiles::get`]. They use about 0.4 MB for lookups
/// and 3.5 MB for representatives and orbit sizes.
pub struct Profiles {
    rank_index: [RankIndex; 2],
    flush_start: [Vec<u32>; 2],
    /// The flush profiles, grouped into blocks that share the cards in the flush suit.
    pub flush_blocks: Vec<FlushBlock>,
    representative: Vec<CardSet>,
    hands: Vec<u32>,
}

impl Profiles {
    /// Returns the shared tables. They are built on first use.
    pub fn get() -> &'static Profiles {
        static PROFILES: LazyLock<Profiles> = LazyLock::new(Profiles::build);
        &PROFILES
    }

    /// Returns the profile of a seven-card hand.
    #[inline]
    pub fn of(&self, hand: CardSet) -> Profile {
        self.of_key(Key::from_set(hand), || hand)
    }

    /// Returns the profile of a hand given by its key. `hand` is only called if five cards share a suit.
    #[inline]
    pub fn of_key(&self, key: Key, hand: impl FnOnce() -> CardSet) -> Profile {
        match key.flush_suit() {
            None => self.rank_profile(key),
            Some(suit) => self.flush_profile(hand(), suit),
        }
    }

    /// Returns the rank profile for a key, ignoring flushes.
    #[inline]
    pub fn rank_profile(&self, key: Key) -> Profile {
        let joker = key.has_joker();
        let start = if joker { WITHOUT_JOKER } else { 0 };
        Profile((start + self.rank_index[joker as usize].index(key)) as u32)
    }

    fn flush_profile(&self, hand: CardSet, suit: Suit) -> Profile {
        let (mut mask, mut off, mut off_count, mut joker) = (0usize, [0; 2], 0, false);
        for card in hand.iter() {
            match card.rank() {
                None => joker = true,
                Some(rank) if card.suit() == Some(suit) => mask |= 1 << rank.index(),
                Some(rank) => {
                    off[off_count] = rank.index();
                    off_count += 1;
                }
            }
        }
        Profile(self.flush_start[joker as usize][mask] + off_suit_place(off_count, off[0], off[1]) as u32)
    }

    /// Returns a hand with the given profile. In flush profiles, the flush suit is spades.
    #[inline]
    pub fn representative(&self, profile: Profile) -> CardSet {
        self.representative[profile.index()]
    }

    /// Returns how many of the 154,143,080 hands have the given profile.
    #[inline]
    pub fn hands(&self, profile: Profile) -> u64 {
        self.hands[profile.index()].into()
    }

    /// Returns the index of the first rank profile with or without the joker, and the rank multisets of these profiles.
    /// The first index is 0 for seven natural cards and 49,205 for six natural cards and the joker.
    pub fn rank_index(&self, joker: bool) -> (usize, &RankIndex) {
        (if joker { WITHOUT_JOKER } else { 0 }, &self.rank_index[joker as usize])
    }

    fn build() -> Profiles {
        let mut profiles = Profiles {
            rank_index: [RankIndex::new(7), RankIndex::new(6)],
            flush_start: [vec![0; 1 << 13], vec![0; 1 << 13]],
            flush_blocks: Vec::new(),
            representative: Vec::with_capacity(PROFILES),
            hands: Vec::with_capacity(PROFILES),
        };
        for joker in [false, true] {
            for counts in profiles.rank_index[joker as usize].multisets() {
                profiles.representative.push(balanced_hand(counts, joker));
                profiles.hands.push(counts.iter().map(|&n| binomial(4, n.into()) as u32).product());
            }
        }
        for joker in [false, true] {
            for mask in 0..1u16 << 13 {
                let suited = mask.count_ones() as usize + joker as usize;
                if (5..=7).contains(&suited) {
                    profiles.push_flush_block(mask, joker, 7 - suited);
                }
            }
        }
        profiles
    }

    fn push_flush_block(&mut self, mask: u16, joker: bool, off_suit: usize) {
        let start = self.representative.len();
        self.flush_start[joker as usize][mask as usize] = start as u32;
        self.flush_blocks.push(FlushBlock { start, mask, joker, off_suit });
        let mut suited: CardSet = Rank::ALL
            .into_iter()
            .filter(|rank| mask >> rank.index() & 1 == 1)
            .map(|rank| Card::new(rank, Suit::Spades))
            .collect();
        if joker {
            suited.insert(Card::JOKER);
        }
        let ranks = |n| Rank::ALL.into_iter().take(n);
        let multisets: Vec<Vec<Rank>> = match off_suit {
            0 => vec![vec![]],
            1 => ranks(13).map(|rank| vec![rank]).collect(),
            _ => ranks(13).flat_map(|high| ranks(high.index() + 1).map(move |low| vec![high, low])).collect(),
        };
        for off in multisets {
            let others = off.iter().zip([Suit::Hearts, Suit::Diamonds]).map(|(&rank, suit)| Card::new(rank, suit));
            let hand = suited.union(others.collect());
            let pair = off.len() == 2 && off[0] == off[1];
            let hands = 4 * if pair { 3 } else { 3u32.pow(off.len() as u32) };
            self.representative.push(hand);
            self.hands.push(hands);
            // The rank profile with the same ranks already counted these hands, so subtract them there.
            let same_ranks = self.rank_profile(Key::from_set(hand));
            self.hands[same_ranks.index()] -= hands;
        }
    }
}

/// Returns a hand with the given rank counts. Suits are assigned in rotation so that no suit gets five cards.
fn balanced_hand(counts: [u8; 13], joker: bool) -> CardSet {
    let mut hand = if joker { CardSet::EMPTY.with(Card::JOKER) } else { CardSet::EMPTY };
    let mut next = 0;
    for rank in Rank::ALL {
        for _ in 0..counts[rank.index()] {
            hand.insert(Card::new(rank, Suit::ALL[next % 4]));
            next += 1;
        }
    }
    hand
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::combinations::for_each_subset;
    use proptest::prelude::*;

    #[test]
    fn profiles_partition_all_hands() {
        let profiles = Profiles::get();
        assert_eq!(profiles.representative.len(), PROFILES);
        let total: u64 = Profile::all().map(|profile| profiles.hands(profile)).sum();
        assert_eq!(total, 154_143_080);
        for profile in Profile::all() {
            let hand = profiles.representative(profile);
            assert_eq!((hand.len(), profiles.of(hand)), (7, profile));
            assert_eq!(Key::from_set(hand).flush_suit().is_some(), profile.index() >= RANK_PROFILES);
        }
    }

    #[test]
    fn orbit_sizes_match_enumeration_of_a_smaller_deck() {
        // Enumerates all hands from a deck with fives to nines and the joker.
        let deck: CardSet = (12..32).chain([52]).map(|i| Card::from_index(i).unwrap()).collect();
        let profiles = Profiles::get();
        let mut counted = std::collections::HashMap::new();
        for_each_subset(deck, 7, |hand| *counted.entry(profiles.of(hand)).or_insert(0u64) += 1);
        for (profile, hands) in counted {
            assert_eq!(hands, profiles.hands(profile));
        }
    }

    proptest! {
        #[test]
        fn suits_do_not_matter(indices in proptest::sample::subsequence((0..53u8).collect::<Vec<_>>(), 7),
                               suits in Just([0usize, 1, 2, 3]).prop_shuffle()) {
            let cards = indices.iter().map(|&i| Card::from_index(i).unwrap());
            let renamed = |card: Card| match (card.rank(), card.suit()) {
                (Some(rank), Some(suit)) => Card::new(rank, Suit::ALL[suits[suit.index()]]),
                _ => card,
            };
            let profiles = Profiles::get();
            prop_assert_eq!(profiles.of(cards.clone().collect()), profiles.of(cards.map(renamed).collect()));
        }
    }
}
