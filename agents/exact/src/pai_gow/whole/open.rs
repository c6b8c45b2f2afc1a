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
use super::flush::Answers;
use super::multiset::{Ask, Limits, Multiset, Queries, Suiting};
use super::pass::{Pass, PassOptions, Run};
use super::shard::Piece;
use super::sweep::{CountBuffers, answers};
use crate::pai_gow::outcomes::{BANKER_HANDS, DealCounts};
use crate::solver::Cancelled;
use houseway_env::pai_gow::{Hand, SetHand};
use std::cmp::Reverse;

/// A signed sum of numbers of banker hands, which are given by their limits or as indices of queries.
pub(in crate::pai_gow) type Terms<Q = Limits> = Vec<(i64, Q)>;

/// Returns the undominated ones of a player's legal set hands, sorted by descending back. This also sorts them by ascending
/// front.
pub(in crate::pai_gow) fn staircase(legal: impl Iterator<Item = SetHand>) -> Vec<SetHand> {
    let mut sets: Vec<SetHand> = legal.collect();
    sets.sort_unstable_by_key(|set| Reverse((set.back, set.front)));
    let mut highest = None;
    sets.retain(|set| {
        let is_higher = highest.is_none_or(|front| set.front > front);
        highest = highest.max(Some(set.front));
        is_higher
    });
    assert!(!sets.is_empty(), "every hand has a legal setting");
    sets
}

/// Returns the number of banker hands for which some setting of a [`staircase`] beats both halves, and the number of those
/// for which no setting beats either half.
pub(in crate::pai_gow) fn wins_and_losses(stairs: &[SetHand]) -> [Terms; 2] {
    let steps: Vec<Limits> = stairs.iter().copied().map(Limits::from).collect();
    let between = |pair: &[Limits]| (-1, Limits { back: pair[1].back, front: pair[0].front });
    let overlaps = steps.windows(2).map(between);
    let wins = steps.iter().map(|&step| (1, step)).chain(overlaps).collect();
    let (back, front) = (steps[0].back, steps[steps.len() - 1].front);
    let losses = vec![
        (1, Limits::ANY),
        (-1, Limits { back, ..Limits::ANY }),
        (-1, Limits { front, ..Limits::ANY }),
        (1, Limits { back, front }),
    ];
    [wins, losses]
}

/// A multiset's classes, each with its orbit and the index of its plan.
struct Planned {
    classes: Vec<(Hand, u32, usize)>,
    /// The wins and losses for classes with the same set hands.
    plans: Vec<[Terms<usize>; 2]>,
}

impl Pass<'_> {
    /// Counts the outcomes over all deals for a player who sees the banker's set hand. Copies go to the banker regardless
    /// of the rules.
    pub(crate) fn open_total(&self, run: &Run<'_>) -> Result<DealCounts, Cancelled> {
        let add = |piece: &Piece, _: &_, buffers: &mut CountBuffers, sum: &mut DealCounts| {
            self.count_open(piece, buffers, |_, orbit, counts| *sum = sum.plus(counts.times(orbit.into())));
        };
        self.fold_pieces(run, DealCounts::default, add, DealCounts::plus)
    }

    /// Visits each class of a piece with its canonical hand, the number of hands in the class and the outcomes for a single
    /// hand.
    pub(super) fn count_open(
        &self,
        piece: &Piece,
        buffers: &mut CountBuffers,
        mut visit: impl FnMut(Hand, u32, DealCounts),
    ) {
        let mut multisets = piece.multisets(&self.options, &self.patterns);
        let planned: Vec<Planned> =
            multisets.iter_mut().map(|multiset| Planned::new(&self.options, multiset)).collect();
        let groups: Vec<Queries<'_>> = multisets.iter().map(Multiset::queries).collect();
        let answers = answers(self.options.kernels, self.banker_part().hands(piece.joker), &groups, buffers);
        for ((multiset, planned), answers) in multisets.iter().zip(&planned).zip(&answers) {
            let sums = |plan: &[Terms<usize>; 2]| plan.each_ref().map(|terms| PlanSums::new(terms, answers));
            let sums: Vec<[PlanSums; 2]> = planned.plans.iter().map(sums).collect();
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
                stairs.push((i, wins_and_losses(&staircase(legal))));
                stairs.len() - 1
            });
            of_classes.push((class.hand, class.orbit, plan));
        }
        let all = stairs.iter().flat_map(|(_, terms)| terms.iter().flatten());
        let mut asks: Vec<Ask> = all.map(|&(_, limits)| Ask::Below(limits)).collect();
        asks.sort_unstable();
        asks.dedup();
        let place = |limits| asks.binary_search(&Ask::Below(limits)).expect("all queries are collected first");
        let places = |terms: Terms| terms.into_iter().map(|(sign, limits)| (sign, place(limits))).collect();
        let plans = stairs.into_iter().map(|(_, terms)| terms.map(places)).collect();
        multiset.asks = asks;
        Planned { classes: of_classes, plans }
    }
}

/// A sum of queries by ranks only, and the corrections for each set of ranks that can be held in a suit.
struct PlanSums {
    base: i32,
    of_suit: Vec<i32>,
}

impl PlanSums {
    fn new(terms: &Terms<usize>, answers: &Answers) -> PlanSums {
        let mut sums = PlanSums { base: 0, of_suit: vec![0; answers.sets] };
        for &(sign, place) in terms {
            let (sign, corrections) = (sign as i32, answers.corrections(place));
            sums.base += sign * answers.base[place];
            sums.of_suit.iter_mut().zip(corrections).for_each(|(sum, add)| *sum += sign * add);
        }
        sums
    }

    fn of(&self, suiting: &Suiting) -> u64 {
        let corrections: i32 = suiting.masks.iter().map(|&mask| self.of_suit[usize::from(mask)]).sum();
        (self.base + corrections) as u64
    }
}
