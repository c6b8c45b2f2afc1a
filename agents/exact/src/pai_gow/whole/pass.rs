//! A pass over all hands of one side, against the other side's strategy.

use super::classes::{ClassCounts, FormValues, ProfileSums, ROWS, Summed, hands, put_classes};
use super::kernels::{Instructions, Kernels};
use super::multiset::{FormKind, Multiset, Patterns, Queries, patterns};
use super::opponent::{DIGIT, Part, WeightedTable};
use super::plays::Play;
use super::shard::{Piece, Shard, pieces, sort_by_high_ranks};
use super::sweep::{CountBuffers, answers};
use super::table_opponent::{PreparedValues, TableOpponent, TableScratch};
use crate::pai_gow::banker::BankerTable;
use crate::pai_gow::mixed::MixedTable;
use crate::pai_gow::outcomes::{BANKER_HANDS, Side};
use crate::pai_gow::table::ClassTable;
use crate::solver::{Cancelled, Control, SolverError};
use houseway_env::cards::profile::Profiles;
use houseway_env::pai_gow::{BankPushes, Game};
use rayon::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// Options for running a pass.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The shard to evaluate.
    pub shard: Shard,
    /// A progress callback. It can be called from any thread, and it receives the number of hands evaluated so far and
    /// the shard's total.
    pub progress: Option<&'a (dyn Fn(u64, u64) + Sync)>,
    /// A flag that cancels the pass. The pass checks it regularly and ends soon after it becomes true.
    pub cancel: Option<&'a AtomicBool>,
}

impl Run<'_> {
    /// Calls `pass` with a run over all deals that a control can cancel. Its progress is reported as a stage.
    pub fn with<T>(control: &Control<'_>, stage: &str, pass: impl FnOnce(&Run<'_>) -> T) -> T {
        let progress = control.stage(stage, "hands");
        pass(&Run { progress: Some(&progress), cancel: control.cancel, ..Run::default() })
    }

    /// Calls `pass` with the run for one of several passes that take equally long, of which some are done.
    pub(in crate::pai_gow) fn part<T>(&self, done: u64, passes: u64, pass: impl FnOnce(&Run<'_>) -> T) -> T {
        let progress = self.progress.map(|tell| move |hands: u64, of: u64| tell(done * of + hands, passes * of));
        let progress = progress.as_ref().map(|tell| tell as &(dyn Fn(u64, u64) + Sync));
        pass(&Run { progress, ..*self })
    }
}

impl Default for Run<'_> {
    fn default() -> Self {
        Run { shard: Shard::WHOLE, progress: None, cancel: None }
    }
}

/// The game, the side to evaluate, and the results to count in a pass.
#[derive(Clone, Copy)]
pub(super) struct PassOptions<'a> {
    pub(super) game: &'a Game,
    pub(super) side: Side,
    pub(super) kernels: Kernels,
    pub(super) copies: bool,
    pub(super) halves: bool,
    /// `true` if dominated settings are left out.
    pub(super) undominated: bool,
}

impl<'a> PassOptions<'a> {
    /// Creates options that only count wins and losses, for all legal settings.
    fn new(game: &'a Game, side: Side) -> PassOptions<'a> {
        let kernels = Kernels::new(Instructions::detect());
        PassOptions { game, side, kernels, copies: false, halves: false, undominated: false }
    }
}

/// Returns `true` if a dominated setting can never be better than the setting that dominates it, for either side.
pub(in crate::pai_gow) fn dominance_holds(game: &Game) -> bool {
    game.rules().bank_pushes == BankPushes::None
}

/// An evaluator for one side's hands against the other side's strategy.
///
/// The methods that start with `fold` visit all hands in a [`Run`], in parallel on the current thread pool. Each thread
/// starts with the value of `init()` and passes it to `visit`, in no particular order of hands. Finally, `merge`
/// combines the values from all threads.
pub struct Pass<'a> {
    pub(super) options: PassOptions<'a>,
    pub(super) patterns: Patterns,
    opponent: Opponent,
}

/// The opponent's strategy.
enum Opponent {
    /// A strategy that only depends on profiles. It's the sum of its parts, and a pure strategy has just one of them.
    Profiles(Vec<Part>),
    /// Any suit-isomorphic strategy.
    Classes(Box<TableOpponent>),
}

/// Buffers that a thread reuses.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) counts: CountBuffers,
    table: TableScratch,
    classes: Vec<ClassCounts>,
    /// The sums over the parts for each multiset.
    sums: Vec<Vec<ClassCounts<i64>>>,
}

impl<'a> Pass<'a> {
    /// Prepares to evaluate the hands of `side` against the `other` side's strategy. This takes a fraction of a second.
    pub fn new(game: &'a Game, side: Side, other: &BankerTable) -> Pass<'a> {
        Pass::against_parts(game, side, vec![(1, WeightedTable::pure(other))])
    }

    /// Prepares to evaluate the hands of `side` against the `other` side's mixed strategy, with
    /// [`fold_weights`](Self::fold_weights) or [`fold_profiles`](Self::fold_profiles).
    ///
    /// The weights are split into six-bit digits, and each digit takes a pass like the one against a pure strategy. The
    /// low digits are only needed for weights that aren't multiples of 1/64. Most strategies that a solver iterates over
    /// have no such weights, so a single pass is enough for them.
    pub fn against_mixed(game: &'a Game, side: Side, other: &MixedTable) -> Pass<'a> {
        Pass::against_parts(game, side, WeightedTable::digits(other))
    }

    /// Prepares to evaluate how the counts change if the other side switches from one mixed strategy to another. If few
    /// profiles change, this is faster than a complete evaluation. Returns `None` if it would take more than
    /// `max_passes` passes, or if any changed profile has a weight that isn't a multiple of 1/64.
    pub(crate) fn of_changes(
        game: &'a Game,
        side: Side,
        [from, to]: [&MixedTable; 2],
        max_passes: usize,
    ) -> Option<Pass<'a>> {
        let changes = WeightedTable::changes_of(from, to).filter(|tables| tables.len() <= max_passes)?;
        let parts = changes.into_iter().map(|table| (DIGIT.into(), table)).collect();
        Some(Pass::against_parts(game, side, parts))
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
    pub fn against_table(game: &'a Game, side: Side, other: &ClassTable) -> Result<Pass<'a>, SolverError> {
        ClassTable::check_rules(game)?;
        let (options, patterns) = (PassOptions::new(game, side), [patterns(false), patterns(true)]);
        let opponent = Opponent::Classes(Box::new(TableOpponent::new(&options, &patterns, other)?));
        Ok(Pass { options, patterns, opponent })
    }

    fn against_parts(game: &'a Game, side: Side, parts: Vec<(i64, WeightedTable)>) -> Pass<'a> {
        let parts = parts.into_iter().map(|(factor, table)| Part::against(game, side, factor, table));
        Pass {
            options: PassOptions::new(game, side),
            patterns: [patterns(false), patterns(true)],
            opponent: Opponent::Profiles(parts.collect()),
        }
    }

    /// Also counts copies, at a small extra cost.
    pub fn with_copies(mut self) -> Pass<'a> {
        self.options.copies = true;
        self
    }

    /// Also counts copies, lower backs, and lower fronts. This is slightly slower than counting copies alone.
    ///
    /// # Panics
    /// Panics if the opponent's strategy is a class table. Halves can only be counted against a strategy that only
    /// depends on profiles.
    pub fn with_halves(mut self) -> Pass<'a> {
        assert!(matches!(self.opponent, Opponent::Profiles(_)), "halves are not supported against a class table");
        self.options.halves = true;
        self.with_copies()
    }

    /// Leaves out dominated settings, which makes the evaluation faster. A best response never needs them, unless every
    /// bet pushes against some banker hands under the rules. In that case, all settings are still evaluated.
    pub fn without_dominated(mut self) -> Pass<'a> {
        self.options.undominated = dominance_holds(self.options.game);
        self
    }

    /// Uses the given instruction set instead of the widest available one. This doesn't affect the results.
    ///
    /// # Panics
    /// Panics if the machine doesn't support the instruction set.
    pub fn with_instructions(mut self, instructions: Instructions) -> Pass<'a> {
        self.options.kernels = Kernels::new(instructions);
        self
    }

    /// Returns the game.
    pub fn game(&self) -> &'a Game {
        self.options.game
    }

    /// Returns the side whose hands are evaluated.
    pub fn side(&self) -> Side {
        self.options.side
    }

    /// Returns the total weight of an opposing hand's settings: 1 for a pure strategy, and [`MixedTable::WHOLE`] for a
    /// mixed one.
    pub fn weight(&self) -> u32 {
        match &self.opponent {
            Opponent::Profiles(parts) => {
                parts.iter().map(|part| part.factor * i64::from(part.weight)).sum::<i64>() as u32
            }
            Opponent::Classes(_) => 1,
        }
    }

    /// Returns the parts of the opponent's strategy.
    fn parts(&self) -> &[Part] {
        match &self.opponent {
            Opponent::Profiles(parts) => parts,
            Opponent::Classes(_) => panic!("a class table is only supported by `Pass::fold`"),
        }
    }

    /// Returns the only part of a pure strategy over profiles.
    pub(super) fn pure_part(&self) -> &Part {
        match self.parts() {
            [part] if part.factor == 1 => part,
            _ => panic!("a mixed strategy is only supported by `Pass::fold_weights` and `Pass::fold_profiles`"),
        }
    }

    /// Returns the only part of a banker's pure strategy over profiles.
    pub(super) fn banker_part(&self) -> &Part {
        assert_eq!(self.options.side, Side::Player, "only a player can know a card or see the other side's hand");
        self.pure_part()
    }

    /// Visits every class once, together with the other classes that have the same multiset of ranks.
    ///
    /// # Errors
    /// Returns an error if the run was canceled.
    ///
    /// # Panics
    /// Panics if the opponent's strategy is mixed.
    pub fn fold<A: Send>(
        &self,
        run: &Run<'_>,
        init: impl Fn() -> A + Sync,
        visit: impl Fn(&mut A, &[ClassCounts]) + Sync,
        merge: impl Fn(A, A) -> A + Sync + Send,
    ) -> Result<A, Cancelled> {
        self.fold_played(&[], run, init, visit, merge)
    }

    /// Like [`Pass::fold`]. If plays are given, settings that none of them chooses may be left out. Each of them is a table
    /// over profiles or a best response.
    pub(super) fn fold_played<A: Send>(
        &self,
        plays: &[Play<'_>],
        run: &Run<'_>,
        init: impl Fn() -> A + Sync,
        visit: impl Fn(&mut A, &[ClassCounts]) + Sync,
        merge: impl Fn(A, A) -> A + Sync + Send,
    ) -> Result<A, Cancelled> {
        let count = |piece: &Piece, prepared: &PreparedValues, scratch: &mut Scratch, result: &mut A| {
            let mut multisets = piece.multisets(&self.options, &self.patterns);
            let visit = &mut |classes: &[ClassCounts]| visit(result, classes);
            match &self.opponent {
                Opponent::Profiles(_) => {
                    if !plays.is_empty() {
                        multisets.iter_mut().for_each(|multiset| keep_played(multiset, self.options.game, plays));
                    }
                    let multisets: Vec<Multiset<'_>> =
                        multisets.into_iter().map(|multiset| multiset.with_asks(&self.options)).collect();
                    self.count_part(self.pure_part(), piece, &multisets, scratch, visit);
                }
                Opponent::Classes(table) => self.count_by_classes(table, prepared, &multisets, scratch, visit),
            }
        };
        self.fold_pieces(run, init, count, merge)
    }

    /// Visits every class once like [`Pass::fold`], but the opponent's strategy can be mixed.
    ///
    /// # Errors
    /// Returns an error if the run was canceled.
    ///
    /// # Panics
    /// Panics if the opponent's strategy is a class table.
    pub fn fold_weights<A: Send>(
        &self,
        run: &Run<'_>,
        init: impl Fn() -> A + Sync,
        visit: impl Fn(&mut A, &[ClassCounts<i64>]) + Sync,
        merge: impl Fn(A, A) -> A + Sync + Send,
    ) -> Result<A, Cancelled> {
        let count = |piece: &Piece, _: &PreparedValues, scratch: &mut Scratch, result: &mut A| {
            let multisets = piece.with_asks(&self.options, &self.patterns);
            // A part's classes only exist while they are visited, so the sums of all multisets are kept until the last part.
            let mut all = std::mem::take(&mut scratch.sums);
            all.resize_with(multisets.len().max(all.len()), Vec::new);
            all.iter_mut().for_each(Vec::clear);
            for part in self.parts() {
                let mut sums = all.iter_mut();
                self.count_part(part, piece, &multisets, scratch, &mut |classes| {
                    let sums = sums.next().expect("every multiset has sums");
                    if sums.is_empty() {
                        sums.extend(classes.iter().map(ClassCounts::zero));
                    }
                    sums.iter_mut().zip(classes).for_each(|(sum, class)| sum.add(part, class, self.options.copies));
                });
            }
            all.iter().filter(|sums| !sums.is_empty()).for_each(|sums| visit(result, sums));
            scratch.sums = all;
        };
        self.fold_pieces(run, init, count, merge)
    }

    /// Visits every profile once, with the sums over its hands. This is faster than visiting its classes. Copies aren't
    /// counted.
    ///
    /// # Errors
    /// Returns an error if the run was canceled.
    ///
    /// # Panics
    /// Panics if the opponent's strategy is a class table.
    pub fn fold_profiles<A: Send>(
        &self,
        run: &Run<'_>,
        init: impl Fn() -> A + Sync,
        visit: impl Fn(&mut A, &ProfileSums) + Sync,
        merge: impl Fn(A, A) -> A + Sync + Send,
    ) -> Result<A, Cancelled> {
        let count = |piece: &Piece, _: &PreparedValues, buffers: &mut CountBuffers, result: &mut A| {
            let multisets = piece.with_asks(&self.options, &self.patterns);
            let groups: Vec<Queries<'_>> = multisets.iter().map(Multiset::queries).collect();
            let mut profiles: Vec<Vec<Summed<'_>>> = multisets.iter().map(|it| Summed::all(it).collect()).collect();
            for part in self.parts() {
                let answers = answers(self.options.kernels, part.hands(piece.joker), &groups, buffers);
                for (profiles, answers) in profiles.iter_mut().zip(&answers) {
                    profiles.iter_mut().for_each(|profile| profile.add(part, answers));
                }
            }
            profiles.into_iter().flatten().for_each(|profile| visit(result, &profile.finish(&self.options)));
        };
        self.fold_pieces(run, init, count, merge)
    }

    /// Visits every class once like [`Pass::fold`], with its results in each of several passes. They must only differ in
    /// the other side's strategy.
    pub(in crate::pai_gow) fn fold_each<A: Send>(
        passes: &[Pass<'_>],
        run: &Run<'_>,
        init: impl Fn() -> A + Sync,
        visit: impl Fn(&mut A, &[&[ClassCounts]]) + Sync,
        merge: impl Fn(A, A) -> A + Sync + Send,
    ) -> Result<A, Cancelled> {
        let count = |piece: &Piece, _: &PreparedValues, scratch: &mut Scratch, result: &mut A| {
            let mut of_passes: Vec<Vec<Vec<ClassCounts>>> = vec![vec![]; passes.len()];
            for (pass, of_pass) in passes.iter().zip(&mut of_passes) {
                let multisets = piece.with_asks(&pass.options, &pass.patterns);
                let keep = &mut |classes: &[ClassCounts]| of_pass.push(classes.to_vec());
                pass.count_part(pass.pure_part(), piece, &multisets, scratch, keep);
            }
            for i in 0..of_passes[0].len() {
                let classes: Vec<&[ClassCounts]> = of_passes.iter().map(|of_pass| &of_pass[i][..]).collect();
                visit(result, &classes);
            }
        };
        passes[0].fold_pieces(run, init, count, merge)
    }

    /// Evaluates every piece in the run once. `count` also receives its thread's buffers.
    pub(super) fn fold_pieces<A: Send, S: Default>(
        &self,
        run: &Run<'_>,
        init: impl Fn() -> A,
        count: impl Fn(&Piece, &PreparedValues, &mut S, &mut A) + Sync,
        merge: impl Fn(A, A) -> A,
    ) -> Result<A, Cancelled> {
        let (fold, mut pieces) = Fold::new(run, &self.patterns);
        let mut results: Vec<A> = (0..rayon::current_num_threads()).map(|_| init()).collect();
        let mut prepared = PreparedValues::default();
        if let Opponent::Classes(_) = &self.opponent {
            // Most parts are then only needed in some of the rounds.
            sort_by_high_ranks(&mut pieces);
        }
        let mut rest = &pieces[..];
        while !rest.is_empty() && !fold.cancelled() {
            let mut len = rest.len();
            if let Opponent::Classes(table) = &self.opponent {
                (prepared, len) = table.prepare(&self.options, &self.patterns, rest, prepared, &|| fold.cancelled());
            }
            let round = rest.split_off(..len).expect("a round has at most the remaining pieces");
            fold.add(round, &mut results, |piece, scratch, result| count(piece, &prepared, scratch, result));
        }
        if fold.cancelled() {
            return Err(Cancelled);
        }
        Ok(results.into_iter().reduce(merge).expect("a pool has at least one thread"))
    }

    /// Visits the classes for each of a piece's multisets, evaluated against a part of a strategy over profiles.
    pub(super) fn count_part(
        &self,
        part: &Part,
        piece: &Piece,
        multisets: &[Multiset<'_>],
        Scratch { counts, classes, .. }: &mut Scratch,
        visit: &mut dyn FnMut(&[ClassCounts]),
    ) {
        let rows = if self.options.halves { ROWS } else { ROWS - 2 };
        let all_hands = part.weight.wrapping_mul(BANKER_HANDS as i32);
        let groups: Vec<Queries<'_>> = multisets.iter().map(Multiset::queries).collect();
        let answers = answers(self.options.kernels, part.hands(piece.joker), &groups, counts);
        for (multiset, answers) in multisets.iter().zip(answers) {
            let forms = FormKind::ALL.map(|form| FormValues::new(multiset.form(form), rows, all_hands, &answers));
            classes.clear();
            put_classes(
                &self.options,
                multiset,
                |form, suiting| forms[form as usize].values(&multiset.pattern.suitings[suiting].masks),
                classes,
            );
            visit(classes);
        }
    }

    /// Visits the classes for each of the multisets, evaluated against a table.
    fn count_by_classes(
        &self,
        table: &TableOpponent,
        prepared: &PreparedValues,
        multisets: &[Multiset<'_>],
        Scratch { table: sums, classes, .. }: &mut Scratch,
        visit: &mut dyn FnMut(&[ClassCounts]),
    ) {
        for multiset in multisets {
            table.sum_up(&self.options, prepared, multiset, sums);
            classes.clear();
            put_classes(&self.options, multiset, |form, suiting| sums.values(form, suiting), classes);
            visit(classes);
        }
    }
}

/// Makes all settings illegal that none of the plays chooses with any suiting of the multiset. Each play is a table over
/// profiles or a best response.
pub(super) fn keep_played(multiset: &mut Multiset<'_>, game: &Game, plays: &[Play<'_>]) {
    let has_best = plays.iter().any(|play| matches!(play, Play::Best(_)));
    if has_best && !dominance_holds(game) {
        return;
    }
    let (profiles, mut played) = (Profiles::get(), Vec::new());
    let mut has_ranks = false;
    for (suiting, hand) in hands(multiset) {
        // Suitings without a flush have the same profile.
        if suiting.flush || !std::mem::replace(&mut has_ranks, true) {
            let profile = profiles.of(hand);
            for play in plays {
                if let Play::Profiles(table) = play
                    && !played.contains(&table.set(profile))
                {
                    played.push(table.set(profile));
                }
            }
        }
    }
    multiset.keep(&played, has_best);
}

/// Visits every set of ranks in the shard once, in no particular order and in parallel on the current thread pool.
/// `visit` receives one list of classes per multiset. The classes have set hands but no results.
pub(in crate::pai_gow) fn visit_classes(
    game: &Game,
    run: &Run<'_>,
    visit: impl Fn(&[Vec<ClassCounts>]) + Sync,
) -> Result<(), Cancelled> {
    let (options, patterns) = (PassOptions::new(game, Side::Player), [patterns(false), patterns(true)]);
    let (fold, pieces) = Fold::new(run, &patterns);
    let classes = |multiset: &Multiset<'_>| {
        let mut classes = vec![];
        put_classes(&options, multiset, |_, _| Default::default(), &mut classes);
        classes
    };
    let mut threads = vec![(); rayon::current_num_threads()];
    fold.add(&pieces, &mut threads, |piece, (): &mut (), ()| {
        let multisets: Vec<Vec<ClassCounts>> = piece.multisets(&options, &patterns).iter().map(classes).collect();
        visit(&multisets);
    });
    if fold.cancelled() { Err(Cancelled) } else { Ok(()) }
}

/// The parallel loop over the pieces of a pass: how many of its hands have been evaluated, and whether it was canceled.
struct Fold<'a> {
    run: &'a Run<'a>,
    patterns: &'a Patterns,
    done: AtomicU64,
    hands: u64,
}

impl<'a> Fold<'a> {
    /// Starts a pass over the run's shard. Also returns the pieces in the shard.
    fn new(run: &'a Run<'a>, patterns: &'a Patterns) -> (Fold<'a>, Vec<Piece>) {
        let pieces: Vec<Piece> = pieces().into_iter().skip(run.shard.index()).step_by(run.shard.count()).collect();
        let hands = pieces.iter().map(|piece| piece.hands(patterns)).sum();
        (Fold { run, patterns, done: AtomicU64::new(0), hands }, pieces)
    }

    /// Returns `true` if the pass was canceled.
    fn cancelled(&self) -> bool {
        self.run.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// Evaluates some of the pieces and adds them to the per-thread results. `count` also receives its thread's buffers.
    /// Stops early if the pass is canceled.
    fn add<A: Send, S: Default>(
        &self,
        pieces: &[Piece],
        results: &mut [A],
        count: impl Fn(&Piece, &mut S, &mut A) + Sync,
    ) {
        // The largest pieces come first. Taking one at a time keeps all threads busy until the end, and one result for
        // each thread saves most of the merging.
        let next = AtomicUsize::new(0);
        let results: Vec<Mutex<&mut A>> = results.iter_mut().map(Mutex::new).collect();
        in_parallel(results.len(), &|thread| {
            let mut scratch = S::default();
            let mut result = results[thread].lock().expect("each result is used once");
            while !self.cancelled()
                && let Some(piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed))
            {
                count(piece, &mut scratch, &mut result);
                let hands = piece.hands(self.patterns);
                let done = hands + self.done.fetch_add(hands, Ordering::Relaxed);
                self.run.progress.inspect(|progress| progress(done, self.hands));
            }
        });
    }
}

/// Calls `work` once with every number below `tasks`, each of them as a task of its own. Passes have dozens of types of
/// results, and each of them would compile its own copy of a generic parallel iterator.
pub(super) fn in_parallel(tasks: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..tasks).into_par_iter().with_max_len(1).for_each(work);
}
