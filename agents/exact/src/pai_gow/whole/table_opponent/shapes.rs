//! How cards that both sides might hold lie in hands: parts of hands, by ranks and by suits.
//!
//! What suitings a multiset of natural ranks has depends on its [`Shape`] alone, that is on how often each of its ranks is
//! held. So does, for each part of it, how the part's suitings lie in its own. Both are found once for all multisets.

use super::super::multiset::FormKind;
use super::super::suitings::{MOST_RANKS, Suiting, each_composition, suitings};
use std::collections::HashMap;

/// A suiting of a part in a suiting of the whole.
#[derive(Clone, Copy)]
pub(super) struct Share {
    /// Place of the part's suiting in its shape.
    pub suiting: u16,
    /// How many subsets of one hand of the whole's suiting are of the part's suiting.
    pub subsets: u8,
    /// How many hands of the whole's suiting hold the cards of one hand of the part's suiting.
    pub hands: u8,
}

/// The part of a shape that has so many of each rank.
pub(super) struct Part {
    /// Its natural cards.
    pub cards: usize,
    /// Shares of all suitings of the whole in turn.
    shares: Vec<Share>,
    /// By suiting of the whole: where its shares start; and where the last ones end.
    starts: Vec<u32>,
}

impl Part {
    /// The suitings of this part in one of the whole.
    #[inline]
    pub(super) fn shares(&self, suiting: usize) -> &[Share] {
        &self.shares[self.starts[suiting] as usize..self.starts[suiting + 1] as usize]
    }
}

/// How often each rank is held, lowest rank first, the joker left out.
pub(super) struct Shape {
    /// The suitings, in the order of [`suitings`].
    pub suitings: Vec<Suiting>,
    /// Its parts, at [`part_place`]; none unless it is a hand's.
    pub parts: Vec<Part>,
    /// Where the numbers of its parts stand, by form; none unless it is a hand's.
    pub layouts: Vec<Layout>,
}

/// The place of a part among the parts of a multiset: the lowest rank counts least. Both by kind of card, see
/// [`super::levels::Kinds`].
#[inline]
pub(super) fn part_place(whole: &[u8], part: &[u8]) -> usize {
    let (mut place, mut parts) = (0, 1);
    for (&whole, &part) in whole.iter().zip(part) {
        place += usize::from(part) * parts;
        parts *= usize::from(whole) + 1;
    }
    place
}

/// How often the part at a place holds each rank of a multiset.
fn part_at(whole: &[u8], mut place: usize) -> Vec<u8> {
    let counts = whole.iter().map(|&count| {
        let counts = usize::from(count) + 1;
        let count = place % counts;
        place /= counts;
        count as u8
    });
    counts.collect()
}

fn held(counts: &[u8]) -> Vec<u8> {
    counts.iter().copied().filter(|&count| count > 0).collect()
}

/// All shapes of at most seven cards.
pub(super) struct Shapes {
    shapes: Vec<Shape>,
    /// By how often each rank is held.
    index: HashMap<Vec<u8>, u16>,
}

impl Shapes {
    pub(super) fn new() -> Shapes {
        let mut all = vec![];
        for cards in 0..=7 {
            for ranks in 0..=MOST_RANKS {
                each_composition(cards, ranks, &mut vec![], &mut |counts| all.push(counts.to_vec()));
            }
        }
        let index = all.iter().enumerate().map(|(i, counts)| (counts.clone(), i as u16)).collect();
        let shape = |counts: &Vec<u8>| Shape { suitings: suitings(counts, false), parts: vec![], layouts: vec![] };
        let mut shapes = Shapes { shapes: all.iter().map(shape).collect(), index };
        let places: Vec<HashMap<[u8; 4], u16>> = shapes.shapes.iter().map(Shape::places).collect();
        for (i, counts) in all.iter().enumerate() {
            let cards: u8 = counts.iter().sum();
            if cards >= 6 {
                let parts = shapes.parts(counts, &places);
                let layout = |form| Layout::new(&shapes.shapes[i], &parts, cards == 6, form);
                let layouts = FormKind::ALL.map(layout).into();
                (shapes.shapes[i].parts, shapes.shapes[i].layouts) = (parts, layouts);
            }
        }
        shapes
    }

    pub(super) fn get(&self, shape: u16) -> &Shape {
        &self.shapes[usize::from(shape)]
    }

    /// The shape of a multiset.
    pub(super) fn index(&self, counts: &[u8]) -> u16 {
        self.index[&held(counts)]
    }

    fn parts(&self, counts: &[u8], places: &[HashMap<[u8; 4], u16>]) -> Vec<Part> {
        let whole = &self.shapes[usize::from(self.index[counts])];
        let number: usize = counts.iter().map(|&count| usize::from(count) + 1).product();
        let part_shapes: Vec<usize> = (0..number).map(|place| self.index(&part_at(counts, place)).into()).collect();
        let cards = |place| part_at(counts, place).iter().map(|&count| usize::from(count)).sum();
        let empty = |place| Part { cards: cards(place), shares: vec![], starts: vec![0] };
        let mut parts: Vec<Part> = (0..number).map(empty).collect();
        for suiting in &whole.suitings {
            let mut found = vec![];
            each_subset(counts, &suiting.masks, &mut |place, masks| {
                found.push((place, places[part_shapes[place]][&canonical(masks)]));
            });
            found.sort_unstable();
            for same in found.chunk_by(|a, b| a == b) {
                let ((place, part_suiting), subsets) = (same[0], same.len() as u8);
                let orbit = self.shapes[part_shapes[place]].suitings[usize::from(part_suiting)].orbit;
                // Both sides count the pairs of a hand and a part of it.
                let hands = subsets * suiting.orbit / orbit;
                debug_assert_eq!(hands * orbit, subsets * suiting.orbit);
                parts[place].shares.push(Share { suiting: part_suiting, subsets, hands });
            }
            parts.iter_mut().for_each(|part| part.starts.push(part.shares.len() as u32));
        }
        parts
    }
}

impl Shape {
    fn places(&self) -> HashMap<[u8; 4], u16> {
        self.suitings.iter().enumerate().map(|(place, suiting)| (suiting.masks, place as u16)).collect()
    }
}

fn canonical(mut masks: [u8; 4]) -> [u8; 4] {
    masks.sort_unstable_by_key(|&mask| std::cmp::Reverse((mask.count_ones(), mask)));
    masks
}

/// Calls `visit` with each subset of a hand: the place of its part and its ranks by suit, in bits of the part.
fn each_subset(counts: &[u8], masks: &[u8; 4], visit: &mut impl FnMut(usize, [u8; 4])) {
    let cards: Vec<(usize, usize)> = (0..counts.len()).flat_map(|rank| (0..4).map(move |suit| (rank, suit))).collect();
    let cards: Vec<(usize, usize)> = cards.into_iter().filter(|&(rank, suit)| masks[suit] >> rank & 1 == 1).collect();
    for subset in 0..1u32 << cards.len() {
        let mut part = vec![0; counts.len()];
        let mut of_part = [0; 4];
        let (mut bit, mut last) = (0, None);
        for (_, &(rank, suit)) in cards.iter().enumerate().filter(|&(i, _)| subset >> i & 1 == 1) {
            bit += u32::from(last.is_some_and(|last| last != rank));
            last = Some(rank);
            part[rank] += 1;
            of_part[suit] |= 1u8 << bit;
        }
        visit(part_place(counts, &part), of_part);
    }
}

/// Counts of hands that hold parts of at least this many cards are below 2^16: 18,424 = C(49,3) at most.
pub(super) const NARROW: usize = 4;

/// Where the numbers of all parts of a hand's multiset stand, a row for each suiting of each part: stored by width (parts
/// with few cards, then [`NARROW`] ones), and put together for summing up.
pub(super) struct Layout {
    /// By part: its suitings that are wanted.
    pub suitings: Vec<Vec<u16>>,
    /// By part: its first row.
    pub first: Vec<usize>,
    /// All rows.
    pub rows: usize,
    /// By whether the part has the joker too, then by part: its first row among those of its width.
    pub stored: [Vec<usize>; 2],
    /// Rows stored: wide and narrow.
    pub stored_rows: [usize; 2],
    /// By suiting of the whole: its rows, each as often as there are subsets.
    terms: Vec<Vec<u32>>,
}

impl Layout {
    fn new(shape: &Shape, parts: &[Part], joker: bool, form: FormKind) -> Layout {
        let has_form =
            |suiting: &Suiting| form == FormKind::Plain || suiting.masks[0].count_ones() + u32::from(joker) >= 5;
        let wholes: Vec<usize> = (0..shape.suitings.len()).filter(|&i| has_form(&shape.suitings[i])).collect();
        let mut layout = Layout {
            suitings: vec![],
            first: vec![],
            rows: 0,
            stored: [vec![], vec![]],
            stored_rows: [0; 2],
            terms: vec![vec![]; shape.suitings.len()],
        };
        for part in parts {
            let mut wanted: Vec<u16> =
                wholes.iter().flat_map(|&whole| part.shares(whole)).map(|share| share.suiting).collect();
            wanted.sort_unstable();
            wanted.dedup();
            for &whole in &wholes {
                for share in part.shares(whole) {
                    let row = layout.rows + wanted.partition_point(|&suiting| suiting < share.suiting);
                    layout.terms[whole].extend(std::iter::repeat_n(row as u32, share.subsets.into()));
                }
            }
            for has_joker in 0..=usize::from(joker) {
                let width = usize::from(part.cards + has_joker >= NARROW);
                layout.stored[has_joker].push(layout.stored_rows[width]);
                layout.stored_rows[width] += wanted.len();
            }
            layout.first.push(layout.rows);
            layout.rows += wanted.len();
            layout.suitings.push(wanted);
        }
        layout
    }

    /// The rows that add up to a suiting of the whole; none if it has not the form.
    pub(super) fn terms(&self, suiting: usize) -> &[u32] {
        &self.terms[suiting]
    }
}
