//! The regret of stochastic policies.
//!
//! As for other strategies, the regret of a decision assumes optimal play afterwards, and is weighted by how often the
//! policy gets there. All probabilities are multiples of 1 / [`PROBABILITY_UNIT`], so the sums are integers.

use super::board::{BoardCounter, PAIRS};
use super::policy_strategy::{antes, kinds, observe};
use super::regret::half_width_of;
use super::whole::{FLOPS, FlopSums, for_each_flop, for_each_orbit, hole};
use super::{ANTE, BOARDS, Before, BestRivers, Boards, DEALER_HANDS, DEALS};
use crate::Ratio;
use crate::solver::{Cancelled, SolverError, weighed_choices};
use houseway_env::cards::CardSet;
use houseway_env::gym::{PROBABILITY_UNIT, Policy};
use houseway_env::ultimate_holdem::{Action, Game, Hole, Stage};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of hands on a board.
const HANDS: i128 = super::board::HANDS as i128;
const UNIT: i128 = PROBABILITY_UNIT as i128;

/// A policy that takes actions at random.
pub(super) struct StochasticPolicy<'a> {
    game: &'a Game,
    policy: &'a dyn Policy,
    /// The probabilities of the actions before the flop, indexed by [`Hole::kind`].
    starts: Vec<Vec<u32>>,
}

/// The regret of a stochastic policy, in antes per hand dealt.
pub(super) struct StochasticRegret {
    pub(super) mean: f64,
    /// The half-width of the 95% confidence interval, or 0 if all boards were given.
    pub(super) half_width: f64,
}

impl<'a> StochasticPolicy<'a> {
    /// Returns `None` if the policy has no probabilities.
    ///
    /// # Errors
    /// Returns an error if the probabilities are invalid.
    pub(super) fn new(game: &'a Game, policy: &'a dyn Policy) -> Result<Option<StochasticPolicy<'a>>, SolverError> {
        let (observations, masks) = observe(game, Stage::Start, CardSet::EMPTY, &kinds());
        let choices = weighed_choices(policy, &observations, &masks, Action::ALL.len())?;
        Ok(choices.weights.map(|starts| StochasticPolicy { game, policy, starts }))
    }

    /// Returns the probability of checking before the flop.
    fn checks(&self, hole: Hole) -> i128 {
        self.starts[hole.kind()][Action::Check.index()].into()
    }

    /// Returns the probability of playing each pair on a flop or a complete board. It is 0 for pairs that share a card
    /// with the board and for those that never get there.
    fn plays(&self, board: CardSet) -> Result<Vec<u32>, SolverError> {
        let stage = if board.len() == 3 { Stage::Flop } else { Stage::River };
        let waits = |hole: Hole| hole.set().intersection(board).is_empty() && self.checks(hole) > 0;
        let pairs: Vec<usize> = (0..PAIRS).filter(|&pair| waits(hole(pair))).collect();
        let holes: Vec<Hole> = pairs.iter().map(|&pair| hole(pair)).collect();
        let mut plays = vec![0; PAIRS];
        if holes.is_empty() {
            return Ok(plays);
        }
        let (observations, masks) = observe(self.game, stage, board, &holes);
        let choices = weighed_choices(self.policy, &observations, &masks, Action::ALL.len())?;
        let weights = choices.weights.ok_or_else(|| {
            SolverError::Failed(format!("the policy {} has probabilities only before the flop", self.policy.name()))
        })?;
        for (pair, weights) in pairs.into_iter().zip(weights) {
            plays[pair] = (0..weights.len()).filter(|&action| antes(action) > 0).map(|action| weights[action]).sum();
        }
        Ok(plays)
    }

    /// Returns the loss before the flop, in half antes over all deals, in units of 1 / [`PROBABILITY_UNIT`].
    fn start_loss(&self, optimum: &Before) -> i128 {
        let loss = |hand: &super::HandTotals| {
            // The EVs are ratios of integers with this denominator.
            let deals = hand.combinations * BOARDS * i128::from(DEALER_HANDS * ANTE);
            let scaled = |ev: Ratio| ev.numerator() * (deals / ev.denominator());
            let value = |antes: i64| match antes {
                0 => scaled(hand.check),
                _ => hand.plays.iter().find(|(play, _)| *play == antes).map_or(0, |(_, ev)| scaled(*ev)),
            };
            let weights = self.starts[hand.hole.kind()].iter().enumerate();
            let mean: i128 = weights.map(|(action, &weight)| i128::from(weight) * value(antes(action))).sum();
            UNIT * scaled(hand.ev()) - mean
        };
        optimum.totals.hands.iter().map(loss).sum()
    }
}

impl BestRivers<'_> {
    /// Computes the regret of a stochastic policy. `optimum` describes how [`Optimum`](super::Optimum) plays before the
    /// river.
    ///
    /// # Errors
    /// Returns an error if the policy's probabilities are invalid, or if `cancel` becomes true before the evaluation is
    /// done.
    pub(super) fn stochastic_regret(
        &self,
        policy: &StochasticPolicy<'_>,
        optimum: &Before,
        boards: &Boards,
        cancel: Option<&AtomicBool>,
    ) -> Result<StochasticRegret, SolverError> {
        let classes = self.flops.classes().par_iter().zip(self.sums.flops.par_chunks(PAIRS));
        let flops = classes.map(|(class, of_flop)| {
            let plays = policy.plays(class.flop)?;
            let mut lost = 0;
            for_each_orbit(&self.flops, class, of_flop, |orbit, said| {
                lost += policy.checks(hole(orbit[0])) * flop_loss(said, plays[orbit[0]]);
            });
            Ok((plays, lost))
        });
        let (plays, lost): (Vec<Vec<u32>>, Vec<i128>) =
            flops.collect::<Result<Vec<_>, SolverError>>()?.into_iter().unzip();
        let before = policy.start_loss(optimum) as f64 + lost.iter().sum::<i128>() as f64 / UNIT as f64;
        let before = before / (UNIT * DEALS * i128::from(ANTE)) as f64;
        let rivers = boards.boards.par_iter().map_init(
            || BoardCounter::new(self.whole.game),
            |counter, &(board, _)| {
                if cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                    return Err(SolverError::from(Cancelled));
                }
                self.river_loss_on(policy, &plays, counter, board)
            },
        );
        let rivers: Vec<i128> = rivers.collect::<Result<_, _>>()?;
        // The loss in antes per hand, given that of all hands on a board.
        let mean_of = |lost: i128| {
            lost as f64 / (UNIT * UNIT * UNIT) as f64 / (HANDS * FLOPS as i128 * i128::from(DEALER_HANDS * ANTE)) as f64
        };
        let weights: i64 = boards.boards.iter().map(|board| board.1).sum();
        let lost: i128 = rivers.iter().zip(&boards.boards).map(|(&lost, board)| lost * i128::from(board.1)).sum();
        let river = mean_of(lost) / weights as f64;
        let losses = rivers.into_iter().map(mean_of);
        let half_width = if boards.are_all() { 0.0 } else { half_width_of(losses, river) };
        Ok(StochasticRegret { mean: before + river, half_width })
    }

    /// Returns the loss on the river in half antes, summed over all hands, flops and hands of the dealer on a board, in
    /// units of 1 / [`PROBABILITY_UNIT`]³.
    fn river_loss_on(
        &self,
        policy: &StochasticPolicy<'_>,
        flop_plays: &[Vec<u32>],
        counter: &mut BoardCounter<'_>,
        board: CardSet,
    ) -> Result<i128, SolverError> {
        let plays = policy.plays(board)?;
        let mut flops = Vec::with_capacity(FLOPS);
        for_each_flop(board, |flop| flops.push(self.flops.class(flop)));
        let mut lost = 0;
        counter.count(board, |counted| {
            let (checks, weight) = (policy.checks(hole(counted.pair)), i128::from(plays[counted.pair]));
            let category = self.whole.game.best().category(counted.strength);
            let play = i128::from(self.whole.pays.moments(category, &counted.ends).value(1));
            let fold = i128::from(self.whole.pays.fold(category) * DEALER_HANDS);
            let mean_loss = UNIT * play.max(fold) - weight * play - (UNIT - weight) * fold;
            let waits = |&(class, pairs): &(usize, &[u16; PAIRS])| {
                UNIT - i128::from(flop_plays[class][usize::from(pairs[counted.pair])])
            };
            lost += checks * flops.iter().map(waits).sum::<i128>() * mean_loss;
        });
        Ok(lost)
    }
}

/// Returns the loss of playing on the flop with this probability, in units of 1 / [`PROBABILITY_UNIT`].
fn flop_loss(said: &FlopSums, plays: u32) -> i128 {
    let (play, check, weight) = (i128::from(said.play), i128::from(said.check), i128::from(plays));
    UNIT * play.max(check) - weight * play - (UNIT - weight) * check
}
