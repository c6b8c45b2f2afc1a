//! Suit classes for hands from the 53-card deck. Two hands belong to the same class if some permutation of the suits
//! turns one into the other.
//!
//! There are 6,972,147 classes of seven-card hands. Hands with 0 to 6 cards have 1, 14, 182, 1,924, 18,187, 150,891 and
//! 1,097,447 classes. [`Classes`] assigns each class a dense index and provides canonical hands, and [`orbit`] returns
//! the size of a class.
//!
//! A hand is represented by one rank set per suit and a flag for the joker. Its class is the multiset of the four rank
//! sets. Indices are ordered by joker first, then by suit sizes, and finally by the multiset of rank sets within each
//! group of suits that have the same size.

use super::combinations::binomial;
use super::{Card, CardSet, Rank, Suit};
use std::sync::LazyLock;

/// Tables that map every rank set (as a bit mask) to its position among the sets of the same size, and positions of
/// multisets of rank sets back to the sets.
struct MaskPlaces {
    place: Vec<u16>,
    /// For each size and number of suits, the rank sets of the suits for each position of a multiset. Unused suits have
    /// empty sets. Only numbers that seven cards can have are filled in.
    masks: [[Vec<[u16; 4]>; 5]; 8],
}

static MASK_PLACES: LazyLock<MaskPlaces> = LazyLock::new(|| {
    let (mut place, mut sets) = (vec![0; 1 << 13], vec![vec![]; 14]);
    for mask in 0..1u16 << 13 {
        let same_size = &mut sets[mask.count_ones() as usize];
        place[mask as usize] = same_size.len() as u16;
        same_size.push(mask);
    }
    let masks = std::array::from_fn(|cards| {
        std::array::from_fn(|suits| if cards * suits <= 7 { multisets(&sets[cards], suits) } else { vec![] })
    });
    MaskPlaces { place, masks }
});

/// Returns all multisets of `suits` rank sets, each in descending order and padded with empty sets. The multisets are
/// in ascending order, which is the order of [`multiset_place`].
fn multisets(sets: &[u16], suits: usize) -> Vec<[u16; 4]> {
    let mut all = vec![[0; 4]];
    for suit in 0..suits {
        let longer = |masks: [u16; 4]| {
            let fits = move |&&set: &&u16| suit == 0 || set <= masks[suit - 1];
            sets.iter().filter(fits).map(move |&set| {
                let mut masks = masks;
                masks[suit] = set;
                masks
            })
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

/// Returns the number of multisets of `k` + 1 numbers below `number`, the binomial coefficient C(`number` + `k`,
/// `k` + 1). A multiset's position is the sum over its members in descending order, where `k` is the number of members
/// that follow.
#[inline]
fn multiset_place(number: u16, k: usize) -> u64 {
    let n = u64::from(number);
    match k {
        0 => n,
        1 => n * (n + 1) / 2,
        2 => n * (n + 1) * (n + 2) / 6,
        _ => n * (n + 1) * (n + 2) * (n + 3) / 24,
    }
}

/// A group of suits that have the same size in a [`Pattern`].
#[derive(Clone, Copy)]
struct Group {
    /// The number of cards in each suit.
    cards: usize,
    /// The number of suits in the group.
    suits: usize,
    /// The number of ways to choose `suits` rank sets with `cards` ranks each, regardless of their order.
    states: u64,
}

/// All classes with the same suit sizes (in descending order) and the same joker flag. Their indices are consecutive.
struct Pattern {
    joker: bool,
    start: u64,
    len: u64,
    groups: Vec<Group>,
}

/// A dense index over the classes of all hands with a given number of cards.
pub struct Classes {
    cards: usize,
    patterns: Vec<Pattern>,
    /// The position in `patterns` for each joker flag and suit sizes. The sizes are in descending order and packed in
    /// base 8.
    pattern_of: Vec<u8>,
    len: u64,
}

fn pack(sizes: [usize; 4]) -> usize {
    sizes.iter().fold(0, |packed, &size| packed * 8 + size)
}

impl Classes {
    /// Builds the index for hands with `cards` cards.
    ///
    /// # Panics
    /// Panics if `cards` is greater than 7.
    pub fn new(cards: usize) -> Classes {
        assert!(cards <= 7);
        let mut classes = Classes { cards, patterns: vec![], pattern_of: vec![u8::MAX; 2 * 8usize.pow(4)], len: 0 };
        for joker in [false, true] {
            let Some(natural) = cards.checked_sub(joker as usize) else { continue };
            for a in (0..=natural).rev() {
                for b in (0..=a.min(natural - a)).rev() {
                    for c in (0..=b.min(natural - a - b)).rev() {
                        let d = natural - a - b - c;
                        if d <= c {
                            classes.push_pattern(joker, [a, b, c, d]);
                        }
                    }
                }
            }
        }
        classes
    }

    fn push_pattern(&mut self, joker: bool, sizes: [usize; 4]) {
        let mut groups: Vec<Group> = vec![];
        for suits in sizes.chunk_by(|a, b| a == b) {
            let (cards, suits) = (suits[0], suits.len());
            let states = binomial(binomial(13, cards as u64) + suits as u64 - 1, suits as u64);
            groups.push(Group { cards, suits, states });
        }
        let len = groups.iter().map(|group| group.states).product();
        self.pattern_of[(joker as usize) << 12 | pack(sizes)] = self.patterns.len() as u8;
        self.patterns.push(Pattern { joker, start: self.len, len, groups });
        self.len += len;
    }

    /// Returns the index for seven-card hands. It is built on first use and shared by the whole process.
    pub fn seven() -> &'static Classes {
        static SEVEN: LazyLock<Classes> = LazyLock::new(|| Classes::new(7));
        &SEVEN
    }

    /// Returns the number of classes.
    #[allow(clippy::len_without_is_empty)] // there is always at least one class
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Returns the class index of a hand.
    ///
    /// # Panics
    /// Panics if the hand has a different number of cards than this index or contains the second joker.
    pub fn index(&self, hand: CardSet) -> usize {
        assert!(hand.len() == self.cards && !hand.contains(Card::SECOND_JOKER));
        let masks = sorted_masks(hand);
        let sizes = masks.map(|mask| mask.count_ones() as usize);
        let joker = hand.contains(Card::JOKER);
        let pattern = &self.patterns[self.pattern_of[(joker as usize) << 12 | pack(sizes)] as usize];
        let (mut index, mut first) = (0, 0);
        for group in &pattern.groups {
            let own = &masks[first..first + group.suits];
            let member =
                |(i, &mask): (usize, &u16)| multiset_place(MASK_PLACES.place[mask as usize], group.suits - 1 - i);
            index = index * group.states + own.iter().enumerate().map(member).sum::<u64>();
            first += group.suits;
        }
        (pattern.start + index) as usize
    }

    /// Returns the canonical hand of a class. Its spades are the longest suit, followed by hearts, diamonds and clubs.
    ///
    /// # Panics
    /// Panics if `index` is not less than [`Classes::len`].
    pub fn hand(&self, index: usize) -> CardSet {
        let index = index as u64;
        assert!(index < self.len);
        let at = self.patterns.partition_point(|pattern| pattern.start + pattern.len <= index);
        let pattern = &self.patterns[at];
        let mut rest = index - pattern.start;
        let mut masks = [0; 4];
        let mut end = 4;
        for group in pattern.groups.iter().rev() {
            let sets = &MASK_PLACES.masks[group.cards][group.suits][(rest % group.states) as usize];
            rest /= group.states;
            masks[end - group.suits..end].copy_from_slice(&sets[..group.suits]);
            end -= group.suits;
        }
        from_masks(masks, pattern.joker)
    }

    /// Returns an iterator over the canonical hands in index order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = CardSet> + '_ {
        (0..self.len()).map(|index| self.hand(index))
    }
}

/// Returns the rank sets of the four suits, sorted by descending size and then by descending bit mask.
fn sorted_masks(hand: CardSet) -> [u16; 4] {
    let mut masks = Suit::ALL.map(|suit| hand.ranks_in(suit));
    // Among sets with the same size, the index grows with the bit mask, so comparing the masks is enough.
    masks.sort_unstable_by_key(|&mask| std::cmp::Reverse((mask.count_ones(), mask)));
    masks
}

fn from_masks(masks: [u16; 4], joker: bool) -> CardSet {
    let mut hand = if joker { CardSet::EMPTY.with(Card::JOKER) } else { CardSet::EMPTY };
    for (mut mask, suit) in masks.into_iter().zip(Suit::ALL.into_iter().rev()) {
        while mask != 0 {
            hand.insert(Card::new(Rank::from_index(mask.trailing_zeros() as usize), suit));
            mask &= mask - 1;
        }
    }
    hand
}

/// Returns the canonical hand in the same class.
pub fn canonical(hand: CardSet) -> CardSet {
    from_masks(sorted_masks(hand), hand.contains(Card::JOKER))
}

/// Returns the four suits in canonical order. The first one becomes spades in the [`canonical`] hand, the second one
/// hearts, the third one diamonds and the last one clubs.
pub fn suit_order(hand: CardSet) -> [Suit; 4] {
    let mut masks = Suit::ALL.map(|suit| (suit, hand.ranks_in(suit)));
    masks.sort_by_key(|&(_, mask)| std::cmp::Reverse((mask.count_ones(), mask)));
    masks.map(|(suit, _)| suit)
}

/// Returns an iterator over the 24 permutations of the four suits, as the index that each suit's index becomes.
pub fn suit_permutations() -> impl Iterator<Item = [usize; 4]> {
    let all = (0..256usize).map(|code| [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6]);
    all.filter(|order| (0..4).all(|suit| order.contains(&suit)))
}

/// Returns the number of hands in the same class. This always divides 24.
pub fn orbit(hand: CardSet) -> u32 {
    let masks = sorted_masks(hand);
    let same: u32 = masks.chunk_by(|a, b| a == b).map(|equal| (1..=equal.len() as u32).product::<u32>()).product();
    24 / same
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn class_counts_match_published_numbers() {
        let expected = [1, 14, 182, 1_924, 18_187, 150_891, 1_097_447, 6_972_147];
        for (cards, expected) in expected.into_iter().enumerate() {
            assert_eq!(Classes::new(cards).len(), expected, "{cards} cards");
        }
    }

    #[test]
    fn multisets_are_numbered_in_ascending_order() {
        for suits in 1..=4 {
            let all = multisets(&[0, 1, 2, 3, 4, 5, 6], suits);
            assert_eq!(all.len() as u64, binomial(7 + suits as u64 - 1, suits as u64));
            assert!(all.is_sorted_by(|a, b| a < b));
            for (i, numbers) in all.iter().enumerate() {
                let place = |suit: usize| multiset_place(numbers[suit], suits - 1 - suit);
                assert_eq!((0..suits).map(place).sum::<u64>(), i as u64, "{numbers:?}");
            }
        }
    }

    /// Checks the index of all classes in both directions and returns the number of hands.
    fn round_trip(classes: &Classes) -> u64 {
        let mut hands = 0;
        for (i, hand) in classes.iter().enumerate() {
            assert_eq!((classes.index(hand), canonical(hand)), (i, hand));
            hands += u64::from(orbit(hand));
        }
        hands
    }

    #[test]
    fn small_hands_round_trip_and_orbits_add_up() {
        for cards in 0..=5 {
            assert_eq!(round_trip(&Classes::new(cards)), binomial(53, cards as u64));
        }
    }

    #[test]
    #[ignore = "10 s; checks the index of all 6,972,147 seven-card classes in both directions and the total number of hands"]
    fn all_seven_card_classes_round_trip() {
        assert_eq!(round_trip(Classes::seven()), 154_143_080);
    }

    proptest! {
        #[test]
        fn index_ignores_only_suits(indices in proptest::sample::subsequence((0..53u8).collect::<Vec<_>>(), 7),
                                    suits in Just([0usize, 1, 2, 3]).prop_shuffle()) {
            let hand: CardSet = indices.iter().map(|&i| Card::from_index(i).unwrap()).collect();
            let renamed: CardSet = hand.iter().map(|card| match (card.rank(), card.suit()) {
                (Some(rank), Some(suit)) => Card::new(rank, Suit::ALL[suits[suit.index()]]),
                _ => card,
            }).collect();
            let classes = Classes::seven();
            prop_assert_eq!(classes.index(hand), classes.index(renamed));
            prop_assert_eq!(classes.hand(classes.index(hand)), canonical(hand));
            prop_assert_eq!(canonical(hand), canonical(renamed));
            let order = suit_order(hand);
            let ordered: CardSet = hand.iter().map(|card| match (card.rank(), card.suit()) {
                (Some(rank), Some(suit)) => {
                    let place = order.iter().position(|&other| other == suit).unwrap();
                    Card::new(rank, Suit::ALL[3 - place])
                }
                _ => card,
            }).collect();
            prop_assert_eq!(ordered, canonical(hand));
        }
    }
}
