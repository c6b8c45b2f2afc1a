//! Evaluates a strategy over all deals.

use super::board::{BoardCounter, FlopClass, Flops, HANDS, PAIRS, boards};
use super::showdown::Pays;
use super::{ANTE, BOARDS, DEALER_HANDS, DecisionRule};
use crate::Ratio;
use crate::solver::{Cancelled, Control};
use houseway_env::cards::{Card, CardSet};
use houseway_env::ultimate_holdem::{Game, Hole, PreflopPlay};
use rayon::prelude::*;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The maximum number of concurrent workers. Each of them uses 37 MB.
const WORKERS: usize = 8;
/// The number of flops that a board contains.
pub(super) const FLOPS: usize = 10;

/// An evaluator for the full game.
pub struct FullGame<'a> {
    pub(super) game: &'a Game,
    pub(super) pays: Pays,
    pub(super) flops: Flops,
    pub(super) plays: &'static [i64],
}

/// The net results of some boards that follow a flop, with one hand against all hands of the dealer, in half antes.
///
/// These are the only sums that decisions need. Without others, more flops fit the processor's cache, which takes less
/// time than counting everything else in a second pass.
#[derive(Clone, Copy, Default)]
pub(super) struct FlopSums {
    pub(super) play: i64,
    pub(super) check: i64,
}

impl FlopSums {
    #[inline]
    fn add(&mut self, other: &FlopSums) {
        self.play += other.play;
        self.check += other.check;
    }
}

/// The partial sums from one worker.
pub(super) struct Sums {
    /// The sums with the indices of flop classes and pairs.
    pub(super) flops: Vec<FlopSums>,
    /// The net results of each kind of starting hand with a Play of three antes and of four antes before the flop.
    start: [[i128; 2]; Hole::KINDS],
}

impl Sums {
    fn new(classes: usize) -> Sums {
        Sums { flops: vec![FlopSums::default(); classes * PAIRS], start: [[0; 2]; Hole::KINDS] }
    }

    fn add(mut self, other: Sums) -> Sums {
        self.flops.iter_mut().zip(&other.flops).for_each(|(a, b)| a.add(b));
        self.start.iter_mut().flatten().zip(other.start.iter().flatten()).for_each(|(a, b)| *a += b);
        self
    }
}

/// The decision with one kind of starting hand under a strategy.
#[derive(Clone, Debug)]
pub struct HandTotals {
    /// A hand of this kind.
    pub hole: Hole,
    /// The number of two-card combinations, which is 4, 6 or 12.
    pub combinations: i128,
    /// The sizes, in antes, and EVs of the Plays that are allowed before the flop.
    pub plays: Vec<(i64, Ratio)>,
    /// The EV of checking.
    pub check: Ratio,
    /// The number of antes that the strategy plays, or 0 if it checks.
    pub chosen: i64,
}

impl HandTotals {
    /// Returns the EV of the chosen action, in antes.
    pub fn ev(&self) -> Ratio {
        self.plays.iter().find(|(antes, _)| *antes == self.chosen).map_or(self.check, |(_, value)| *value)
    }
}

/// A strategy's decisions before the river, and their EVs over all deals.
#[derive(Clone, Debug)]
pub struct Before {
    /// The EV of the net result of all wagers, in antes.
    pub ev: Ratio,
    /// The 169 kinds of starting hands, indexed by [`Hole::kind`].
    pub hands: Vec<HandTotals>,
    /// `true` if the strategy plays on the flop, indexed by flop class and card pair.
    pub(super) flops: Vec<bool>,
}

/// Returns the Play sizes, in antes, that are allowed before the flop.
pub(super) fn preflop_plays(game: &Game) -> &'static [i64] {
    match game.rules().preflop_play {
        PreflopPlay::Four => &[4],
        PreflopPlay::Three => &[3],
        PreflopPlay::ThreeOrFour => &[3, 4],
    }
}

impl<'a> FullGame<'a> {
    /// Creates an evaluator for a game with a Trips bet of `trips` antes, or without one if `trips` is 0. The Trips bet
    /// affects decisions only if a fold loses it.
    pub fn new(game: &'a Game, trips: u16) -> FullGame<'a> {
        FullGame { game, pays: Pays::new(game, trips), flops: Flops::new(), plays: preflop_plays(game) }
    }

    /// Evaluates all boards, playing the river with the strategy, on the current thread pool.
    pub(super) fn sum(
        &self,
        strategy: &impl DecisionRule,
        stage: &str,
        control: &Control<'_>,
    ) -> Result<Sums, Cancelled> {
        let new = || (Sums::new(self.flops.classes().len()), Vec::with_capacity(HANDS));
        let add = |(sums, hands): &mut (Sums, Vec<_>), counter: &mut BoardCounter<'_>, board, weight| {
            self.board(strategy, counter, board, weight, hands, sums);
        };
        let (sums, _) = self.over_boards(stage, control, new, add, |(a, hands), (b, _)| (a.add(b), hands))?;
        Ok(sums)
    }

    /// Finds a strategy's decisions before the river, which depend on all boards that can follow.
    pub(super) fn before(&self, strategy: &impl DecisionRule, control: &Control<'_>) -> Result<Before, Cancelled> {
        let sums = self.sum(strategy, "enumerating", control)?;
        Ok(self.decide(strategy, &sums))
    }

    /// Visits every board with its weight, using the current thread pool. Each worker has a state of its own, and the
    /// states are joined at the end.
    pub(super) fn over_boards<S: Send>(
        &self,
        stage: &str,
        control: &Control<'_>,
        new: impl Fn() -> S + Sync,
        visit: impl Fn(&mut S, &mut BoardCounter<'_>, CardSet, i64) + Sync,
        join: impl Fn(S, S) -> S + Sync + Send,
    ) -> Result<S, Cancelled> {
        let boards = boards();
        let (progress, done, all) = (control.stage(stage, "boards"), AtomicU64::new(0), boards.len() as u64);
        let work = |boards: &[(CardSet, i64)]| {
            let (mut state, mut counter) = (new(), BoardCounter::new(self.game));
            for (i, &(board, weight)) in boards.iter().enumerate() {
                visit(&mut state, &mut counter, board, weight);
                if i % 256 == 255 {
                    progress(done.fetch_add(256, Ordering::Relaxed) + 256, all);
                    control.check()?;
                }
            }
            Ok(state)
        };
        let workers = rayon::current_num_threads().min(WORKERS);
        let states = boards.par_chunks(boards.len().div_ceil(workers)).map(work);
        states.reduce_with(|a, b| Ok(join(a?, b?))).unwrap_or(Err(Cancelled))
    }

    /// Evaluates one board that represents `weight` boards, and adds the results to its flops.
    ///
    /// A flop decision needs the sums over all boards that can follow. They are kept for the canonical flop of each
    /// class, so each pair is added at its image under the permutation of suits that leads there.
    fn board(
        &self,
        strategy: &impl DecisionRule,
        counter: &mut BoardCounter<'_>,
        board: CardSet,
        weight: i64,
        hands: &mut Vec<(usize, FlopSums)>,
        sums: &mut Sums,
    ) {
        hands.clear();
        let seen = strategy.board(board);
        counter.count(board, |counted| {
            let category = self.game.best().category(counted.strength);
            let moments = self.pays.moments(category, &counted.ends);
            let hole = hole(counted.pair);
            let (play, fold) = (moments.value(1), self.pays.fold(category) * DEALER_HANDS);
            let check = if strategy.river(hole, &seen, play, fold) { play } else { fold };
            hands.push((counted.pair, FlopSums { play: weight * moments.value(2), check: weight * check }));
            let start = sums.start[kind(counted.pair)].iter_mut().zip([3, 4]);
            start.for_each(|(sum, antes)| *sum += i128::from(weight * moments.value(antes)));
        });
        for_each_flop(board, |flop| {
            let (class, pairs) = self.flops.class(flop);
            let of_flop = &mut sums.flops[class * PAIRS..][..PAIRS];
            for (pair, said) in hands.iter() {
                of_flop[usize::from(pairs[*pair])].add(said);
            }
        });
    }

    /// Chooses the action on every flop, using the current thread pool, and then the action for every starting hand.
    pub(super) fn decide(&self, strategy: &impl DecisionRule, sums: &Sums) -> Before {
        let flops = &self.flops;
        let mut choices = vec![false; flops.classes().len() * PAIRS];
        let of_flops = flops.classes().par_iter().zip(sums.flops.par_chunks(PAIRS));
        let of_flops = of_flops.zip(choices.par_chunks_mut(PAIRS));
        let checks = of_flops.fold(
            || [0; Hole::KINDS],
            |mut checks, ((class, of_flop), choices)| {
                decide_flop(strategy, flops, class, of_flop, choices, &mut checks);
                checks
            },
        );
        let checks = checks.reduce(
            || [0; Hole::KINDS],
            |mut checks, more| {
                checks.iter_mut().zip(more).for_each(|(check, more)| *check += more);
                checks
            },
        );
        let mut hands: Vec<Option<HandTotals>> = vec![None; Hole::KINDS];
        for hole in (0..PAIRS).map(hole) {
            let (kind, check) = (hole.kind(), checks[hole.kind()]);
            if hands[kind].is_some() {
                continue;
            }
            // Each board was added once to the preflop sums, and once for each of its flops after a check.
            let of = |antes: i64| sums.start[kind][(antes - 3) as usize] * FLOPS as i128;
            let plays: Vec<(i64, i128)> = self.plays.iter().map(|&antes| (antes, of(antes))).collect();
            let chosen = strategy.start(hole, &plays, check);
            let combinations = combinations(hole);
            let deals = combinations * BOARDS * i128::from(DEALER_HANDS);
            let ratio = |value: i128| Ratio::new(value, deals * i128::from(ANTE));
            let plays = plays.into_iter().map(|(antes, value)| (antes, ratio(value))).collect();
            hands[kind] = Some(HandTotals { hole, combinations, plays, check: ratio(check), chosen });
        }
        let hands: Vec<HandTotals> = hands.into_iter().flatten().collect();
        let share = |hand: &HandTotals| hand.ev() * Ratio::new(hand.combinations, PAIRS as i128);
        Before { ev: hands.iter().map(share).sum(), hands, flops: choices }
    }
}

/// Chooses the action for every hand on one flop, and stores the choices for its pairs in `choices`.
fn decide_flop(
    strategy: &impl DecisionRule,
    flops: &Flops,
    class: &FlopClass,
    of_flop: &[FlopSums],
    choices: &mut [bool],
    checks: &mut [i128],
) {
    let seen = strategy.board(class.flop);
    for_each_orbit(flops, class, of_flop, |orbit, said| {
        let hole = hole(orbit[0]);
        let plays = strategy.flop(hole, &seen, said.play, said.check);
        orbit.iter().for_each(|&other| choices[other] = plays);
        checks[hole.kind()] += i128::from(if plays { said.play } else { said.check });
    });
}

/// Calls `visit` with each orbit of pairs on a flop and its sums. An orbit consists of the pairs that the symmetries of
/// the flop lead to. They share the same decision, so it's enough to evaluate the first of them.
pub(super) fn for_each_orbit(
    flops: &Flops,
    class: &FlopClass,
    of_flop: &[FlopSums],
    mut visit: impl FnMut(&[usize], &FlopSums),
) {
    let mut distinct = vec![];
    for pair in 0..PAIRS {
        let orbit = flops.orbit(class, pair);
        let taken = !hole(pair).set().intersection(class.flop).is_empty();
        if taken || orbit.clone().any(|other| other < pair) {
            continue;
        }
        let same = orbit.clone().filter(|&other| other == pair).count() as i64;
        let mut said = FlopSums::default();
        distinct.clear();
        for other in orbit {
            said.add(&of_flop[other]);
            if !distinct.contains(&other) {
                distinct.push(other);
            }
        }
        // Each pair occurs once for every symmetry that leaves it unchanged.
        for sum in [&mut said.play, &mut said.check] {
            *sum /= same;
        }
        visit(&distinct, &said);
    }
}

/// Returns the number of combinations for a kind of starting hand.
pub(super) fn combinations(hole: Hole) -> i128 {
    let [high, low] = hole.ranks();
    match (high == low, hole.is_suited()) {
        (true, _) => 6,
        (_, true) => 4,
        _ => 12,
    }
}

/// The two cards in each pair.
static HOLES: LazyLock<Vec<Hole>> = LazyLock::new(|| {
    let card = |index: u8| Card::from_index(index).expect("the index is below 52");
    let cards = (1..52u8).flat_map(|high| (0..high).map(move |low| CardSet::EMPTY.with(card(low)).with(card(high))));
    cards.map(|cards| Hole::new(cards).expect("the cards are distinct")).collect()
});

pub(super) fn hole(pair: usize) -> Hole {
    HOLES[pair]
}

/// The kind of starting hand of each pair.
static KINDS: LazyLock<Vec<u8>> = LazyLock::new(|| HOLES.iter().map(|hole| hole.kind() as u8).collect());

pub(super) fn kind(pair: usize) -> usize {
    KINDS[pair].into()
}

/// Calls `visit` with the ten flops of a board.
pub(super) fn for_each_flop(board: CardSet, mut visit: impl FnMut(CardSet)) {
    let mut cards = [CardSet::EMPTY; 5];
    cards.iter_mut().zip(board.iter()).for_each(|(set, card)| *set = set.with(card));
    for a in 0..5 {
        for b in 0..a {
            visit(board.difference(cards[a]).difference(cards[b]));
        }
    }
}
