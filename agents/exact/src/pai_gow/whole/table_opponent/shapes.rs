//! Subsets of hands by rank and suit.
//!
//! The suitings of a multiset of natural ranks depend only on its [`RankShape`], i.e. on how many cards there are per
//! rank. The same is true for the way in which the suitings of its parts occur in its own suitings. Both are therefore
//! computed once and shared by all multisets.

use super::prepared::Width;
use crate::pai_gow::whole::multiset::{FormKind, MAX_RANKS, Suiting, each_composition, suitings};
use houseway_env::cards::combinations::binomial;
use std::collections::HashMap;

/// The number of cards in a hand.
pub(super) const HAND: usize = 7;

/// The occurrence of a part's suiting in a suiting of the whole multiset.
#[derive(Clone, Copy)]
pub(super) struct Share {
    /// The index of the part's suiting in its shape.
    pub suiting: u16,
    /// The number of hands with the whole's suiting that contain a given hand with the part's suiting.
    pub hands: u8,
}

/// A part of a shape, given by its number of cards per rank.
pub(super) struct RankPart {
    /// The number of natural cards.
    pub cards: usize,
    /// The number of hands with the whole's ranks that contain a given hand with the part's ranks. It's the same for
    /// all suitings.
    pub hands: i32,
    /// The occurrences in all suitings of the whole, one suiting after another.
    shares: Vec<Share>,
    /// The offset into `shares` for each suiting of the whole, followed by the total length.
    starts: Vec<u32>,
}

impl RankPart {
    /// Returns the part's suitings that occur in a suiting of the whole.
    #[inline]
    pub(super) fn shares(&self, suiting: usize) -> &[Share] {
        &self.shares[self.starts[suiting] as usize..self.starts[suiting + 1] as usize]
    }
}

/// A shape, which is defined by its number of natural cards per rank in ascending order of rank.
pub(super) struct RankShape {
    /// The suitings, in the order returned by [`suitings`].
    pub suitings: Vec<Suiting>,
    /// The parts, indexed by [`part_place`]. Empty unless the shape belongs to full hands.
    pub parts: Vec<RankPart>,
    /// The layout of the parts' values for each form. Empty unless the shape belongs to full hands.
    pub layouts: Vec<Layout>,
}

/// Returns the index of a part among all parts of a multiset.
///
/// Both arguments hold card counts per rank, which are read as the digits of a mixed-radix number. The lowest rank is
/// the least significant digit, so ranks that the multiset doesn't hold make no difference.
#[inline]
pub(super) fn part_place(whole: &[u8], part: &[u8]) -> usize {
    let (mut place, mut parts) = (0, 1);
    for (&whole, &part) in whole.iter().zip(part) {
        place += usize::from(part) * parts;
        parts *= usize::from(whole) + 1;
    }
    place
}

/// Returns the number of cards per rank in the part with the given index.
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

/// All shapes with at most seven cards.
pub(super) struct Shapes {
    shapes: Vec<RankShape>,
    /// Maps the number of cards per rank to the index of the shape.
    index: HashMap<Vec<u8>, u16>,
}

impl Shapes {
    pub(super) fn new() -> Shapes {
        let mut all = vec![];
        for cards in 0..=7 {
            for ranks in 0..=MAX_RANKS {
                each_composition(cards, ranks, &mut vec![], &mut |counts| all.push(counts.to_vec()));
            }
        }
        let index = all.iter().enumerate().map(|(i, counts)| (counts.clone(), i as u16)).collect();
        let shape = |counts: &Vec<u8>| RankShape { suitings: suitings(counts, false), parts: vec![], layouts: vec![] };
        let mut shapes = Shapes { shapes: all.iter().map(shape).collect(), index };
        let places: Vec<HashMap<[u8; 4], u16>> = shapes.shapes.iter().map(RankShape::places).collect();
        for (i, counts) in all.iter().enumerate() {
            let cards: u8 = counts.iter().sum();
            if cards >= 6 {
                let parts = shapes.parts(counts, &places);
                let layout =
                    |form| Layout::new(&Whole { shapes: &shapes, counts, parts: &parts, places: &places }, form);
                let layouts = FormKind::ALL.map(layout).into();
                (shapes.shapes[i].parts, shapes.shapes[i].layouts) = (parts, layouts);
            }
        }
        shapes
    }

    pub(super) fn get(&self, shape: u16) -> &RankShape {
        &self.shapes[usize::from(shape)]
    }

    /// Returns the index of a multiset's shape.
    pub(super) fn index(&self, counts: &[u8]) -> u16 {
        self.index[&held(counts)]
    }

    fn parts(&self, counts: &[u8], places: &[HashMap<[u8; 4], u16>]) -> Vec<RankPart> {
        let whole = &self.shapes[usize::from(self.index[counts])];
        let number: usize = counts.iter().map(|&count| usize::from(count) + 1).product();
        let part_shapes: Vec<usize> = (0..number).map(|place| self.index(&part_at(counts, place)).into()).collect();
        let cards = |place| part_at(counts, place).iter().map(|&count| usize::from(count)).sum();
        let others = |place| counts.iter().zip(part_at(counts, place)).map(|(&whole, part)| (4 - part, whole - part));
        let hands =
            |place| others(place).map(|(left, more)| binomial(left.into(), more.into())).product::<u64>() as i32;
        let empty = |place| RankPart { cards: cards(place), hands: hands(place), shares: vec![], starts: vec![0] };
        let mut parts: Vec<RankPart> = (0..number).map(empty).collect();
        for suiting in &whole.suitings {
            let mut found = vec![];
            each_subset(counts, &suiting.masks, &mut |place, masks| {
                found.push((place, places[part_shapes[place]][&canonical(masks)]));
            });
            found.sort_unstable();
            for same in found.chunk_by(|a, b| a == b) {
                let ((place, part_suiting), subsets) = (same[0], same.len() as u8);
                let orbit = self.shapes[part_shapes[place]].suitings[usize::from(part_suiting)].orbit;
                // Both products count the pairs of a full hand and one of its parts with these suitings.
                let hands = subsets * suiting.orbit / orbit;
                debug_assert_eq!(hands * orbit, subsets * suiting.orbit);
                parts[place].shares.push(Share { suiting: part_suiting, hands });
            }
            parts.iter_mut().for_each(|part| part.starts.push(part.shares.len() as u32));
        }
        parts
    }
}

impl RankShape {
    fn places(&self) -> HashMap<[u8; 4], u16> {
        self.suitings.iter().enumerate().map(|(place, suiting)| (suiting.masks, place as u16)).collect()
    }
}

fn canonical(mut masks: [u8; 4]) -> [u8; 4] {
    masks.sort_unstable_by_key(|&mask| std::cmp::Reverse((mask.count_ones(), mask)));
    masks
}

/// Calls `visit` for each subset of a hand, with the index of the part and the ranks in each suit (as bits relative to
/// the part).
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

/// The layout of the values for all parts of a hand's multiset except for the multiset itself, with one row per suiting
/// of each part.
///
/// Rows of different widths are stored separately. The summation puts them together in the order of the parts.
pub(super) struct Layout {
    /// The suitings that are needed for each part.
    pub suitings: Vec<Vec<u16>>,
    /// The index of each part's first row.
    pub first: Vec<usize>,
    /// The total number of rows.
    pub rows: usize,
    /// The index of each part's first row among all rows with the same width, without and with the joker in the part.
    pub stored: [Vec<usize>; 2],
    /// The number of stored rows of each width.
    pub stored_rows: [usize; Width::COUNT],
    /// The rows to add to each row and then to each suiting of the whole.
    terms: Terms,
}

/// A shape that belongs to full hands, and what its layouts are made from.
struct Whole<'a> {
    shapes: &'a Shapes,
    counts: &'a [u8],
    parts: &'a [RankPart],
    /// The index of each suiting, for each shape.
    places: &'a [HashMap<[u8; 4], u16>],
}

impl Layout {
    fn new(whole: &Whole<'_>, form: FormKind) -> Layout {
        let suitings = &whole.shapes.get(whole.shapes.index(whole.counts)).suitings;
        // Full hands have seven cards, so six natural cards come with the joker.
        let joker = whole.counts.iter().sum::<u8>() < HAND as u8;
        let has_form =
            |suiting: &Suiting| form == FormKind::Plain || suiting.masks[0].count_ones() + u32::from(joker) >= 5;
        let wholes: Vec<usize> = (0..suitings.len()).filter(|&i| has_form(&suitings[i])).collect();
        let mut layout = Layout {
            suitings: vec![],
            first: vec![],
            rows: 0,
            stored: [vec![], vec![]],
            stored_rows: [0; Width::COUNT],
            terms: Terms::default(),
        };
        for part in whole.parts {
            // Full hands aren't stored, so only their parts count.
            let wholes = if part.cards == HAND { &[][..] } else { &wholes };
            let mut wanted: Vec<u16> =
                wholes.iter().flat_map(|&whole| part.shares(whole)).map(|share| share.suiting).collect();
            wanted.sort_unstable();
            wanted.dedup();
            for has_joker in 0..=usize::from(joker) {
                let width = Width::of_part(part.cards + has_joker) as usize;
                layout.stored[has_joker].push(layout.stored_rows[width]);
                if part.cards + has_joker < HAND {
                    layout.stored_rows[width] += wanted.len();
                }
            }
            layout.first.push(layout.rows);
            layout.rows += wanted.len();
            layout.suitings.push(wanted);
        }
        layout.add_terms(whole, suitings, &wholes);
        layout
    }

    /// Sets the terms for all rows, and then for the suitings of the whole. Only `wholes` have any.
    fn add_terms(&mut self, whole: &Whole<'_>, suitings: &[Suiting], wholes: &[usize]) {
        let mut terms = Terms::default();
        for (place, wanted) in self.suitings.iter().enumerate() {
            let part = part_at(whole.counts, place);
            let of_part = &whole.shapes.get(whole.shapes.index(&part)).suitings;
            for &suiting in wanted {
                terms.push(self.reduced_rows(whole, &part, &of_part[usize::from(suiting)]));
            }
        }
        let own = self.suitings.len() - 1;
        for (i, suiting) in suitings.iter().enumerate() {
            match wholes.binary_search(&i) {
                // The row of the natural cards contains all other terms already.
                Ok(_) if !self.suitings[own].is_empty() => terms.push([self.row(own, i as u16)]),
                Ok(_) => terms.push(self.reduced_rows(whole, whole.counts, suiting)),
                Err(_) => terms.push([]),
            }
        }
        self.terms = terms;
    }

    /// Returns the rows of the parts that result from removing cards of one rank from a part. Every rank that isn't
    /// below one with missing cards takes its turn.
    fn reduced_rows(&self, whole: &Whole<'_>, part: &[u8], suiting: &Suiting) -> Vec<u32> {
        let missing = (0..part.len()).rev().find(|&rank| part[rank] < whole.counts[rank]);
        let mut rows = vec![];
        for rank in missing.map_or(0, |rank| rank + 1)..part.len() {
            let bit = part[..rank].iter().filter(|&&count| count > 0).count();
            let suits = (0..4).fold(0, |suits, suit| suits | (suiting.masks[suit] >> bit & 1) << suit);
            let mut kept = suits;
            while kept != 0 {
                kept = (kept - 1) & suits;
                let mut fewer = part.to_vec();
                fewer[rank] = kept.count_ones() as u8;
                let (place, masks) = (part_place(whole.counts, &fewer), keep_suits(&suiting.masks, bit, kept));
                let shape = usize::from(whole.shapes.index(&fewer));
                rows.push(self.row(place, whole.places[shape][&canonical(masks)]));
            }
        }
        rows
    }

    /// Returns the row for a part's suiting.
    fn row(&self, place: usize, suiting: u16) -> u32 {
        let row = self.suitings[place].binary_search(&suiting).expect("a part of a needed suiting is needed");
        (self.first[place] + row) as u32
    }

    /// Returns the rows to add to a row, all of which come before it. Doing this for all rows in order adds up all
    /// parts: Each part is reached from the whole in one way, by removing cards from one rank after another.
    pub(super) fn terms(&self, row: usize) -> &[u32] {
        self.terms.get(row)
    }

    /// Returns the rows that finally add up to a suiting of the whole. Empty if the suiting doesn't have the form.
    pub(super) fn terms_of_whole(&self, suiting: usize) -> &[u32] {
        self.terms.get(self.rows + suiting)
    }
}

/// Removes the cards of one rank, given by its bit, except for those in the suits `kept`. The rank's bit is removed as
/// well if there are none left.
fn keep_suits(masks: &[u8; 4], bit: usize, kept: u8) -> [u8; 4] {
    std::array::from_fn(|suit| {
        let (lower, higher) = (masks[suit] & ((1 << bit) - 1), masks[suit] >> bit >> 1);
        if kept == 0 { lower | higher << bit } else { lower | (kept >> suit & 1) << bit | higher << bit << 1 }
    })
}

/// A list of rows for each of several sums.
#[derive(Default)]
struct Terms {
    rows: Vec<u32>,
    ends: Vec<u32>,
}

impl Terms {
    fn push(&mut self, rows: impl IntoIterator<Item = u32>) {
        self.rows.extend(rows);
        self.ends.push(self.rows.len() as u32);
    }

    fn get(&self, sum: usize) -> &[u32] {
        let start = if sum == 0 { 0 } else { self.ends[sum - 1] };
        &self.rows[start as usize..self.ends[sum] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts_of(shape: &RankShape) -> Vec<u8> {
        let masks = shape.suitings[0].masks;
        let count = |bit: usize| masks.iter().map(|mask| mask >> bit & 1).sum::<u8>();
        (0..MAX_RANKS).map(count).filter(|&count| count > 0).collect()
    }

    #[test]
    fn terms_add_up_all_parts() {
        let shapes = Shapes::new();
        for shape in shapes.shapes.iter().filter(|shape| !shape.layouts.is_empty()) {
            let whole_orbits = shape.suitings.iter().map(|suiting| u64::from(suiting.orbit));
            for (layout, form) in shape.layouts.iter().zip(FormKind::ALL) {
                let value = |row: usize| (row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
                let mut sums: Vec<u64> = (0..layout.rows).map(value).collect();
                for row in 0..layout.rows {
                    sums[row] += layout.terms(row).iter().map(|&term| sums[term as usize]).sum::<u64>();
                }
                for (suiting, orbit) in whole_orbits.clone().enumerate() {
                    let terms = layout.terms_of_whole(suiting);
                    assert!(!terms.is_empty() || form == FormKind::Suited);
                    if terms.is_empty() {
                        continue;
                    }
                    let mut expected = 0;
                    for (place, part) in shape.parts.iter().enumerate().filter(|(_, part)| part.cards < HAND) {
                        let counts = part_at(&counts_of(shape), place);
                        let of_part = &shapes.get(shapes.index(&counts)).suitings;
                        for share in part.shares(suiting) {
                            let part_orbit = u64::from(of_part[usize::from(share.suiting)].orbit);
                            let subsets = u64::from(share.hands) * part_orbit / orbit;
                            expected += subsets * value(layout.row(place, share.suiting) as usize);
                        }
                    }
                    assert_eq!(terms.iter().map(|&term| sums[term as usize]).sum::<u64>(), expected);
                }
            }
        }
    }
}
