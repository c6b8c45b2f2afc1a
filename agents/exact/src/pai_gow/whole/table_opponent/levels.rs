//! Enumerates multisets of up to seven cards, identified by their ranks and the joker, and links each to the multisets
//! with one more card. For those with seven cards, a table's set hands are looked up.

use super::shapes::{HAND, Shapes};
use crate::pai_gow::table::ClassTable;
use crate::pai_gow::whole::classes::{hands, suited_settings};
use crate::pai_gow::whole::multiset::{FormKind, Multiset, Patterns};
use crate::pai_gow::whole::pass::PassOptions;
use crate::pai_gow::whole::shard::Piece;
use crate::solver::SolverError;
use houseway_env::cards::classes::Classes;
use houseway_env::pai_gow::SetHand;
use rayon::prelude::*;
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

/// The set hands for all suitings of one multiset.
#[derive(Clone, Copy)]
pub(super) struct Made<'a> {
    /// The distinct set hands.
    pub sets: &'a [SetHand],
    /// The index into `sets` of the set hand that most suitings make.
    pub most: u8,
    /// The suitings that make another set hand, and the set hand's index into `sets`.
    pub others: &'a [(u16, u8)],
}

/// The set hands for all multisets. They are stored together, so that reading them in order misses few cache lines.
#[derive(Default)]
pub(super) struct AllMade {
    /// For each full hand's multiset, the ends of its ranges in the two lists below, and [`Made::most`].
    ends: Vec<(u32, u32, u8)>,
    sets: Vec<SetHand>,
    others: Vec<(u16, u8)>,
}

/// Returns the set hands for each full hand's multiset, in the order of [`Levels::hands`].
pub(super) fn made_by(
    options: &PassOptions<'_>,
    pieces: &[Piece],
    patterns: &Patterns,
    levels: &Levels,
    table: &ClassTable,
) -> Result<AllMade, SolverError> {
    let of_piece = |piece: &Piece| {
        let multisets = piece.multisets(options, patterns).into_iter();
        let (mut made, mut foul) = (vec![], None);
        for multiset in multisets {
            let mut sets = vec![];
            for (suiting, hand) in hands(&multiset) {
                let index = Classes::seven().index(hand);
                let setting = table.setting(index);
                let suited = suited_settings(&multiset, suiting) >> setting.index() & 1 == 1;
                let form = multiset.form(if suited { FormKind::Suited } else { FormKind::Plain });
                if form.legal >> setting.index() & 1 == 0 {
                    foul = Some(foul.map_or(index, |first: usize| first.min(index)));
                }
                sets.push(form.sets[setting.index()]);
            }
            made.push((levels.hand(&kinds(&multiset)), sets));
        }
        (made, foul)
    };
    let of_pieces: Vec<_> = pieces.par_iter().map(of_piece).collect();
    if let Some(class) = of_pieces.iter().filter_map(|(_, foul)| *foul).min() {
        return Err(table.foul(class));
    }
    let mut of_hands = vec![vec![]; levels.hands().len()];
    for (place, sets) in of_pieces.into_iter().flat_map(|(made, _)| made) {
        of_hands[place] = sets;
    }
    let mut all = AllMade::default();
    of_hands.iter().for_each(|sets| all.push(sets));
    Ok(all)
}

impl AllMade {
    /// Returns the set hands for a full hand's multiset.
    #[inline]
    pub(super) fn get(&self, hand: usize) -> Made<'_> {
        let (first_set, first_other, _) = hand.checked_sub(1).map_or((0, 0, 0), |before| self.ends[before]);
        let (last_set, last_other, most) = self.ends[hand];
        Made {
            sets: &self.sets[first_set as usize..last_set as usize],
            most,
            others: &self.others[first_other as usize..last_other as usize],
        }
    }

    /// Appends the set hands for the next multiset, which are given for all suitings in order.
    fn push(&mut self, of_suiting: &[SetHand]) {
        let (mut sets, mut suitings): (Vec<SetHand>, Vec<usize>) = (vec![], vec![]);
        let place = |&set: &SetHand| {
            let place = sets.iter().position(|&other| other == set).unwrap_or_else(|| {
                sets.push(set);
                suitings.push(0);
                sets.len() - 1
            });
            suitings[place] += 1;
            place as u8
        };
        let places: Vec<u8> = of_suiting.iter().map(place).collect();
        let most = (0..sets.len()).rev().max_by_key(|&set| suitings[set]).unwrap_or_default() as u8;
        let of_suiting = places.into_iter().enumerate().map(|(suiting, set)| (suiting as u16, set));
        self.sets.extend(sets);
        self.others.extend(of_suiting.filter(|&(_, set)| set != most));
        self.ends.push((self.sets.len() as u32, self.others.len() as u32, most));
    }
}

impl<'a> Made<'a> {
    /// Iterates over the indices of the set hands that the suitings make.
    pub(super) fn of_suitings(self) -> impl Iterator<Item = usize> + 'a {
        let mut others = self.others.iter().peekable();
        let set = move |suiting| others.next_if(|other| other.0 == suiting).map_or(self.most, |other| other.1);
        (0..).map(set).map(usize::from)
    }
}
