//! Hand strengths as small ordered integers.
//!
//! - [`Ranking`] computes the strengths of five-card and two-card hands, with or without the joker, under the readings
//!   in [`FiveRules`].
//! - [`TwoStrength`] is the strength of a two-card front.
//! - [`BestOfSeven`] computes the strength of the best five of seven natural cards with three lookups.
//! - [`Category`] lists the five-card categories. [`SevenCategory`] and [`Holdings`] describe all hands contained in
//!   seven cards, including three pairs and seven-card straight flushes.
//!
//! Larger numbers are better hands, and equal numbers are exact ties. The order depends on the rules. By default, these
//! are the rules of Pai Gow Poker (see [`pai_gow`](crate::pai_gow)). [`FiveRules::POKER`] is standard poker.

mod five;
mod seven;

pub use five::{FiveRules, FiveStrength, JokerInFlush, JokerUse, Ranking, WheelStraight, WheelStraightFlush};
pub use seven::{BestOfSeven, Holdings, HoldingsTable};

use crate::cards::Rank;
use crate::named_enum;
use std::fmt;

macro_rules! categories {
    ([$($low:ident),+], [$($high:ident),+]) => {
        named_enum! {
            /// The category of a five-card hand. Categories are ordered from weakest to strongest.
            ///
            /// With a [wild](JokerUse::Wild) joker, the highest category contains five of a kind in every rank,
            /// with five aces as the best hand.
            #[derive(PartialOrd, Ord)]
            #[allow(missing_docs)]
            pub enum Category: words {
                $($low,)+
                $($high,)+
            }
        }
        named_enum! {
            /// A hand that seven cards can contain, ordered from weakest to strongest. This includes all five-card
            /// categories, three pairs, and the seven-card hands that published side bets pay on. Hashes contain the
            /// place in this order, so new hands come last. No seven cards contain two of the hands after five aces,
            /// except that hands with a natural royal flush and a pair of aces have no other.
            #[derive(PartialOrd, Ord)]
            #[allow(missing_docs)]
            pub enum SevenCategory: words {
                $($low,)+
                /// Two or more cards in each of three ranks, where the joker counts as an ace.
                ThreePairs,
                $($high,)+
                /// Seven cards in sequence in one suit, including the joker.
                SevenCardStraightFlushWithJoker = "seven-card straight flush with joker",
                /// A royal flush, with or without the joker, and a king and queen that share another suit.
                RoyalFlushWithSuitedKingQueen = "royal flush with suited king-queen",
                /// Seven natural cards in sequence in one suit. Ace to seven counts as a sequence.
                SevenCardStraightFlush = "seven-card straight flush",
                /// A royal flush, with or without the joker, and an ace and king that share another suit.
                RoyalFlushWithSuitedAceKing = "royal flush with suited ace-king",
                /// A royal flush and a pair of aces, all without the joker.
                NaturalRoyalFlushPlusAPairOfAces,
            }
        }

        impl From<Category> for SevenCategory {
            fn from(category: Category) -> SevenCategory {
                match category {
                    $(Category::$low => SevenCategory::$low,)+
                    $(Category::$high => SevenCategory::$high,)+
                }
            }
        }
    };
}

categories!(
    [HighCard, OnePair, TwoPairs],
    [ThreeOfAKind, Straight, Flush, FullHouse, FourOfAKind, StraightFlush, RoyalFlush, FiveAces]
);

impl Category {
    /// Returns `true` if the category needs all five cards, i.e. for a straight, flush, straight flush or royal flush.
    pub const fn is_complete(self) -> bool {
        use Category::*;
        matches!(self, Straight | Flush | StraightFlush | RoyalFlush)
    }

    /// Returns the categories that every hand of this one is as well, as far as side bets pay on them: a royal flush is a
    /// straight flush, and a full house is three of a kind.
    pub const fn contained(self) -> &'static [Category] {
        use Category::*;
        match self {
            FiveAces => &[FourOfAKind, ThreeOfAKind],
            RoyalFlush => &[StraightFlush, Flush, Straight],
            StraightFlush => &[Flush, Straight],
            FourOfAKind | FullHouse => &[ThreeOfAKind],
            _ => &[],
        }
    }

    /// Returns `true` if every hand of this category is one of the other, too.
    pub fn is_also(self, other: Category) -> bool {
        self == other || self.contained().contains(&other)
    }
}

impl SevenCategory {
    /// Returns `true` if the hand needs more than five cards. These hands are three pairs and all hands listed after
    /// five aces.
    pub const fn is_seven_card(self) -> bool {
        matches!(self, SevenCategory::ThreePairs) || self as usize > SevenCategory::FiveAces as usize
    }
}

/// The strength of a two-card hand, from 0 (3-2) to 90 (a pair of aces). Any pair beats any two single cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TwoStrength(u8);

/// The number of unordered pairs of different ranks.
const SINGLES: usize = 78;

/// The ranks for every strength, starting with the higher one.
const RANKS: [(Rank, Rank); TwoStrength::COUNT] = {
    let mut ranks = [(Rank::Two, Rank::Two); TwoStrength::COUNT];
    let mut high = 0;
    while high < 13 {
        let mut low = 0;
        while low <= high {
            let (a, b) = (Rank::from_index(high), Rank::from_index(low));
            ranks[TwoStrength::from_ranks(a, b).index()] = (a, b);
            low += 1;
        }
        high += 1;
    }
    ranks
};

impl TwoStrength {
    /// The number of strengths.
    pub const COUNT: usize = SINGLES + 13;
    /// The highest strength, a pair of aces.
    pub const MAX: TwoStrength = TwoStrength(Self::COUNT as u8 - 1);

    /// Returns the strength with the given index.
    ///
    /// # Panics
    /// Panics if `index` is not less than [`TwoStrength::COUNT`].
    pub const fn from_index(index: usize) -> TwoStrength {
        assert!(index < Self::COUNT);
        TwoStrength(index as u8)
    }

    /// Returns the index of the strength. Two single cards have indices 0 to 77, and pairs have indices 78 to 90.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the strength of two ranks in either order. For hands with a joker, see
    /// [`Ranking::two`](Ranking::two).
    pub const fn from_ranks(a: Rank, b: Rank) -> TwoStrength {
        let (a, b) = (a.index(), b.index());
        let (high, low) = if a > b { (a, b) } else { (b, a) };
        TwoStrength(if high == low { SINGLES + high } else { high * (high - 1) / 2 + low } as u8)
    }

    /// Returns `true` if the hand is a pair.
    pub const fn is_pair(self) -> bool {
        self.index() >= SINGLES
    }

    /// Returns the two ranks, starting with the higher one.
    #[inline]
    pub const fn ranks(self) -> (Rank, Rank) {
        RANKS[self.index()]
    }

    /// Returns the name of a two-card hand in words.
    pub fn words(self) -> String {
        let (high, low) = self.ranks();
        if self.is_pair() { format!("pair of {}", plural(high)) } else { format!("{}-{}", high.name(), low.name()) }
    }
}

/// Returns the plural of a rank's name.
pub fn plural(rank: Rank) -> String {
    let name = rank.name();
    if rank == Rank::Six { format!("{name}es") } else { format!("{name}s") }
}

/// Returns the ranks of the cards that only break ties, for use after the name of a hand.
fn kickers(ranks: &[Rank]) -> String {
    let ranks = ranks.iter().map(|&rank| if rank == Rank::Ten { "10".to_owned() } else { rank.to_string() });
    let ranks: Vec<String> = ranks.collect();
    if ranks.is_empty() { String::new() } else { format!(", {}", ranks.join(" ")) }
}

impl Ranking {
    /// Returns the name of a five-card hand in words, with the cards that break ties.
    pub fn words(&self, strength: FiveStrength) -> String {
        let ranks: Vec<Rank> = self.order_ranks(strength).into_iter().flatten().collect();
        let category = self.category(strength);
        match (category, &ranks[..]) {
            (Category::HighCard, [high, rest @ ..]) => format!("{} high{}", high.name(), kickers(rest)),
            (Category::OnePair, [pair, rest @ ..]) => format!("pair of {}{}", plural(*pair), kickers(rest)),
            (Category::TwoPairs, [high, low, rest @ ..]) => {
                format!("{} and {}{}", plural(*high), plural(*low), kickers(rest))
            }
            (Category::ThreeOfAKind, [three, rest @ ..]) => format!("three {}{}", plural(*three), kickers(rest)),
            (Category::Straight | Category::StraightFlush, [high, ..]) => format!("{}-high {category}", high.name()),
            (Category::Flush, [high, rest @ ..]) => format!("{}-high flush{}", high.name(), kickers(rest)),
            (Category::FullHouse, [three, pair, ..]) => {
                format!("full house, {} over {}", plural(*three), plural(*pair))
            }
            (Category::FourOfAKind, [four, rest @ ..]) => format!("four {}{}", plural(*four), kickers(rest)),
            (Category::FiveAces, [five, ..]) => format!("five {}", plural(*five)),
            _ => category.name().to_owned(),
        }
    }
}

impl fmt::Display for TwoStrength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (high, low) = self.ranks();
        f.pad(&format!("{high}{low}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_order_follow_the_categories() {
        for (i, hand) in SevenCategory::ALL.into_iter().enumerate() {
            assert_eq!(hand as usize, i);
            let json = serde_json::to_string(&hand).unwrap();
            assert_eq!(hand.name().replace(' ', "-"), json.trim_matches('"'));
        }
        for category in Category::ALL {
            assert_eq!(SevenCategory::from(category).name(), category.name());
        }
        assert_eq!(SevenCategory::ALL.into_iter().filter(|hand| hand.is_seven_card()).count(), 6);
    }

    #[test]
    fn strengths_are_dense_and_ordered() {
        let mut before = None;
        for index in 0..TwoStrength::COUNT {
            let strength = TwoStrength::from_index(index);
            let (high, low) = strength.ranks();
            assert_eq!(TwoStrength::from_ranks(low, high), strength);
            // The reference order puts pairs above single cards and compares the higher card first, then the lower one.
            let words = (high == low, high, low);
            assert!(before < Some(words), "{strength}");
            before = Some(words);
        }
        assert_eq!(TwoStrength::MAX.to_string(), "AA");
        assert_eq!(TwoStrength::from_index(0).to_string(), "32");
    }

    #[test]
    fn hands_are_named_as_people_say_them() {
        let ranking = Ranking::new(FiveRules::default());
        for (cards, words) in [
            ("As Kd Ts 7c 2h", "ace high, K 10 7 2"),
            ("6s 6d As Kc Qh", "pair of sixes, A K Q"),
            ("Ts Td 4s 4c Kh", "tens and fours, K"),
            ("Qs Qd Qh 9c 2h", "three queens, 9 2"),
            ("9s 8d 7h 6c 5h", "nine-high straight"),
            ("As 2d 3h 4c 5h", "five-high straight"),
            ("As Js 9s 6s 2s", "ace-high flush, J 9 6 2"),
            ("Ts Td Th 4c 4h", "full house, tens over fours"),
            ("Ts Td Th Tc 4h", "four tens, 4"),
            ("9s 8s 7s 6s 5s", "nine-high straight flush"),
            ("As Ks Qs Js Jk", "royal flush"),
            ("As Ah Ad Ac Jk", "five aces"),
        ] {
            assert_eq!(ranking.words(ranking.five(cards.parse().unwrap())), words, "{cards}");
        }
        let two = |a, b| TwoStrength::from_ranks(a, b).words();
        assert_eq!(two(Rank::Six, Rank::Six), "pair of sixes");
        assert_eq!(two(Rank::Jack, Rank::Ace), "ace-jack");
    }
}
