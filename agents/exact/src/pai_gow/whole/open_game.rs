//! The full game for a player who sees the banker's set hand before setting their own.
//!
//! As in [`FullGame`](super::FullGame), all queries for a set of ranks are answered together. Classes with the same
//! multiset of ranks share their queries if they can make the same set hands.

use super::answers::{Answers, answers};
use super::classes::{ClassCounts, put_classes};
use super::counted::PassOptions;
use super::kernels::{Instructions, Kernels};
use super::multiset::{Ask, Multiset, Queries};
use super::opponent::Opponent;
use super::pieces::{Patterns, Piece, pieces};
use super::run::Run;
use super::suitings::{Suiting, patterns};
use super::sweep::CountBuffers;
use super::weighted::WeightedTable;
use super::weights::OutcomeWeights;
use crate::pai_gow::open::{Below, OpenCounts, Staircase, Terms};
use crate::pai_gow::{BANKER_HANDS, BankerTable, Side};
use crate::solver::Cancelled;
use houseway_env::pai_gow::{Game, Hand};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// An evaluator for all hands of a player who sees the banker's set hand. Copies go to the banker.
pub struct OpenGame<'a> {
    options: PassOptions<'a>,
    kernels: Kernels,
    banker: Opponent,
    patterns: Patterns,
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

impl<'a> OpenGame<'a> {
    /// Prepares to evaluate a player's hands against a banker's strategy. This takes a fraction of a second.
    pub fn new(game: &'a Game, banker: &BankerTable) -> OpenGame<'a> {
        OpenGame {
            options: PassOptions::new(game, Side::Player),
            kernels: Kernels::new(Instructions::detect()),
            banker: Opponent::against(game, Side::Player, WeightedTable::pure(banker)),
            patterns: [patterns(false), patterns(true)],
        }
    }

    /// Counts the outcomes over all deals in the run.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    pub fn count(&self, run: &Run<'_>) -> Result<OpenCounts, Cancelled> {
        let add = |sum: &mut OpenCounts, _, orbit: u32, counts: OpenCounts| {
            let [wins, pushes, losses] =
                [counts.wins, counts.pushes, counts.losses].map(|hands| hands * u64::from(orbit));
            *sum = sum.plus(OpenCounts { wins, pushes, losses });
        };
        self.fold(run, OpenCounts::default, add, OpenCounts::plus)
    }

    /// Visits every class in the shard once, in no particular order. Classes are evaluated in parallel on the current
    /// thread pool. `visit` receives the class's canonical hand, the number of hands in the class and the outcomes for
    /// a single hand.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    pub fn fold<A: Send>(
        &self,
        run: &Run<'_>,
        init: impl Fn() -> A + Sync + Send,
        visit: impl Fn(&mut A, Hand, u32, OpenCounts) + Sync,
        merge: impl Fn(A, A) -> A + Sync + Send,
    ) -> Result<A, Cancelled> {
        let pieces: Vec<Piece> = pieces().into_iter().skip(run.shard.index()).step_by(run.shard.count()).collect();
        let cancelled = || run.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed));
        let (done, all) = (AtomicU64::new(0), run.shard.deals() / BANKER_HANDS);
        let count = |(mut result, mut buffers), piece: &Piece| {
            if !cancelled() {
                let hands = self.count_piece(piece, &mut buffers, |hand, orbit, counts| {
                    visit(&mut result, hand, orbit, counts);
                });
                let done = hands + done.fetch_add(hands, Ordering::Relaxed);
                run.progress.inspect(|progress| progress(done, all));
            }
            (result, buffers)
        };
        let start = || (init(), CountBuffers::default());
        let results = pieces.par_iter().with_max_len(1).fold(start, count).map(|(result, _)| result);
        let result = results.reduce(&init, merge);
        if cancelled() { Err(Cancelled) } else { Ok(result) }
    }

    /// Visits the classes in a piece and returns how many hands they contain.
    fn count_piece(
        &self,
        piece: &Piece,
        buffers: &mut CountBuffers,
        mut visit: impl FnMut(Hand, u32, OpenCounts),
    ) -> u64 {
        let mut multisets = piece.multisets(&self.options, &self.patterns);
        let planned: Vec<Planned> =
            multisets.iter_mut().map(|multiset| Planned::new(&self.options, multiset)).collect();
        let groups: Vec<Queries<'_>> = multisets.iter().map(Multiset::queries).collect();
        let answers = answers(self.kernels, self.banker.hands(piece.joker), &groups, buffers);
        let mut seen = 0;
        for ((multiset, planned), answers) in multisets.iter().zip(&planned).zip(&answers) {
            let sums: Vec<[PlanSums; 2]> = planned.plans.iter().map(|plan| plan.sums(answers)).collect();
            for (&(hand, orbit, plan), suiting) in planned.classes.iter().zip(&multiset.pattern.suitings) {
                let [wins, losses] = sums[plan].each_ref().map(|sums| sums.of(suiting));
                visit(hand, orbit, OpenCounts { wins, losses, pushes: BANKER_HANDS - wins - losses });
                seen += u64::from(orbit);
            }
        }
        seen
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

impl From<OpenCounts> for OutcomeWeights {
    fn from(OpenCounts { wins, pushes, losses }: OpenCounts) -> OutcomeWeights {
        let [wins, pushes, losses] = [wins, pushes, losses].map(u128::from);
        OutcomeWeights { wins, pushes, losses, ..OutcomeWeights::default() }
    }
}
