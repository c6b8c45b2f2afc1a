//! Evaluation against mixed strategies.

use super::answers::answers;
use super::classes::ClassCounts;
use super::counted::PassOptions;
use super::fold::{Fold, of_threads};
use super::kernels::{Instructions, Kernels};
use super::multiset::{Multiset, Queries};
use super::opponent::Opponent;
use super::payoff::Payoff;
use super::pieces::{Patterns, Piece};
use super::profile_sums::{ProfileSums, Summed};
use super::profiles::{ProfileScratch, count_by_profiles};
use super::run::Run;
use super::suitings::patterns;
use super::sweep::CountBuffers;
use super::weighted::{DIGIT, WeightedTable};
use crate::pai_gow::{MixedTable, Side};
use crate::solver::Cancelled;
use houseway_env::pai_gow::{BankPushes, Game, Hand, SetHand, Setting};

/// An evaluator for one side's hands against the other side's mixed strategy.
///
/// The weights are split into six-bit digits, and each digit takes a pass like the one against a pure strategy. The low
/// digits are only needed for weights that aren't multiples of 1/64. Most strategies that a solver iterates over have
/// no such weights, so a single pass is enough for them. Dominated settings are left out unless copies are counted or
/// some banker hands push every bet under the rules.
pub struct MixedGame<'a> {
    counted: PassOptions<'a>,
    kernels: Kernels,
    patterns: Patterns,
    parts: Vec<Part>,
}

/// A weighted strategy whose counts fit in 32 bits, along with the factor for its weights.
struct Part {
    factor: i64,
    opponent: Opponent,
}

/// A class of hands and the results of its settings. The weights of an opposing hand add up to [`MixedTable::WHOLE`].
/// Dominated settings may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MixedCounts {
    /// The canonical hand of the class.
    pub hand: Hand,
    /// The number of hands in the class.
    pub orbit: u32,
    /// A bit mask of the evaluated settings. The arrays below are only meaningful for these settings.
    pub legal: u32,
    /// The set hand that each setting makes.
    pub sets: [SetHand; Setting::COUNT],
    /// The weight of the opposing hands that lose both comparisons.
    pub wins: [i64; Setting::COUNT],
    /// The weight of the opposing hands that win both comparisons.
    pub losses: [i64; Setting::COUNT],
    /// The weight of the opposing hands with an equal back. Always 0 unless copies are counted.
    pub copies_back: [i64; Setting::COUNT],
    /// The weight of the opposing hands with an equal front. Always 0 unless copies are counted.
    pub copies_front: [i64; Setting::COUNT],
}

impl MixedCounts {
    fn new(class: &ClassCounts) -> MixedCounts {
        let ClassCounts { hand, orbit, legal, sets, .. } = *class;
        let [wins, losses, copies_back, copies_front] = [[0; Setting::COUNT]; 4];
        MixedCounts { hand, orbit, legal, sets, wins, losses, copies_back, copies_front }
    }

    fn add(&mut self, part: &Part, class: &ClassCounts, copies: bool) {
        // Weights that add up to 0 include negative ones, so their counts are signed.
        let signed = part.opponent.weight() == 0;
        let number = |count: u32| part.factor * if signed { i64::from(count as i32) } else { i64::from(count) };
        let add = |sums: &mut [i64; Setting::COUNT], counts: &[u32; Setting::COUNT]| {
            sums.iter_mut().zip(counts).for_each(|(sum, &count)| *sum += number(count));
        };
        add(&mut self.wins, &class.wins);
        add(&mut self.losses, &class.losses);
        if copies {
            add(&mut self.copies_back, &class.copies_back);
            add(&mut self.copies_front, &class.copies_front);
        }
    }

    /// Returns a setting's total gain, in millionths of the stake times [`MixedTable::WHOLE`].
    #[inline]
    pub fn gain(&self, setting: Setting, payoff: Payoff) -> i64 {
        payoff.gain(self.wins[setting.index()], self.losses[setting.index()])
    }

    /// Returns the highest gain of any evaluated setting, in the same unit as [`gain`](Self::gain).
    pub fn best(&self, payoff: Payoff) -> i64 {
        let legal = Setting::all().filter(|setting| self.legal >> setting.index() & 1 == 1);
        legal.map(|setting| self.gain(setting, payoff)).max().expect("every hand has a legal setting")
    }

    /// Returns the first evaluated setting that makes the given set hand.
    pub fn setting_that_makes(&self, set: SetHand) -> Option<Setting> {
        Setting::all().find(|it| self.legal >> it.index() & 1 == 1 && self.sets[it.index()] == set)
    }
}

/// Returns `true` if a dominated setting can never be better than the setting that dominates it, for either side.
pub(in crate::pai_gow) fn dominance_holds(game: &Game) -> bool {
    game.rules().bank_pushes == BankPushes::None
}

impl<'a> MixedGame<'a> {
    /// Prepares to evaluate the hands of `side` against the `other` side's mixed strategy.
    pub fn new(game: &'a Game, side: Side, other: &MixedTable) -> MixedGame<'a> {
        MixedGame::with_tables(game, side, WeightedTable::digits(other))
    }

    /// Prepares to evaluate how the counts change if the other side switches from one mixed strategy to another. If few
    /// profiles change, this is faster than a complete evaluation. Returns `None` if it would take more than
    /// `max_passes` passes, or if any changed profile has a weight that isn't a multiple of 1/64.
    pub fn of_changes(
        game: &'a Game,
        side: Side,
        [from, to]: [&MixedTable; 2],
        max_passes: usize,
    ) -> Option<MixedGame<'a>> {
        let changes = WeightedTable::changes_of(from, to).filter(|tables| tables.len() <= max_passes)?;
        Some(MixedGame::with_tables(game, side, changes.into_iter().map(|table| (DIGIT.into(), table)).collect()))
    }

    fn with_tables(game: &'a Game, side: Side, tables: Vec<(i64, WeightedTable)>) -> MixedGame<'a> {
        let part =
            |(factor, table): (i64, WeightedTable)| Part { factor, opponent: Opponent::against(game, side, table) };
        let undominated = dominance_holds(game);
        MixedGame {
            counted: PassOptions { undominated, ..PassOptions::new(game, side) },
            kernels: Kernels::new(Instructions::detect()),
            patterns: [patterns(false), patterns(true)],
            parts: tables.into_iter().map(part).collect(),
        }
    }

    /// Also counts copies, and evaluates dominated settings too, because strategies may use them.
    pub fn with_copies(self) -> MixedGame<'a> {
        MixedGame { counted: PassOptions { copies: true, undominated: false, ..self.counted }, ..self }
    }

    /// Returns the side whose hands are evaluated.
    pub fn side(&self) -> Side {
        self.counted.side
    }

    /// Visits every class in the shard once, like [`FullGame::fold`](super::FullGame::fold).
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    pub fn fold<A: Send>(
        &self,
        run: &Run<'_>,
        init: impl Fn() -> A + Sync,
        visit: impl Fn(&mut A, &[MixedCounts]) + Sync,
        merge: impl Fn(A, A) -> A + Sync + Send,
    ) -> Result<A, Cancelled> {
        let (fold, pieces) = Fold::new(run, &self.patterns);
        let count = |piece: &Piece, scratch: &mut Scratch, result: &mut A| {
            self.count_piece(piece, scratch, |classes| visit(result, classes));
        };
        let results = fold.add(&pieces, of_threads(init), count);
        fold.finish(results, merge)
    }

    /// Visits every profile in the shard once, with the sums over its hands. This is faster than visiting its classes.
    /// Copies aren't counted.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    pub fn fold_profiles<A: Send>(
        &self,
        run: &Run<'_>,
        init: impl Fn() -> A + Sync,
        visit: impl Fn(&mut A, &ProfileSums) + Sync,
        merge: impl Fn(A, A) -> A + Sync + Send,
    ) -> Result<A, Cancelled> {
        let (fold, pieces) = Fold::new(run, &self.patterns);
        let count = |piece: &Piece, buffers: &mut CountBuffers, result: &mut A| {
            let multisets = piece.with_asks(&self.counted, &self.patterns);
            let groups: Vec<Queries<'_>> = multisets.iter().map(Multiset::queries).collect();
            let mut profiles: Vec<Vec<Summed<'_>>> = multisets.iter().map(|it| Summed::all(it).collect()).collect();
            for part in &self.parts {
                let weight = part.opponent.weight();
                let answers = answers(self.kernels, part.opponent.hands(piece.joker), &groups, buffers);
                for (profiles, answers) in profiles.iter_mut().zip(&answers) {
                    profiles.iter_mut().for_each(|profile| profile.add((part.factor, weight), answers));
                }
            }
            profiles.into_iter().flatten().for_each(|profile| visit(result, &profile.finish(&self.counted)));
        };
        let results = fold.add(&pieces, of_threads(init), count);
        fold.finish(results, merge)
    }

    fn count_piece(&self, piece: &Piece, scratch: &mut Scratch, mut visit: impl FnMut(&[MixedCounts])) {
        let multisets = piece.with_asks(&self.counted, &self.patterns);
        scratch.sums.resize_with(multisets.len().max(scratch.sums.len()), Vec::new);
        scratch.sums.iter_mut().for_each(Vec::clear);
        for part in &self.parts {
            let mut sums = scratch.sums.iter_mut();
            let hands = part.opponent.hands(piece.joker);
            let weight = part.opponent.weight();
            count_by_profiles(
                (&self.counted, self.kernels),
                (hands, weight),
                &multisets,
                &mut scratch.profiles,
                |classes| {
                    let sums = sums.next().expect("every multiset has sums");
                    if sums.is_empty() {
                        sums.extend(classes.iter().map(MixedCounts::new));
                    }
                    sums.iter_mut().zip(classes).for_each(|(sum, class)| sum.add(part, class, self.counted.copies));
                },
            );
        }
        scratch.sums[..multisets.len()].iter().filter(|sums| !sums.is_empty()).for_each(|sums| visit(sums));
    }
}

/// Buffers that a thread reuses.
#[derive(Default)]
struct Scratch {
    profiles: ProfileScratch,
    /// The sums over the parts for each multiset.
    sums: Vec<Vec<MixedCounts>>,
}
