//! Counts the other side's hands that contain given ranks, for all suitings of these ranks at once.
//!
//! A row has one value per suiting of the part. Outcomes are processed in ascending order of their backs. The outcomes
//! below the current back limit are kept in a Fenwick tree of rows indexed by front, so only a few rows need to be
//! added up to get the hands below both limits. Only the fronts that occur have a row.

use super::TableOpponent;
use super::levels::JOKER;
use super::prepared::{Block, PackedRows, Preparation, Width};
use crate::pai_gow::whole::kernels::{Kernels, LANES};
use crate::pai_gow::whole::multiset::Limits;
use crate::pai_gow::whole::pass::PassOptions;
use houseway_env::cards::combinations::binomial;
use houseway_env::pai_gow::SetHand;
use houseway_env::rank::TwoStrength;

const FRONTS: usize = TwoStrength::COUNT;
/// Marks a result that hasn't been counted.
const UNKNOWN: u32 = u32::MAX;

/// A set hand that the other side makes of one of the multisets that contain the part. Starting at the highest bit, it
/// contains the back, the front, and the index of its row in [`PartScratch::rows`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Outcome(u64);

impl Outcome {
    fn new(set: SetHand, row: usize) -> Outcome {
        Outcome((set.back.index() as u64) << 48 | (set.front.index() as u64) << 40 | row as u64)
    }

    fn back(self) -> u16 {
        (self.0 >> 48) as u16
    }

    fn front(self) -> usize {
        usize::from((self.0 >> 40) as u8)
    }

    fn row(self) -> usize {
        (self.0 & 0xff_ffff_ffff) as usize
    }
}

/// Buffers for counting a single part.
#[derive(Default)]
pub(super) struct PartScratch<'a> {
    /// One row per outcome of each multiset.
    rows: Vec<i32>,
    /// The outcomes in ascending order.
    outcomes: Vec<Outcome>,
    /// The number of different fronts that occur below each front.
    fronts_below: Vec<u8>,
    /// The number of different fronts that occur.
    fronts: usize,
    /// The number of outcomes with a lower back, indexed by back.
    backs_below: Vec<u32>,
    /// The places of the results.
    blocks: Vec<Block<'a>>,
    /// The queries of all blocks.
    asks: Vec<Limits>,
    /// The indices of the queries, sorted by [`Counting::place_of_back`].
    order: Vec<u32>,
    /// The end of each group of queries in `order`.
    ends: Vec<u32>,
    /// A row of zeros, and one row per front that occurs, with the number of hands up to this front over all backs.
    below_front: Vec<i32>,
    /// A Fenwick tree of the outcomes below the back limit, indexed by the fronts that occur. Row 0 is their sum.
    tree: Vec<i32>,
    /// The sum of the outcomes below both limits.
    below_both: Vec<i32>,
    /// The sum of the outcomes with the same back.
    same_back: Vec<i32>,
    /// A row of results before it is packed.
    row: Vec<[i32; 2]>,
    /// One row per different result, with the wins and losses for each suiting.
    decided: PackedRows,
    /// The same for equal backs and fronts.
    copies: PackedRows,
    /// The offset of each query's results.
    found: Vec<u32>,
    /// The offset of the results for each different limit on the front, or [`UNKNOWN`].
    known: Vec<u32>,
    places: Vec<u32>,
}

impl TableOpponent {
    /// Counts the outcomes for a part on behalf of all multisets that query it and stores the results.
    pub(super) fn count_part<'a>(
        &'a self,
        options: &PassOptions<'_>,
        preparation: &Preparation,
        (cards, place): (usize, usize),
        scratch: &mut PartScratch<'a>,
    ) {
        let part = &self.levels.multisets(cards)[place];
        let hands = &self.containing[cards][place][..];
        if hands.iter().all(|&(hand, _)| preparation.round.asked(hand as usize).is_none()) {
            return;
        }
        let width = self.shapes.get(part.shape).suitings.len().next_multiple_of(LANES);
        let part = Counting {
            preparation,
            options,
            width,
            ties: Limits::ties(options),
            values: Width::of_part(cards),
            joker: part.kinds[JOKER].into(),
            all: binomial(53 - cards as u64, 7 - cards as u64) as i32,
        };
        scratch.add_outcomes(self, hands, width);
        scratch.index_backs(options.game.ranking().strengths());
        scratch.index_fronts();
        scratch.sum_fronts(options.kernels, width);
        scratch.collect_asks(self, hands, &part);
        scratch.sort_asks(&part);
        scratch.sweep(&part);
        scratch.store(&part);
    }
}

/// The parameters for counting a part.
struct Counting<'a> {
    preparation: &'a Preparation,
    options: &'a PassOptions<'a>,
    /// The length of a row of counts.
    width: usize,
    /// See [`Limits::ties`].
    ties: u8,
    /// The width of the results.
    values: Width,
    /// The number of jokers in the part.
    joker: usize,
    /// The number of full hands that contain the part's cards.
    all: i32,
}

impl<'a> PartScratch<'a> {
    /// Counts how many full hands of each outcome contain the part, for every multiset and every suiting of the part.
    fn add_outcomes(&mut self, table: &TableOpponent, hands: &[(u32, u16)], width: usize) {
        self.rows.clear();
        self.outcomes.clear();
        for &(hand, place) in hands {
            let made = table.made.get(hand as usize);
            let part = &table.shapes.get(table.levels.shape_of_hand(hand as usize)).parts[usize::from(place)];
            let first = self.rows.len();
            self.rows.resize(first + made.sets.len() * width, 0);
            let rows = &mut self.rows[first..];
            // Most suitings make the same set hand. Its row is the rest.
            let most = usize::from(made.most) * width;
            rows[most..][..width].fill(part.hands);
            for &(suiting, set) in made.others {
                let row = usize::from(set) * width;
                for share in part.shares(suiting.into()) {
                    let (suiting, hands) = (usize::from(share.suiting), i32::from(share.hands));
                    rows[row + suiting] += hands;
                    rows[most + suiting] -= hands;
                }
            }
            let outcomes = made.sets.iter().enumerate();
            self.outcomes.extend(outcomes.map(|(i, &set)| Outcome::new(set, first / width + i)));
        }
        self.outcomes.sort_unstable();
    }

    /// Counts the outcomes below each back.
    fn index_backs(&mut self, strengths: usize) {
        self.backs_below.clear();
        for (below, outcome) in self.outcomes.iter().enumerate() {
            let len = self.backs_below.len().max(usize::from(outcome.back()) + 1);
            self.backs_below.resize(len, below as u32);
        }
        self.backs_below.resize(strengths + 1, self.outcomes.len() as u32);
    }

    /// Numbers the fronts that occur.
    fn index_fronts(&mut self) {
        let mut occurs = [false; FRONTS];
        self.outcomes.iter().for_each(|outcome| occurs[outcome.front()] = true);
        self.fronts_below.clear();
        self.fronts_below.push(0);
        let mut below = 0;
        self.fronts_below.extend(occurs.map(|occurs| {
            below += u8::from(occurs);
            below
        }));
        self.fronts = below.into();
    }

    fn sum_fronts(&mut self, kernels: Kernels, width: usize) {
        reset(&mut self.below_front, (self.fronts + 1) * width);
        for outcome in &self.outcomes {
            let place = usize::from(self.fronts_below[outcome.front() + 1]);
            let sums = &mut self.below_front[place * width..][..width];
            kernels.add(sums, &self.rows[outcome.row() * width..][..width]);
        }
        for front in 1..=self.fronts {
            let (below, sums) = self.below_front.split_at_mut(front * width);
            kernels.add(&mut sums[..width], &below[(front - 1) * width..]);
        }
    }

    /// Collects the queries and the places of their results.
    fn collect_asks(&mut self, table: &'a TableOpponent, hands: &[(u32, u16)], part: &Counting<'_>) {
        self.asks.clear();
        self.blocks.clear();
        let round = &part.preparation.round;
        for &(hand, place) in hands {
            let Some(asked) = round.asked(hand as usize) else { continue };
            for ((layout, limits), starts) in table.layouts(hand as usize).iter().zip(&asked.limits).zip(asked.starts) {
                let row = limits.len() * round.pairs;
                let first = starts[part.values as usize] + layout.stored[part.joker][usize::from(place)] * row;
                let suitings = &layout.suitings[usize::from(place)];
                if suitings.is_empty() || limits.is_empty() {
                    continue;
                }
                self.blocks.push(Block { suitings, first, row, asks: limits.len() });
                self.asks.extend(limits);
            }
        }
    }

    /// Groups the queries by their place among the backs that occur.
    fn sort_asks(&mut self, part: &Counting<'_>) {
        self.ends.clear();
        self.ends.resize(2 * self.outcomes.len() + 2, 0);
        for &limits in &self.asks {
            self.ends[part.place_of_back(&self.backs_below, limits) + 1] += 1;
        }
        let mut end = 0;
        for place in &mut self.ends {
            end += *place;
            *place = end;
        }
        self.order.clear();
        self.order.resize(self.asks.len(), 0);
        for (ask, &limits) in self.asks.iter().enumerate() {
            // The start of each group moves to its end.
            let at = &mut self.ends[part.place_of_back(&self.backs_below, limits)];
            self.order[*at as usize] = ask as u32;
            *at += 1;
        }
    }

    /// Finds the results of all queries. Queries with no outcomes between their limits share their results.
    fn sweep(&mut self, part: &Counting<'_>) {
        reset(&mut self.tree, (self.fronts + 1) * part.width);
        for sums in [&mut self.below_both, &mut self.same_back] {
            reset(sums, part.width);
        }
        self.row.resize(part.width, [0; 2]);
        self.decided.clear();
        self.copies.clear();
        self.found.clear();
        self.found.resize(self.asks.len(), 0);
        let (order, ends) = (std::mem::take(&mut self.order), std::mem::take(&mut self.ends));
        let (mut done, mut start, mut results) = (0, 0, 0);
        for &end in &ends {
            let same_back = &order[start as usize..end as usize];
            start = end;
            let Some(&first) = same_back.first() else { continue };
            let limits = self.asks[first as usize];
            let below = self.backs_below[usize::from(limits.back)] as usize;
            (done..below).for_each(|outcome| self.add_outcome(part, outcome));
            done = below;
            if part.options.copies {
                self.add_same_back(part, limits);
            }
            self.known.clear();
            self.known.resize(2 * self.fronts + 1, UNKNOWN);
            for &ask in same_back {
                let limits = self.asks[ask as usize];
                let place = part.place_of_front(&self.fronts_below, limits);
                if self.known[place] == UNKNOWN {
                    self.known[place] = results as u32;
                    self.count(part, limits);
                    results += part.width;
                }
                self.found[ask as usize] = self.known[place];
            }
        }
        (self.order, self.ends) = (order, ends);
    }

    /// Adds an outcome to the outcomes below the back limit.
    fn add_outcome(&mut self, part: &Counting<'_>, outcome: usize) {
        let outcome = self.outcomes[outcome];
        let row = &self.rows[outcome.row() * part.width..][..part.width];
        self.places.clear();
        self.places.push(0);
        let mut at = usize::from(self.fronts_below[outcome.front() + 1]);
        while at <= self.fronts {
            self.places.push(at as u32);
            at += at & at.wrapping_neg();
        }
        part.options.kernels.add_to_rows(&mut self.tree, &self.places, row);
    }

    /// Adds up the outcomes with this side's own back.
    fn add_same_back(&mut self, part: &Counting<'_>, limits: Limits) {
        let back = usize::from(limits.own(part.ties).back);
        let of_back = self.backs_below[back] as usize..self.backs_below[back + 1] as usize;
        self.places.clear();
        self.places.extend(self.outcomes[of_back].iter().map(|outcome| outcome.row() as u32));
        part.options.kernels.sum_rows(&self.rows, &self.places, &mut self.same_back);
    }

    /// Appends the results for these limits, for all suitings. All outcomes below the back limit have been added.
    fn count(&mut self, part: &Counting<'_>, limits: Limits) {
        let fronts_below = |front: u8| usize::from(self.fronts_below[usize::from(front)]);
        let below = |front: u8| &self.below_front[fronts_below(front) * part.width..][..part.width];
        self.places.clear();
        let mut at = fronts_below(limits.front);
        while at > 0 {
            self.places.push(at as u32);
            at &= at - 1;
        }
        part.options.kernels.sum_rows(&self.tree, &self.places, &mut self.below_both);
        let below_back = &self.tree[..part.width];
        part.options.kernels.put_decided(&mut self.row, &self.below_both, below_back, below(limits.front), part.all);
        self.decided.push(part.values, &self.row);
        if part.options.copies {
            let front = limits.own(part.ties).front;
            part.options.kernels.put_copies(&mut self.row, &self.same_back, below(front + 1), below(front));
            self.copies.push(part.values, &self.row);
        }
    }

    /// Stores the results of all queries.
    fn store(&self, part: &Counting<'_>) {
        let mut rest = &self.found[..];
        for block in &self.blocks {
            let found;
            (found, rest) = rest.split_at(block.asks);
            part.preparation.put(part.values, block, found, &self.decided);
            if part.options.copies {
                let copies = Block { first: block.first + block.asks, ..*block };
                part.preparation.put(part.values, &copies, found, &self.copies);
            }
        }
    }
}

impl Counting<'_> {
    /// Returns the place of a back limit among the backs that occur. Limits in the same place have the same results,
    /// given the number of outcomes below each back. A back that occurs is between the limits below and above it.
    fn place_of_back(&self, below: &[u32], limits: Limits) -> usize {
        let place = |back: u16| below[usize::from(back)] as usize;
        let own = limits.own(self.ties).back;
        if self.options.copies { place(own) + place(own + 1) } else { 2 * place(limits.back) }
    }

    /// Does the same for a front limit, given the number of different fronts below each front.
    fn place_of_front(&self, below: &[u8], limits: Limits) -> usize {
        let place = |front: u8| usize::from(below[usize::from(front)]);
        let own = limits.own(self.ties).front;
        if self.options.copies { place(own) + place(own + 1) } else { 2 * place(limits.front) }
    }
}

/// Resizes a vector and fills it with zeros.
fn reset(numbers: &mut Vec<i32>, len: usize) {
    numbers.clear();
    numbers.resize(len, 0);
}
