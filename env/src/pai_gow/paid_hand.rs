//! The hands that rows of the side bet pay on.

use PaidHand::{AtLeast, BothPaiGow, Exactly, FiveOfAKind, Front, Holding, Natural, PaiGow, PaiGowWithJoker};
use PaidHand::{Plain, PlusAPair};

use crate::cards::Rank;
use crate::names::{self, InvalidText};
use crate::paytable::impl_hand_name;
use crate::rank::{Holdings, SevenCategory, TwoStrength};
use serde::Deserialize;
use std::fmt;
use std::str::FromStr;

/// A hand that a row of the side bet pays on. In files, its name is written with hyphens.
///
/// | name | hands |
/// |---|---|
/// | `high-card`, `one-pair`, `two-pairs` | hands that are no better, like `exactly-...` |
/// | `three-pairs` | two cards in each of three ranks and one in a fourth, even with a straight or a flush |
/// | any other hand | hands that contain it, even together with a better one |
/// | `exactly-HAND` | hands whose best hand it is |
/// | `at-least-HAND` | hands whose best hand it is, or better |
/// | `holding-HAND` | hands that contain it, even together with a better one |
/// | `natural-HAND` | hands that contain it without the joker |
/// | `HAND-plus-a-pair` | hands that contain it, with a pair in the other two cards |
/// | `five-of-a-kind` | five cards in a rank; with such a row, `five-aces` only pays aces |
/// | `pai-gow` | hands without a pair, a straight or a flush |
/// | `nine-high-pai-gow` to `ace-high-pai-gow` | the same, by the highest card |
/// | `ace-high-pai-gow-with-joker` | the same with the joker, which is an ace then |
/// | `both-pai-gow`, `both-ace-high-pai-gow` | such hands of both the player and the dealer |
/// | `pair-front`, `three-high-front` to `ace-high-front` | hands that are set with a pair in front, or with this highest card and no pair |
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
#[allow(missing_docs)]
pub enum PaidHand {
    Plain(SevenCategory),
    Exactly(SevenCategory),
    AtLeast(SevenCategory),
    Holding(SevenCategory),
    Natural(SevenCategory),
    PlusAPair(SevenCategory),
    FiveOfAKind,
    PaiGow(Option<Rank>),
    PaiGowWithJoker,
    BothPaiGow(Option<Rank>),
    Front(Option<Rank>),
}

impl PaidHand {
    /// Returns the hand that determines the place among other rows if the best hand by rank pays.
    pub fn base(self) -> SevenCategory {
        match self {
            Plain(hand) | Exactly(hand) | AtLeast(hand) | Holding(hand) | Natural(hand) | PlusAPair(hand) => hand,
            FiveOfAKind => SevenCategory::FiveAces,
            PaiGow(_) | PaiGowWithJoker | BothPaiGow(_) | Front(_) => SevenCategory::HighCard,
        }
    }

    /// Returns `true` if the row pays a hand with a front, if that is known, in a paytable without a row for five of a
    /// kind. A row for two hands pays if each of them makes this `true`.
    pub fn pays(self, held: Holdings, front: Option<TwoStrength>) -> bool {
        use SevenCategory::{FiveAces, HighCard, OnePair, ThreePairs, TwoPairs};
        let three_pairs = || held.contains(ThreePairs) && held.best() == ThreePairs;
        match self {
            Plain(hand @ (HighCard | OnePair | TwoPairs)) => held.best_five() == hand,
            Plain(ThreePairs) => held.only_pairs,
            Exactly(ThreePairs) => three_pairs(),
            Exactly(hand) if !hand.is_seven_card() => held.best_five() == hand,
            AtLeast(ThreePairs) => held.best_five() > TwoPairs || three_pairs(),
            AtLeast(hand) => held.best_five() >= hand,
            Plain(hand) | Exactly(hand) | Holding(hand) => held.contains(hand),
            Natural(hand) => held.is_natural(hand),
            PlusAPair(hand) => held.has_pair_beside(hand),
            FiveOfAKind => held.contains(FiveAces),
            PaiGow(high) | BothPaiGow(high) => {
                held.best_five() == HighCard && high.is_none_or(|high| held.high() == high)
            }
            PaiGowWithJoker => held.best_five() == HighCard && held.joker,
            Front(high) => front.is_some_and(|front| match high {
                None => front.is_pair(),
                Some(high) => !front.is_pair() && front.ranks().0 == high,
            }),
        }
    }

    /// Returns `true` if no seven cards make the hand, or no three cards if the bet is on three.
    pub fn is_impossible(self, on_three: bool) -> bool {
        use SevenCategory::{Flush, HighCard, OnePair, RoyalFlush, Straight, StraightFlush, ThreeOfAKind};
        match self {
            Plain(hand) | Natural(hand) | Holding(hand) if on_three => {
                ![HighCard, OnePair, ThreeOfAKind, Straight, Flush, StraightFlush, RoyalFlush].contains(&hand)
            }
            _ if on_three => true,
            // Seven ranks up to eight are a straight.
            PaiGow(high) | BothPaiGow(high) => high.is_some_and(|high| high < Rank::Nine),
            Front(high) => high == Some(Rank::Two),
            // Nearly all seven cards contain five that are no pair.
            Natural(hand) => [SevenCategory::FiveAces, HighCard].contains(&hand),
            PlusAPair(hand) => hand == HighCard,
            _ => false,
        }
    }

    /// Describes the hands that the row pays, unless these are simply the hands that contain it.
    pub fn meaning(self) -> Option<String> {
        use SevenCategory::{FiveAces, HighCard, OnePair, ThreePairs, TwoPairs};
        let text = match self {
            Plain(hand @ (HighCard | OnePair | TwoPairs)) => format!(
                "hands whose best hand is {}; holding-{} pays every hand that contains it",
                with_article(hand),
                file_name(hand.name())
            ),
            Plain(ThreePairs) => "two cards in each of three ranks and one in a fourth, straights and flushes included; \
                                  exactly-three-pairs excludes these, and holding-three-pairs also pays three of a kind \
                                  with two pairs"
                .to_owned(),
            Plain(FiveAces) => "five aces, or five of a kind if the joker is wild".to_owned(),
            Plain(_) => return None,
            Exactly(hand) => format!("hands whose best hand is {}", with_article(hand)),
            AtLeast(hand) => format!("hands whose best hand is {} or better", with_article(hand)),
            Holding(hand) => format!("every hand that contains {}", with_article(hand)),
            Natural(hand) => format!("hands that contain {} without the joker", with_article(hand)),
            PlusAPair(hand) => format!("{} in five cards and a pair in the other two", with_article(hand)),
            FiveOfAKind => "five cards in a rank, with the joker".to_owned(),
            PaiGow(_) => "no pair, no straight and no flush".to_owned(),
            PaiGowWithJoker => "no pair, no straight and no flush, with the joker as an ace".to_owned(),
            BothPaiGow(_) => "the player and the dealer both have no pair, no straight and no flush".to_owned(),
            Front(_) => "hands that the house way sets with this front".to_owned(),
        };
        Some(text)
    }

    /// Returns the bytes that represent the hand in hashes.
    pub(super) fn hash_bytes(self) -> Vec<u8> {
        let kind = match self {
            // The rows that most paytables have take a single byte.
            Plain(hand) => return vec![hand as u8],
            Exactly(_) => 128,
            AtLeast(_) => 129,
            Holding(_) => 130,
            Natural(_) => 131,
            PlusAPair(_) => 132,
            FiveOfAKind => 133,
            PaiGow(high) => return vec![134, high.map_or(u8::MAX, |high| high as u8)],
            Front(high) => return vec![135, high.map_or(u8::MAX, |high| high as u8)],
            PaiGowWithJoker => 136,
            BothPaiGow(high) => return vec![137, high.map_or(u8::MAX, |high| high as u8)],
        };
        vec![kind, self.base() as u8]
    }
}

/// Returns a name as it is written in files.
fn file_name(name: &str) -> String {
    name.replace(' ', "-")
}

fn with_article(hand: SevenCategory) -> String {
    use SevenCategory::*;
    match hand {
        FiveAces | TwoPairs | ThreePairs | ThreeOfAKind | FourOfAKind => hand.name().to_owned(),
        HighCard => "no pair".to_owned(),
        OnePair => "one pair".to_owned(),
        _ => format!("a {}", hand.name()),
    }
}

impl fmt::Display for PaidHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Plain(hand) => return f.pad(hand.name()),
            Exactly(hand) => format!("exactly {hand}"),
            AtLeast(hand) => format!("at least {hand}"),
            Holding(hand) => format!("holding {hand}"),
            Natural(hand) => format!("natural {hand}"),
            PlusAPair(hand) => format!("{hand} plus a pair"),
            FiveOfAKind => "five of a kind".to_owned(),
            PaiGow(None) => "pai gow".to_owned(),
            PaiGow(Some(high)) => format!("{}-high pai gow", high.name()),
            PaiGowWithJoker => "ace-high pai gow with joker".to_owned(),
            BothPaiGow(high) => format!("both {}", PaiGow(*high)),
            Front(None) => "pair front".to_owned(),
            Front(Some(high)) => format!("{}-high front", high.name()),
        };
        f.pad(&name)
    }
}

impl_hand_name!(PaidHand);

impl FromStr for PaidHand {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<PaidHand, InvalidText> {
        let mut name = text.to_lowercase().replace([' ', '_'], "-");
        // Sheets print digits, such as "7-card straight flush".
        if let Some((digit, rest)) = name.split_once('-')
            && let Ok(rank) = digit.to_uppercase().parse::<Rank>()
        {
            name = format!("{}-{rest}", rank.name());
        }
        let hand = |name: &str| SevenCategory::ALL.into_iter().find(|hand| file_name(hand.name()) == name);
        let ranked = |name: &str| hand(name).filter(|&hand| hand == SevenCategory::ThreePairs || !hand.is_seven_card());
        let made = |name: &str| hand(name).filter(|hand| !hand.is_seven_card());
        let plus = || name.strip_suffix("-plus-a-pair").or_else(|| name.strip_suffix("-plus-pair"));
        let rank = |name: &str| {
            let high = name.strip_suffix("-high")?;
            Rank::ALL.into_iter().find(|rank| rank.name() == high).or_else(|| high.to_uppercase().parse().ok())
        };
        let pai_gow = |name: &str| match name {
            "pai-gow" | "any-pai-gow" => Some(None),
            name => rank(name.strip_suffix("-pai-gow").unwrap_or(name)).map(Some),
        };
        let front = || name.strip_suffix("-front").and_then(rank);
        let found = match name.as_str() {
            "five-of-a-kind" => Some(FiveOfAKind),
            "ace-high-pai-gow-with-joker" => Some(PaiGowWithJoker),
            "pair-front" => Some(Front(None)),
            "royal-match" | "royal-flush-plus-royal-match" => Some(Plain(SevenCategory::RoyalFlushWithSuitedKingQueen)),
            name => hand(name).map(Plain),
        };
        found
            .or_else(|| name.strip_prefix("exactly-").and_then(ranked).map(Exactly))
            .or_else(|| name.strip_prefix("at-least-").and_then(ranked).map(AtLeast))
            .or_else(|| name.strip_prefix("holding-").and_then(ranked).map(Holding))
            .or_else(|| name.strip_prefix("natural-").and_then(made).map(Natural))
            .or_else(|| name.strip_prefix("both-").and_then(pai_gow).map(BothPaiGow))
            .or_else(|| plus().and_then(made).map(PlusAPair))
            .or_else(|| pai_gow(&name).map(PaiGow))
            .or_else(|| front().map(|high| Front(Some(high))))
            .ok_or_else(|| {
                let hands = SevenCategory::NAMES.map(file_name);
                let known = names::expected(&name, hands.iter().map(String::as_str));
                InvalidText(format!(
                    "unknown hand '{text}'; {known}; one of these after exactly-, at-least-, holding- or natural-, or \
                     before -plus-a-pair; five-of-a-kind; pai-gow, or nine-high-pai-gow to ace-high-pai-gow, also \
                     after both-; ace-high-pai-gow-with-joker; pair-front, or three-high-front to ace-high-front"
                ))
            })
    }
}
