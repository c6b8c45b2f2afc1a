//! Evaluates all two-card hands on one board against all dealer hands.

use super::Ends;
use houseway_env::cards::key::Key;
use houseway_env::cards::{Card, CardSet};
use houseway_env::rank::FiveStrength;
use houseway_env::ultimate_holdem::Game;

/// The number of cards that aren't on the board.
const CARDS: usize = 47;
/// The number of two-card hands.
pub(super) const HANDS: usize = CARDS * (CARDS - 1) / 2;
/// The number of low bits that hold a hand's index. The bits above them hold its strength.
const HAND_BITS: u32 = 11;

/// Returns the index of a pair of cards, from 0 to 1,325, given the cards' indices.
#[inline]
pub(super) const fn pair(low: u8, high: u8) -> usize {
    high as usize * (high as usize - 1) / 2 + low as usize
}

/// The number of pairs of cards in a deck.
pub(super) const PAIRS: usize = 1_326;

/// Evaluates boards one after another, reusing its buffers.
pub(super) struct BoardCounter<'a> {
    game: &'a Game,
    cards: [u8; CARDS],
    /// The positions of each hand's two cards.
    places: [(u8, u8); HANDS],
    /// Sorted numbers that have the hand's strength in the high bits and its index in the low bits.
    sorted: [u32; HANDS],
}

/// The results of one hand on a board.
pub(super) struct HandResults {
    /// The index of the two cards. See [`pair`].
    pub(super) pair: usize,
    /// The strength of the hand.
    pub(super) strength: FiveStrength,
    /// The results against the 990 dealer hands.
    pub(super) ends: Ends,
}

/// The number of hands seen, in total and for each card.
#[derive(Clone, Copy)]
struct Seen {
    all: i64,
    with: [i64; CARDS],
}

impl Seen {
    const NONE: Seen = Seen { all: 0, with: [0; CARDS] };

    #[inline]
    fn add(&mut self, (a, b): (u8, u8)) {
        self.all += 1;
        self.with[usize::from(a)] += 1;
        self.with[usize::from(b)] += 1;
    }

    /// Returns the number of hands seen that contain neither card. `itself` must be 1 if the hand with both cards was
    /// seen, because that hand is subtracted twice.
    #[inline]
    fn without(&self, (a, b): (u8, u8), itself: i64) -> i64 {
        self.all - self.with[usize::from(a)] - self.with[usize::from(b)] + itself
    }
}

impl<'a> BoardCounter<'a> {
    pub(super) fn new(game: &'a Game) -> BoardCounter<'a> {
        let mut places = [(0, 0); HANDS];
        let pairs = (0..CARDS as u8).flat_map(|high| (0..high).map(move |low| (low, high)));
        places.iter_mut().zip(pairs).for_each(|(place, pair)| *place = pair);
        BoardCounter { game, cards: [0; CARDS], places, sorted: [0; HANDS] }
    }

    /// Calls `visit` with each of the 1,081 hands, in ascending order of strength.
    pub(super) fn count(&mut self, board: CardSet, mut visit: impl FnMut(&HandResults)) {
        self.sort(board);
        let qualifies = (self.game.qualifies().index() as u32) << HAND_BITS;
        let mut unqualified = Seen::NONE;
        for &entry in self.sorted.iter().take_while(|entry| **entry < qualifies) {
            unqualified.add(self.places[hand(entry)]);
        }
        let mut below = Seen::NONE;
        for equal in self.sorted.chunk_by(|a, b| a >> HAND_BITS == b >> HAND_BITS) {
            let mut through = below;
            equal.iter().for_each(|&entry| through.add(self.places[hand(entry)]));
            let is_pair = equal[0] >= qualifies;
            let strength = FiveStrength::from_index((equal[0] >> HAND_BITS) as usize);
            for &entry in equal {
                let places = self.places[hand(entry)];
                let wins = below.without(places, 0);
                let ties = through.without(places, 1) - wins;
                let not = unqualified.without(places, i64::from(!is_pair));
                let ends = Ends::of_ranked(wins, ties, not, is_pair);
                let [low, high] = [places.0, places.1].map(|place| self.cards[usize::from(place)]);
                visit(&HandResults { pair: pair(low, high), strength, ends });
            }
            below = through;
        }
    }

    /// Ranks and sorts all hands.
    fn sort(&mut self, board: CardSet) {
        let others = CardSet::DECK_52.difference(board);
        let mut bits = others.bits();
        for card in &mut self.cards {
            *card = bits.trailing_zeros() as u8;
            bits &= bits - 1;
        }
        let keys = self.cards.map(|card| Card::from_index(card).map_or(Key::default(), Key::from_card));
        let on_board = Key::from_set(board);
        let mut number = 0;
        for high in 1..CARDS {
            let (with_high, bits) = (on_board + keys[high], board.bits() | 1 << self.cards[high]);
            for (&key, card) in keys[..high].iter().zip(self.cards) {
                let cards = || CardSet::from_bits(bits | 1 << card);
                let strength = self.game.best().of_key(with_high + key, cards);
                self.sorted[number] = (strength.index() as u32) << HAND_BITS | number as u32;
                number += 1;
            }
        }
        self.sorted.sort_unstable();
    }
}

#[inline]
fn hand(entry: u32) -> usize {
    (entry & ((1 << HAND_BITS) - 1)) as usize
}
