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

/// A set of cards from a deck with up to 54 cards. Each card is stored as the bit at its [`Card::index`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CardSet(u64);

impl CardSet {
    /// The empty set.
    pub const EMPTY: CardSet = CardSet(0);
    /// The 52 natural cards.
    pub const DECK_52: CardSet = CardSet((1 << 52) - 1);
    /// The 52 natural cards and one joker, as used in Pai Gow Poker.
    pub const DECK_53: CardSet = CardSet((1 << 53) - 1);
    /// The 52 natural cards and two jokers.
    pub const DECK_54: CardSet = CardSet((1 << 54) - 1);

    /// Creates a set from its bits. Bits beyond the 54 cards are ignored.
    pub const fn from_bits(bits: u64) -> CardSet {
        CardSet(bits & Self::DECK_54.0)
    }

    /// Returns the bits of the set. Each card is stored as the bit at its [`Card::index`].
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the number of cards in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns `true` if the set contains no cards.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if the set contains the given card.
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.index() & 1 == 1
    }

    /// Adds a card to the set. Returns `false` if the set already contained it.
    pub const fn insert(&mut self, card: Card) -> bool {
        let new = !self.contains(card);
        self.0 |= 1 << card.index();
        new
    }

    /// Returns a copy of the set with the given card added.
    pub const fn with(self, card: Card) -> CardSet {
        CardSet(self.0 | 1 << card.index())
    }

    /// Returns the cards that are in `self` or `other`.
    pub const fn union(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }

    /// Returns the cards that are in both `self` and `other`.
    pub const fn intersection(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }

    /// Returns the cards that are in `self` but not in `other`.
    pub const fn difference(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    /// Returns the ranks in a suit as a bit mask, in which bit 0 is two.
    #[inline]
    pub const fn ranks_in(self, suit: Suit) -> u16 {
        gather(self.0 >> suit.index() & 0x1_1111_1111_1111)
    }

    /// Returns the ranks of the natural cards as a bit mask, in which bit 0 is two.
    #[inline]
    pub fn ranks(self) -> u16 {
        Suit::ALL.into_iter().fold(0, |ranks, suit| ranks | self.ranks_in(suit))
    }

    /// Returns the number of natural cards of each rank, starting with two.
    #[inline]
    pub fn rank_counts(self) -> [u8; Rank::ALL.len()] {
        let mut counts = [0; Rank::ALL.len()];
        self.iter().filter_map(Card::rank).for_each(|rank| counts[rank.index()] += 1);
        counts
    }

    /// Returns the number of natural cards of each suit, starting with clubs.
    #[inline]
    pub fn suit_counts(self) -> [u8; Suit::ALL.len()] {
        Suit::ALL.map(|suit| self.ranks_in(suit).count_ones() as u8)
    }

    /// Returns an iterator over the cards in display order: the jokers first, then A, K, ... 2, and spades, hearts,
    /// diamonds, clubs within a rank.
    pub fn iter(self) -> impl ExactSizeIterator<Item = Card> + Clone {
        CardSetIter(self.0)
    }
}

/// Moves bit 4i to bit i for every i. All other bits must be 0.
#[inline]
pub(crate) const fn gather(bits: u64) -> u16 {
    let bits = (bits | bits >> 3) & 0x0303_0303_0303_0303;
    let bits = (bits | bits >> 6) & 0x000f_000f_000f_000f;
    let bits = (bits | bits >> 12) & 0x0000_00ff_0000_00ff;
    (bits | bits >> 24) as u16
}

#[derive(Clone)]
struct CardSetIter(u64);

impl Iterator for CardSetIter {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        let top = self.0.checked_ilog2()?;
        self.0 ^= 1 << top;
        Card::from_index(top as u8)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for CardSetIter {}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        cards.into_iter().fold(CardSet::EMPTY, CardSet::with)
    }
}
