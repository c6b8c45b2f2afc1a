//! Measures how much a strategy loses against the optimum in each decision.
//!
//! A strategy's EV is the optimal EV minus the regret from each decision, weighted by how often the strategy gets there
//! and assuming optimal play afterwards. The loss before the river is therefore independent of how the strategy plays
//! the river itself. The river loss is averaged over all boards or over a sample. For a sample, there is also a
//! confidence interval.

use super::board::BoardCounter;
use super::suits::{Flops, boards};
use super::whole::{FLOPS, FullGame, HandTotals, ProgressFn, Sums, Totals, for_each_flop};
use super::{ANTE, DEALER_HANDS, DecisionRule, Optimum};
use crate::Ratio;
use crate::solver::{Cancelled, Z95};
use houseway_env::cards::CardSet;
use houseway_env::ultimate_holdem::Hole;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The number of hands on a board.
const HANDS: i64 = super::board::HANDS as i64;

/// The game with optimal play on every river. Evaluating it once makes it quick to compute results for any play before
/// the river.
pub struct BestRivers<'a> {
    pub(super) whole: FullGame<'a>,
    pub(super) flops: Flops,
    pub(super) sums: Sums,
}

/// A strategy's results up to the river.
pub struct Before {
    /// The totals over all deals, with optimal play on the river.
    pub totals: Totals,
    /// `true` if the strategy plays on the flop, indexed by flop class and card pair.
    flops: Vec<bool>,
}

/// A weighted set of boards for evaluating river play.
#[derive(Clone, Debug)]
pub struct Boards {
    /// The boards and their weights.
    pub(super) boards: Vec<(CardSet, i64)>,
    whole: bool,
}

impl Boards {
    /// Returns one board per class, weighted by the class size.
    pub fn all() -> Boards {
        Boards { boards: boards(), whole: true }
    }

    /// Creates a sample from five-card boards, which must have been drawn uniformly at random.
    pub fn sample(boards: impl IntoIterator<Item = CardSet>) -> Boards {
        Boards { boards: boards.into_iter().map(|board| (board, 1)).collect(), whole: false }
    }

    /// Returns the number of boards.
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// Returns `true` if there are no boards.
    pub fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    /// Returns `true` if these boards represent every board, so there's no sampling error.
    pub fn are_all(&self) -> bool {
        self.whole
    }
}

/// A strategy's loss on the river, in antes per hand dealt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RiverLoss {
    /// The exact mean over the given boards.
    pub mean: Ratio,
    /// The half-width of the 95% confidence interval for the mean over all boards, or 0 if all boards were given.
    pub half_width: f64,
    /// The fraction of deals in which every decision agrees with the optimum.
    pub agreement: f64,
}

/// Totals for one board, summed over every hand and all ten possible flops.
#[derive(Clone, Copy, Default)]
struct BoardSums {
    /// The loss in half antes times dealer hands.
    lost: i64,
    agreed: i64,
}

impl<'a> BestRivers<'a> {
    /// Evaluates all rivers, using the current thread pool.
    ///
    /// # Errors
    /// Returns [`Cancelled`] if `cancel` becomes true before the evaluation is done.
    pub fn new(
        whole: FullGame<'a>,
        progress: Option<ProgressFn<'_>>,
        cancel: Option<&AtomicBool>,
    ) -> Result<BestRivers<'a>, Cancelled> {
        let flops = Flops::new();
        let sums = whole.sum(&Optimum, &flops, progress, cancel)?;
        Ok(BestRivers { whole, flops, sums })
    }

    /// Evaluates a strategy before the river. Pass [`Optimum`] to get the game's optimum.
    pub fn before(&self, strategy: &impl DecisionRule) -> Before {
        let (totals, flops) = self.whole.decide(strategy, &self.flops, &self.sums);
        Before { totals, flops }
    }

    /// Computes a strategy's loss on the river. `before` describes how the strategy plays before the river, and
    /// `optimum` how [`Optimum`] does.
    ///
    /// # Errors
    /// Returns [`Cancelled`] if `cancel` becomes true before the evaluation is done.
    pub fn river_loss(
        &self,
        strategy: &impl DecisionRule,
        before: &Before,
        optimum: &Before,
        boards: &Boards,
        progress: Option<ProgressFn<'_>>,
        cancel: Option<&AtomicBool>,
    ) -> Result<RiverLoss, Cancelled> {
        let done = AtomicU64::new(0);
        let of_board = |counter: &mut BoardCounter<'_>, &(board, _): &(CardSet, i64)| {
            if cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                return Err(Cancelled);
            }
            let sums = self.board(strategy, counter, before, optimum, board);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress.iter().for_each(|tell| tell(done, boards.len() as u64));
            Ok(sums)
        };
        let sums = boards.boards.par_iter().map_init(|| BoardCounter::new(self.whole.game), of_board);
        let sums: Vec<BoardSums> = sums.collect::<Result<_, _>>()?;
        let weighed = |value: fn(&BoardSums) -> i64| -> i128 {
            sums.iter().zip(&boards.boards).map(|(sums, board)| i128::from(value(sums)) * i128::from(board.1)).sum()
        };
        let weights: i64 = boards.boards.iter().map(|board| board.1).sum();
        let cases = i128::from(weights) * i128::from(HANDS) * FLOPS as i128;
        let mean = Ratio::new(weighed(|sums| sums.lost), cases * i128::from(DEALER_HANDS * ANTE));
        let half_width = if boards.whole { 0.0 } else { half_width(&sums, mean.value()) };
        Ok(RiverLoss { mean, half_width, agreement: Ratio::new(weighed(|sums| sums.agreed), cases).value() })
    }

    fn board(
        &self,
        strategy: &impl DecisionRule,
        counter: &mut BoardCounter<'_>,
        before: &Before,
        optimum: &Before,
        board: CardSet,
    ) -> BoardSums {
        let seen = strategy.board(board);
        let mut flops = Vec::with_capacity(FLOPS);
        for_each_flop(board, |flop| flops.push(self.flops.class(flop)));
        let mut sums = BoardSums::default();
        counter.count(board, |counted| {
            let hole = super::whole::hole(counted.pair);
            let [mine, best] = [before, optimum].map(|before| before.start(hole).chosen);
            if mine != 0 {
                sums.agreed += i64::from(mine == best) * FLOPS as i64;
                return;
            }
            let category = self.whole.game.best().category(counted.strength);
            let play = self.whole.pays.moments(category, &counted.ends).value(1);
            let fold = self.whole.pays.fold(category) * DEALER_HANDS;
            let lost = play.max(fold) - if strategy.river(hole, &seen, play, fold) { play } else { fold };
            for &(class, pairs) in &flops {
                let place = class * super::board::PAIRS + usize::from(pairs[counted.pair]);
                let [plays, should] = [before, optimum].map(|before| before.flops[place]);
                sums.lost += if plays { 0 } else { lost };
                sums.agreed += i64::from(best == 0 && plays == should && (plays || lost == 0));
            }
        });
        sums
    }
}

impl Before {
    fn start(&self, hole: Hole) -> &HandTotals {
        // The totals list every kind of starting hand in order.
        &self.totals.hands[hole.kind()]
    }
}

/// Returns the half-width of the 95% confidence interval for the mean, given a sample of boards.
fn half_width(sums: &[BoardSums], mean: f64) -> f64 {
    let unit = (HANDS * FLOPS as i64 * DEALER_HANDS * ANTE) as f64;
    half_width_of(sums.iter().map(|sums| sums.lost as f64 / unit), mean)
}

/// Returns the half-width of the 95% confidence interval for the mean of these losses.
pub(super) fn half_width_of(losses: impl ExactSizeIterator<Item = f64>, mean: f64) -> f64 {
    let n = losses.len() as f64;
    let squares: f64 = losses.map(|loss| (loss - mean).powi(2)).sum();
    Z95 * (squares / (n - 1.0) / n).sqrt()
}
