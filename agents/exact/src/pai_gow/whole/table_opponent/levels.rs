//! Enumerates multisets of up to seven cards, identified by their ranks and the joker, and links each to the multisets
//! with one more card.

use super::super::multiset::Multiset;
use super::shapes::{HAND, Shapes};
use std::collections::HashMap;

/// The number of cards of each kind. The kinds are the ranks from two to ace, followed by the joker.
pub(super) type Kinds = [u8; KINDS];

const KINDS: usize = 14;
/// The index of the joker.
pub(super) const JOKER: usize = 13;
/// A multiset of cards.
pub(super) struct Node {
    pub kinds: Kinds,
    /// The index of the natural cards' shape.
    pub shape: u16,
    /// The index of the multiset with one more card of each kind, in the next level.
    grown: [Option<u32>; KINDS],
}

/// All multisets, grouped by number of cards.
pub(super) struct Levels {
    levels: Vec<Vec<Node>>,
    hands: HashMap<Kinds, u32>,
    /// The shape of each full hand's multiset. Looking it up in the much larger nodes would miss the cache.
    hand_shapes: Vec<u16>,
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
        let hand_shapes = levels[HAND].iter().map(|hand| hand.shape).collect();
        Levels { levels, hands: places, hand_shapes }
    }

    /// Returns the multisets with the given number of cards.
    pub(super) fn multisets(&self, cards: usize) -> &[Node] {
        &self.levels[cards]
    }

    /// Returns the multisets that make up full hands.
    pub(super) fn hands(&self) -> &[Node] {
        &self.levels[HAND]
    }

    /// Returns the index of the shape of a full hand's multiset.
    #[inline]
    pub(super) fn shape_of_hand(&self, hand: usize) -> u16 {
        self.hand_shapes[hand]
    }

    /// Returns the index of a full hand's multiset.
    pub(super) fn hand(&self, kinds: &Kinds) -> usize {
        self.hands[kinds] as usize
    }

    /// Calls `visit` with the index of every full hand's multiset that contains the given one. Each index is visited
    /// once.
    pub(super) fn each_hand(&self, cards: usize, place: u32, visit: &mut impl FnMut(u32)) {
        self.grow(cards, place, 0, visit);
    }

    fn grow(&self, cards: usize, place: u32, first: usize, visit: &mut impl FnMut(u32)) {
        if cards == HAND {
            return visit(place);
        }
        // Add cards in order of their kinds, so that each multiset is reached exactly once.
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
