//! Hands contained in seven cards, as used by side bets.

use super::{Category, FiveRules, FiveStrength, JokerUse, Ranking, SevenCategory};
use crate::cards::combinations::for_each_subset;
use crate::cards::key::{Key, RankIndex};
use crate::cards::profile::{Profile, Profiles};
use crate::cards::{Card, CardSet, Rank, Suit};
use std::sync::OnceLock;

/// The set of all hands contained in seven cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Holdings {
    hands: u32,
    /// The hands that five cards make without the joker.
    natural: u16,
    /// The hands that five cards make while the other two are a pair.
    with_pair: u16,
    /// `true` if three ranks have exactly two cards each, where the joker counts as for [`SevenCategory::ThreePairs`].
    /// Unlike three pairs in general, this excludes three of a kind with two pairs.
    pub(crate) only_pairs: bool,
    /// `true` for five aces rather than five of a kind in another rank.
    pub(crate) five_aces: bool,
    /// `true` if the hand contains the joker.
    pub(crate) joker: bool,
    /// The index of the highest rank, where a half-wild joker is an ace.
    high: u8,
}

impl Holdings {
    /// Computes the holdings from all 21 five-card subsets. The result depends on the use of the joker, but not on any
    /// reading or on the rank of A-2-3-4-5.
    pub fn compute(ranking: &Ranking, hand: CardSet) -> Holdings {
        let mut holdings = Holdings::default();
        for_each_subset(hand, 5, |five| {
            let category = ranking.category(ranking.five(five));
            let made = category.contained().iter().fold(1 << SevenCategory::from(category) as u16, |made, &hand| {
                made | 1 << SevenCategory::from(hand) as u16
            });
            holdings.hands |= u32::from(made);
            if !five.contains(Card::JOKER) {
                holdings.natural |= made;
            }
            let mut others = hand.difference(five).iter();
            let pair = others.next().zip(others.next()).is_some_and(|(a, b)| ranking.two(a, b).is_pair());
            if pair {
                holdings.with_pair |= made;
            }
        });
        let natural_aces = hand.iter().filter(|card| card.rank() == Some(Rank::Ace)).count();
        let held = rank_counts(hand, ranking.joker);
        // Three of a kind, a full house and so on contain pairs as well.
        holdings.hands |= u32::from(pairs_in(&held));
        holdings.natural |= pairs_in(&hand.rank_counts());
        holdings.only_pairs = held.iter().filter(|&&held| held == 2).count() == 3;
        holdings.joker = hand.contains(Card::JOKER);
        holdings.five_aces = holdings.joker && natural_aces == 4;
        holdings.high = held.iter().rposition(|&held| held > 0).unwrap_or_default() as u8;
        let pairs = [
            (held.iter().filter(|&&held| held >= 2).count() >= 3, SevenCategory::ThreePairs),
            (seven_card_straight_flush(hand), straight_flush_of(hand)),
        ];
        let match_of_royal = holdings.contains(SevenCategory::RoyalFlush).then(|| beside_royal(hand)).flatten();
        let seven = pairs.into_iter().filter(|(held, _)| *held).map(|(_, hand)| hand).chain(match_of_royal);
        seven.fold(holdings, Holdings::with)
    }

    /// Computes the holdings of three cards. The hands are high card, one pair, three of a kind, a straight, a flush, a
    /// straight flush and, as a royal flush, ace, king and queen in a suit. The best of them isn't the first in poker's order,
    /// because straights are rarer than flushes.
    pub fn of_three(cards: CardSet, joker: JokerUse) -> Holdings {
        let natural = CardSet::DECK_52.intersection(cards);
        if natural == cards {
            let held = three_natural(cards);
            return Holdings { natural: held.hands as u16, ..held };
        }
        let completes =
            [SevenCategory::Straight, SevenCategory::Flush, SevenCategory::StraightFlush, SevenCategory::RoyalFlush];
        let completes = completes.into_iter().fold(Holdings::default(), Holdings::with).hands;
        let mut held = Holdings::default();
        for card in CardSet::DECK_52.difference(natural).iter() {
            // A half-wild joker that completes nothing is an ace.
            let is_free = card.rank().is_some_and(|rank| rank.index() >= joker.lowest());
            let counts = if is_free { u32::MAX } else { completes };
            held.hands |= three_natural(natural.with(card)).hands & counts;
        }
        held
    }

    /// Returns `true` if the set contains the given hand.
    #[inline]
    pub const fn contains(self, hand: SevenCategory) -> bool {
        self.hands >> hand as u32 & 1 == 1
    }

    /// Returns a copy of the set with the given hand added.
    #[must_use]
    pub const fn with(mut self, hand: SevenCategory) -> Holdings {
        self.hands |= 1 << hand as u32;
        self
    }

    /// Returns `true` if five natural cards make the given hand. Only five-card categories can be natural.
    pub const fn is_natural(self, hand: SevenCategory) -> bool {
        self.natural >> hand as u32 & 1 == 1
    }

    /// Returns `true` if five cards make the given hand while the other two are a pair.
    pub const fn has_pair_beside(self, hand: SevenCategory) -> bool {
        self.with_pair >> hand as u32 & 1 == 1
    }

    /// Returns the rank of the highest card, where a half-wild joker is an ace.
    pub const fn high(self) -> Rank {
        Rank::from_index(self.high as usize)
    }

    /// Returns the best hand among the five-card categories.
    pub fn best_five(self) -> SevenCategory {
        let held = Category::ALL.into_iter().rev().map(SevenCategory::from).find(|&hand| self.contains(hand));
        held.unwrap_or(SevenCategory::HighCard)
    }

    /// Returns the best hand among the five-card categories and three pairs.
    pub fn best(self) -> SevenCategory {
        let three_pairs = Some(SevenCategory::ThreePairs).filter(|&hand| self.contains(hand));
        three_pairs.into_iter().fold(self.best_five(), SevenCategory::max)
    }
}

/// Returns the number of cards in each rank. The joker joins a single card whose rank it can have, or else the aces.
fn rank_counts(hand: CardSet, joker: JokerUse) -> [u8; Rank::ALL.len()] {
    let mut held = hand.rank_counts();
    if hand.contains(Card::JOKER) {
        let stands_for = (joker.lowest()..held.len()).find(|&rank| held[rank] == 1);
        held[stands_for.unwrap_or(Rank::Ace.index())] += 1;
    }
    held
}

/// Returns the hands that three cards without the joker make.
fn three_natural(cards: CardSet) -> Holdings {
    let ranks = cards.rank_counts();
    let held = |index: usize| u32::from(ranks[index % ranks.len()] > 0);
    let most = ranks.iter().max();
    // Aces are also low. The runs are ace, two, three to queen, king, ace.
    let is_straight = (0..ranks.len() - 1).any(|low| held(low + ranks.len() - 1) + held(low) + held(low + 1) == 3);
    let is_flush = Suit::ALL.into_iter().any(|suit| cards.ranks_in(suit).count_ones() == 3);
    let is_royal = is_straight && is_flush && held(Rank::Ace.index()) + held(Rank::King.index()) == 2;
    let hands = [
        (most >= Some(&2), SevenCategory::OnePair),
        (most == Some(&3), SevenCategory::ThreeOfAKind),
        (is_straight, SevenCategory::Straight),
        (is_flush, SevenCategory::Flush),
        (is_straight && is_flush, SevenCategory::StraightFlush),
        (is_royal, SevenCategory::RoyalFlush),
    ];
    let held = hands.into_iter().filter(|(held, _)| *held).fold(Holdings::default(), |held, (_, hand)| held.with(hand));
    if held == Holdings::default() { held.with(SevenCategory::HighCard) } else { held }
}

/// Returns a pair and two pairs as bits, if there are as many ranks with at least two cards.
fn pairs_in(counts: &[u8; Rank::ALL.len()]) -> u16 {
    match counts.iter().filter(|&&count| count >= 2).count() {
        0 => 0,
        1 => 1 << SevenCategory::OnePair as u16,
        _ => 1 << SevenCategory::OnePair as u16 | 1 << SevenCategory::TwoPairs as u16,
    }
}

fn straight_flush_of(hand: CardSet) -> SevenCategory {
    if hand.contains(Card::JOKER) {
        SevenCategory::SevenCardStraightFlushWithJoker
    } else {
        SevenCategory::SevenCardStraightFlush
    }
}

/// Returns `true` if all natural cards share a suit and form a sequence of seven, together with the joker if there is
/// one.
fn seven_card_straight_flush(hand: CardSet) -> bool {
    let natural = CardSet::DECK_52.intersection(hand);
    Suit::ALL.into_iter().any(|suit| {
        let mask = natural.ranks_in(suit);
        // The possible sequences are ace to seven, two to eight, ... eight to ace.
        let mut runs = (0..7).map(|low| 0b111_1111 << low).chain([1 << 12 | 0b11_1111]);
        mask.count_ones() as usize == natural.len() && runs.any(|run: u16| mask & !run == 0)
    })
}

/// Returns the hand that a royal flush makes with the other two cards, if any. The hand must contain a royal flush.
fn beside_royal(hand: CardSet) -> Option<SevenCategory> {
    let [ace, king, queen] = [Rank::Ace, Rank::King, Rank::Queen].map(|rank| 1u16 << rank.index());
    let suited = |ranks| Suit::ALL.into_iter().any(|suit| hand.ranks_in(suit) == ranks);
    let other_aces = Suit::ALL.into_iter().filter(|&suit| hand.ranks_in(suit) == ace).count();
    if suited(king | queen) {
        Some(SevenCategory::RoyalFlushWithSuitedKingQueen)
    } else if suited(ace | king) {
        Some(SevenCategory::RoyalFlushWithSuitedAceKing)
    } else {
        (other_aces == 2 && !hand.contains(Card::JOKER)).then_some(SevenCategory::NaturalRoyalFlushPlusAPairOfAces)
    }
}

/// A table of [`Holdings`] by profile for one use of the joker. It occupies 3.5 MB and is shared by the whole process.
/// See [`HoldingsTable::get`].
///
/// With one exception, holdings only depend on the profile. If a royal flush is accompanied by a king and another card
/// that is an ace or a queen, the profile doesn't determine whether the two share a suit. They do in three out of nine
/// cases.
pub struct HoldingsTable {
    joker: JokerUse,
    /// The holdings of each profile's representative. They never include the two suited cards, because the off-suit
    /// cards of representatives don't share a suit.
    by_profile: Vec<Holdings>,
}

impl HoldingsTable {
    /// Returns the shared table for a use of the joker. It is built on first use.
    pub fn get(joker: JokerUse) -> &'static HoldingsTable {
        static TABLES: [OnceLock<HoldingsTable>; JokerUse::ALL.len()] =
            [const { OnceLock::new() }; JokerUse::ALL.len()];
        TABLES[joker as usize].get_or_init(|| {
            let (ranking, profiles) = (Ranking::shared(FiveRules { joker, ..FiveRules::default() }), Profiles::get());
            let of = |profile: Profile| Holdings::compute(ranking, profiles.representative(profile));
            // Not in parallel: a waiting thread could take over work that needs this table, and wait forever.
            HoldingsTable { joker, by_profile: Profile::all().map(of).collect() }
        })
    }

    /// Returns the use of the joker.
    pub fn joker(&self) -> JokerUse {
        self.joker
    }

    /// Returns the holdings that all hands with the given profile have in common.
    #[inline]
    pub fn of_profile(&self, profile: Profile) -> Holdings {
        self.by_profile[profile.index()]
    }

    /// Returns the holdings of a hand with the given profile.
    #[inline]
    pub fn of(&self, hand: CardSet, profile: Profile) -> Holdings {
        let holdings = self.of_profile(profile);
        let suited = if holdings.contains(SevenCategory::RoyalFlush) { beside_royal(hand) } else { None };
        suited.map_or(holdings, |suited| holdings.with(suited))
    }

    /// Returns the possible holdings for a profile, each with the number of hands that have them. There are one or two
    /// items. Their counts are positive and add up to [`Profiles::hands`].
    pub fn counted(&self, profile: Profile) -> impl Iterator<Item = (Holdings, u64)> + use<> {
        let (holdings, hands) = (self.of_profile(profile), Profiles::get().hands(profile));
        let suited = self.royal_match(profile).map(|hand| (holdings.with(hand), hands / 3));
        let others = hands - suited.map_or(0, |(_, hands)| hands);
        [Some((holdings, others)), suited].into_iter().flatten().filter(|(_, hands)| *hands > 0)
    }

    /// Returns the hand that some of the hands with the given profile hold, namely those in which the two cards beside
    /// a royal flush share a suit.
    fn royal_match(&self, profile: Profile) -> Option<SevenCategory> {
        if !self.of_profile(profile).contains(SevenCategory::RoyalFlush) {
            return None;
        }
        let hand = Profiles::get().representative(profile);
        let off_suit = hand.iter().filter(|card| card.suit().is_some_and(|suit| suit != Suit::Spades));
        let ranks: Vec<Rank> = off_suit.filter_map(Card::rank).collect();
        match ranks[..] {
            [Rank::King, Rank::Queen] => Some(SevenCategory::RoyalFlushWithSuitedKingQueen),
            [Rank::Ace, Rank::King] => Some(SevenCategory::RoyalFlushWithSuitedAceKing),
            _ => None,
        }
    }
}

/// Lookup tables for the best five of seven natural cards.
///
/// Seven cards that contain a flush have at most three cards with the same rank. If there is a flush, the strength
/// therefore depends only on the ranks in the flush suit. Otherwise, it depends only on the seven ranks and is looked
/// up in a table over their 49,205 multisets.
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
    use super::super::{JokerInFlush, WheelStraight, WheelStraightFlush};
    use super::*;
    use SevenCategory::*;
    use proptest::prelude::*;
    use rayon::prelude::*;
    use std::sync::LazyLock;

    #[test]
    fn known_hands() {
        let ranking = Ranking::new(FiveRules::default());
        let cases = [
            ("As 2s 3s 4s 5s 6s 7s", SevenCardStraightFlush, StraightFlush),
            ("As Ks Qs Js Ts 9s 8s", SevenCardStraightFlush, RoyalFlush),
            ("Jk Ks Qs Js Ts 9s 8s", SevenCardStraightFlushWithJoker, RoyalFlush),
            ("As 2s 3s Jk 5s 6s 7s", SevenCardStraightFlushWithJoker, StraightFlush),
            ("As Ks Qs Js Ts Kh Qh", RoyalFlushWithSuitedKingQueen, RoyalFlush),
            ("As Ks Jk Js Ts Kh Qh", RoyalFlushWithSuitedKingQueen, RoyalFlush),
            ("Ah Ad Ac As Jk 2s 3s", FourOfAKind, FiveAces),
            ("Ah Jk Kc Ks 2s 2d 3s", ThreePairs, ThreePairs),
            ("Ah Ad Ac As Kc Ks 3s", FourOfAKind, FourOfAKind),
            ("9h 9d 9c Ts Jc Qs Ks", ThreeOfAKind, Straight),
        ];
        for (hand, held, best) in cases {
            let holdings = Holdings::compute(&ranking, hand.parse().unwrap());
            assert!(holdings.contains(held), "{hand}");
            assert_eq!(holdings.best(), best, "{hand}");
        }
        for (hand, not_held) in [
            ("As Ks Qs Js Ts Kh Qd", RoyalFlushWithSuitedKingQueen),
            ("Ks As 2s 3s 4s 5s 6s", SevenCardStraightFlush),
            ("As Ks Qs Js Ts 9s 7s", SevenCardStraightFlush),
            ("Jk Ks Qs Js Ts 9s 8h", SevenCardStraightFlushWithJoker),
        ] {
            assert!(!Holdings::compute(&ranking, hand.parse().unwrap()).contains(not_held), "{hand}");
        }
    }

    #[test]
    fn readings_do_not_change_categories() {
        for joker in JokerUse::ALL {
            readings_do_not_change_categories_with(joker);
        }
    }

    fn readings_do_not_change_categories_with(joker: JokerUse) {
        let second = FiveRules { joker, ..FiveRules::default() };
        let lowest = FiveRules {
            wheel_straight: WheelStraight::Lowest,
            wheel_straight_flush: WheelStraightFlush::Lowest,
            ..second
        };
        let rankings = [second, lowest].map(|rules| {
            [JokerInFlush::HighestMissing, JokerInFlush::Ace]
                .map(|joker_in_flush| Ranking::new(FiveRules { joker_in_flush, ..rules }))
        });
        for_each_subset(CardSet::DECK_53, 5, |five| {
            let category = |ranking: &Ranking| ranking.category(ranking.five(five));
            let first = category(&rankings[0][0]);
            assert!(rankings.iter().flatten().all(|ranking| category(ranking) == first));
        });
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn the_table_matches_enumeration_of_21_subsets(
            indices in proptest::sample::subsequence((0..53u8).collect::<Vec<_>>(), 7),
            with_joker: bool,
        ) {
            let mut hand: CardSet = indices.into_iter().filter_map(Card::from_index).collect();
            if with_joker && !hand.contains(Card::JOKER) {
                hand = hand.iter().skip(1).fold(CardSet::default().with(Card::JOKER), CardSet::with);
            }
            for joker in JokerUse::ALL {
                let ranking = Ranking::shared(FiveRules { joker, ..FiveRules::default() });
                let holdings = HoldingsTable::get(joker).of(hand, Profiles::get().of(hand));
                prop_assert_eq!(holdings, Holdings::compute(ranking, hand));
                let best = SevenCategory::from(ranking.category(ranking.best(hand)));
                prop_assert!(holdings.best() == best || (best, holdings.best()) == (TwoPairs, ThreePairs));
            }
        }
    }

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
