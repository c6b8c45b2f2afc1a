//! Parsing and formatting for cards, such as `"As Kd Jk 7c"`.
//!
//! Parsing is case-insensitive and allows spaces and commas between cards. Suits can be letters or Unicode symbols, a
//! ten can be `T` or `10`, and the jokers are `Jk` and `Jk2`. The first one may also be written `Joker`, `JKR` or `*`. Formatting always uses the form above, with `T` for ten.

use super::{Card, CardSet, Rank, Suit};
use crate::names::InvalidText;
use std::fmt;
use std::str::FromStr;

const RANK_LETTERS: &[u8; 13] = b"23456789TJQKA";
const SUIT_LETTERS: &[u8; 4] = b"cdhs";

/// Returns the error for a part of a text that isn't a card. Characters are counted from 1.
fn no_card(found: &str, at: usize, text: &str) -> InvalidText {
    let expected = "cards such as As, Td, 10h or 7c, or Jk for the joker";
    InvalidText(format!("invalid card '{found}' at character {at} of \"{text}\": expected {expected}"))
}

impl CardSet {
    /// Checks that the set contains exactly `expected` cards and that all of them are in `deck`.
    ///
    /// # Errors
    /// Returns an error if the set contains a card that isn't in the deck, or if the number of cards is wrong.
    pub fn check_hand(self, expected: usize, deck: CardSet) -> Result<CardSet, InvalidText> {
        if let Some(card) = self.difference(deck).iter().next() {
            return Err(InvalidText(format!("{card} is not in the deck of this game")));
        }
        match self.len() {
            found if found == expected => Ok(self),
            found => Err(InvalidText(format!("a hand has {expected} cards, but \"{self}\" has {found}"))),
        }
    }
}

/// Implements `FromStr`, `Display` and `Debug` for a hand that wraps a [`CardSet`] and has a `new` function that checks
/// the cards.
macro_rules! impl_hand_text {
    ($hand:ident) => {
        impl ::std::str::FromStr for $hand {
            type Err = $crate::names::InvalidText;

            fn from_str(text: &str) -> Result<$hand, Self::Err> {
                $hand::new(text.parse()?)
            }
        }

        impl ::std::fmt::Display for $hand {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl ::std::fmt::Debug for $hand {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }
    };
}
pub(crate) use impl_hand_text;

fn rank_of(c: char) -> Option<Rank> {
    let c = c.to_ascii_uppercase();
    RANK_LETTERS.iter().position(|&l| l as char == c).map(Rank::from_index)
}

fn suit_of(c: char) -> Option<Suit> {
    Some(match c.to_ascii_lowercase() {
        'c' | '♣' | '♧' => Suit::Clubs,
        'd' | '♦' | '♢' => Suit::Diamonds,
        'h' | '♥' | '♡' => Suit::Hearts,
        's' | '♠' | '♤' => Suit::Spades,
        _ => return None,
    })
}

/// Parses the card at the start of `text`. Returns the card and its length in characters.
fn read_card(text: &[char]) -> Option<(Card, usize)> {
    let suit_at = |i: usize| text.get(i).copied().and_then(suit_of);
    let starts_with =
        |word: &str| text.len() >= word.len() && word.chars().zip(text).all(|(a, b)| a.eq_ignore_ascii_case(b));
    if let Some(word) = ["joker", "jkr", "*"].into_iter().find(|word| starts_with(word)) {
        return Some((Card::JOKER, word.len()));
    }
    match text {
        // "Jk2h" is the joker followed by the two of hearts, while "Jk2" is the second joker.
        ['J' | 'j', 'K' | 'k', '2', ..] if suit_at(3).is_none() => Some((Card::SECOND_JOKER, 3)),
        ['J' | 'j', 'K' | 'k', ..] => Some((Card::JOKER, 2)),
        ['1', '0', ..] => Some((Card::new(Rank::Ten, suit_at(2)?), 3)),
        [rank, ..] => Some((Card::new(rank_of(*rank)?, suit_at(1)?), 2)),
        [] => None,
    }
}

/// Parses all cards in a text and returns them in the same order.
pub(super) fn read_cards(text: &str) -> Result<Vec<Card>, InvalidText> {
    // Variation selectors only select the emoji or text form of the preceding symbol.
    let chars: Vec<char> = text.chars().filter(|&c| c != '\u{fe0e}' && c != '\u{fe0f}').collect();
    let mut cards = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if chars[at].is_whitespace() || chars[at] == ',' {
            at += 1;
            continue;
        }
        let Some((card, length)) = read_card(&chars[at..]) else {
            let found: String = chars[at..].iter().take_while(|c| !c.is_whitespace()).take(8).collect();
            return Err(no_card(&found, at + 1, text));
        };
        cards.push(card);
        at += length;
    }
    Ok(cards)
}

impl FromStr for Card {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<Card, InvalidText> {
        match read_cards(text)?[..] {
            [card] => Ok(card),
            _ => Err(no_card(text, 1, text)),
        }
    }
}

impl FromStr for CardSet {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<CardSet, InvalidText> {
        let mut set = CardSet::EMPTY;
        for card in read_cards(text)? {
            if !set.insert(card) {
                return Err(InvalidText(format!("{card} occurs twice in \"{text}\"")));
            }
        }
        Ok(set)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", RANK_LETTERS[self.index()] as char)
    }
}

impl FromStr for Rank {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<Rank, InvalidText> {
        let mut chars = text.chars();
        let rank = match (chars.next(), chars.next()) {
            (Some('1'), Some('0')) => Some(Rank::Ten),
            (Some(letter), None) => rank_of(letter),
            _ => None,
        };
        rank.ok_or_else(|| no_card(text, 1, text))
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.rank(), self.suit()) {
            (Some(rank), Some(suit)) => f.pad(&format!("{rank}{}", SUIT_LETTERS[suit.index()] as char)),
            _ if *self == Card::JOKER => f.pad("Jk"),
            _ => f.pad("Jk2"),
        }
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cards: Vec<String> = self.iter().map(|card| card.to_string()).collect();
        f.pad(&cards.join(" "))
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spellings_of_one_hand_are_equal() {
        let expected: CardSet = "As Kd Jk 7c Th".parse().unwrap();
        for text in ["as kd jk 7c th", "ASKDJK7C10H", "A♠ K♦ Jk 7♣ 10♥", "A♠️,K♦️,JK,7♣️,T♥️", " 10h jK 7c  Kd aS "]
        {
            assert_eq!(text.parse::<CardSet>().unwrap(), expected, "{text}");
        }
        assert_eq!(expected.to_string(), "Jk As Kd Th 7c");
        for joker in ["Joker", "joker", "JKR", "*"] {
            assert!(format!("{joker} As Kd 7c{joker}").parse::<CardSet>().is_err(), "{joker} occurs twice");
            assert_eq!(format!("As Kd {joker} 7c Th").parse::<CardSet>().unwrap(), expected);
            assert_eq!(format!("AsKd{joker}7cTh").parse::<CardSet>().unwrap(), expected);
        }
    }

    #[test]
    fn second_joker_differs_from_a_joker_and_a_two() {
        assert_eq!("Jk2 Jk 2h".parse::<CardSet>().unwrap().to_string(), "Jk2 Jk 2h");
        assert_eq!("Jk2h".parse::<CardSet>().unwrap().to_string(), "Jk 2h");
    }

    #[test]
    fn errors_name_the_position() {
        let error = "As Kx".parse::<CardSet>().unwrap_err().to_string();
        assert!(error.contains("'Kx' at character 4"), "{error}");
        let error = "As Kd As".parse::<CardSet>().unwrap_err().to_string();
        assert!(error.contains("As occurs twice"), "{error}");
        assert!("1s".parse::<Card>().is_err() && "As Kd".parse::<Card>().is_err() && "".parse::<Card>().is_err());
    }

    proptest! {
        #[test]
        fn text_round_trips(bits in 0u64..1 << 54) {
            let set = CardSet::from_bits(bits);
            prop_assert_eq!(set.to_string().parse::<CardSet>().unwrap(), set);
            let packed: String = set.to_string().split(' ').collect();
            // A "Jk2" that isn't followed by a suit is the second joker. Only an unseparated "Jk" before a two is
            // ambiguous.
            if !set.contains(Card::SECOND_JOKER) {
                prop_assert_eq!(packed.parse::<CardSet>().unwrap(), set);
            }
        }
    }
}
