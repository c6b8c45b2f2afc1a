//! Evaluates a strategy over all deals.

use super::board::{BoardCounter, FlopClass, Flops, HANDS, PAIRS, boards};
use super::showdown::Pays;
use super::{ANTE, BOARDS, DEALER_HANDS, DEALS, DecisionRule};
use crate::Ratio;
use crate::solver::{Cancelled, Control};
use houseway_env::cards::combinations::binomial;
use houseway_env::cards::{Card, CardSet};
use houseway_env::rank::Category;
use houseway_env::ultimate_holdem::{Game, Hole, PreflopPlay};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// The maximum number of concurrent workers. Each of them uses 93 MB.
const WORKERS: usize = 8;
/// The number of flops that a board contains.
pub(super) const FLOPS: usize = 10;
/// Sums of squares are kept in squared half antes. Divide by this to convert to squared antes.
const SQUARE: i128 = (ANTE * ANTE) as i128;

/// An evaluator for the full game.
pub struct FullGame<'a> {
    pub(super) game: &'a Game,
    pub(super) pays: Pays,
    plays: &'static [i64],
}

/// The contribution of some boards to a flop and a hand, as sums over dealer hands and boards.
#[derive(Clone, Copy, Default)]
pub(super) struct FlopSums {
    pub(super) play: i64,
    pub(super) check: i64,
    play_squares: i64,
    check_squares: i64,
    /// The number of boards on which the hand folds.
    folds: i64,
}

impl FlopSums {
    #[inline]
    fn add(&mut self, other: &FlopSums) {
        self.play += other.play;
        self.check += other.check;
        self.play_squares += other.play_squares;
        self.check_squares += other.check_squares;
        self.folds += other.folds;
    }
}

/// The contribution of some boards to the preflop decision with each kind of starting hand.
#[derive(Clone, Copy, Default)]
struct StartSums {
    /// The sums for a Play of three antes and of four antes.
    pub(super) play: [i128; 2],
    squares: [i128; 2],
}

/// The partial sums from one worker.
pub(super) struct Sums {
    /// The sums with the indices of flop classes and pairs.
    pub(super) flops: Vec<FlopSums>,
    start: [StartSums; Hole::KINDS],
    categories: [u64; Category::ALL.len()],
}

impl Sums {
    fn new(classes: usize) -> Sums {
        Sums {
            flops: vec![FlopSums::default(); classes * PAIRS],
            start: [StartSums::default(); Hole::KINDS],
            categories: [0; Category::ALL.len()],
        }
    }

    fn add(mut self, other: Sums) -> Sums {
        self.flops.iter_mut().zip(&other.flops).for_each(|(a, b)| a.add(b));
        for (a, b) in self.start.iter_mut().zip(&other.start) {
            for i in 0..2 {
                a.play[i] += b.play[i];
                a.squares[i] += b.squares[i];
            }
        }
        self.categories.iter_mut().zip(&other.categories).for_each(|(a, b)| *a += b);
        self
    }
}

/// The results of one kind of starting hand under a strategy.
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
    /// The probabilities of playing on the flop, playing on the river and folding, given a check.
    pub after_check: [Ratio; 3],
}

impl HandTotals {
    /// Returns the EV of the chosen action.
    pub fn ev(&self) -> Ratio {
        self.plays.iter().find(|(antes, _)| *antes == self.chosen).map_or(self.check, |(_, value)| *value)
    }
}

/// The results of a strategy over all deals, in antes.
#[derive(Clone, Debug)]
pub struct Totals {
    /// The EV of the net result of all wagers.
    pub ev: Ratio,
    /// The variance of the net result, computed from exact sums.
    pub variance: f64,
    /// The 169 kinds of starting hands, indexed by [`Hole::kind`].
    pub hands: Vec<HandTotals>,
    /// The number of deals, out of [`DEALS`], with a Play of 4, 3, 2 and 1 antes, and with a fold.
    pub played: [i128; 5],
    /// The mean total wager, including Ante, Blind, Trips and Play.
    pub average_wager: Ratio,
    /// The number of seven-card hands, out of 133,784,560, that give the player each [`Category`].
    pub categories: Vec<(Category, u64)>,
    /// The EV of a Trips bet that is always settled, no matter what the player does.
    pub trips: Ratio,
}

impl Totals {
    /// Returns the house edge, in antes.
    pub fn edge(&self) -> Ratio {
        -self.ev
    }

    /// Returns the element of risk: the expected loss per unit of the total wager.
    pub fn element_of_risk(&self) -> f64 {
        self.edge().value() / self.average_wager.value()
    }

    /// Returns the probabilities of a Play of 4, 3, 2 and 1 antes, and of a fold.
    pub fn frequencies(&self) -> [Ratio; 5] {
        self.played.map(|deals| Ratio::new(deals, DEALS))
    }
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
    pub fn new(game: &'a Game, trips: u32) -> FullGame<'a> {
        FullGame { game, pays: Pays::new(game, trips), plays: preflop_plays(game) }
    }

    /// Evaluates a strategy over all deals, using the current thread pool.
    ///
    /// # Errors
    /// Returns [`Cancelled`] if the evaluation was canceled.
    pub fn count(&self, strategy: &impl DecisionRule, control: &Control<'_>) -> Result<Totals, Cancelled> {
        let flops = Flops::new();
        let sums = self.sum(strategy, &flops, "enumerating", control)?;
        Ok(self.decide(strategy, &flops, &sums).0)
    }

    /// Evaluates all boards, playing the river with the strategy.
    pub(super) fn sum(
        &self,
        strategy: &impl DecisionRule,
        flops: &Flops,
        stage: &str,
        control: &Control<'_>,
    ) -> Result<Sums, Cancelled> {
        let new = || (Sums::new(flops.classes().len()), Vec::with_capacity(HANDS));
        let add = |(sums, hands): &mut (Sums, Vec<_>), counter: &mut BoardCounter<'_>, board, weight| {
            self.board(strategy, flops, counter, board, weight, hands, sums);
        };
        let (sums, _) = self.over_boards(stage, control, new, add, |(a, hands), (b, _)| (a.add(b), hands))?;
        Ok(sums)
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
        let (progress, done) = (control.stage(stage, "boards"), AtomicU64::new(0));
        let work = |worker: usize, workers: usize| {
            let (mut state, mut counter) = (new(), BoardCounter::new(self.game));
            for (i, &(board, weight)) in boards.iter().skip(worker).step_by(workers).enumerate() {
                visit(&mut state, &mut counter, board, weight);
                if i % 256 == 255 {
                    progress(done.fetch_add(256, Ordering::Relaxed) + 256, boards.len() as u64);
                    control.check()?;
                }
            }
            Ok(state)
        };
        let workers = rayon::current_num_threads().min(WORKERS);
        let states = (0..workers).into_par_iter().map(|worker| work(worker, workers));
        states.reduce_with(|a, b| Ok(join(a?, b?))).unwrap_or(Err(Cancelled))
    }

    /// Evaluates one board that represents `weight` boards, and adds the results to its flops.
    ///
    /// A flop decision needs the sums over all boards that can follow. They are kept for the canonical flop of each
    /// class, so each pair is added at its image under the permutation of suits that leads there.
    #[allow(clippy::too_many_arguments)] // reuses buffers
    fn board(
        &self,
        strategy: &impl DecisionRule,
        flops: &Flops,
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
            let (play, fold) = (moments.value(1), self.pays.fold(category));
            let folds = !strategy.river(hole, &seen, play, fold * DEALER_HANDS);
            let check = if folds { fold * DEALER_HANDS } else { play };
            let check_squares = if folds { fold * fold * DEALER_HANDS } else { moments.squares(1) };
            hands.push((
                counted.pair,
                FlopSums {
                    play: weight * moments.value(2),
                    check: weight * check,
                    play_squares: weight * moments.squares(2),
                    check_squares: weight * check_squares,
                    folds: weight * i64::from(folds),
                },
            ));
            let start = &mut sums.start[hole.kind()];
            for (i, antes) in [3, 4].into_iter().enumerate() {
                start.play[i] += i128::from(weight * moments.value(antes));
                start.squares[i] += i128::from(weight * moments.squares(antes));
            }
            sums.categories[category as usize] += weight as u64;
        });
        for_each_flop(board, |flop| {
            let (class, pairs) = flops.class(flop);
            let of_flop = &mut sums.flops[class * PAIRS..][..PAIRS];
            for (pair, said) in hands.iter() {
                of_flop[usize::from(pairs[*pair])].add(said);
            }
        });
    }

    /// Chooses the action on every flop, using the current thread pool, and then the action for every starting hand.
    /// Also returns whether the strategy plays on the flop, by class and pair.
    pub(super) fn decide(&self, strategy: &impl DecisionRule, flops: &Flops, sums: &Sums) -> (Totals, Vec<bool>) {
        let mut choices = vec![false; flops.classes().len() * PAIRS];
        let none = || vec![KindSums::default(); Hole::KINDS];
        let of_flops = flops.classes().par_iter().zip(sums.flops.par_chunks(PAIRS));
        let of_flops =
            of_flops.zip(choices.par_chunks_mut(PAIRS)).fold(none, |mut kinds, ((class, of_flop), choices)| {
                decide_flop(strategy, flops, class, of_flop, choices, &mut kinds);
                kinds
            });
        let kinds = of_flops.reduce(none, |mut kinds, more| {
            kinds.iter_mut().zip(&more).for_each(|(kind, more)| kind.join(more));
            kinds
        });
        (self.totals(strategy, sums, &kinds), choices)
    }

    fn totals(&self, strategy: &impl DecisionRule, sums: &Sums, kinds: &[KindSums]) -> Totals {
        let mut hands: Vec<Option<HandTotals>> = vec![None; Hole::KINDS];
        let (mut value, mut squares, mut played) = (0, 0, [0; 5]);
        for hole in (0..PAIRS).map(hole) {
            let kind = hole.kind();
            if hands[kind].is_some() {
                continue;
            }
            let (start, after) = (&sums.start[kind], &kinds[kind]);
            // Each board was added once to the preflop sums, and once for each of its flops after a check.
            let of = |antes: i64| start.play[(antes - 3) as usize] * FLOPS as i128;
            let plays: Vec<(i64, i128)> = self.plays.iter().map(|&antes| (antes, of(antes))).collect();
            let chosen = strategy.start(hole, &plays, after.value);
            let combinations = combinations(hole);
            let deals = combinations * BOARDS * i128::from(DEALER_HANDS);
            let mut made = [0; 5];
            if chosen == 0 {
                (value, squares) = (value + after.value, squares + after.squares);
                made = [0, 0, after.plays, after.boards - after.plays - after.folds, after.folds]
                    .map(|boards| boards * i128::from(DEALER_HANDS));
            } else {
                value += of(chosen);
                squares += start.squares[(chosen - 3) as usize] * FLOPS as i128;
                made[(4 - chosen) as usize] = deals;
            }
            played.iter_mut().zip(made).for_each(|(all, made)| *all += made);
            let ratio = |value: i128| Ratio::new(value, deals * i128::from(ANTE));
            let share = |boards: i128| Ratio::new(boards, after.boards);
            hands[kind] = Some(HandTotals {
                hole,
                combinations,
                plays: plays.iter().map(|&(antes, value)| (antes, ratio(value))).collect(),
                check: ratio(after.value),
                chosen,
                after_check: [after.plays, after.boards - after.plays - after.folds, after.folds].map(share),
            });
        }
        let ev = Ratio::new(value, DEALS * i128::from(ANTE));
        let mean_square = Ratio::new(squares, DEALS * SQUARE);
        let antes = [4, 3, 2, 1].into_iter().zip(played).map(|(antes, deals)| antes * deals).sum::<i128>();
        let categories = Category::ALL.into_iter().zip(sums.categories.map(|boards| boards / SEVEN_AS_BOARDS));
        let categories: Vec<(Category, u64)> = categories.filter(|(_, hands)| *hands > 0).collect();
        let trips = |&(hand, hands): &(Category, u64)| i128::from(self.game.trips(hand)) * i128::from(hands);
        Totals {
            ev,
            variance: mean_square.value() - ev.value() * ev.value(),
            hands: hands.into_iter().flatten().collect(),
            played,
            average_wager: Ratio::new(antes + 2 * DEALS, DEALS) + Ratio::new(self.pays.trips.into(), 1),
            trips: Ratio::new(categories.iter().map(trips).sum(), i128::from(binomial(52, 7)) * i128::from(ANTE)),
            categories,
        }
    }
}

/// The number of ways to split seven cards into a board and a hand.
const SEVEN_AS_BOARDS: u64 = 21;

/// The results of one kind of starting hand after a check, as sums over flops, boards, and combinations.
#[derive(Clone, Default)]
struct KindSums {
    value: i128,
    squares: i128,
    boards: i128,
    plays: i128,
    folds: i128,
}

impl KindSums {
    fn join(&mut self, other: &KindSums) {
        self.value += other.value;
        self.squares += other.squares;
        self.boards += other.boards;
        self.plays += other.plays;
        self.folds += other.folds;
    }

    /// Adds a flop and a hand with the given multiplicity.
    fn add(&mut self, said: &FlopSums, plays: bool, positions: i64) {
        let boards = i128::from(positions) * HANDS as i128;
        self.boards += boards;
        if plays {
            self.value += i128::from(said.play);
            self.squares += i128::from(said.play_squares);
            self.plays += boards;
        } else {
            self.value += i128::from(said.check);
            self.squares += i128::from(said.check_squares);
            self.folds += i128::from(said.folds);
        }
    }
}

/// Chooses the action for every hand on one flop, and stores the choices for its pairs in `choices`.
fn decide_flop(
    strategy: &impl DecisionRule,
    flops: &Flops,
    class: &FlopClass,
    of_flop: &[FlopSums],
    choices: &mut [bool],
    kinds: &mut [KindSums],
) {
    let seen = strategy.board(class.flop);
    for_each_orbit(flops, class, of_flop, |orbit, said| {
        let hole = hole(orbit[0]);
        let plays = strategy.flop(hole, &seen, said.play, said.check);
        orbit.iter().for_each(|&other| choices[other] = plays);
        kinds[hole.kind()].add(said, plays, class.flops * orbit.len() as i64);
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
        for sum in [&mut said.play, &mut said.check, &mut said.play_squares, &mut said.check_squares, &mut said.folds] {
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
static HOLES: std::sync::LazyLock<Vec<Hole>> = std::sync::LazyLock::new(|| {
    let card = |index: u8| Card::from_index(index).expect("the index is below 52");
    let cards = (1..52u8).flat_map(|high| (0..high).map(move |low| CardSet::EMPTY.with(card(low)).with(card(high))));
    cards.map(|cards| Hole::new(cards).expect("the cards are distinct")).collect()
});

pub(super) fn hole(pair: usize) -> Hole {
    HOLES[pair]
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
