//! Multisets of at most seven cards by rank (and joker), linked by adding one card.

use super::super::multiset::Multiset;
use super::shapes::Shapes;
use std::collections::HashMap;

/// Number of cards of each rank, two to ace, and of jokers.
pub(super) type Kinds = [u8; KINDS];

const KINDS: usize = 14;
/// Index of the joker.
pub(super) const JOKER: usize = 13;
/// Number of cards in a hand.
const HAND: usize = 7;

/// Multiset of cards by rank.
pub(super) struct Node {
    pub kinds: Kinds,
    /// Shape of the natural cards.
    pub shape: u16,
    /// For each kind of card, the index in the next level of the multiset with one more such card.
    grown: [Option<u32>; KINDS],
}

/// Multisets by number of cards.
pub(super) struct Levels {
    levels: Vec<Vec<Node>>,
    hands: HashMap<Kinds, u32>,
}

impl Levels {
    pub(super) fn new(shapes: &Shapes) -> Levels {
        let node = |kinds: Kinds| Node { kinds, shape: shapes.index(&kinds[..JOKER]), grown: [None; KINDS] };
        let mut levels = vec![vec![node([0; KINDS])]];
        let mut places = HashMap::new();
        for cards in 0..HAND {
            let mut next = vec![];
            places.clear();
            for at in &mut levels[cards] {
                for kind in 0..KINDS {
                    let mut kinds = at.kinds;
                    kinds[kind] += 1;
                    if kinds[kind] <= if kind == JOKER { 1 } else { 4 } {
                        let place = *places.entry(kinds).or_insert_with(|| {
                            next.push(node(kinds));
                            next.len() as u32 - 1
                        });
                        at.grown[kind] = Some(place);
                    }
                }
            }
            levels.push(next);
        }
        Levels { levels, hands: places }
    }

    /// Returns the multisets of the given number of cards.
    pub(super) fn multisets(&self, cards: usize) -> &[Node] {
        &self.levels[cards]
    }

    /// Returns the multisets of full hands.
    pub(super) fn hands(&self) -> &[Node] {
        &self.levels[HAND]
    }

    /// Returns the index of a full hand's multiset.
    pub(super) fn hand(&self, kinds: &Kinds) -> usize {
        self.hands[kinds] as usize
    }

    /// Calls `visit` once for each full hand's multiset that contains this one, with its index.
    pub(super) fn each_hand(&self, cards: usize, place: u32, visit: &mut impl FnMut(u32)) {
        self.grow(cards, place, 0, visit);
    }

    fn grow(&self, cards: usize, place: u32, first: usize, visit: &mut impl FnMut(u32)) {
        if cards == HAND {
            return visit(place);
        }
        // Cards are added in the order of their kinds, so each multiset is reached exactly once.
        let grown = &self.levels[cards][place as usize].grown;
        for (kind, &place) in grown.iter().enumerate().skip(first) {
            if let Some(place) = place {
                self.grow(cards + 1, place, kind, visit);
            }
        }
    }
}

/// Returns the number of cards of each kind in a multiset.
pub(super) fn kinds(multiset: &Multiset<'_>) -> Kinds {
    let mut kinds = Kinds::default();
    for (rank, &count) in multiset.ranks.iter().zip(&multiset.pattern.counts) {
        kinds[rank.index()] = count;
    }
    kinds[JOKER] = multiset.joker.into();
    kinds
}
