//! Preflop decisions with dead cards.
//!
//! Dead cards break the suit symmetry that [`start_values`](super::start::start_values) relies on, so each of the up to
//! 2,118,760 boards has to be evaluated. A board's results are added to the ten flops that it contains. Flop decisions
//! have to wait until all boards have been evaluated.

use super::ANTE;
use super::river::{dealer_hands, river};
use super::showdown::Pays;
use super::start::{StartValues, Sums};
use super::suits::flop_number;
use super::whole::{FLOPS, ProgressFn, for_each_flop};
use crate::Ratio;
use crate::solver::Cancelled;
use houseway_env::cards::combinations::{binomial, for_each_subset};
use houseway_env::cards::{Card, CardSet};
use houseway_env::ultimate_holdem::{Game, Hole};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The number of flops in a full deck.
const ALL_FLOPS: usize = 22_100;

/// Adds a board to sums whose entries for the flop are indexed by [`flop_number`].
fn add_board(sums: &mut Sums, (game, pays): (&Game, &Pays), (hole, dead): (Hole, CardSet), board: CardSet) {
    let (moments, fold) = river(game, pays, hole, board, dead);
    sums.plays.iter_mut().zip([3, 4]).for_each(|(sum, antes)| *sum += i128::from(moments.value(antes)));
    let (play, check) = (moments.value(2), moments.value(1).max(fold));
    for_each_flop(board, |flop| {
        let [with, without] = &mut sums.flops[flop_number(flop)];
        *with += play;
        *without += check;
    });
}

/// Evaluates a starting hand with dead cards. All later decisions are optimal.
///
/// # Errors
/// Returns [`Cancelled`] if `cancel` becomes true before the evaluation is done.
pub(super) fn start_values_beside(
    game: &Game,
    pays: &Pays,
    (hole, dead): (Hole, CardSet),
    progress: Option<ProgressFn<'_>>,
    cancel: Option<&AtomicBool>,
) -> Result<StartValues, Cancelled> {
    let left = CardSet::DECK_52.difference(hole.set()).difference(dead);
    let boards = binomial(left.len() as u64, 5);
    let cards: Vec<Card> = left.iter().collect();
    // Boards with the same two highest cards form a unit of work.
    let pairs: Vec<(usize, usize)> = (0..cards.len()).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    let (empty, done) = (|| Sums::new(ALL_FLOPS), AtomicU64::new(0));
    let add_pair = |mut sums: Sums, &(a, b): &(usize, usize)| {
        if cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Err(Cancelled);
        }
        let rest: CardSet = cards[b + 1..].iter().copied().collect();
        let highest = CardSet::EMPTY.with(cards[a]).with(cards[b]);
        for_each_subset(rest, 3, |others| {
            add_board(&mut sums, (game, pays), (hole, dead), highest.union(others));
        });
        let of_pair = binomial(rest.len() as u64, 3);
        let done = of_pair + done.fetch_add(of_pair, Ordering::Relaxed);
        progress.iter().for_each(|tell| tell(done, boards));
        Ok(sums)
    };
    let sums = pairs.par_iter().try_fold(empty, add_pair).try_reduce(empty, |a, b| Ok(a.add(&b)))?;
    let check: i128 = sums.flops.iter().map(|&[play, wait]| i128::from(play.max(wait))).sum();
    let deals = i128::from(boards) * i128::from(dealer_hands(dead) * ANTE);
    Ok(StartValues {
        plays: sums.plays.map(|sum| Ratio::new(sum, deals)),
        // Every board was added once per flop.
        check: Ratio::new(check, deals * FLOPS as i128),
    })
}
