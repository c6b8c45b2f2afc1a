//! The hands that rows of the Blind, Trips, the progressive and bets on the hole cards pay on.

use super::{Hole, PAYTABLES, SPECIAL_PAYTABLES};
use crate::cards::Rank;
use crate::files::NamedText;
use crate::names::{self, InvalidText};
use crate::paytable::{Bet, BetTerms, impl_hand_name};
use crate::rank::Category;
use serde::Deserialize;
use std::fmt;
use std::str::FromStr;

/// A hand that a row of a paytable pays on. In files, its name is written with hyphens.
///
/// | name | hands |
/// |---|---|
/// | `high-card` to `royal-flush` | the best five cards |
/// | `AA`, `22-TT` | hole cards that are a pair, or one of several pairs; in a bet on the first five cards, their only pair |
/// | `AKs`, `AKo` | hole cards of two ranks, suited or not |
/// | `both-AA` | such hole cards of both the player and the dealer |
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
#[allow(missing_docs)]
pub enum PaidHand {
    Made(Category),
    Holes(Holes),
    Both(Holes),
}

/// Kinds of starting hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Holes {
    /// The pairs from one rank to another, which may be the same.
    Pairs {
        /// The rank of the lowest pair.
        lowest: Rank,
        /// The rank of the highest pair.
        highest: Rank,
    },
    /// Two different ranks.
    Ranks {
        /// The rank of the higher card.
        high: Rank,
        /// The rank of the lower card.
        low: Rank,
        /// `true` if the cards have the same suit, and `false` if they have different suits.
        suited: bool,
    },
}

impl Holes {
    /// Returns `true` if two hole cards are of these kinds.
    pub fn contains(self, hole: Hole) -> bool {
        let ranks = hole.ranks();
        match self {
            Holes::Pairs { lowest, highest } => ranks[0] == ranks[1] && (lowest..=highest).contains(&ranks[0]),
            Holes::Ranks { high, low, suited } => ranks == [high, low] && hole.is_suited() == suited,
        }
    }

    /// Parses a name in capital letters.
    fn parse(name: &str) -> Option<Holes> {
        let rank = |name: &str, at: usize| name.get(at..=at)?.parse::<Rank>().ok();
        let ranks = |name: &str| Some([rank(name, 0)?, rank(name, 1)?]).filter(|_| name.len() == 2);
        let pair = |name: &str| ranks(name).filter(|[a, b]| a == b).map(|[rank, _]| rank);
        if let Some((one, other)) = name.split_once('-') {
            let (one, other) = (pair(one)?, pair(other)?);
            return Some(Holes::Pairs { lowest: one.min(other), highest: one.max(other) });
        }
        if let Some(rank) = pair(name) {
            return Some(Holes::Pairs { lowest: rank, highest: rank });
        }
        let suited = name.ends_with('S');
        let [a, b] = ranks(name.strip_suffix(if suited { 'S' } else { 'O' })?)?;
        (a != b).then_some(Holes::Ranks { high: a.max(b), low: a.min(b), suited })
    }
}

impl fmt::Display for Holes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Holes::Pairs { lowest, highest } if lowest == highest => write!(f, "{lowest}{lowest}"),
            Holes::Pairs { lowest, highest } => write!(f, "{lowest}{lowest}-{highest}{highest}"),
            Holes::Ranks { high, low, suited } => write!(f, "{high}{low}{}", if *suited { 's' } else { 'o' }),
        }
    }
}

/// A bet that pays on the best five of all cards or on some of the first cards. Paytables pay in half antes.
impl Bet for PaidHand {
    type Hand = PaidHand;
    const UNITS: u32 = 2;
    const PAYTABLES: &'static [NamedText] = &PAYTABLES;
    const SPECIAL: &'static [NamedText] = &SPECIAL_PAYTABLES;

    fn is_impossible(hand: PaidHand, terms: &BetTerms) -> bool {
        match hand {
            // Five aces would need a joker.
            PaidHand::Made(hand) => hand == Category::FiveAces || terms.cards == Some(2),
            PaidHand::Holes(Holes::Pairs { .. }) => ![Some(2), Some(5)].contains(&terms.cards),
            PaidHand::Holes(_) | PaidHand::Both(_) => terms.cards != Some(2),
        }
    }

    fn pays(row: PaidHand, hand: PaidHand) -> bool {
        match (row, hand) {
            (PaidHand::Made(row), PaidHand::Made(hand)) => hand.is_also(row),
            (PaidHand::Made(row), PaidHand::Holes(Holes::Pairs { .. })) => row == Category::OnePair,
            (
                PaidHand::Holes(Holes::Pairs { lowest, highest }),
                PaidHand::Holes(Holes::Pairs { lowest: low, highest: high }),
            ) => lowest <= low && high <= highest,
            _ => row == hand,
        }
    }

    fn is_of_two(hand: PaidHand) -> bool {
        matches!(hand, PaidHand::Both(_))
    }

    fn meaning(hand: PaidHand) -> Option<String> {
        let PaidHand::Both(holes) = hand else { return None };
        Some(format!("the player and the dealer both have {holes}"))
    }
}

impl From<Category> for PaidHand {
    fn from(hand: Category) -> PaidHand {
        PaidHand::Made(hand)
    }
}

impl fmt::Display for PaidHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PaidHand::Made(hand) => f.pad(hand.name()),
            PaidHand::Holes(holes) => f.pad(&holes.to_string()),
            PaidHand::Both(holes) => f.pad(&format!("both {holes}")),
        }
    }
}

impl_hand_name!(PaidHand);

impl FromStr for PaidHand {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<PaidHand, InvalidText> {
        let name = text.to_uppercase().replace([' ', '_'], "-");
        let made = Category::ALL.into_iter().find(|hand| hand.name().replace(' ', "-").eq_ignore_ascii_case(&name));
        let holes = || match name.strip_prefix("BOTH-") {
            Some(name) => Holes::parse(name).map(PaidHand::Both),
            None => Holes::parse(&name).map(PaidHand::Holes),
        };
        made.map(PaidHand::Made).or_else(holes).ok_or_else(|| {
            let made = Category::NAMES.map(|name| name.replace(' ', "-"));
            let known = names::expected(text, made.iter().map(String::as_str));
            InvalidText(format!("unknown hand '{text}'; {known}, or hole cards such as AA, 22-TT, AKs, AKo or both-AA"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::CardSet;
    use crate::cards::combinations::for_each_subset;

    #[test]
    fn names_are_read_as_they_are_written() {
        for name in ["full-house", "AA", "22-TT", "AKs", "AKo", "both-AA", "both-JJ-KK", "both-T9s"] {
            let hand: PaidHand = serde_json::from_value(name.into()).unwrap();
            assert_eq!(serde_json::to_value(hand).unwrap(), name);
        }
        let read = |name: &str| name.parse::<PaidHand>().map(|hand| hand.to_string());
        for (name, shown) in [("Full House", "full house"), ("kas", "AKs"), ("TT-22", "22-TT"), ("both aa", "both AA")]
        {
            assert_eq!(read(name).unwrap(), shown);
        }
        for name in ["", "A", "AK", "AAs", "AAA", "AK-QJ", "AA-", "1010", "both-", "both-flush", "AKx", "äö", "straigt"]
        {
            let error = read(name).unwrap_err().to_string();
            assert!(error.contains("royal-flush") && error.contains("22-TT"), "{name}: {error}");
        }
    }

    #[test]
    fn every_starting_hand_has_one_name() {
        for_each_subset(CardSet::DECK_52, 2, |cards| {
            let hole = Hole::new(cards).unwrap();
            let Ok(PaidHand::Holes(holes)) = hole.kind_name().parse() else { panic!("{hole}") };
            assert!(holes.contains(hole));
        });
        let tens: Holes = Holes::parse("22-TT").unwrap();
        assert!(tens.contains("Tc Th".parse().unwrap()) && !tens.contains("Jc Jh".parse().unwrap()));
    }
}
