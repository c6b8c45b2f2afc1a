//! Text forms of cards: `"As Kd Jk 7c"`.
//!
//! Read: upper or lower case, with or without spaces and commas, letters or Unicode signs for suits, `T` or `10`, `Jk` for
//! the joker and `Jk2` for the second one. Written: one form only, the one above with `T` for ten.

use super::{Card, CardSet, Rank, Suit};
use std::fmt;
use std::str::FromStr;

const RANK_LETTERS: &[u8; 13] = b"23456789TJQKA";
const SUIT_LETTERS: &[u8; 4] = b"cdhs";

/// What is wrong with a text that should name cards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CardError {
    /// The text at this place is no card.
    #[error("'{found}' at character {at} of \"{text}\" is no card; write cards like As Td 10h 7c, the joker Jk")]
    NotACard {
        /// What stands there.
        found: String,
        /// Place in the text, in characters from 1.
        at: usize,
        /// The whole text.
        text: String,
    },
    /// A card is named twice.
    #[error("{card} stands twice in \"{text}\"; each card of the deck is there once")]
    Twice {
        /// The card.
        card: Card,
        /// The whole text.
        text: String,
    },
    /// A card that the game's deck does not hold.
    #[error("{card} is not in the deck of this game")]
    NotInDeck {
        /// The card.
        card: Card,
    },
    /// The wrong number of cards for a hand.
    #[error("a hand has {expected} cards, \"{cards}\" has {found}")]
    Count {
        /// How many a hand has.
        expected: usize,
        /// How many there are.
        found: usize,
        /// The cards.
        cards: CardSet,
    },
}

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

/// The card at the start of `text` and how many characters it takes.
fn read_card(text: &[char]) -> Option<(Card, usize)> {
    let suit_at = |i: usize| text.get(i).copied().and_then(suit_of);
    match text {
        // "Jk2h" is the joker and the two of hearts, "Jk2" the second joker.
        ['J' | 'j', 'K' | 'k', '2', ..] if suit_at(3).is_none() => Some((Card::SECOND_JOKER, 3)),
        ['J' | 'j', 'K' | 'k', ..] => Some((Card::JOKER, 2)),
        ['1', '0', ..] => Some((Card::new(Rank::Ten, suit_at(2)?), 3)),
        [rank, ..] => Some((Card::new(rank_of(*rank)?, suit_at(1)?), 2)),
        [] => None,
    }
}

/// The cards that a text names, in its order.
pub(super) fn read_cards(text: &str) -> Result<Vec<Card>, CardError> {
    // The variation selector only asks for an emoji or text form of the sign before it.
    let chars: Vec<char> = text.chars().filter(|&c| c != '\u{fe0e}' && c != '\u{fe0f}').collect();
    let mut cards = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if chars[at].is_whitespace() || chars[at] == ',' {
            at += 1;
            continue;
        }
        let Some((card, length)) = read_card(&chars[at..]) else {
            let found = chars[at..].iter().take_while(|c| !c.is_whitespace()).take(8).collect();
            return Err(CardError::NotACard { found, at: at + 1, text: text.to_owned() });
        };
        cards.push(card);
        at += length;
    }
    Ok(cards)
}

impl FromStr for Card {
    type Err = CardError;

    fn from_str(text: &str) -> Result<Card, CardError> {
        match read_cards(text)?[..] {
            [card] => Ok(card),
            _ => Err(CardError::NotACard { found: text.to_owned(), at: 1, text: text.to_owned() }),
        }
    }
}

impl FromStr for CardSet {
    type Err = CardError;

    fn from_str(text: &str) -> Result<CardSet, CardError> {
        let mut set = CardSet::EMPTY;
        for card in read_cards(text)? {
            if !set.insert(card) {
                return Err(CardError::Twice { card, text: text.to_owned() });
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
    type Err = CardError;

    fn from_str(text: &str) -> Result<Rank, CardError> {
        let mut chars = text.chars();
        let rank = match (chars.next(), chars.next()) {
            (Some('1'), Some('0')) => Some(Rank::Ten),
            (Some(letter), None) => rank_of(letter),
            _ => None,
        };
        rank.ok_or_else(|| CardError::NotACard { found: text.to_owned(), at: 1, text: text.to_owned() })
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
    fn one_hand_in_many_spellings() {
        let expected: CardSet = "As Kd Jk 7c Th".parse().unwrap();
        for text in ["as kd jk 7c th", "ASKDJK7C10H", "A♠ K♦ Jk 7♣ 10♥", "A♠️,K♦️,JK,7♣️,T♥️", " 10h jK 7c  Kd aS "]
        {
            assert_eq!(text.parse::<CardSet>().unwrap(), expected, "{text}");
        }
        assert_eq!(expected.to_string(), "Jk As Kd Th 7c");
    }

    #[test]
    fn second_joker_is_told_from_a_two() {
        assert_eq!("Jk2 Jk 2h".parse::<CardSet>().unwrap().to_string(), "Jk2 Jk 2h");
        assert_eq!("Jk2h".parse::<CardSet>().unwrap().to_string(), "Jk 2h");
    }

    #[test]
    fn errors_name_the_place() {
        let error = "As Kx".parse::<CardSet>().unwrap_err().to_string();
        assert!(error.contains("'Kx' at character 4"), "{error}");
        let error = "As Kd As".parse::<CardSet>().unwrap_err().to_string();
        assert!(error.contains("As stands twice"), "{error}");
        assert!("1s".parse::<Card>().is_err() && "As Kd".parse::<Card>().is_err() && "".parse::<Card>().is_err());
    }

    proptest! {
        #[test]
        fn text_round_trips(bits in 0u64..1 << 54) {
            let set = CardSet::from_bits(bits);
            prop_assert_eq!(set.to_string().parse::<CardSet>().unwrap(), set);
            let packed: String = set.to_string().split(' ').collect();
            // "Jk2" before a suitless letter stays the second joker; only a packed "Jk" before a two is ambiguous.
            if !set.contains(Card::SECOND_JOKER) {
                prop_assert_eq!(packed.parse::<CardSet>().unwrap(), set);
            }
        }

        #[test]
        fn any_text_parses_or_errs_without_panic(text in "\\PC{0,40}") {
            let _ = text.parse::<CardSet>();
        }
    }
}
