//! All multisets of at most seven ranks and jokers, and how they grow card by card.

use super::shapes::Shapes;
use std::collections::HashMap;

/// How many of each rank, two to ace, and of the joker.
pub(super) type Kinds = [u8; KINDS];

const KINDS: usize = 14;
/// The place of the joker.
pub(super) const JOKER: usize = 13;
/// Cards of a hand.
const HAND: usize = 7;

/// A multiset.
pub(super) struct Node {
    pub kinds: Kinds,
    /// That of its natural cards.
    pub shape: u16,
    /// By kind of card: the multiset with one more of it, among those of the next level.
    grown: [Option<u32>; KINDS],
}

/// The multisets by their number of cards.
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

    /// The multisets of so many cards.
    pub(super) fn of(&self, cards: usize) -> &[Node] {
        &self.levels[cards]
    }

    /// The multisets of hands.
    pub(super) fn hands(&self) -> &[Node] {
        &self.levels[HAND]
    }

    /// The place of a hand's multiset among those of hands.
    pub(super) fn hand(&self, kinds: &Kinds) -> usize {
        self.hands[kinds] as usize
    }

    /// Calls `visit` with the places of all hands' multisets that hold this one, each once.
    pub(super) fn each_hand(&self, cards: usize, place: u32, visit: &mut impl FnMut(u32)) {
        self.grow(cards, place, 0, visit);
    }

    fn grow(&self, cards: usize, place: u32, first: usize, visit: &mut impl FnMut(u32)) {
        if cards == HAND {
            return visit(place);
        }
        // Cards are added in the order of their kinds, so each multiset is reached in one way.
        let grown = &self.levels[cards][place as usize].grown;
        for (kind, &place) in grown.iter().enumerate().skip(first) {
            if let Some(place) = place {
                self.grow(cards + 1, place, kind, visit);
            }
        }
    }
}
