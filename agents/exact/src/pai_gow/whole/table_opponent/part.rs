//! Counts the other side's hands that contain given ranks, for all suitings of these ranks at once.
//!
//! A row has one value per suiting of the part. Outcomes are processed in ascending order of their backs. The outcomes
//! below the current back limit are kept in a Fenwick tree of rows indexed by front, so only a few rows need to be
//! added up to get the hands below both limits. Only the fronts that occur have a row.

use super::super::counted::PassOptions;
use super::super::kernels::{Kernels, LANES};
use super::asked::Limits;
use super::levels::JOKER;
use super::prepared::Preparation;
use super::shapes::part_place;
use super::strategy::TableOpponent;
use super::width::Width;
use houseway_env::cards::combinations::binomial;
use houseway_env::pai_gow::SetHand;
use houseway_env::rank::TwoStrength;

const FRONTS: usize = TwoStrength::COUNT;

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

/// A query by one of the multisets that contain the part. Starting at the highest bit, it contains the limits on the
/// back and the front, the index into [`PartScratch::blocks`], and the query's index among the limits of its form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Ask(u64);

impl Ask {
    fn new(limits: Limits, block: usize, place: usize) -> Ask {
        Ask(u64::from(limits.back) << 48 | u64::from(limits.front) << 40 | (block as u64) << 8 | place as u64)
    }

    fn limits(self, counted: &PassOptions<'_>) -> Limits {
        Limits::below(counted, (self.0 >> 48) as u16, (self.0 >> 40) as u8)
    }

    /// Returns the index of the block and the query's index in it.
    fn place(self) -> (usize, usize) {
        ((self.0 >> 8 & 0xffff_ffff) as usize, (self.0 & 0xff) as usize)
    }
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
    /// The outcomes in ascending order.
    outcomes: Vec<Outcome>,
    /// The number of different fronts that occur below each front.
    fronts_below: Vec<u8>,
    /// The number of different fronts that occur.
    fronts: usize,
    /// The places of the results.
    blocks: Vec<Block<'a>>,
    /// The queries in ascending order of their limits.
    asks: Vec<Ask>,
    /// A row of zeros, and one row per front that occurs, with the number of hands up to this front over all backs.
    below_front: Vec<i32>,
    /// A Fenwick tree of the outcomes below the back limit, indexed by the fronts that occur.
    tree: Vec<i32>,
    /// The sum of all outcomes in the tree.
    below_back: Vec<i32>,
    /// The sum of the outcomes below both limits.
    below_both: Vec<i32>,
    /// The wins and losses for each suiting.
    decided: Vec<[i32; 2]>,
    /// The sum of the outcomes with the back in `same_as`.
    same_back: Vec<i32>,
    same_as: Option<u16>,
    /// The equal backs and fronts for each suiting.
    copies: Vec<[i32; 2]>,
    places: Vec<u32>,
}

impl TableOpponent {
    /// Counts the outcomes for a part on behalf of all multisets that query it and stores the results.
    pub(super) fn count_part<'a>(
        &'a self,
        (counted, kernels): (&PassOptions<'_>, Kernels),
        preparation: &Preparation,
        (cards, place): (usize, usize),
        scratch: &mut PartScratch<'a>,
    ) {
        let part = &self.levels.multisets(cards)[place];
        scratch.hands.clear();
        self.levels.each_hand(cards, place as u32, &mut |hand| {
            let place = part_place(&self.levels.hands()[hand as usize].kinds[..JOKER], &part.kinds[..JOKER]);
            scratch.hands.push((hand, place as u16));
        });
        if scratch.hands.iter().all(|&(hand, _)| preparation.round.asked(hand as usize).is_none()) {
            return;
        }
        let width = self.shapes.get(part.shape).suitings.len().next_multiple_of(LANES);
        scratch.add_outcomes(self, width);
        scratch.index_fronts();
        scratch.sum_fronts(kernels, width);
        let joker = part.kinds[JOKER].into();
        scratch.collect_asks(self, preparation, cards, joker);
        let all = binomial(53 - cards as u64, 7 - cards as u64) as i32;
        scratch.sweep(&Counting { counted, preparation, kernels, width, values: Width::of_part(cards), all });
    }
}

/// The parameters for counting a part.
struct Counting<'a> {
    counted: &'a PassOptions<'a>,
    preparation: &'a Preparation,
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
            let outcomes = made.sets.iter().enumerate();
            self.outcomes.extend(outcomes.map(|(i, &set)| Outcome::new(set, first / width + i)));
        }
        self.outcomes.sort_unstable();
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

    /// Collects the queries and the places of their results. `joker` is the number of jokers in the part.
    fn collect_asks(&mut self, table: &'a TableOpponent, preparation: &Preparation, cards: usize, joker: usize) {
        self.asks.clear();
        self.blocks.clear();
        let width = Width::of_part(cards) as usize;
        for &(hand, part) in &self.hands {
            let Some(asked) = preparation.round.asked(hand as usize) else { continue };
            for ((layout, limits), starts) in table.layouts(hand as usize).iter().zip(&asked.limits).zip(asked.starts) {
                let (row, block) = (limits.len() * preparation.round.numbers, self.blocks.len());
                let first = starts[width] + layout.stored[joker][usize::from(part)] * row;
                self.blocks.push(Block { suitings: &layout.suitings[usize::from(part)], first, row });
                let asks = limits.iter().enumerate();
                self.asks.extend(asks.map(|(place, &limits)| Ask::new(limits, block, place)));
            }
        }
        self.asks.sort_unstable();
    }

    fn sweep(&mut self, part: &Counting<'_>) {
        reset(&mut self.tree, (self.fronts + 1) * part.width);
        for sums in [&mut self.below_back, &mut self.below_both, &mut self.same_back] {
            reset(sums, part.width);
        }
        for results in [&mut self.decided, &mut self.copies] {
            results.clear();
            results.resize(part.width, [0; 2]);
        }
        self.same_as = None;
        let asks = std::mem::take(&mut self.asks);
        let mut done = 0;
        for &ask in &asks {
            let limits = ask.limits(part.counted);
            while self.outcomes.get(done).is_some_and(|outcome| outcome.back() < limits.back) {
                self.add_outcome(part, done);
                done += 1;
            }
            self.count(part, done, limits);
            self.store(part, ask);
        }
        self.asks = asks;
    }

    /// Adds an outcome to the outcomes below the back limit.
    fn add_outcome(&mut self, part: &Counting<'_>, outcome: usize) {
        let outcome = self.outcomes[outcome];
        let row = &self.rows[outcome.row() * part.width..][..part.width];
        part.kernels.add(&mut self.below_back, row);
        let mut at = usize::from(self.fronts_below[outcome.front() + 1]);
        while at <= self.fronts {
            part.kernels.add(&mut self.tree[at * part.width..][..part.width], row);
            at += at & at.wrapping_neg();
        }
    }

    /// Counts the results for these limits, for all suitings. `done` is the number of outcomes below the back limit,
    /// which have been added.
    fn count(&mut self, part: &Counting<'_>, done: usize, limits: Limits) {
        let fronts_below = |front: u8| usize::from(self.fronts_below[usize::from(front)]);
        let below = |front: u8| &self.below_front[fronts_below(front) * part.width..][..part.width];
        self.places.clear();
        let mut at = fronts_below(limits.front);
        while at > 0 {
            self.places.push(at as u32);
            at &= at - 1;
        }
        part.kernels.sum_rows(&self.tree, &self.places, &mut self.below_both);
        let won = self.below_both.iter().zip(&self.below_back).zip(below(limits.front));
        for (results, ((both, back), front)) in self.decided.iter_mut().zip(won) {
            *results = [*both, part.all - back - front + both];
        }
        if let Some((back, front)) = limits.same {
            let same_front = below(front + 1).iter().zip(below(front)).map(|(up_to, below)| up_to - below);
            if self.same_as != Some(back) {
                self.same_as = Some(back);
                // The outcomes with the same back are next to the limit.
                let first =
                    self.outcomes[..done].iter().rposition(|outcome| outcome.back() < back).map_or(0, |last| last + 1);
                let of_back = self.outcomes[first..].iter().take_while(|outcome| outcome.back() == back);
                self.places.clear();
                self.places.extend(of_back.map(|outcome| outcome.row() as u32));
                part.kernels.sum_rows(&self.rows, &self.places, &mut self.same_back);
            }
            let same = self.same_back.iter().zip(same_front);
            self.copies.iter_mut().zip(same).for_each(|(results, (&back, front))| *results = [back, front]);
        }
    }

    /// Stores the results of a query.
    fn store(&self, part: &Counting<'_>, ask: Ask) {
        let (preparation, width) = (part.preparation, part.values);
        let (block, place) = ask.place();
        let Block { suitings, first, row } = self.blocks[block];
        let first = first + place * preparation.round.numbers;
        preparation.put(width, (first, row), suitings, &self.decided);
        if part.counted.copies {
            preparation.put(width, (first + 2, row), suitings, &self.copies);
        }
    }
}

/// Resizes a vector and fills it with zeros.
fn reset(numbers: &mut Vec<i32>, len: usize) {
    numbers.clear();
    numbers.resize(len, 0);
}
