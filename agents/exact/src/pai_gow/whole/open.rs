//! The full game for a player who sees the banker's set hand before setting their own.
//!
//! The player wins if one of their settings beats both of the banker's halves, and only loses if no setting beats
//! either half. The banker hands that lose to some setting form a staircase. Each undominated setting is a step that
//! consists of the hands with a lower back and a lower front. To count the union of the steps, add up their sizes and
//! subtract the overlaps of adjacent steps. All of these are counts of the hands below certain limits. Copies go to the
//! banker.
//!
//! All queries for a set of ranks are answered together. Classes with the same multiset of ranks share their queries if
//! they can make the same set hands.

use super::classes::{ClassCounts, put_classes};
use super::multiset::{Ask, Multiset, Queries, Suiting};
use super::pass::{Pass, PassOptions, Run};
use super::shard::Piece;
use super::sweep::{Answers, CountBuffers, answers};
use crate::pai_gow::outcomes::{BANKER_HANDS, DealCounts};
use crate::solver::Cancelled;
use houseway_env::pai_gow::{Hand, SetHand};
use houseway_env::rank::{FiveStrength, TwoStrength};
use std::cmp::Reverse;

/// A query for the banker hands below a back, a front, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pai_gow) struct Below {
    pub(in crate::pai_gow) back: Option<FiveStrength>,
    pub(in crate::pai_gow) front: Option<TwoStrength>,
}

/// A signed sum of query results.
pub(in crate::pai_gow) type Terms = Vec<(i64, Below)>;

/// A player's undominated legal set hands, sorted by descending back. This also sorts them by ascending front.
pub(in crate::pai_gow) struct Staircase(Vec<SetHand>);

impl Staircase {
    /// Keeps the undominated set hands.
    pub(in crate::pai_gow) fn new(legal: impl Iterator<Item = SetHand>) -> Staircase {
        let mut sets: Vec<SetHand> = legal.collect();
        sets.sort_unstable_by_key(|set| Reverse((set.back, set.front)));
        let mut highest = None;
        sets.retain(|set| {
            let is_higher = highest.is_none_or(|front| set.front > front);
            highest = highest.max(Some(set.front));
            is_higher
        });
        assert!(!sets.is_empty(), "every hand has a legal setting");
        Staircase(sets)
    }

    /// Returns the set hands.
    pub(in crate::pai_gow) fn sets(&self) -> &[SetHand] {
        &self.0
    }

    /// Returns the terms for the number of banker hands for which some setting beats both halves.
    pub(in crate::pai_gow) fn wins(&self) -> Terms {
        let below = |back, front| Below { back: Some(back), front: Some(front) };
        let steps = self.0.iter().map(|set| (1, below(set.back, set.front)));
        let overlaps = self.0.windows(2).map(|pair| (-1, below(pair[1].back, pair[0].front)));
        steps.chain(overlaps).collect()
    }

    /// Returns the terms for the number of banker hands for which no setting beats either half.
    pub(in crate::pai_gow) fn losses(&self) -> Terms {
        let (back, front) = (Some(self.0[0].back), self.0.last().map(|set| set.front));
        let term = |sign, back, front| (sign, Below { back, front });
        vec![term(1, None, None), term(-1, back, None), term(-1, None, front), term(1, back, front)]
    }
}

/// The wins and losses for classes with the same set hands, as signed sums of queries.
struct Plan {
    wins: Vec<(i32, usize)>,
    losses: Vec<(i32, usize)>,
}

/// A multiset's classes, each with its orbit and the index of its plan.
struct Planned {
    classes: Vec<(Hand, u32, usize)>,
    plans: Vec<Plan>,
}

impl Pass<'_> {
    /// Counts the outcomes over all deals for a player who sees the banker's set hand.
    pub(crate) fn open_total(&self, run: &Run<'_>) -> Result<DealCounts, Cancelled> {
        let add = |sum: &mut DealCounts, _, orbit: u32, counts: DealCounts| *sum = sum.plus(counts.times(orbit.into()));
        self.fold_open(run, DealCounts::default, add, DealCounts::plus)
    }

    /// Visits each of a player's classes once, for a player who sees the banker's set hand. Copies go to the banker
    /// regardless of the rules. `visit` receives the class's canonical hand, the number of hands in the class and the
    /// outcomes for a single hand.
    pub(crate) fn fold_open<A: Send>(
        &self,
        run: &Run<'_>,
        init: impl Fn() -> A + Sync,
        visit: impl Fn(&mut A, Hand, u32, DealCounts) + Sync,
        merge: impl Fn(A, A) -> A + Sync + Send,
    ) -> Result<A, Cancelled> {
        self.fold_pieces(
            run,
            init,
            |piece, _, buffers, result| {
                self.count_open(piece, buffers, |hand, orbit, counts| visit(result, hand, orbit, counts));
            },
            merge,
        )
    }

    fn count_open(&self, piece: &Piece, buffers: &mut CountBuffers, mut visit: impl FnMut(Hand, u32, DealCounts)) {
        let mut multisets = piece.multisets(&self.options, &self.patterns);
        let planned: Vec<Planned> =
            multisets.iter_mut().map(|multiset| Planned::new(&self.options, multiset)).collect();
        let groups: Vec<Queries<'_>> = multisets.iter().map(Multiset::queries).collect();
        let answers = answers(self.kernels, self.banker_part().hands(piece.joker), &groups, buffers);
        for ((multiset, planned), answers) in multisets.iter().zip(&planned).zip(&answers) {
            let sums: Vec<[PlanSums; 2]> = planned.plans.iter().map(|plan| plan.sums(answers)).collect();
            for (&(hand, orbit, plan), suiting) in planned.classes.iter().zip(&multiset.pattern.suitings) {
                let ends = sums[plan].each_ref().map(|sums| sums.of(suiting));
                visit(hand, orbit, DealCounts::new(BANKER_HANDS, ends, [0; 2]));
            }
        }
    }
}

impl Planned {
    /// Plans a multiset's classes and replaces its queries with the ones that the plans need.
    fn new(options: &PassOptions<'_>, multiset: &mut Multiset<'_>) -> Planned {
        let mut classes: Vec<ClassCounts> = Vec::new();
        put_classes(options, multiset, |_, _| Default::default(), &mut classes);
        let mut stairs: Vec<(usize, [Terms; 2])> = Vec::new();
        let mut of_classes = Vec::with_capacity(classes.len());
        for (i, class) in classes.iter().enumerate() {
            let same = |&(first, _): &(usize, _)| {
                let first: &ClassCounts = &classes[first];
                (first.legal, first.sets) == (class.legal, class.sets)
            };
            let plan = stairs.iter().position(same).unwrap_or_else(|| {
                let legal = class.legal_settings().map(|setting| class.sets[setting.index()]);
                let staircase = Staircase::new(legal);
                stairs.push((i, [staircase.wins(), staircase.losses()]));
                stairs.len() - 1
            });
            of_classes.push((class.hand, class.orbit, plan));
        }
        let mut asks: Vec<Ask> =
            stairs.iter().flat_map(|(_, terms)| terms.iter().flatten()).map(|&(_, below)| ask(below)).collect();
        asks.sort_unstable();
        asks.dedup();
        let place = |below| asks.binary_search(&ask(below)).expect("all queries are collected first");
        let places = |terms: &Terms| terms.iter().map(|&(sign, below)| (sign as i32, place(below))).collect();
        let plans = stairs.iter().map(|(_, [wins, losses])| Plan { wins: places(wins), losses: places(losses) });
        let plans = plans.collect();
        multiset.asks = asks;
        Planned { classes: of_classes, plans }
    }
}

/// Returns the query for the hands below both limits.
fn ask(Below { back, front }: Below) -> Ask {
    Ask::Below {
        back: back.map_or(u16::MAX, |back| back.index() as u16),
        front: front.map_or(Ask::ANY_FRONT, |front| front.index() as u8),
    }
}

/// A sum of queries by ranks only, and the corrections for each set of ranks that can be held in a suit.
struct PlanSums {
    base: i32,
    of_suit: Vec<i32>,
}

impl Plan {
    /// Returns the sum for wins and the sum for losses.
    fn sums(&self, Answers { base, corrections }: &Answers) -> [PlanSums; 2] {
        [&self.wins, &self.losses].map(|terms| {
            let mut sums = PlanSums { base: 0, of_suit: vec![0; corrections.sets()] };
            for &(sign, place) in terms {
                sums.base += sign * base[place];
                sums.of_suit.iter_mut().zip(corrections.get(place)).for_each(|(sum, add)| *sum += sign * add);
            }
            sums
        })
    }
}

impl PlanSums {
    fn of(&self, suiting: &Suiting) -> u64 {
        let corrections: i32 = suiting.masks.iter().map(|&mask| self.of_suit[usize::from(mask)]).sum();
        (self.base + corrections) as u64
    }
}
