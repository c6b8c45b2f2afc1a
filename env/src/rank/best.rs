//! The strength of the best five of seven natural cards.
//!
//! Seven cards that contain a flush have at most three cards with the same rank. If there is a flush, the strength
//! therefore depends only on the ranks in the flush suit. Otherwise, it depends only on the seven ranks and is looked
//! up in a table over their 49,205 multisets.

use super::{Category, FiveRules, FiveStrength, Ranking};
use crate::cards::key::{Key, RankIndex};
use crate::cards::{Card, CardSet, Rank, Suit};

/// Lookup tables for the best five of seven cards.
pub struct BestOfSeven {
    ranking: Ranking,
    index: RankIndex,
    /// The strength without a flush, indexed by the multiset of all seven ranks.
    plain: Vec<FiveStrength>,
    /// The strength of a flush, indexed by the set of ranks in the flush suit (at least five).
    suited: Vec<FiveStrength>,
}

impl BestOfSeven {
    /// Builds the tables. This takes a few milliseconds, and the tables occupy about 0.5 MB.
    pub fn new(rules: FiveRules) -> BestOfSeven {
        let (ranking, index) = (Ranking::new(rules), RankIndex::new(7));
        let plain = index.multisets().map(|counts| best_plain(&ranking, counts)).collect();
        let mut suited = vec![FiveStrength::default(); 1 << 13];
        for mask in 0..1usize << 13 {
            let ranks = || (0..13).filter(move |rank| mask >> rank & 1 == 1);
            suited[mask] = match mask.count_ones() {
                0..5 => continue,
                5 => ranking.five(ranks().map(|rank| Card::new(Rank::from_index(rank), Suit::Spades)).collect()),
                _ => ranks().map(|rank| suited[mask & !(1 << rank)]).max().unwrap_or_default(),
            };
        }
        BestOfSeven { ranking, index, plain, suited }
    }

    /// Returns the underlying five-card ranking.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// Returns the category of a strength.
    #[inline]
    pub fn category(&self, strength: FiveStrength) -> Category {
        self.ranking.category(strength)
    }

    /// Returns the strength of the best five of seven natural cards.
    #[inline]
    pub fn of(&self, cards: CardSet) -> FiveStrength {
        debug_assert!(cards.len() == 7 && cards.difference(CardSet::DECK_52).is_empty());
        self.of_key(Key::from_set(cards), || cards)
    }

    /// Like [`BestOfSeven::of`], but takes the key of the cards. `cards` must return the cards and is only called if
    /// there is a flush.
    #[inline]
    pub fn of_key(&self, key: Key, cards: impl FnOnce() -> CardSet) -> FiveStrength {
        match key.flush_suit() {
            Some(suit) => self.suited[cards().ranks_in(suit) as usize],
            None => self.plain[self.index.index(key)],
        }
    }

    /// Returns the memory used by the tables in bytes.
    pub fn bytes(&self) -> usize {
        self.ranking.bytes() + self.index.bytes() + size_of_val(&self.plain[..]) + size_of_val(&self.suited[..])
    }
}

fn best_plain(ranking: &Ranking, counts: [u8; 13]) -> FiveStrength {
    let ranks = Rank::ALL.into_iter().flat_map(|rank| std::iter::repeat_n(rank, counts[rank.index()].into()));
    // Suits are assigned in rotation, so no five of the cards form a flush.
    let keys: Vec<Key> =
        ranks.zip(Suit::ALL.into_iter().cycle()).map(|(rank, suit)| Key::from_card(Card::new(rank, suit))).collect();
    let all = keys.iter().fold(Key::default(), |sum, &key| sum + key);
    let pairs = (0..keys.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let fives = pairs.map(|(a, b)| ranking.five_of_key(all - keys[a] - keys[b], || CardSet::EMPTY));
    fives.max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rayon::prelude::*;
    use std::sync::LazyLock;

    static POKER: LazyLock<BestOfSeven> = LazyLock::new(|| BestOfSeven::new(FiveRules::POKER));

    /// Counts the categories of all seven-card sets with the given two highest cards.
    fn count_below(a: u8, b: u8) -> [u64; 11] {
        let card = |i: u8| Card::from_index(i).unwrap();
        let mut counts = [0; 11];
        let top = CardSet::EMPTY.with(card(a)).with(card(b));
        for c in 0..b {
            for d in 0..c {
                for e in 0..d {
                    let five = top.with(card(c)).with(card(d)).with(card(e));
                    let key = Key::from_set(five);
                    for f in 0..e {
                        let six = key + Key::from_card(card(f));
                        for g in 0..f {
                            let cards = || five.with(card(f)).with(card(g));
                            let strength = POKER.of_key(six + Key::from_card(card(g)), cards);
                            counts[POKER.category(strength) as usize] += 1;
                        }
                    }
                }
            }
        }
        counts
    }

    #[test]
    fn seven_card_counts_match_published_numbers() {
        // The counts for the best five of seven cards from a 52-card deck are from Wikipedia, "Poker probability".
        let pairs: Vec<(u8, u8)> = (0..52).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        let counts = pairs.into_par_iter().map(|(a, b)| count_below(a, b));
        let counts = counts.reduce(|| [0; 11], |a, b| std::array::from_fn(|i| a[i] + b[i]));
        let expected =
            [23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 37_260, 4_324, 0];
        assert_eq!(counts, expected);
        assert_eq!(counts.iter().sum::<u64>(), 133_784_560);
    }

    #[test]
    fn the_wheel_is_the_lowest_straight_of_poker() {
        let strength = |cards: &str| POKER.of(cards.parse().unwrap());
        let wheel = strength("As 2d 3h 4c 5s 9d Kh");
        assert!(wheel < strength("2d 3h 4c 5s 6d Jh Kc") && wheel > strength("As Ad Ah 2c 9s Td Kh"));
        let steel = strength("As 2s 3s 4s 5s 9d Kh");
        assert!(steel < strength("2s 3s 4s 5s 6s Jh Kc") && steel > strength("As Ad Ah Ac 9s Td Kh"));
        let pai_gow = BestOfSeven::new(FiveRules::default());
        let strength = |cards: &str| pai_gow.of(cards.parse().unwrap());
        assert!(strength("As 2d 3h 4c 5s 9d Jh") > strength("9d Th Jc Qs Kd 2h 3c"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn the_tables_match_enumeration_of_21_subsets(indices in proptest::sample::subsequence((0..52u8).collect::<Vec<_>>(), 7)) {
            let hand: CardSet = indices.into_iter().filter_map(Card::from_index).collect();
            prop_assert_eq!(POKER.of(hand), POKER.ranking().best(hand));
        }

        #[test]
        fn flushes_use_their_best_five_cards(suit in 0usize..4, ranks in proptest::sample::subsequence((0..13usize).collect::<Vec<_>>(), 5..=7),
                                       others in proptest::sample::subsequence((0..13usize).collect::<Vec<_>>(), 2)) {
            let suited = ranks.iter().map(|&rank| Card::new(Rank::from_index(rank), Suit::ALL[suit]));
            let rest = others.iter().map(|&rank| Card::new(Rank::from_index(rank), Suit::ALL[(suit + 1) % 4]));
            let hand: CardSet = suited.chain(rest.take(7 - ranks.len())).collect();
            prop_assert_eq!(POKER.of(hand), POKER.ranking().best(hand));
        }
    }
}
