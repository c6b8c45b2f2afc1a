//! Categories of hands of five and of seven cards, from one list.

use crate::named_enum;

macro_rules! categories {
    ([$($low:ident),+], [$($high:ident),+]) => {
        named_enum! {
            /// Category of a five-card hand, weakest first. With a [wild](super::JokerUse::Wild) joker there are five of a
            /// kind of every rank: all of them are of the highest category, the five aces above the others.
            #[derive(PartialOrd, Ord)]
            #[allow(missing_docs)]
            pub enum Category: words {
                $($low,)+
                $($high,)+
            }
        }
        named_enum! {
            /// A hand that seven cards can hold, weakest first: the categories of five cards, three pairs among them, and the
            /// seven-card hands of the published side bets above them.
            #[derive(PartialOrd, Ord)]
            #[allow(missing_docs)]
            pub enum SevenCategory: words {
                $($low,)+
                /// Three ranks of which at least two cards are held, the joker as an ace.
                ThreePairs,
                $($high,)+
                /// Six cards of a suit which the joker completes to seven in sequence.
                SevenCardStraightFlushWithJoker = "seven-card straight flush with joker",
                /// A royal flush, with the joker or without, and a king and a queen of one other suit.
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
    /// Whether a hand needs all its five cards: a straight, flush, straight flush or royal flush.
    pub const fn is_complete(self) -> bool {
        use Category::*;
        matches!(self, Straight | Flush | StraightFlush | RoyalFlush)
    }
}

impl SevenCategory {
    /// Whether a hand needs more than five cards: three pairs, and the hands above five aces.
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
