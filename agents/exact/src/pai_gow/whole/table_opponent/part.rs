//! Counts the other side's hands that contain given ranks, for all suitings of these ranks at once.
//!
//! A row has one value per suiting of the part. Outcomes are processed in ascending order of their backs. The outcomes
//! below the current back limit are kept in a Fenwick tree of rows indexed by front, so only a few rows need to be
//! added up to get the hands below both limits.

use super::super::kernels::{Kernels, LANES};
use super::levels::JOKER;
use super::prepared::PreparedValues;
use super::shapes::{NARROW, part_place};
use super::strategy::TableOpponent;
use houseway_env::cards::combinations::binomial;
use houseway_env::rank::TwoStrength;

const FRONTS: usize = TwoStrength::COUNT;

/// Buffers for counting a single part.
#[derive(Default)]
pub(super) struct PartScratch {
    /// The full hands' multisets that contain the part, each with the index of the part among its parts.
    hands: Vec<(u32, u16)>,
    /// One row per outcome of each multiset.
    rows: Vec<i32>,
    /// The outcomes as `(back, front, row)` in ascending order.
    outcomes: Vec<(u16, u8, u32)>,
    /// The queries as `(back, index into hands, form, index among the form's limits)` in ascending order.
    asks: Vec<(u16, u32, u8, u8)>,
    /// One row per limit on the front, with the number of hands below the limit over all backs.
    below_front: Vec<i32>,
    /// A Fenwick tree of the outcomes below the back limit, indexed by front.
    tree: Vec<i32>,
    /// The sum of all outcomes in the tree.
    below_back: Vec<i32>,
    /// The sum of the outcomes below both limits.
    below_both: Vec<i32>,
    same_back: Vec<i32>,
    places: Vec<u32>,
}

impl TableOpponent {
    /// Counts the outcomes for a part on behalf of all multisets that query it and stores the results.
    pub(super) fn count_part(
        &self,
        kernels: Kernels,
        prepared: &PreparedValues,
        (cards, place): (usize, usize),
        scratch: &mut PartScratch,
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
        scratch.collect_asks(prepared);
        let all = binomial(53 - cards as u64, 7 - cards as u64) as i32;
        let part = Counting { table: self, prepared, kernels, width, cards, joker: part.kinds[JOKER].into(), all };
        scratch.sweep(&part);
    }
}

/// The parameters for counting a part.
struct Counting<'a> {
    table: &'a TableOpponent,
    prepared: &'a PreparedValues,
    kernels: Kernels,
    width: usize,
    /// The number of cards in the part.
    cards: usize,
    /// The number of jokers in the part, which is 0 or 1.
    joker: usize,
    /// The number of full hands that contain the part's cards.
    all: i32,
}

impl PartScratch {
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

    fn collect_asks(&mut self, prepared: &PreparedValues) {
        self.asks.clear();
        for (i, &(hand, _)) in self.hands.iter().enumerate() {
            let Some(asked) = prepared.asked(hand as usize) else { continue };
            for (form, limits) in asked.limits.iter().enumerate() {
                let asks = limits.iter().enumerate();
                self.asks.extend(asks.map(|(place, limits)| (limits.back, i as u32, form as u8, place as u8)));
            }
        }
        self.asks.sort_unstable();
    }

    fn sweep(&mut self, part: &Counting<'_>) {
        reset(&mut self.tree, (FRONTS + 1) * part.width);
        for sums in [&mut self.below_back, &mut self.below_both, &mut self.same_back] {
            reset(sums, part.width);
        }
        let mut done = 0;
        for at in 0..self.asks.len() {
            let (back, place_of_hand, form, place) = self.asks[at];
            while self.outcomes.get(done).is_some_and(|outcome| outcome.0 < back) {
                self.add_outcome(part, done);
                done += 1;
            }
            let (hand, part_place) = self.hands[place_of_hand as usize];
            let ask = Ask { hand, part: part_place.into(), form: form.into(), place: place.into() };
            self.answer(part, &ask);
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

    /// Stores the results of a query for all suitings. The back limit must be the current one.
    fn answer(&mut self, part: &Counting<'_>, ask: &Ask) {
        let asked = part.prepared.asked(ask.hand as usize).expect("queries come from prepared multisets");
        let limits = asked.limits[ask.form][ask.place];
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
            let first = self.outcomes.partition_point(|outcome| outcome.0 < back);
            self.places.clear();
            let of_back = self.outcomes[first..].iter().take_while(|outcome| outcome.0 == back);
            self.places.extend(of_back.map(|&(_, _, row)| row));
            part.kernels.sum_rows(&self.rows, &self.places, &mut self.same_back);
            (below(usize::from(front) + 1), below(front.into()))
        });
        let hand = &part.table.levels.hands()[ask.hand as usize];
        let layout = &part.table.shapes.get(hand.shape).layouts[ask.form];
        let narrow = part.cards >= NARROW;
        let numbers = part.prepared.numbers;
        let row = asked.limits[ask.form].len() * numbers;
        let start = asked.starts[ask.form][usize::from(narrow)];
        let mut at = start + layout.stored[part.joker][ask.part] * row + ask.place * numbers;
        for suiting in layout.suitings[ask.part].iter().map(|&suiting| usize::from(suiting)) {
            let wins = self.below_both[suiting];
            let losses = part.all - self.below_back[suiting] - below_front[suiting] + wins;
            part.prepared.put(narrow, at, wins);
            part.prepared.put(narrow, at + 1, losses);
            if let Some((up_to, below)) = same {
                part.prepared.put(narrow, at + 2, self.same_back[suiting]);
                part.prepared.put(narrow, at + 3, up_to[suiting] - below[suiting]);
            }
            at += row;
        }
    }
}

/// A query by a multiset.
struct Ask {
    /// The index of the multiset in [`Levels::hands`](super::levels::Levels::hands).
    hand: u32,
    /// The index of the part among the multiset's parts.
    part: usize,
    form: usize,
    /// The index of the query among the form's limits.
    place: usize,
}

/// Resizes a vector and fills it with zeros.
fn reset(numbers: &mut Vec<i32>, len: usize) {
    numbers.clear();
    numbers.resize(len, 0);
}
