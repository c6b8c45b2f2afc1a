//! Playing cards, including the jokers used in 53-card and 54-card decks.

/// The rank of a card. Ranks are ordered from two to ace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Rank {
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
    Ace,
}

impl Rank {
    /// All thirteen ranks in ascending order.
    pub const ALL: [Rank; 13] = {
        use Rank::*;
        [Two, Three, Four, Five, Six, Seven, Eight, Nine, Ten, Jack, Queen, King, Ace]
    };

    /// Returns the rank with the given index, where 0 is two and 12 is ace.
    ///
    /// # Panics
    /// Panics if `index` is greater than 12.
    pub const fn from_index(index: usize) -> Rank {
        Rank::ALL[index]
    }

    /// Returns the rank's index, where 0 is two and 12 is ace.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the rank's name, such as "ace" or "two".
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; 13] =
            ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];
        NAMES[self.index()]
    }
}

/// The suit of a card. Suits are ordered as in [`Card::index`], but they never break a tie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

impl Suit {
    /// All four suits, clubs first.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// Returns the suit's index: 0 for clubs, 1 for diamonds, 2 for hearts and 3 for spades.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// A playing card.
///
/// Cards are ordered by [`Card::index`]. Hands are displayed in *descending* order, and positions within a hand are
/// numbered the same way: joker, A, K, ... 2, and spades, hearts, diamonds, clubs within a rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(pub(super) u8);

impl Card {
    /// The joker in a 53-card deck, written `Jk`.
    pub const JOKER: Card = Card(52);
    /// The second joker in a 54-card deck, written `Jk2`.
    pub const SECOND_JOKER: Card = Card(53);

    /// Creates a card from its rank and suit.
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card(rank as u8 * 4 + suit as u8)
    }

    /// Returns the card with the given index, or `None` if the index is greater than 53.
    pub const fn from_index(index: u8) -> Option<Card> {
        if index < 54 { Some(Card(index)) } else { None }
    }

    /// Returns the card's index: `4 * rank + suit` for a natural card, 52 for the joker and 53 for the second joker.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the rank, or `None` for a joker.
    pub const fn rank(self) -> Option<Rank> {
        if self.0 < 52 { Some(Rank::from_index(self.0 as usize / 4)) } else { None }
    }

    /// Returns the suit, or `None` for a joker.
    pub const fn suit(self) -> Option<Suit> {
        if self.0 < 52 { Some(Suit::ALL[self.0 as usize % 4]) } else { None }
    }

    /// Returns `true` if this is one of the two jokers.
    pub const fn is_joker(self) -> bool {
        self.0 >= 52
    }
}
