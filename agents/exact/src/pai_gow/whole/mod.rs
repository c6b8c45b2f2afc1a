//! Exact evaluation of the full game. Every class of hands for one side is evaluated, in all its settings, against
//! every hand for the other side. This covers all 8,250,459,031,214,400 deals.
//!
//! The evaluation loops over sets of ranks, then over the multisets of these ranks, then over classes:
//! - The opponent's results by ranks only are summed once per multiset and shared by all its suitings.
//! - The opponent's flushes are corrected suit by suit. A correction only depends on which of the held ranks occur in
//!   the suit, so all multisets of the same ranks share it.
//! - A class adds up its base and four corrections for each setting.
//!
//! Sets of ranks don't depend on each other, so they can be evaluated in parallel and split into shards. Each set only
//! needs memory for its own classes.
//!
//! [`FullGame::new`] evaluates against a [`BankerTable`], i.e. a strategy that only depends on profiles.
//! [`FullGame::against_table`] evaluates against any other suit-isomorphic strategy, given as a [`ClassTable`]. This
//! takes longer and needs up to 2 GB of memory. Both produce results in the same form. The evaluated side can play any
//! strategy, because [`FullGame::fold`] visits all settings of all classes. [`MixedGame`] evaluates against mixed
//! strategies over profiles, and [`Opposition`] against either kind. [`KnownCardGame`] evaluates a player who knows one
//! card that neither side holds.

mod answers;
mod classes;
mod counted;
mod flush;
mod fold;
mod halves;
mod kernels;
mod known_card;
#[cfg(test)]
mod known_card_tests;
mod known_totals;
mod mixed_game;
#[cfg(test)]
mod mixed_tests;
mod multiset;
mod open_game;
mod opponent;
mod payoff;
mod pieces;
mod played;
mod plays;
mod profile_sums;
mod profiles;
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
mod weighted;
mod weights;

pub use super::side::{Side, Ties};
pub use crate::solver::Cancelled;
pub use classes::ClassCounts;
pub use kernels::Instructions;
pub use known_card::{KnownCardCounts, KnownCardGame};
pub use known_totals::{KnownCardTotals, KnownCardValues};
pub(super) use mixed_game::dominance_holds;
pub use mixed_game::{MixedCounts, MixedGame};
pub use open_game::OpenGame;
pub use payoff::Payoff;
pub use plays::{Opposition, Play};
pub use profile_sums::ProfileSums;
pub use run::Run;
pub use shard::{Shard, ShardError};
pub use totals::{BestResponse, Chooser, DealCounts, StrategyChooser};
pub(super) use visit::visit_classes;
pub use weights::{OutcomeWeights, RANDOM_WEIGHT};

use super::{BankerTable, ClassTable, ClassTableError};
use counted::PassOptions;
use fold::{Fold, of_threads};
use houseway_env::pai_gow::Game;
use kernels::Kernels;
use multiset::Multiset;
use opponent::Opponent;
use pieces::{Patterns, Piece, sort_by_high_ranks};
use played::keep_played;
use profiles::{ProfileScratch, count_by_profiles};
use suitings::patterns;
use table_opponent::{PreparedValues, TableOpponent, TableScratch};
use weighted::WeightedTable;

/// An evaluator for one side's hands against the other side's strategy.
pub struct FullGame<'a> {
    counted: PassOptions<'a>,
    kernels: Kernels,
    other: Other,
    patterns: Patterns,
}

/// The opponent's strategy.
enum Other {
    /// A strategy that only depends on profiles.
    Profiles(Box<Opponent>),
    /// Any suit-isomorphic strategy.
    Classes(Box<TableOpponent>),
}

/// Buffers that a thread reuses.
#[derive(Default)]
struct Scratch {
    profiles: ProfileScratch,
    table: TableScratch,
    classes: Vec<ClassCounts>,
}

impl<'a> FullGame<'a> {
    /// Prepares to evaluate the hands of `side` against the `other` side's strategy. This takes a fraction of a second.
    pub fn new(game: &'a Game, side: Side, other: &BankerTable) -> FullGame<'a> {
        let patterns = [patterns(false), patterns(true)];
        let opponent = Opponent::against(game, side, WeightedTable::pure(other));
        let counted = PassOptions::new(game, side);
        FullGame::with_opponent(counted, Other::Profiles(Box::new(opponent)), patterns)
    }

    /// Prepares to evaluate the hands of `side` against any strategy for the `other` side, given as a table. This takes
    /// a few seconds.
    ///
    /// A pass consists of several rounds, and takes more of them if copies are counted. Each round starts by computing
    /// about 1.6 GB of sums over the opposing hands, which are then used to evaluate part of this side's hands. Progress
    /// is only reported during the second step. A [`Shard`] skips sums that only other shards need, but it has to
    /// repeat much of the work on the opposing hands. Running all shards therefore takes longer than a single pass.
    ///
    /// # Errors
    /// Returns an error if the table fouls under the game's rules, or if the rules use an unsupported option. Copies
    /// that push and banker hands against which every bet pushes aren't supported.
    pub fn against_table(game: &'a Game, side: Side, other: &ClassTable) -> Result<FullGame<'a>, ClassTableError> {
        ClassTable::check_rules(game)?;
        let (counted, patterns) = (PassOptions::new(game, side), [patterns(false), patterns(true)]);
        let other = Other::Classes(Box::new(TableOpponent::new(&counted, &patterns, other)?));
        Ok(FullGame::with_opponent(counted, other, patterns))
    }

    fn with_opponent(counted: PassOptions<'a>, other: Other, patterns: Patterns) -> FullGame<'a> {
        FullGame { counted, kernels: Kernels::new(Instructions::detect()), other, patterns }
    }

    /// Also counts copies, at a small extra cost.
    pub fn with_copies(self) -> FullGame<'a> {
        FullGame { counted: PassOptions { copies: true, ..self.counted }, ..self }
    }

    /// Also counts copies, lower backs, and lower fronts. This is slightly slower than counting copies alone.
    ///
    /// # Panics
    /// Panics if the opponent's strategy is a class table. Halves can only be counted against a strategy that only
    /// depends on profiles.
    pub fn with_halves(self) -> FullGame<'a> {
        assert!(matches!(self.other, Other::Profiles(_)), "halves are not supported against a class table");
        FullGame { counted: PassOptions { copies: true, halves: true, ..self.counted }, ..self }
    }

    /// Leaves out dominated settings, which makes the evaluation faster. A best response never needs them, unless every
    /// bet pushes against some banker hands under the rules. In that case, all settings are still evaluated.
    pub fn without_dominated(self) -> FullGame<'a> {
        let undominated = dominance_holds(self.counted.game);
        FullGame { counted: PassOptions { undominated, ..self.counted }, ..self }
    }

    /// Uses the given instruction set instead of the widest available one. This doesn't affect the results.
    ///
    /// # Panics
    /// Panics if the machine doesn't support the instruction set.
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

    /// Visits every class in the shard once, in parallel on the current thread pool.
    ///
    /// Each thread starts with the value of `init()` and calls `visit` with the classes for one multiset of ranks at a
    /// time, in no particular order. Finally, `merge` combines the values from all threads.
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
        self.fold_played(None, run, init, visit, merge)
    }

    /// Like [`FullGame::fold`]. If a strategy is given, settings that it never plays may be left out.
    fn fold_played<A: Send>(
        &self,
        played: Option<&BankerTable>,
        run: &Run<'_>,
        init: impl Fn() -> A + Sync,
        visit: impl Fn(&mut A, &[ClassCounts]) + Sync,
        merge: impl Fn(A, A) -> A + Sync + Send,
    ) -> Result<A, Cancelled> {
        let (fold, mut pieces) = Fold::new(run, &self.patterns);
        if let Other::Classes(_) = self.other {
            // Most parts are then only needed in some of the rounds.
            sort_by_high_ranks(&mut pieces);
        }
        let cancelled = || fold.cancelled();
        let mut results = of_threads(init);
        let (mut rest, mut prepared) = (&pieces[..], PreparedValues::default());
        while !rest.is_empty() && !cancelled() {
            let pieces;
            (prepared, pieces) = self.prepare(&mut rest, prepared, &cancelled);
            let count = |piece: &Piece, scratch: &mut Scratch, result: &mut A| {
                self.count_piece((piece, played), &prepared, scratch, |classes| visit(result, classes));
            };
            results = fold.add(pieces, results, count);
        }
        fold.finish(results, merge)
    }

    /// Takes pieces from the front of `rest` and prepares to evaluate them. `last` contains the values for the pieces
    /// before them.
    fn prepare<'p>(
        &self,
        rest: &mut &'p [Piece],
        last: PreparedValues,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> (PreparedValues, &'p [Piece]) {
        match &self.other {
            Other::Profiles(_) => (last, std::mem::take(rest)),
            Other::Classes(table) => {
                let (counted, patterns) = (&self.counted, &self.patterns);
                let (prepared, len) = table.prepare(counted, self.kernels, patterns, rest, last, cancelled);
                let (pieces, later) = rest.split_at(len);
                *rest = later;
                (prepared, pieces)
            }
        }
    }

    fn count_piece(
        &self,
        (piece, played): (&Piece, Option<&BankerTable>),
        prepared: &PreparedValues,
        scratch: &mut Scratch,
        visit: impl FnMut(&[ClassCounts]),
    ) {
        match &self.other {
            Other::Profiles(opponent) => {
                let multisets = piece.multisets(&self.counted, &self.patterns).into_iter().map(|mut multiset| {
                    played.inspect(|played| keep_played(&mut multiset, played));
                    multiset.with_asks(&self.counted)
                });
                let multisets: Vec<Multiset<'_>> = multisets.collect();
                let hands = (opponent.hands(piece.joker), opponent.weight());
                let options = (&self.counted, self.kernels);
                count_by_profiles(options, hands, &multisets, &mut scratch.profiles, visit);
            }
            Other::Classes(table) => {
                let multisets = piece.multisets(&self.counted, &self.patterns);
                self.count_by_classes(table, prepared, &multisets, scratch, visit);
            }
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
            table.sum_up((&self.counted, self.kernels), prepared, multiset, sums);
            classes.clear();
            classes::put_classes(&self.counted, multiset, |form, suiting| sums.values(form, suiting), classes);
            visit(classes);
        }
    }
}
