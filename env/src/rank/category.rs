//! Categories of five-card and seven-card hands, defined in one list.

use crate::named_enum;

macro_rules! categories {
    ([$($low:ident),+], [$($high:ident),+]) => {
        named_enum! {
            /// Category of a five-card hand, weakest first.
            ///
            /// With a [wild](super::JokerUse::Wild) joker, five of a kind of any rank belongs to the highest category,
            /// with five aces as the best hand.
            #[derive(PartialOrd, Ord)]
            #[allow(missing_docs)]
            pub enum Category: words {
                $($low,)+
                $($high,)+
            }
        }
        named_enum! {
            /// Hand contained in seven cards, weakest first: the five-card categories with three pairs inserted,
            /// followed by the seven-card hands in published side bets.
            #[derive(PartialOrd, Ord)]
            #[allow(missing_docs)]
            pub enum SevenCategory: words {
                $($low,)+
                /// At least two cards of three ranks, with the joker as an ace.
                ThreePairs,
                $($high,)+
                /// Six cards of a suit that the joker completes to seven in sequence.
                SevenCardStraightFlushWithJoker = "seven-card straight flush with joker",
                /// A royal flush, with or without the joker, and a king and a queen of one other suit.
                RoyalFlushWithSuitedKingQueen = "royal flush with suited king-queen",
                /// Seven cards of a suit in sequence without the joker, including ace to seven.
                SevenCardStraightFlush = "seven-card straight flush",
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
    /// Returns `true` for categories that need all five cards: straight, flush, straight flush and royal flush.
    pub const fn is_complete(self) -> bool {
        use Category::*;
        matches!(self, Straight | Flush | StraightFlush | RoyalFlush)
    }
}

impl SevenCategory {
    /// Returns `true` for hands of more than five cards: three pairs, and those ranked above five aces.
    pub const fn is_seven_card(self) -> bool {
        matches!(self, SevenCategory::ThreePairs) || self as usize > SevenCategory::FiveAces as usize
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
        assert_eq!(SevenCategory::ALL.into_iter().filter(|hand| hand.is_seven_card()).count(), 4);
    }
}
