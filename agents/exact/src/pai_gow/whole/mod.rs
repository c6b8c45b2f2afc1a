//! The whole game: every class of hands of one side, with the exact counts of all its settings against every hand of the
//! other side; all 8,250,459,031,214,400 deals.
//!
//! The hands of the counted side are taken by set of ranks, then by multiset of ranks, then by class:
//! - what the other side's hands make by ranks alone is summed up for each multiset, once for all its suitings;
//! - flushes of the other side are a correction suit by suit, which depends only on which of the held ranks lie in the suit;
//!   their counting is shared by all multisets on the same ranks;
//! - a class adds its base and four corrections for each setting.
//!
//! Sets of ranks are independent of each other, so they run in parallel, can be cut into shards, and need little memory:
//! nothing is held beyond the classes of one set of ranks.
//!
//! That is how a [`BankerTable`] is counted against, and with it any strategy that looks at profiles alone
//! ([`Whole::new`]). Any other strategy that treats suits alike is counted against as a [`ClassTable`], in another way that
//! takes about twice as long and needs about 1.2 GB ([`Whole::against_table`]). The counts that come out have the same
//! form. The counted side may be anything: [`Whole::fold`] hands out all settings of all classes.

mod classes;
mod flush;
mod kernels;
mod multiset;
mod opponent;
mod ranks;
mod suitings;
mod sweep;
mod table_opponent;
#[cfg(test)]
mod tests;
mod totals;

pub use classes::ClassCounts;
pub use kernels::Instructions;
pub use totals::{Chooser, DealCounts, OfStrategy, Optimum, Payoff};

use super::{BankerTable, ClassTable, ClassTableError};
use classes::{FormValues, ROWS};
use houseway_env::cards::Rank;
use houseway_env::pai_gow::{BankPushes, Copies, Game};
use kernels::Kernels;
use multiset::{FormKind, Multiset};
use opponent::{Hands, Opponent};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use suitings::{MOST_RANKS, Pattern, patterns};
use sweep::{Counts, Tasks};
use table_opponent::{Prepared, TableOpponent, TableScratch};

/// The side whose hands are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The player's hands against a banker's strategy.
    Player,
    /// The banker's hands against a player's strategy.
    Banker,
}

/// What a tie of backs or of fronts is to one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// A lost comparison.
    Lost,
    /// A won comparison.
    Won,
    /// Neither: the other comparison decides.
    Pushed,
}

impl Side {
    /// What copies are to this side under the rules of a game.
    pub const fn ties(self, copies: Copies) -> Ties {
        match (self, copies) {
            (_, Copies::Pushed) => Ties::Pushed,
            (Side::Player, Copies::Player) | (Side::Banker, Copies::Banker) => Ties::Won,
            (Side::Player, Copies::Banker) | (Side::Banker, Copies::Player) => Ties::Lost,
        }
    }
}

/// A part of the work: every `of`-th set of ranks, from the `index`-th on (from 0). Results of all shards add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    of: usize,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Shard = Shard { index: 0, of: 1 };

    /// Part `index` (from 0) of `of` parts, or `None` if there is no such part.
    pub const fn new(index: usize, of: usize) -> Option<Shard> {
        if index < of { Some(Shard { index, of }) } else { None }
    }
}

/// How a pass over the game runs.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The part that is done.
    pub shard: Shard,
    /// Called now and then, from any thread, with hands done and hands in all (of this shard).
    pub progress: Option<&'a (dyn Fn(u64, u64) + Sync)>,
    /// Stops the pass soon after it becomes true.
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for Run<'_> {
    fn default() -> Self {
        Run { shard: Shard::WHOLE, progress: None, cancel: None }
    }
}

/// A pass was stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the count was stopped before its end; no result came of it")]
pub struct Cancelled;

/// One side's hands against the other side's strategy.
pub struct Whole<'a> {
    counted: Counted<'a>,
    kernels: Kernels,
    other: Other,
    patterns: Patterns,
}

/// What is counted.
#[derive(Clone, Copy)]
struct Counted<'a> {
    game: &'a Game,
    side: Side,
    copies: bool,
    halves: bool,
}

/// By whether the joker is held, then by the number of ranks.
type Patterns = [[Vec<Pattern>; MOST_RANKS + 1]; 2];

/// The strategy that is counted against.
enum Other {
    /// One that looks at profiles alone.
    Profiles(Box<Opponent>),
    /// Any.
    Classes(TableOpponent),
}

/// Multisets on the same ranks, with or without the joker.
struct Piece {
    ranks: Vec<Rank>,
    joker: bool,
}

/// What a thread uses again and again.
#[derive(Default)]
struct Scratch {
    counts: Counts,
    table: TableScratch,
    classes: Vec<ClassCounts>,
}

impl<'a> Whole<'a> {
    /// Makes ready to count the hands of `side` against the `other` side's strategy (a fraction of a second).
    pub fn new(game: &'a Game, side: Side, other: &BankerTable) -> Whole<'a> {
        let compared = if side == Side::Player { other.compared(game) } else { None };
        let patterns = [patterns(false), patterns(true)];
        let opponent = Opponent::new(compared.as_ref().unwrap_or(other), game.ranking().strengths());
        let counted = Counted { game, side, copies: false, halves: false };
        Whole::of(counted, Other::Profiles(Box::new(opponent)), patterns)
    }

    /// Makes ready to count the hands of `side` against any strategy of the `other` side, as a table (seconds).
    ///
    /// A pass takes several rounds, more of them with copies. Each prepares sums over all hands of the other side, 1 GB of
    /// them, for some of this side's hands; progress is told as these are counted. A [`Shard`] is spared what only others
    /// need, but looks at many of the other side's hands again: many shards take longer together than one pass.
    ///
    /// # Errors
    /// If the table sets a hand foul under the rules of the game, or under rules by which copies or some of the banker's
    /// hands push.
    pub fn against_table(game: &'a Game, side: Side, other: &ClassTable) -> Result<Whole<'a>, ClassTableError> {
        let rules = game.rules();
        if rules.copies == Copies::Pushed {
            return Err(ClassTableError::Rules("copies=pushed"));
        }
        if rules.bank_pushes != BankPushes::None {
            return Err(ClassTableError::Rules("bank-pushes"));
        }
        let (counted, patterns) =
            (Counted { game, side, copies: false, halves: false }, [patterns(false), patterns(true)]);
        let other = Other::Classes(TableOpponent::new(&counted, &patterns, other)?);
        Ok(Whole::of(counted, other, patterns))
    }

    fn of(counted: Counted<'a>, other: Other, patterns: Patterns) -> Whole<'a> {
        Whole { counted, kernels: Kernels::new(Instructions::detect()), other, patterns }
    }

    /// Counts copies as well, which takes a little longer.
    pub fn with_copies(self) -> Whole<'a> {
        Whole { counted: Counted { copies: true, ..self.counted }, ..self }
    }

    /// Counts copies, and for backs and fronts by themselves the lower ones of the other side, which takes a little longer
    /// again.
    ///
    /// # Panics
    /// Against a table: halves are counted for strategies that look at profiles alone.
    pub fn with_halves(self) -> Whole<'a> {
        assert!(matches!(self.other, Other::Profiles(_)), "halves are not counted against a table");
        Whole { counted: Counted { copies: true, halves: true, ..self.counted }, ..self }
    }

    /// Uses these instructions instead of the widest that there are. The results are the same.
    ///
    /// # Panics
    /// If the machine lacks them.
    pub fn with_instructions(self, instructions: Instructions) -> Whole<'a> {
        Whole { kernels: Kernels::new(instructions), ..self }
    }

    /// The instructions that are used.
    pub fn instructions(&self) -> Instructions {
        self.kernels.instructions()
    }

    /// The game whose rules are counted under.
    pub fn game(&self) -> &'a Game {
        self.counted.game
    }

    /// The side whose hands are counted.
    pub fn side(&self) -> Side {
        self.counted.side
    }

    /// Visits every class of the shard once, on all threads of the current pool. Each thread starts with `init()` and hands
    /// `visit` the classes of one multiset of ranks after another, in no fixed order; at the end `merge` joins what the
    /// threads have.
    ///
    /// # Errors
    /// If the run was cancelled.
    pub fn fold<A: Send>(
        &self,
        run: &Run<'_>,
        init: impl Fn() -> A + Sync,
        visit: impl Fn(&mut A, &[ClassCounts]) + Sync,
        merge: impl Fn(A, A) -> A + Sync + Send,
    ) -> Result<A, Cancelled> {
        let pieces: Vec<Piece> = pieces().into_iter().skip(run.shard.index).step_by(run.shard.of).collect();
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
        if cancelled() { Err(Cancelled) } else { Ok(results.into_iter().reduce(merge).expect("a pool has a thread")) }
    }

    /// Takes pieces off the `rest`, with what their counting needs.
    fn prepare<'p>(
        &self,
        rest: &mut &'p [Piece],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> (Option<Prepared>, &'p [Piece]) {
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
        prepared: Option<&Prepared>,
        scratch: &mut Scratch,
        visit: impl FnMut(&[ClassCounts]),
    ) {
        let multisets = piece.multisets(&self.counted, &self.patterns);
        match &self.other {
            Other::Profiles(opponent) => {
                self.count_by_profiles(opponent.hands(piece.joker), &piece.ranks, &multisets, scratch, visit);
            }
            Other::Classes(table) => {
                let prepared = prepared.expect("pieces are prepared before they are counted");
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
        let tasks = Tasks::of(multisets);
        let base = ranks::sums(self.kernels, &hands.ranks, ranks, multisets, &tasks, counts);
        let corrections = flush::corrections(self.kernels, &hands.events, ranks, multisets, &tasks, counts);
        for ((multiset, base), corrections) in multisets.iter().zip(&base).zip(&corrections) {
            let [plain, suited] = FormKind::ALL
                .map(|form| FormValues::new(multiset.form(form), rows, 1 << ranks.len(), base, corrections));
            let values = |form, suiting: usize| match form {
                FormKind::Plain => plain.of(&multiset.pattern.suitings[suiting]),
                FormKind::Suited => suited.of(&multiset.pattern.suitings[suiting]),
            };
            classes.clear();
            classes::put_classes(&self.counted, multiset, values, classes);
            visit(classes);
        }
    }

    fn count_by_classes(
        &self,
        table: &TableOpponent,
        prepared: &Prepared,
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

impl Piece {
    fn patterns<'p>(&self, patterns: &'p Patterns) -> &'p [Pattern] {
        &patterns[self.joker as usize][self.ranks.len()]
    }

    fn multisets<'p>(&'p self, counted: &Counted<'_>, patterns: &'p Patterns) -> Vec<Multiset<'p>> {
        let patterns = self.patterns(patterns).iter();
        patterns.map(|pattern| Multiset::new(counted, &self.ranks, pattern, self.joker)).collect()
    }
}

/// All pieces of work, the long ones first.
fn pieces() -> Vec<Piece> {
    let mut pieces = vec![];
    for joker in [false, true] {
        for mask in 0..1u16 << 13 {
            let ranks: Vec<Rank> = Rank::ALL.into_iter().filter(|rank| mask >> rank.index() & 1 == 1).collect();
            // Four cards of each rank at most, and one of each at least.
            let cards = 7 - joker as usize;
            if (cards.div_ceil(4)..=cards).contains(&ranks.len()) {
                pieces.push(Piece { ranks, joker });
            }
        }
    }
    pieces.sort_by_key(|piece| std::cmp::Reverse(piece.ranks.len()));
    pieces
}
