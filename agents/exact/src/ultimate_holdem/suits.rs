//! Uses suit permutations to group boards, flops, and hands on a flop into classes.

use super::board::{PAIRS, pair};
use houseway_env::cards::classes::{Classes, canonical, orbit, suit_order};
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::cards::{Card, CardSet, Suit};
use std::collections::HashMap;

/// The number of permutations of four suits.
const ORDERS: usize = 24;

/// A class of flops.
pub(super) struct FlopClass {
    /// The canonical flop of the class.
    pub(super) flop: CardSet,
    /// The number of flops in the class.
    pub(super) flops: i64,
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
pub(super) fn boards() -> Vec<(CardSet, i64)> {
    let classes = Classes::new(5);
    let natural = classes.iter().filter(|board| !board.contains(Card::JOKER));
    natural.map(|board| (board, orbit(board).into())).collect()
}

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
        let mut orders = Vec::with_capacity(ORDERS);
        for code in 0..256usize {
            let order = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6];
            if order.iter().fold(0, |seen, suit| seen | 1 << suit) == 15 {
                orders.push(order);
            }
        }
        let pairs = orders.iter().map(|&order| permute_pairs(order)).collect();
        let mut flops = Flops { pairs, classes: Vec::new(), of: vec![(0, 0); 22_100] };
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

fn class(flop: CardSet, orders: &[[usize; 4]]) -> FlopClass {
    let symmetries = (0..orders.len()).filter(|&order| permuted(flop, orders[order]) == flop).collect();
    FlopClass { flop, flops: orbit(flop).into(), symmetries }
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
        assert_eq!(flops.classes().iter().map(|class| class.flops).sum::<i64>(), 22_100);
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
