//! What a strategy loses against the optimum, decision by decision.
//!
//! A strategy's expectation is that of the optimum less what each of its decisions gives away, every loss weighed by how
//! often the strategy comes to it and counted as if all later decisions were the best ones. So the loss before the river
//! needs no river of the strategy's own, and the loss on the river is a mean over boards: over all of them, or over a
//! sample, where the losses of the boards tell how far the mean can be off.

use super::board::BoardCounter;
use super::suits::{Flops, boards};
use super::whole::{Cancelled, FLOPS, HandTotals, Progress, Sums, Totals, Whole, for_each_flop};
use super::{ANTE, DEALER_HANDS, Optimum, Strategy};
use crate::Ratio;
use houseway_env::cards::CardSet;
use houseway_env::ultimate_holdem::Hole;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Hands on a board.
const HANDS: i64 = super::board::HANDS as i64;
/// Half a 95% interval in standard errors.
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The game with every river played in the best way. It is counted once; then any play before the river is soon told.
pub struct BestRivers<'a> {
    whole: Whole<'a>,
    flops: Flops,
    sums: Sums,
}

/// What a strategy does before the river.
pub struct Before {
    /// All deals, with the river played in the best way.
    pub totals: Totals,
    /// Whether it plays on the flop, by class of flop and pair of cards.
    flops: Vec<bool>,
}

/// Boards on which rivers are looked at, each with its weight.
#[derive(Clone, Debug)]
pub struct Boards {
    boards: Vec<(CardSet, i64)>,
    whole: bool,
}

impl Boards {
    /// All of them: one of each class, weighed by the boards in the class.
    pub fn all() -> Boards {
        Boards { boards: boards(), whole: true }
    }

    /// Boards of five cards that were drawn one by one, each as likely as any other.
    pub fn sample(boards: impl IntoIterator<Item = CardSet>) -> Boards {
        Boards { boards: boards.into_iter().map(|board| (board, 1)).collect(), whole: false }
    }

    /// How many are looked at.
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    /// Whether they stand for all boards, so that nothing is left to chance.
    pub fn are_all(&self) -> bool {
        self.whole
    }
}

/// What a strategy loses on the river, in antes for each hand dealt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RiverLoss {
    /// The mean over the boards looked at, exact for them.
    pub mean: Ratio,
    /// Half of the 95% interval for all boards; 0 if these are all.
    pub half_width: f64,
    /// Share of deals in which every decision of the hand is one of the optimum's.
    pub agreement: f64,
}

/// Sums of one board over its hands and its ten flops.
#[derive(Clone, Copy, Default)]
struct BoardSums {
    /// Half antes times dealer hands.
    lost: i64,
    agreed: i64,
}

impl<'a> BestRivers<'a> {
    /// Counts all rivers, on the threads of the pool.
    ///
    /// # Errors
    /// [`Cancelled`] if `cancel` was raised before the end.
    pub fn new(
        whole: Whole<'a>,
        progress: Option<Progress<'_>>,
        cancel: Option<&AtomicBool>,
    ) -> Result<BestRivers<'a>, Cancelled> {
        let flops = Flops::new();
        let sums = whole.sum(&Optimum, &flops, progress, cancel)?;
        Ok(BestRivers { whole, flops, sums })
    }

    /// What a strategy does before the river. That of [`Optimum`] is the optimum of the game.
    pub fn before(&self, strategy: &impl Strategy) -> Before {
        let (totals, flops) = self.whole.decide(strategy, &self.flops, &self.sums);
        Before { totals, flops }
    }

    /// What a strategy loses on the river: `before` is what it does before, `optimum` what [`Optimum`] does.
    ///
    /// # Errors
    /// [`Cancelled`] if `cancel` was raised before the end.
    pub fn river_loss(
        &self,
        strategy: &impl Strategy,
        before: &Before,
        optimum: &Before,
        boards: &Boards,
        progress: Option<Progress<'_>>,
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
        strategy: &impl Strategy,
        counter: &mut BoardCounter<'_>,
        before: &Before,
        optimum: &Before,
        board: CardSet,
    ) -> BoardSums {
        let seen = strategy.board(board);
        let mut flops = Vec::with_capacity(FLOPS);
        for_each_flop(board, |flop| flops.push(self.flops.of(flop)));
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
        // Every kind of starting hand is in the totals, by its number.
        &self.totals.hands[hole.kind()]
    }
}

/// Half of the 95% interval of the mean of boards drawn one by one.
fn half_width(sums: &[BoardSums], mean: f64) -> f64 {
    let unit = (HANDS * FLOPS as i64 * DEALER_HANDS * ANTE) as f64;
    let squares: f64 = sums.iter().map(|sums| (sums.lost as f64 / unit - mean).powi(2)).sum();
    let n = sums.len() as f64;
    NORMAL_95 * (squares / (n - 1.0) / n).sqrt()
}
