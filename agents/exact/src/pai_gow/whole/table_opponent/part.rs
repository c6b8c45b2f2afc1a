//! Counts the other side's hands that contain given ranks, for all suitings of these ranks at once.
//!
//! A row has one value per suiting of the part. Outcomes are processed in ascending order of their backs. The outcomes
//! below the current back limit are kept in a Fenwick tree of rows indexed by front, so only a few rows need to be
//! added up to get the hands below both limits.

use super::super::kernels::{Kernels, LANES};
use super::asked::Limits;
use super::levels::JOKER;
use super::prepared::PreparedValues;
use super::shapes::part_place;
use super::strategy::TableOpponent;
use super::width::Width;
use houseway_env::cards::combinations::binomial;
use houseway_env::rank::TwoStrength;

const FRONTS: usize = TwoStrength::COUNT;

/// A query by one of the multisets that contain the part.
#[derive(Clone, Copy)]
struct Ask {
    limits: Limits,
    /// The index into [`PartScratch::blocks`].
    block: u32,
    /// The index of the query among its form's limits.
    place: u8,
}

/// The place of the values that a multiset in one form needs for the part. There is one row per suiting of the part,
/// with the values for each query of the multiset.
#[derive(Clone, Copy)]
struct Block<'a> {
    /// The part's suitings that are needed.
    suitings: &'a [u16],
    /// The index of the first value.
    first: usize,
    /// The number of values in a row.
    row: usize,
}

/// Buffers for counting a single part.
#[derive(Default)]
pub(super) struct PartScratch<'a> {
    /// The full hands' multisets that contain the part, each with the index of the part among its parts.
    hands: Vec<(u32, u16)>,
    /// One row per outcome of each multiset.
    rows: Vec<i32>,
    /// The outcomes as `(back, front, row)` in ascending order.
    outcomes: Vec<(u16, u8, u32)>,
    /// The places of the results.
    blocks: Vec<Block<'a>>,
    /// The queries in ascending order of their limits on the back.
    asks: Vec<Ask>,
    /// One row per limit on the front, with the number of hands below the limit over all backs.
    below_front: Vec<i32>,
    /// A Fenwick tree of the outcomes below the back limit, indexed by front.
    tree: Vec<i32>,
    /// The sum of all outcomes in the tree.
    below_back: Vec<i32>,
    /// The sum of the outcomes below both limits.
    below_both: Vec<i32>,
    /// The sum of the outcomes with the back in `same_as`.
    same_back: Vec<i32>,
    same_as: Option<u16>,
    places: Vec<u32>,
}

impl TableOpponent {
    /// Counts the outcomes for a part on behalf of all multisets that query it and stores the results.
    pub(super) fn count_part<'a>(
        &'a self,
        kernels: Kernels,
        prepared: &PreparedValues,
        (cards, place): (usize, usize),
        scratch: &mut PartScratch<'a>,
    ) {
        let part = &self.levels.multisets(cards)[place];
        scratch.hands.clear();
        self.levels.each_hand(cards, place as u32, &mut |hand| {
            let place = part_place(&self.levels.hands()[hand as usize].kinds[..JOKER], &part.kinds[..JOKER]);
            scratch.hands.push((hand, place as u16));
        });
        if scratch.hands.iter().all(|&(hand, _)| prepared.asked(hand as usize).is_none()) {
            return;
        }
        let width = self.shapes.get(part.shape).suitings.len().next_multiple_of(LANES);
        scratch.add_outcomes(self, width);
        scratch.sum_fronts(kernels, width);
        let joker = part.kinds[JOKER].into();
        scratch.collect_asks(self, prepared, cards, joker);
        let all = binomial(53 - cards as u64, 7 - cards as u64) as i32;
        scratch.sweep(&Counting { prepared, kernels, width, values: Width::of_part(cards), all });
    }
}

/// The parameters for counting a part.
struct Counting<'a> {
    prepared: &'a PreparedValues,
    kernels: Kernels,
    /// The length of a row of counts.
    width: usize,
    /// The width of the results.
    values: Width,
    /// The number of full hands that contain the part's cards.
    all: i32,
}

impl<'a> PartScratch<'a> {
    /// Counts how many full hands of each outcome contain the part, for every multiset and every suiting of the part.
    fn add_outcomes(&mut self, table: &TableOpponent, width: usize) {
        self.rows.clear();
        self.outcomes.clear();
        for &(hand, place) in &self.hands {
            let made = &table.made[hand as usize];
            let part = &table.shapes.get(table.levels.hands()[hand as usize].shape).parts[usize::from(place)];
            let first = self.rows.len();
            self.rows.resize(first + made.sets.len() * width, 0);
            let rows = &mut self.rows[first..];
            // Most suitings make the same set hand. Its row is the rest.
            let most = usize::from(made.most) * width;
            rows[most..][..width].fill(part.hands);
            for &(suiting, set) in &made.others {
                let row = usize::from(set) * width;
                for share in part.shares(suiting.into()) {
                    let (suiting, hands) = (usize::from(share.suiting), i32::from(share.hands));
                    rows[row + suiting] += hands;
                    rows[most + suiting] -= hands;
                }
            }
            self.outcomes.extend(
                made.sets
                    .iter()
                    .enumerate()
                    .map(|(i, set)| (set.back.index() as u16, set.front.index() as u8, (first / width + i) as u32)),
            );
        }
        self.outcomes.sort_unstable();
    }

    fn sum_fronts(&mut self, kernels: Kernels, width: usize) {
        reset(&mut self.below_front, (FRONTS + 1) * width);
        for &(_, front, row) in &self.outcomes {
            let sums = &mut self.below_front[(usize::from(front) + 1) * width..][..width];
            kernels.add(sums, &self.rows[row as usize * width..][..width]);
        }
        for front in 1..=FRONTS {
            let (below, sums) = self.below_front.split_at_mut(front * width);
            kernels.add(&mut sums[..width], &below[(front - 1) * width..]);
        }
    }

    /// Collects the queries and the places of their results. `joker` is the number of jokers in the part.
    fn collect_asks(&mut self, table: &'a TableOpponent, prepared: &PreparedValues, cards: usize, joker: usize) {
        self.asks.clear();
        self.blocks.clear();
        let width = Width::of_part(cards) as usize;
        for &(hand, part) in &self.hands {
            let Some(asked) = prepared.asked(hand as usize) else { continue };
            for ((layout, limits), starts) in table.layouts(hand as usize).iter().zip(&asked.limits).zip(asked.starts) {
                let (row, block) = (limits.len() * prepared.numbers, self.blocks.len() as u32);
                let first = starts[width] + layout.stored[joker][usize::from(part)] * row;
                self.blocks.push(Block { suitings: &layout.suitings[usize::from(part)], first, row });
                let asks = limits.iter().zip(0..);
                self.asks.extend(asks.map(|(&limits, place)| Ask { limits, block, place }));
            }
        }
        self.asks.sort_unstable_by_key(|ask| ask.limits.back);
    }

    fn sweep(&mut self, part: &Counting<'_>) {
        reset(&mut self.tree, (FRONTS + 1) * part.width);
        for sums in [&mut self.below_back, &mut self.below_both, &mut self.same_back] {
            reset(sums, part.width);
        }
        self.same_as = None;
        let mut done = 0;
        for at in 0..self.asks.len() {
            let ask = self.asks[at];
            while self.outcomes.get(done).is_some_and(|outcome| outcome.0 < ask.limits.back) {
                self.add_outcome(part, done);
                done += 1;
            }
            self.answer(part, done, ask);
        }
    }

    /// Adds an outcome to the outcomes below the back limit.
    fn add_outcome(&mut self, part: &Counting<'_>, outcome: usize) {
        let (_, front, row) = self.outcomes[outcome];
        let row = &self.rows[row as usize * part.width..][..part.width];
        part.kernels.add(&mut self.below_back, row);
        let mut at = usize::from(front) + 1;
        while at <= FRONTS {
            part.kernels.add(&mut self.tree[at * part.width..][..part.width], row);
            at += at & at.wrapping_neg();
        }
    }

    /// Stores the results of a query for all suitings. `done` is the number of outcomes below the back limit, which have
    /// been added.
    fn answer(&mut self, part: &Counting<'_>, done: usize, Ask { limits, block, place }: Ask) {
        self.places.clear();
        let mut at = usize::from(limits.front);
        while at > 0 {
            self.places.push(at as u32);
            at &= at - 1;
        }
        part.kernels.sum_rows(&self.tree, &self.places, &mut self.below_both);
        let below = |front: usize| &self.below_front[front * part.width..][..part.width];
        let below_front = below(limits.front.into());
        let same = limits.same.map(|(back, front)| {
            if self.same_as != Some(back) {
                self.same_as = Some(back);
                // The outcomes with the same back are next to the limit.
                let first =
                    self.outcomes[..done].iter().rposition(|outcome| outcome.0 < back).map_or(0, |last| last + 1);
                let of_back = self.outcomes[first..].iter().take_while(|outcome| outcome.0 == back);
                self.places.clear();
                self.places.extend(of_back.map(|&(_, _, row)| row));
                part.kernels.sum_rows(&self.rows, &self.places, &mut self.same_back);
            }
            (below(usize::from(front) + 1), below(front.into()))
        });
        let Block { suitings, first, row } = self.blocks[block as usize];
        let suitings = suitings.iter().map(|&suiting| usize::from(suiting));
        let first = first + usize::from(place) * part.prepared.numbers;
        let (prepared, width) = (part.prepared, part.values);
        let [both, back] = [&self.below_both[..part.width], &self.below_back[..part.width]];
        let losses = |suiting: usize| part.all - back[suiting] - below_front[suiting] + both[suiting];
        prepared.put(width, first, row, suitings.clone().map(|suiting| both[suiting]));
        prepared.put(width, first + 1, row, suitings.clone().map(losses));
        if let Some((up_to, below)) = same {
            prepared.put(width, first + 2, row, suitings.clone().map(|suiting| self.same_back[suiting]));
            prepared.put(width, first + 3, row, suitings.map(|suiting| up_to[suiting] - below[suiting]));
        }
    }
}

/// Resizes a vector and fills it with zeros.
fn reset(numbers: &mut Vec<i32>, len: usize) {
    numbers.clear();
    numbers.resize(len, 0);
}
