//! Measures how much a strategy loses against the optimum in each decision.
//!
//! A strategy's EV is the optimal EV minus the regret from each decision, weighted by how often the strategy gets there
//! and assuming optimal play afterwards. The loss before the river is therefore independent of how the strategy plays
//! the river itself. The river loss is averaged over all boards or over a sample. For a sample, there is also a
//! confidence interval.
//!
//! Stochastic policies are measured in the same way. All probabilities are multiples of 1 / [`PROBABILITY_UNIT`], so
//! their sums are integers as well.

use super::board::{BoardCounter, HandResults, PAIRS, boards};
use super::strategy::{StochasticPolicy, antes};
use super::whole::{Before, FLOPS, FullGame, HandTotals, Sums, for_each_flop, for_each_orbit, hole};
use super::{ANTE, BOARDS, DEALER_HANDS, DEALS, DecisionRule, Optimum, Totals};
use crate::Ratio;
use crate::solver::{Cancelled, Control, SolverError, Z95};
use houseway_env::cards::CardSet;
use houseway_env::gym::PROBABILITY_UNIT;
use houseway_env::ultimate_holdem::Hole;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of hands and flops on a board. A board's losses are summed over them.
const CASES: i128 = (super::board::HANDS * FLOPS) as i128;
const UNIT: i128 = PROBABILITY_UNIT as i128;

/// The game with optimal play on every river. Evaluating it once makes it quick to compute results for any play before
/// the river.
pub struct BestRivers<'a> {
    whole: FullGame<'a>,
    sums: Sums,
    /// The optimum's decisions up to the river.
    pub optimum: Before,
}

/// A weighted set of boards for evaluating river play.
#[derive(Clone, Debug)]
pub struct Boards {
    /// The boards and their weights.
    boards: Vec<(CardSet, i64)>,
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

    /// Returns the sum of the boards' weights.
    fn weight(&self) -> i128 {
        self.boards.iter().map(|board| i128::from(board.1)).sum()
    }

    /// Returns the weighted sum of a value of each board.
    fn weighed(&self, values: impl Iterator<Item = i128>) -> i128 {
        self.boards.iter().zip(values).map(|(board, value)| i128::from(board.1) * value).sum()
    }

    /// Returns the half-width of the 95% confidence interval for the mean of these losses, or 0 for all boards.
    fn half_width(&self, losses: impl Iterator<Item = f64>, mean: f64) -> f64 {
        if self.whole {
            return 0.0;
        }
        let n = self.boards.len() as f64;
        let squares: f64 = losses.map(|loss| (loss - mean).powi(2)).sum();
        Z95 * (squares / (n - 1.0) / n).sqrt()
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
    /// Returns [`Cancelled`] if the evaluation was canceled.
    pub fn new(whole: FullGame<'a>, control: &Control<'_>) -> Result<BestRivers<'a>, Cancelled> {
        let sums = whole.sum(&Optimum, "rivers", control)?;
        let optimum = whole.decide(&Optimum, &sums);
        Ok(BestRivers { whole, sums, optimum })
    }

    /// Evaluates a strategy before the river.
    pub fn before(&self, strategy: &impl DecisionRule) -> Before {
        self.whole.decide(strategy, &self.sums)
    }

    /// Evaluates these decisions and optimal rivers over all deals.
    pub(super) fn totals(&self, before: &Before, control: &Control<'_>) -> Result<Totals, Cancelled> {
        self.whole.totals(&Optimum, before, control)
    }

    /// Computes a strategy's loss on the river. `before` describes how the strategy plays before the river. Progress is
    /// reported under the name `stage`.
    ///
    /// # Errors
    /// Returns an error if the computation was canceled.
    pub fn river_loss(
        &self,
        strategy: &impl DecisionRule,
        before: &Before,
        boards: &Boards,
        stage: &str,
        control: &Control<'_>,
    ) -> Result<RiverLoss, Cancelled> {
        let (progress, done) = (control.stage(stage, "boards"), AtomicU64::new(0));
        let of_board = |counter: &mut BoardCounter<'_>, &(board, _): &(CardSet, i64)| {
            control.check()?;
            let sums = self.board(strategy, counter, before, board);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, boards.len() as u64);
            Ok(sums)
        };
        let sums = boards.boards.par_iter().map_init(|| BoardCounter::new(self.whole.game), of_board);
        let sums: Vec<BoardSums> = sums.collect::<Result<_, Cancelled>>()?;
        let cases = boards.weight() * CASES;
        let half_antes = i128::from(DEALER_HANDS * ANTE);
        let lost = boards.weighed(sums.iter().map(|sums| sums.lost.into()));
        let agreed = boards.weighed(sums.iter().map(|sums| sums.agreed.into()));
        let mean = Ratio::new(lost, cases * half_antes);
        let losses = sums.iter().map(|sums| sums.lost as f64 / (CASES * half_antes) as f64);
        let half_width = boards.half_width(losses, mean.value());
        Ok(RiverLoss { mean, half_width, agreement: Ratio::new(agreed, cases).value() })
    }

    fn board(
        &self,
        strategy: &impl DecisionRule,
        counter: &mut BoardCounter<'_>,
        before: &Before,
        board: CardSet,
    ) -> BoardSums {
        let seen = strategy.board(board);
        let flops = self.flops_of(board);
        let mut sums = BoardSums::default();
        counter.count(board, |counted| {
            let hole = hole(counted.pair);
            let [mine, best] = [before, &self.optimum].map(|before| before.start(hole).chosen);
            if mine != 0 {
                sums.agreed += i64::from(mine == best) * FLOPS as i64;
                return;
            }
            let (play, fold) = self.play_and_fold(counted);
            let lost = play.max(fold) - if strategy.river(hole, &seen, play, fold) { play } else { fold };
            for &(class, pairs) in &flops {
                let place = class * PAIRS + usize::from(pairs[counted.pair]);
                let [plays, should] = [before, &self.optimum].map(|before| before.flops[place]);
                sums.lost += if plays { 0 } else { lost };
                sums.agreed += i64::from(best == 0 && plays == should && (plays || lost == 0));
            }
        });
        sums
    }

    /// Returns the class of each flop on a board, and the images of all pairs on it.
    fn flops_of(&self, board: CardSet) -> Vec<(usize, &[u16; PAIRS])> {
        let mut flops = Vec::with_capacity(FLOPS);
        for_each_flop(board, |flop| flops.push(self.whole.flops.class(flop)));
        flops
    }

    /// Returns the sums for playing and for folding on the river, in half antes.
    #[inline]
    fn play_and_fold(&self, counted: &HandResults) -> (i64, i64) {
        let category = self.whole.game.best().category(counted.strength);
        let play = self.whole.pays.moments(category, &counted.ends).value(1);
        (play, self.whole.pays.fold(category) * DEALER_HANDS)
    }

    /// Computes the mean regret of a stochastic policy in antes per hand dealt, and the half-width of its 95% confidence
    /// interval, which is 0 if all boards were given.
    pub(super) fn stochastic_regret(
        &self,
        policy: &StochasticPolicy<'_>,
        boards: &Boards,
        control: &Control<'_>,
    ) -> Result<[f64; 2], SolverError> {
        let classes = self.whole.flops.classes().par_iter().zip(self.sums.flops.par_chunks(PAIRS));
        let flops = classes.map(|(class, of_flop)| {
            let plays = policy.plays(class.flop)?;
            let mut lost = 0;
            for_each_orbit(&self.whole.flops, class, of_flop, |orbit, said| {
                lost += policy.checks(hole(orbit[0])) * mean_loss(said.play, said.check, plays[orbit[0]]);
            });
            Ok((plays, lost))
        });
        let (plays, lost): (Vec<Vec<u32>>, Vec<i128>) =
            flops.collect::<Result<Vec<_>, SolverError>>()?.into_iter().unzip();
        let at_start: i128 = self.optimum.hands.iter().map(|hand| start_loss(policy, hand)).sum();
        let before = at_start as f64 + lost.iter().sum::<i128>() as f64 / UNIT as f64;
        let before = before / (UNIT * DEALS * i128::from(ANTE)) as f64;
        let rivers = boards.boards.par_iter().map_init(
            || BoardCounter::new(self.whole.game),
            |counter, &(board, _)| {
                control.check()?;
                self.stochastic_board(policy, &plays, counter, board)
            },
        );
        let rivers: Vec<i128> = rivers.collect::<Result<_, SolverError>>()?;
        // The loss in antes per hand, given that of all hands on a board.
        let mean_of =
            |lost: i128| lost as f64 / (UNIT * UNIT * UNIT) as f64 / (CASES * i128::from(DEALER_HANDS * ANTE)) as f64;
        let river = mean_of(boards.weighed(rivers.iter().copied())) / boards.weight() as f64;
        let half_width = boards.half_width(rivers.into_iter().map(mean_of), river);
        Ok([before + river, half_width])
    }

    /// Returns the loss on the river in half antes, summed over all hands, flops and hands of the dealer on a board, in
    /// units of 1 / [`PROBABILITY_UNIT`]³.
    fn stochastic_board(
        &self,
        policy: &StochasticPolicy<'_>,
        flop_plays: &[Vec<u32>],
        counter: &mut BoardCounter<'_>,
        board: CardSet,
    ) -> Result<i128, SolverError> {
        let plays = policy.plays(board)?;
        let flops = self.flops_of(board);
        let mut lost = 0;
        counter.count(board, |counted| {
            let (play, fold) = self.play_and_fold(counted);
            let mean_loss = mean_loss(play, fold, plays[counted.pair]);
            let waits = |&(class, pairs): &(usize, &[u16; PAIRS])| {
                UNIT - i128::from(flop_plays[class][usize::from(pairs[counted.pair])])
            };
            lost += policy.checks(hole(counted.pair)) * flops.iter().map(waits).sum::<i128>() * mean_loss;
        });
        Ok(lost)
    }
}

impl Before {
    fn start(&self, hole: Hole) -> &HandTotals {
        &self.hands[hole.kind()]
    }
}

/// Returns the loss before the flop with a kind of hand, in half antes over all deals, in units of 1 /
/// [`PROBABILITY_UNIT`].
fn start_loss(policy: &StochasticPolicy<'_>, optimal: &HandTotals) -> i128 {
    // The EVs are ratios of integers with this denominator.
    let deals = optimal.combinations * BOARDS * i128::from(DEALER_HANDS * ANTE);
    let scaled = |ev: Ratio| ev.numerator() * (deals / ev.denominator());
    let value = |antes: i64| match antes {
        0 => scaled(optimal.check),
        _ => optimal.plays.iter().find(|(play, _)| *play == antes).map_or(0, |(_, ev)| scaled(*ev)),
    };
    let weights = policy.starts[optimal.hole.kind()].iter().enumerate();
    let mean: i128 = weights.map(|(action, &weight)| i128::from(weight) * value(antes(action))).sum();
    UNIT * scaled(optimal.ev()) - mean
}

/// Returns the loss of playing with this probability, in units of 1 / [`PROBABILITY_UNIT`].
fn mean_loss(play: i64, other: i64, plays: u32) -> i128 {
    let (play, other, weight) = (i128::from(play), i128::from(other), i128::from(plays));
    UNIT * play.max(other) - weight * play - (UNIT - weight) * other
}
