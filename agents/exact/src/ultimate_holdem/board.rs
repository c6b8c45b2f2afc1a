//! Boards: the results of all two-card hands on one board, and the classes of boards and flops up to suits.

use super::Ends;
use houseway_env::cards::classes::{Classes, canonical, orbit, suit_order, suit_permutations};
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::cards::key::Key;
use houseway_env::cards::{Card, CardSet, Suit};
use houseway_env::rank::FiveStrength;
use houseway_env::ultimate_holdem::Game;
use std::collections::HashMap;

/// The number of cards that aren't on the board.
const CARDS: usize = 47;
/// The number of two-card hands.
pub(super) const HANDS: usize = CARDS * (CARDS - 1) / 2;
/// The number of low bits that hold a hand's index. The bits above them hold its strength.
const HAND_BITS: u32 = 11;
/// The number of bits of a digit. A strength has two of them.
const DIGIT_BITS: u32 = 7;

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
    /// The numbers between the two rounds of sorting.
    buffer: [u32; HANDS],
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
        BoardCounter { game, cards: [0; CARDS], places, sorted: [0; HANDS], buffer: [0; HANDS] }
    }

    /// Calls `visit` with each of the 1,081 hands, in ascending order of strength.
    ///
    /// The hands that a hand beats are those seen before its group of equal hands, except those that hold one of its
    /// cards, which the dealer can't have. Counting the hands seen with each card makes this a subtraction, so a board
    /// takes one sort and one pass instead of a million comparisons.
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
        let ranking = self.game.on_board(board);
        let mut number = 0;
        for high in 1..CARDS {
            let bits = 1 << self.cards[high];
            for (&key, card) in keys[..high].iter().zip(self.cards) {
                let strength = ranking.of_key(keys[high] + key, || CardSet::from_bits(bits | 1 << card));
                self.sorted[number] = (strength.index() as u32) << HAND_BITS | number as u32;
                number += 1;
            }
        }
        by_digit(&self.sorted, &mut self.buffer, HAND_BITS);
        by_digit(&self.buffer, &mut self.sorted, HAND_BITS + DIGIT_BITS);
    }
}

/// Copies the numbers in the order of the digit at a bit, without changing the order of those with equal digits. A sort by
/// two digits takes a third of the time of one by comparisons.
fn by_digit(from: &[u32; HANDS], to: &mut [u32; HANDS], bit: u32) {
    let digit = |entry: u32| (entry >> bit) as usize % (1 << DIGIT_BITS);
    let mut places = [0; 1 << DIGIT_BITS];
    from.iter().for_each(|&entry| places[digit(entry)] += 1);
    let mut next = 0;
    for place in &mut places {
        (*place, next) = (next, next + *place);
    }
    for &entry in from {
        let place = &mut places[digit(entry)];
        to[*place] = entry;
        *place += 1;
    }
}

#[inline]
fn hand(entry: u32) -> usize {
    (entry & ((1 << HAND_BITS) - 1)) as usize
}

/// A class of flops.
pub(super) struct FlopClass {
    /// The canonical flop of the class.
    pub(super) flop: CardSet,
    /// The permutations that leave the canonical flop unchanged.
    symmetries: Vec<usize>,
}

/// The 1,755 classes of flops, with the permutations that map each flop to its class.
pub(super) struct Flops {
    /// The image of each card pair under each permutation.
    pairs: Vec<[u16; PAIRS]>,
    classes: Vec<FlopClass>,
    /// The class of each flop, and the permutation that maps it to the canonical flop.
    of: Vec<(u16, u8)>,
}

/// Returns the 134,459 classes of five-card boards without a joker, along with their sizes. The sizes add up to
/// 2,598,960.
///
/// Boards with the same ranks follow each other. They share their flops, of which there are at most 50, so that the sums
/// of these flops stay in a processor's cache.
pub(super) fn boards() -> Vec<(CardSet, i64)> {
    let classes = Classes::new(5);
    let natural = classes.iter().filter(|board| !board.contains(Card::JOKER));
    let mut boards: Vec<_> = natural.map(|board| (board, orbit(board).into())).collect();
    boards.sort_by_cached_key(|(board, _)| board.iter().fold(0, |ranks, card| 13 * ranks + card.index() / 4));
    boards
}

/// The number of flops in a full deck.
pub(super) const ALL_FLOPS: usize = 22_100;

/// Returns a flop's index, from 0 to 22,099.
pub(super) fn flop_number(flop: CardSet) -> usize {
    let mut cards = flop.iter().map(Card::index);
    let mut next = || cards.next().unwrap_or(0);
    let (c, b, a) = (next(), next(), next());
    c * (c.wrapping_sub(1)) * (c.wrapping_sub(2)) / 6 + b * (b - 1) / 2 + a
}

fn permuted(cards: CardSet, order: [usize; 4]) -> CardSet {
    let card = |card: Card| Card::from_index((card.index() / 4 * 4 + order[card.index() % 4]) as u8);
    cards.iter().filter_map(card).collect()
}

impl Flops {
    pub(super) fn new() -> Flops {
        let orders: Vec<[usize; 4]> = suit_permutations().collect();
        let pairs = orders.iter().map(|&order| permute_pairs(order)).collect();
        let mut flops = Flops { pairs, classes: Vec::new(), of: vec![(0, 0); ALL_FLOPS] };
        let mut numbers: HashMap<CardSet, u16> = HashMap::new();
        for_each_subset(CardSet::DECK_52, 3, |flop| {
            let class = *numbers.entry(canonical(flop)).or_insert_with(|| {
                flops.classes.push(class(canonical(flop), &orders));
                (flops.classes.len() - 1) as u16
            });
            let mut order = [0; 4];
            // The first suit in canonical order becomes spades.
            for (place, suit) in suit_order(flop).into_iter().enumerate() {
                order[suit.index()] = Suit::Spades.index() - place;
            }
            let by = orders.iter().position(|&other| other == order).expect("`orders` contains all permutations");
            flops.of[flop_number(flop)] = (class, by as u8);
        });
        flops
    }

    pub(super) fn classes(&self) -> &[FlopClass] {
        &self.classes
    }

    /// Returns the class of a flop, and the image of each card pair under the permutation that maps the flop to the
    /// canonical one.
    #[inline]
    pub(super) fn class(&self, flop: CardSet) -> (usize, &[u16; PAIRS]) {
        let (class, order) = self.of[flop_number(flop)];
        (class.into(), &self.pairs[usize::from(order)])
    }

    /// Iterates over the images of a pair under the symmetries of a flop class. The same image may be yielded more than once.
    pub(super) fn orbit<'a>(&'a self, class: &'a FlopClass, pair: usize) -> impl Iterator<Item = usize> + Clone + 'a {
        class.symmetries.iter().map(move |&order| self.pairs[order][pair].into())
    }
}

pub(super) fn class(flop: CardSet, orders: &[[usize; 4]]) -> FlopClass {
    let symmetries = (0..orders.len()).filter(|&order| permuted(flop, orders[order]) == flop).collect();
    FlopClass { flop, symmetries }
}

fn permute_pairs(order: [usize; 4]) -> [u16; PAIRS] {
    let mut pairs = [0; PAIRS];
    let card = |card: u8| card / 4 * 4 + order[usize::from(card % 4)] as u8;
    for high in 1..52 {
        for low in 0..high {
            let (a, b) = (card(low), card(high));
            pairs[pair(low, high)] = pair(a.min(b), a.max(b)) as u16;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_match_published_numbers() {
        // These numbers are widely published: 1,755 flops, 134,459 boards and 1,286,792 flops with a hand.
        let flops = Flops::new();
        assert_eq!(flops.classes().len(), 1_755);
        assert_eq!(flops.classes().iter().map(|class| orbit(class.flop)).sum::<u32>(), 22_100);
        let boards = boards();
        assert_eq!((boards.len(), boards.iter().map(|board| board.1).sum()), (134_459, 2_598_960));
        let mut hands = 0;
        for class in flops.classes() {
            for high in 1..52u8 {
                for low in (0..high).filter(|low| class.flop.bits() & (1 << low | 1 << high) == 0) {
                    let this = pair(low, high);
                    hands += i32::from(flops.orbit(class, this).all(|other| other >= this));
                }
            }
        }
        assert_eq!(hands, 1_286_792);
    }

    #[test]
    fn permutations_map_to_the_canonical_flop() {
        let flops = Flops::new();
        for_each_subset(CardSet::DECK_52, 3, |flop| {
            let (class, pairs) = flops.class(flop);
            let class = flops.classes()[class].flop;
            let cards: Vec<u8> = flop.iter().map(|card| card.index() as u8).collect();
            let of = |cards: &[u8]| pairs[pair(cards[1], cards[0])];
            let expected: Vec<u8> = class.iter().map(|card| card.index() as u8).collect();
            let mut found = [of(&cards[..2]), of(&cards[1..]), of(&[cards[0], cards[2]])];
            let mut wanted =
                [&expected[..2], &expected[1..], &[expected[0], expected[2]]].map(|c| pair(c[1], c[0]) as u16);
            found.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(found, wanted, "{flop}");
        });
    }
}
