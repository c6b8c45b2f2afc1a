//! Additive keys for small card sets, and dense indices for rank multisets.
//!
//! A [`Key`] packs rank and suit counts into one word. The key of a card set is the sum of its cards' keys, so adding
//! or removing a card takes a single addition. Two table lookups turn a key into the dense index of its rank multiset
//! ([`RankIndex`]). The key also shows whether five cards share a suit.

use super::{Card, CardSet, Suit};
use std::ops::{Add, Sub};
use std::sync::LazyLock;

/// The number of ranks in the low half of a rank multiset (two to eight).
const LOW_RANKS: usize = 7;
/// The number of ranks in the high half (nine to ace).
const HIGH_RANKS: usize = 6;
const LOW_STATES: usize = 5usize.pow(LOW_RANKS as u32);
const HIGH_STATES: usize = 5usize.pow(HIGH_RANKS as u32);
const HIGH_SHIFT: u32 = 20;
const SUIT_SHIFT: u32 = 36;
const JOKER_SHIFT: u32 = 56;

/// The sum of the keys of up to seven cards from a 53-card deck. It contains the count of each rank (as two base-5
/// numbers), the count of each suit, and the number of jokers. A joker counts toward every suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Key(u64);

const CARD_KEYS: [Key; 53] = {
    let mut keys = [Key(0); 53];
    let mut card = 0;
    while card < 52 {
        let (rank, suit) = (card / 4, card % 4);
        let ranks =
            if rank < LOW_RANKS { 5u64.pow(rank as u32) } else { 5u64.pow((rank - LOW_RANKS) as u32) << HIGH_SHIFT };
        keys[card] = Key(ranks | 1 << (SUIT_SHIFT + 4 * suit as u32));
        card += 1;
    }
    keys[52] = Key(0x1111 << SUIT_SHIFT | 1 << JOKER_SHIFT);
    keys
};

impl Key {
    /// Returns the key of a single card.
    ///
    /// # Panics
    /// Panics if the card is the second joker.
    #[inline]
    pub const fn from_card(card: Card) -> Key {
        CARD_KEYS[card.index()]
    }

    /// Returns the key of a card set.
    #[inline]
    pub fn from_set(cards: CardSet) -> Key {
        cards.iter().map(Key::from_card).fold(Key::default(), Key::add)
    }

    /// Returns `true` if the joker is among the cards.
    #[inline]
    pub const fn has_joker(self) -> bool {
        self.0 >> JOKER_SHIFT != 0
    }

    /// Returns the suit that has at least five cards, or `None` if there is none. The joker counts toward every suit.
    /// Seven cards contain at most one such suit.
    #[inline]
    pub const fn flush_suit(self) -> Option<Suit> {
        let fives = ((self.0 >> SUIT_SHIFT) + 0x3333) & 0x8888;
        if fives == 0 { None } else { Some(Suit::ALL[fives.trailing_zeros() as usize / 4]) }
    }

    /// Returns the counts for two to eight as a base-5 number.
    #[inline]
    const fn low(self) -> usize {
        (self.0 & ((1 << HIGH_SHIFT) - 1)) as usize
    }

    /// Returns the counts for nine to ace as a base-5 number.
    #[inline]
    const fn high(self) -> usize {
        (self.0 >> HIGH_SHIFT & ((1 << (SUIT_SHIFT - HIGH_SHIFT)) - 1)) as usize
    }
}

impl Add for Key {
    type Output = Key;

    #[inline]
    fn add(self, other: Key) -> Key {
        Key(self.0 + other.0)
    }
}

impl Sub for Key {
    type Output = Key;

    #[inline]
    fn sub(self, other: Key) -> Key {
        Key(self.0 - other.0)
    }
}

fn digits<const N: usize>(mut state: usize) -> [u8; N] {
    std::array::from_fn(|_| {
        let digit = (state % 5) as u8;
        state /= 5;
        digit
    })
}

/// The states of both halves, in the order used by [`RankIndex`].
struct Halves {
    /// The position of each low state (a base-5 number) among the low states with the same total.
    low_place: Vec<u16>,
    /// The counts for two to eight, grouped by their total.
    low: Vec<Vec<[u8; LOW_RANKS]>>,
    /// Each high state with its counts for nine to ace, grouped by their total.
    high: Vec<Vec<(usize, [u8; HIGH_RANKS])>>,
}

/// The maximum number of cards in a multiset.
const MAX_CARDS: usize = 7;

static HALVES: LazyLock<Halves> = LazyLock::new(|| {
    let mut halves =
        Halves { low_place: vec![0; LOW_STATES], low: vec![vec![]; MAX_CARDS + 1], high: vec![vec![]; MAX_CARDS + 1] };
    for state in 0..LOW_STATES {
        let counts = digits::<LOW_RANKS>(state);
        let total: u8 = counts.iter().sum();
        if let Some(same_total) = halves.low.get_mut(total as usize) {
            halves.low_place[state] = same_total.len() as u16;
            same_total.push(counts);
        }
    }
    for state in 0..HIGH_STATES {
        let counts = digits::<HIGH_RANKS>(state);
        let total: u8 = counts.iter().sum();
        if let Some(same_total) = halves.high.get_mut(total as usize) {
            same_total.push((state, counts));
        }
    }
    halves
});

/// A dense index over the multisets of `n` ranks with at most four of each rank. There are 49,205 such multisets for
/// seven cards and 18,395 for six.
///
/// Multisets with the same counts for nine to ace are consecutive (see [`RankIndex::blocks`]). Sums of products over
/// ranks can therefore be factored into the two halves.
pub struct RankIndex {
    offset: Vec<u32>,
    low_place: &'static [u16],
    /// All multisets in index order, grouped by their counts for nine to ace.
    pub blocks: Vec<RankBlock>,
    len: usize,
}

/// A run of multisets in a [`RankIndex`] that share the same counts for nine to ace.
#[derive(Clone, Copy)]
pub struct RankBlock {
    /// The index of the first multiset.
    pub start: usize,
    /// The counts for nine, ten, ... ace.
    pub high: [u8; HIGH_RANKS],
    /// The counts for two, three, ... eight in each multiset of the block.
    pub low: &'static [[u8; LOW_RANKS]],
}

impl RankIndex {
    /// Builds the index for multisets of `n` ranks.
    ///
    /// # Panics
    /// Panics if `n` is greater than 7.
    pub fn new(n: usize) -> RankIndex {
        assert!(n <= MAX_CARDS);
        let halves = LazyLock::force(&HALVES);
        let (mut offset, mut blocks, mut len) = (vec![0; HIGH_STATES], vec![], 0);
        for high_total in 0..=n {
            let low = &halves.low[n - high_total][..];
            for &(state, high) in &halves.high[high_total] {
                offset[state] = len as u32;
                blocks.push(RankBlock { start: len, high, low });
                len += low.len();
            }
        }
        RankIndex { offset, low_place: &halves.low_place, blocks, len }
    }

    /// Returns the index of the rank multiset of `n` natural cards. Jokers in the key are ignored.
    #[inline]
    pub fn index(&self, key: Key) -> usize {
        self.offset[key.high()] as usize + self.low_place[key.low()] as usize
    }

    /// Returns the number of multisets.
    #[allow(clippy::len_without_is_empty)] // there is always at least one multiset
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns an iterator over all multisets in index order. Each item holds the counts for two, three, ... ace.
    pub fn multisets(&self) -> impl Iterator<Item = [u8; 13]> + '_ {
        self.blocks.iter().flat_map(|block| {
            block.low.iter().map(|low| {
                std::array::from_fn(|rank| if rank < LOW_RANKS { low[rank] } else { block.high[rank - LOW_RANKS] })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Rank;
    use proptest::prelude::*;

    #[test]
    fn multisets_are_indexed_densely() {
        for (n, expected) in [(0, 1), (1, 13), (4, 1_820), (5, 6_175), (6, 18_395), (7, 49_205)] {
            let index = RankIndex::new(n);
            assert_eq!(index.len(), expected);
            for (i, counts) in index.multisets().enumerate() {
                assert_eq!(counts.iter().sum::<u8>() as usize, n);
                let cards = Rank::ALL.iter().flat_map(|&rank| {
                    (0..counts[rank.index()] as usize).map(move |suit| Card::new(rank, Suit::ALL[suit]))
                });
                assert_eq!(index.index(Key::from_set(cards.collect())), i);
            }
        }
    }

    proptest! {
        #[test]
        fn flush_suit_has_at_least_five_cards(indices in proptest::sample::subsequence((0..53u8).collect::<Vec<_>>(), 0..=7)) {
            let set: CardSet = indices.iter().map(|&i| Card::from_index(i).unwrap()).collect();
            let suited = |suit| set.iter().filter(|card| card.is_joker() || card.suit() == Some(suit)).count();
            let expected = Suit::ALL.into_iter().find(|&suit| suited(suit) >= 5);
            let key = Key::from_set(set);
            prop_assert_eq!(key.flush_suit(), expected);
            prop_assert_eq!(key.has_joker(), set.contains(Card::JOKER));
        }

        #[test]
        fn suited_hands_have_their_flush_suit(suit in 0usize..4, ranks in proptest::sample::subsequence((0..13usize).collect::<Vec<_>>(), 4..=7)) {
            let cards = ranks.iter().map(|&rank| Card::new(Rank::from_index(rank), Suit::ALL[suit]));
            let set: CardSet = cards.collect();
            prop_assert_eq!(Key::from_set(set).flush_suit().is_some(), ranks.len() >= 5);
            if ranks.len() < 7 {
                prop_assert_eq!(Key::from_set(set.with(Card::JOKER)).flush_suit(), Some(Suit::ALL[suit]));
            }
        }
    }
}
