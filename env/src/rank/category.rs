//! Categories of five-card and seven-card hands, generated from a single list.

use crate::named_enum;

macro_rules! categories {
    ([$($low:ident),+], [$($high:ident),+]) => {
        named_enum! {
            /// The category of a five-card hand. Categories are ordered from weakest to strongest.
            ///
            /// With a [wild](super::JokerUse::Wild) joker, the highest category contains five of a kind in every rank,
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
            /// categories, three pairs, and the seven-card hands that published side bets pay on.
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
}

impl SevenCategory {
    /// Returns `true` if the hand needs more than five cards. These hands are three pairs and all hands above five
    /// aces.
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
