//! Exact evaluation of the full game: every class of hands of one side, with the results of all its settings against
//! every hand of the other side, or 8,250,459,031,214,400 deals in total.
//!
//! The evaluation loops over sets of ranks, then over multisets of these ranks, then over classes:
//! - The results of the other side by ranks alone are summed once per multiset and shared by all its suitings.
//! - Flushes of the other side are corrected suit by suit. A correction depends only on which of the held ranks occur
//!   in the suit, so it is shared by all multisets of the same ranks.
//! - A class adds up its base and four corrections for each setting.
//!
//! Sets of ranks are independent of each other. They are evaluated in parallel, can be split into shards, and require
//! memory only for the classes of one set of ranks.
//!
//! [`FullGame::new`] evaluates against a [`BankerTable`], that is, against a strategy that depends on profiles only.
//! [`FullGame::against_table`] evaluates against any other suit-isomorphic strategy, given as a [`ClassTable`], which
//! takes about twice as long and 1.2 GB of memory. Both produce results of the same form. The evaluated strategy may be
//! arbitrary, since [`FullGame::fold`] visits all settings of all classes.

mod classes;
mod counted;
mod flush;
mod halves;
mod kernels;
mod multiset;
mod opponent;
mod payoff;
mod pieces;
mod ranks;
mod run;
mod shard;
mod suitings;
mod sweep;
mod table_opponent;
#[cfg(test)]
mod tests;
mod totals;
mod visit;
mod weights;

pub use super::side::{Side, Ties};
pub use crate::solver::Cancelled;
pub use classes::ClassCounts;
pub use kernels::Instructions;
pub use payoff::Payoff;
pub use run::Run;
pub use shard::{Shard, ShardError};
pub use totals::{BestResponse, Chooser, DealCounts, StrategyChooser};
pub(super) use visit::visit_classes;
pub use weights::{OutcomeWeights, RANDOM_WEIGHT, RandomTotals};

use super::{BankerTable, ClassTable, ClassTableError};
use classes::{FormValues, ROWS};
use counted::PassOptions;
use houseway_env::cards::Rank;
use houseway_env::pai_gow::Game;
use kernels::Kernels;
use multiset::{FormKind, Multiset};
use opponent::{Hands, Opponent};
use pieces::{Patterns, Piece, pieces};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use suitings::{Pattern, patterns};
use sweep::{CountBuffers, Tasks};
use table_opponent::{PreparedValues, TableOpponent, TableScratch};

/// Evaluator of one side's hands against the other side's strategy.
pub struct FullGame<'a> {
    counted: PassOptions<'a>,
    kernels: Kernels,
    other: Other,
    patterns: Patterns,
}

/// The opponent's strategy.
enum Other {
    /// Depends on profiles only.
    Profiles(Box<Opponent>),
    /// Any suit-isomorphic strategy.
    Classes(TableOpponent),
}

/// Buffers reused by a thread.
#[derive(Default)]
struct Scratch {
    counts: CountBuffers,
    table: TableScratch,
    classes: Vec<ClassCounts>,
}

impl<'a> FullGame<'a> {
    /// Prepares to evaluate the hands of `side` against the `other` side's strategy (a fraction of a second).
    pub fn new(game: &'a Game, side: Side, other: &BankerTable) -> FullGame<'a> {
        let compared = if side == Side::Player { other.compared(game) } else { None };
        let patterns = [patterns(false), patterns(true)];
        let opponent = Opponent::new(compared.as_ref().unwrap_or(other), game.ranking().strengths());
        let counted = PassOptions { game, side, copies: false, halves: false };
        FullGame::with_opponent(counted, Other::Profiles(Box::new(opponent)), patterns)
    }

    /// Prepares to evaluate the hands of `side` against any strategy of the `other` side, given as a table (seconds).
    ///
    /// A pass consists of several rounds, and of more if copies are counted. Each round first computes about 1 GB of
    /// sums over the other side's hands, for a part of this side's hands. Progress is reported while that part is
    /// evaluated. A [`Shard`] skips sums needed only by other shards but repeats much of the work on the other side's
    /// hands, so all shards together take longer than a single pass.
    ///
    /// # Errors
    /// Returns an error if the table fouls under the rules of the game or if the rules contain unsupported options,
    /// namely copies that push or banker hands against which every bet pushes.
    pub fn against_table(game: &'a Game, side: Side, other: &ClassTable) -> Result<FullGame<'a>, ClassTableError> {
        ClassTable::check_rules(game)?;
        let (counted, patterns) =
            (PassOptions { game, side, copies: false, halves: false }, [patterns(false), patterns(true)]);
        let other = Other::Classes(TableOpponent::new(&counted, &patterns, other)?);
        Ok(FullGame::with_opponent(counted, other, patterns))
    }

    fn with_opponent(counted: PassOptions<'a>, other: Other, patterns: Patterns) -> FullGame<'a> {
        FullGame { counted, kernels: Kernels::new(Instructions::detect()), other, patterns }
    }

    /// Counts copies as well, at a small cost.
    pub fn with_copies(self) -> FullGame<'a> {
        FullGame { counted: PassOptions { copies: true, ..self.counted }, ..self }
    }

    /// Counts copies and, for backs and fronts separately, the lower hands of the other side, at a further small cost.
    ///
    /// # Panics
    /// Panics against a class table. Halves require a strategy that depends on profiles only.
    pub fn with_halves(self) -> FullGame<'a> {
        assert!(matches!(self.other, Other::Profiles(_)), "halves are not supported against a class table");
        FullGame { counted: PassOptions { copies: true, halves: true, ..self.counted }, ..self }
    }

    /// Uses the given instruction set instead of the widest available one. The results are the same.
    ///
    /// # Panics
    /// Panics if the machine does not support the instruction set.
    pub fn with_instructions(self, instructions: Instructions) -> FullGame<'a> {
        FullGame { kernels: Kernels::new(instructions), ..self }
    }

    /// Returns the instruction set in use.
    pub fn instructions(&self) -> Instructions {
        self.kernels.instructions()
    }

    /// Returns the game.
    pub fn game(&self) -> &'a Game {
        self.counted.game
    }

    /// Returns the side whose hands are evaluated.
    pub fn side(&self) -> Side {
        self.counted.side
    }

    /// Visits every class of the shard once, in parallel on the current thread pool. Each thread starts with `init()`
    /// and passes to `visit` the classes of one multiset of ranks at a time, in no particular order. Finally `merge`
    /// combines the values of the threads.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    pub fn fold<A: Send>(
        &self,
        run: &Run<'_>,
        init: impl Fn() -> A + Sync,
        visit: impl Fn(&mut A, &[ClassCounts]) + Sync,
        merge: impl Fn(A, A) -> A + Sync + Send,
    ) -> Result<A, Cancelled> {
        let pieces: Vec<Piece> = pieces().into_iter().skip(run.shard.index()).step_by(run.shard.count()).collect();
        let all_hands: u64 = pieces.iter().map(|piece| self.hands(piece)).sum();
        let hands = AtomicU64::new(0);
        let cancelled = || run.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed));
        let mut results: Vec<A> = (0..rayon::current_num_threads()).map(|_| init()).collect();
        let mut rest = &pieces[..];
        while !rest.is_empty() && !cancelled() {
            let (prepared, pieces) = self.prepare(&mut rest, &cancelled);
            let next = AtomicUsize::new(0);
            let work = |mut result| {
                let mut scratch = Scratch::default();
                while !cancelled()
                    && let Some(piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    self.count_piece(piece, prepared.as_ref(), &mut scratch, |classes| visit(&mut result, classes));
                    let hands = self.hands(piece) + hands.fetch_add(self.hands(piece), Ordering::Relaxed);
                    run.progress.inspect(|progress| progress(hands, all_hands));
                }
                result
            };
            results = results.into_par_iter().with_max_len(1).map(work).collect();
        }
        if cancelled() {
            Err(Cancelled)
        } else {
            Ok(results.into_iter().reduce(merge).expect("a pool has at least one thread"))
        }
    }

    /// Removes pieces from `rest` and prepares their evaluation.
    fn prepare<'p>(
        &self,
        rest: &mut &'p [Piece],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> (Option<PreparedValues>, &'p [Piece]) {
        match &self.other {
            Other::Profiles(_) => (None, std::mem::take(rest)),
            Other::Classes(table) => {
                let (prepared, len) = table.prepare(&self.counted, self.kernels, &self.patterns, rest, cancelled);
                let (pieces, later) = rest.split_at(len);
                *rest = later;
                (Some(prepared), pieces)
            }
        }
    }

    fn patterns(&self, piece: &Piece) -> &[Pattern] {
        piece.patterns(&self.patterns)
    }

    fn hands(&self, piece: &Piece) -> u64 {
        let suitings = self.patterns(piece).iter().flat_map(|pattern| &pattern.suitings);
        suitings.map(|suiting| u64::from(suiting.orbit)).sum()
    }

    fn count_piece(
        &self,
        piece: &Piece,
        prepared: Option<&PreparedValues>,
        scratch: &mut Scratch,
        visit: impl FnMut(&[ClassCounts]),
    ) {
        let multisets = piece.multisets(&self.counted, &self.patterns);
        match &self.other {
            Other::Profiles(opponent) => {
                self.count_by_profiles(opponent.hands(piece.joker), &piece.ranks, &multisets, scratch, visit);
            }
            Other::Classes(table) => {
                let prepared = prepared.expect("pieces are prepared before evaluation");
                self.count_by_classes(table, prepared, &multisets, scratch, visit);
            }
        }
    }

    fn count_by_profiles(
        &self,
        hands: &Hands,
        ranks: &[Rank],
        multisets: &[Multiset<'_>],
        Scratch { counts, classes, .. }: &mut Scratch,
        mut visit: impl FnMut(&[ClassCounts]),
    ) {
        let rows = if self.counted.halves { ROWS } else { ROWS - 2 };
        let tasks = Tasks::new(multisets);
        let base = ranks::sums(self.kernels, &hands.ranks, ranks, multisets, &tasks, counts);
        let corrections = flush::corrections(self.kernels, &hands.events, ranks, multisets, &tasks, counts);
        for ((multiset, base), corrections) in multisets.iter().zip(&base).zip(&corrections) {
            let [plain, suited] = FormKind::ALL
                .map(|form| FormValues::new(multiset.form(form), rows, 1 << ranks.len(), base, corrections));
            let values = |form, suiting: usize| match form {
                FormKind::Plain => plain.values(&multiset.pattern.suitings[suiting]),
                FormKind::Suited => suited.values(&multiset.pattern.suitings[suiting]),
            };
            classes.clear();
            classes::put_classes(&self.counted, multiset, values, classes);
            visit(classes);
        }
    }

    fn count_by_classes(
        &self,
        table: &TableOpponent,
        prepared: &PreparedValues,
        multisets: &[Multiset<'_>],
        Scratch { table: sums, classes, .. }: &mut Scratch,
        mut visit: impl FnMut(&[ClassCounts]),
    ) {
        for multiset in multisets {
            table.sum_up(self.kernels, prepared, multiset, sums);
            classes.clear();
            classes::put_classes(&self.counted, multiset, |form, suiting| sums.values(form, suiting), classes);
            visit(classes);
        }
    }
}
