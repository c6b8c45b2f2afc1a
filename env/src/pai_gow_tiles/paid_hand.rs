//! The hands that rows of a side bet pay on, and the bundled paytables.

use super::tiles::{Half, Hand, Tile, kinds};
use super::{Rules, tiles};
use crate::files::{self, NamedText};
use crate::names::InvalidText;
use crate::paytable::{self, Bet, BetTerms, impl_hand_name};
use serde::Deserialize;
use std::fmt;
use std::str::FromStr;

/// The names and contents of the bundled paytables. The first one is the default. The environment has no side bets.
pub const PAYTABLES: [NamedText; 2] =
    files::built_in!("paytables/pai-gow-tiles": "bonanza-melbourne", "bonanza-commerce");

/// A paytable for a side bet.
pub type Paytable = paytable::Paytable<PaidHand>;

/// A hand that a row of a side bet pays on, however its tiles are set.
///
/// | name | hands |
/// |---|---|
/// | `pair`, `two-pairs` | hands with at least one pair, or with two |
/// | `wong`, `gong` | hands with a Teen or Day beside a nine, or beside an eight |
/// | `tiles:Gee+Gee`, `tiles:H6+L6+7+4` | hands that hold these tiles, by their codes, or by numbers for both kinds that count them |
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
#[allow(missing_docs)]
pub enum PaidHand {
    Pair,
    TwoPairs,
    Wong,
    Gong,
    /// One to four tiles, each as the set of kinds that fit it. Unused places are 0.
    Tiles([u16; Hand::TILES]),
}

impl Bet for PaidHand {
    type Hand = PaidHand;
    const PAYTABLES: &'static [NamedText] = &PAYTABLES;
    // The eighth hand is the dealer's.
    const PLAYERS: u32 = 7;

    fn is_impossible(hand: PaidHand, _: &BetTerms) -> bool {
        !Hand::all().any(|dealt| hand.pays(dealt))
    }

    fn meaning(hand: PaidHand) -> Option<String> {
        match hand {
            PaidHand::Pair | PaidHand::TwoPairs => None,
            PaidHand::Wong => Some("6-6 or 1-1 beside a nine".to_owned()),
            PaidHand::Gong => Some("6-6 or 1-1 beside an eight".to_owned()),
            PaidHand::Tiles(words) => {
                let tiles = words.into_iter().filter(|&word| word != 0).map(tiles::faces);
                Some(tiles.collect::<Vec<_>>().join(" + "))
            }
        }
    }
}

impl PaidHand {
    /// Returns `true` if the row pays a hand.
    pub fn pays(self, hand: Hand) -> bool {
        let tiles = hand.tiles();
        // The two tiles of a kind are next to each other.
        let pairs = tiles.windows(2).filter(|two| two[0].kind() == two[1].kind()).count();
        match self {
            PaidHand::Pair => pairs > 0,
            PaidHand::TwoPairs => pairs == 2,
            PaidHand::Wong => makes(hand, Half::WONG),
            PaidHand::Gong => makes(hand, Half::GONG),
            PaidHand::Tiles(words) => holds(&tiles, &words),
        }
    }
}

/// Returns `true` if two of the tiles make a half with these points, which must not depend on the rules.
fn makes(hand: Hand, points: u8) -> bool {
    let halves = (0..Hand::SETTINGS).flat_map(|setting| hand.split(setting));
    halves.into_iter().any(|half| Half::new(&Rules::default(), half).points() == points)
}

/// Returns `true` if each word fits a tile of its own.
fn holds(tiles: &[Tile], words: &[u16]) -> bool {
    let Some((&word, others)) = words.split_first().filter(|(word, _)| **word != 0) else { return true };
    (0..tiles.len()).any(|place| {
        let rest = [&tiles[..place], &tiles[place + 1..]].concat();
        word >> tiles[place].kind() & 1 == 1 && holds(&rest, others)
    })
}

impl fmt::Display for PaidHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PaidHand::Pair => f.pad("pair"),
            PaidHand::TwoPairs => f.pad("two-pairs"),
            PaidHand::Wong => f.pad("wong"),
            PaidHand::Gong => f.pad("gong"),
            PaidHand::Tiles(words) => {
                let words = words.iter().filter(|&&word| word != 0).map(|&word| tiles::word(word));
                f.pad(&format!("tiles:{}", words.collect::<Vec<_>>().join("+")))
            }
        }
    }
}

impl_hand_name!(PaidHand);

impl FromStr for PaidHand {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<PaidHand, InvalidText> {
        let unknown = || {
            InvalidText(format!(
                "unknown hand '{text}'; expected pair, two-pairs, wong, gong or tiles, such as tiles:Gee+Gee or \
                 tiles:H6+L6+7+4"
            ))
        };
        match text {
            "pair" | "one-pair" => return Ok(PaidHand::Pair),
            "two-pairs" => return Ok(PaidHand::TwoPairs),
            "wong" => return Ok(PaidHand::Wong),
            "gong" => return Ok(PaidHand::Gong),
            _ => {}
        }
        let listed: Vec<&str> = text.strip_prefix("tiles:").ok_or_else(unknown)?.split('+').collect();
        let mut words = [0; Hand::TILES];
        if listed.len() > words.len() {
            return Err(InvalidText(format!("too many tiles in '{text}': a hand has {}", words.len())));
        }
        for (place, word) in words.iter_mut().zip(listed) {
            let problem = || {
                InvalidText(format!(
                    "invalid tile '{word}' in '{text}': expected a code such as H8 or Gee, or a number such as 7"
                ))
            };
            *place = kinds(word).ok_or_else(problem)?;
        }
        // The order of the words doesn't matter, so that equal rows are found.
        words.sort_unstable_by_key(|&word| if word == 0 { u32::MAX } else { word.trailing_zeros() });
        Ok(PaidHand::Tiles(words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_pay_hands_that_hold_their_tiles() {
        for (row, paid, others) in [
            ("pair", &["6-6 6-6 5-5 4-1", "4-2 2-1 5-5 5-5"][..], &["6-3 6-2 5-2 4-1"][..]),
            ("two-pairs", &["4-2 2-1 5-5 5-5", "6-3 5-4 5-2 4-3"], &["6-6 6-6 5-5 4-1"]),
            ("wong", &["1-1 5-4 5-5 6-5", "6-6 6-3 6-6 5-4"], &["1-1 6-2 5-5 6-5", "3-1 5-4 5-5 6-5"]),
            ("gong", &["1-1 6-2 5-5 6-5", "6-6 4-4 5-5 6-5"], &["2-2 4-4 5-5 6-5"]),
            ("tiles:Gee+Gee", &["4-2 2-1 5-5 6-5"], &["4-2 5-5 5-5 6-5"]),
            (
                "tiles:H6+L6+7+4",
                &["3-3 5-1 6-1 2-2", "3-3 5-1 4-3 3-1"],
                &["3-3 3-3 6-1 2-2", "3-3 5-1 6-1 6-1", "3-3 5-1 4-3 4-2"],
            ),
        ] {
            let row: PaidHand = row.parse().unwrap();
            let pays = |hand: &&&str| row.pays(hand.parse().unwrap());
            assert!(paid.iter().all(|hand| pays(&hand)) && !others.iter().any(|hand| pays(&hand)), "{row}");
        }
    }

    #[test]
    fn names_of_hands_read_back_and_others_are_refused() {
        for row in ["pair", "two-pairs", "wong", "gong", "tiles:Gee+Gee", "tiles:4+H6+7+L6", "tiles:9"] {
            let read: PaidHand = row.parse().unwrap();
            assert_eq!(read.to_string(), row);
            assert_eq!(serde_json::from_value::<PaidHand>(serde_json::json!(read)).unwrap(), read);
        }
        assert_eq!("tiles:7+L6+H6+4".parse::<PaidHand>(), "tiles:4+H6+7+L6".parse());
        let table = |hand: &str| format!("name = 'x'\nrow = [{{ hand = '{hand}', odds = 1 }}]").parse::<Paytable>();
        for (hand, part) in [
            ("flush", "two-pairs"),
            ("tiles:", "a code such as H8"),
            ("tiles:Gee+13", "'13'"),
            ("tiles:9+9+9", "impossible"),
            ("tiles:9+9+8+8+8", "a hand has 4"),
        ] {
            let error = table(hand).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
