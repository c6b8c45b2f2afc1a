//! Evaluates a player's decisions, given their two cards and the visible board.
//!
//! Before the flop, [`FullGame`](super::FullGame) would sort the 1,081 hands on every board to evaluate all of them at
//! once. For the 4, 6 or 12 hands of one kind, it's about ten times faster to count the lower and equal hands without
//! sorting.
//!
//! Dead cards break the suit symmetry that this relies on, so each of the up to 2,118,760 boards has to be evaluated. A
//! board's results are added to the ten flops that it contains. Flop decisions have to wait until all boards have been
//! evaluated.

use super::board::{FlopClass, Flops, HANDS, PAIRS, boards, flop_number, pair};
use super::showdown::{Pays, River, river};
use super::whole::{FLOPS, for_each_flop, hole, preflop_plays};
use super::{ANTE, DEALER_HANDS, Ends};
use crate::Ratio;
use crate::solver::{Cancelled, Control, DeadCards, SolverError};
use houseway_env::cards::combinations::{binomial, for_each_subset};
use houseway_env::cards::key::Key;
use houseway_env::cards::{Card, CardError, CardSet};
use houseway_env::rank::FiveStrength;
use houseway_env::ultimate_holdem::{Game, Hole};
use rayon::prelude::*;
use std::ops::{Add, AddAssign, Mul};
use std::sync::atomic::{AtomicU64, Ordering};

/// Two cards, a board of zero, three or five cards, and dead cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    hole: Hole,
    board: CardSet,
    dead: CardSet,
}

/// The actions in a position, with their exact EVs in antes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The stage: `start`, `flop` or `river`.
    pub stage: &'static str,
    /// The names and EVs of the actions, in ascending order of their wager: `check` or `fold`, then `play1`, `play2`,
    /// `play3`, `play4`.
    pub actions: Vec<(&'static str, Ratio)>,
    /// The shares of the ends that each action leads to.
    pub shares: Vec<Shares>,
}

/// The shares of the deals in which the player's hand is higher, equal or lower at the end, and in which it is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Shares {
    pub win: Ratio,
    pub tie: Ratio,
    pub lose: Ratio,
    pub fold: Ratio,
}

/// Sums over boards and dealer hands: the results in half antes, and the number of deals with each end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    value: i64,
    wins: i64,
    ties: i64,
    losses: i64,
    folds: i64,
}

impl Line {
    /// Returns the line that plays on a complete board.
    fn play(river: &River, antes: i64) -> Line {
        let [wins, ties, losses] = [river.ends.wins, river.ends.ties, river.ends.losses].map(|[a, b]| a + b);
        Line { value: river.moments.value(antes), wins, ties, losses, folds: 0 }
    }

    /// Returns the line that plays one ante on a complete board, or folds if that isn't worse.
    fn river(river: &River) -> Line {
        let play = Line::play(river, 1);
        play.or(Line::fold(river))
    }

    fn fold(river: &River) -> Line {
        let deals = [river.ends.wins, river.ends.ties, river.ends.losses].into_iter().flatten().sum();
        Line { value: river.fold, folds: deals, ..Line::default() }
    }

    /// Returns the better of two lines. The other one wins ties.
    fn or(self, other: Line) -> Line {
        if self.value > other.value { self } else { other }
    }

    fn deals(self) -> i64 {
        self.wins + self.ties + self.losses + self.folds
    }

    pub(super) fn ev(self) -> Ratio {
        Ratio::new(self.value.into(), i128::from(self.deals()) * i128::from(ANTE))
    }

    fn shares(self) -> Shares {
        let share = |deals: i64| Ratio::new(deals.into(), self.deals().into());
        Shares { win: share(self.wins), tie: share(self.ties), lose: share(self.losses), fold: share(self.folds) }
    }

    fn map(self, other: Line, f: impl Fn(i64, i64) -> i64) -> Line {
        Line {
            value: f(self.value, other.value),
            wins: f(self.wins, other.wins),
            ties: f(self.ties, other.ties),
            losses: f(self.losses, other.losses),
            folds: f(self.folds, other.folds),
        }
    }
}

impl Add for Line {
    type Output = Line;

    #[inline]
    fn add(self, other: Line) -> Line {
        self.map(other, |a, b| a + b)
    }
}

impl AddAssign for Line {
    #[inline]
    fn add_assign(&mut self, other: Line) {
        *self = *self + other;
    }
}

impl Mul<i64> for Line {
    type Output = Line;

    #[inline]
    fn mul(self, factor: i64) -> Line {
        self.map(self, |a, _| a * factor)
    }
}

impl Choice {
    fn new(stage: &'static str, lines: impl IntoIterator<Item = (&'static str, Line)>) -> Choice {
        let (names, lines): (Vec<_>, Vec<Line>) = lines.into_iter().unzip();
        let actions = names.into_iter().zip(lines.iter().map(|line| line.ev())).collect();
        Choice { stage, actions, shares: lines.into_iter().map(Line::shares).collect() }
    }

    /// Returns the best action. The smaller wager wins ties.
    pub fn best(&self) -> (&'static str, Ratio) {
        let mut best = self.actions[0];
        for &action in &self.actions[1..] {
            if action.1 > best.1 {
                best = action;
            }
        }
        best
    }
}

impl Position {
    /// Creates a position without dead cards.
    ///
    /// # Errors
    /// Returns an error if the board doesn't have zero, three or five cards, or if it contains a joker or a card from
    /// the hand.
    pub fn new(hole: Hole, board: CardSet) -> Result<Position, SolverError> {
        if let Some(card) = board.iter().find(|card| card.is_joker()) {
            return Err(SolverError::invalid(CardError::NotInDeck { card }));
        }
        if let Some(card) = board.intersection(hole.set()).iter().next() {
            return Err(SolverError::Invalid(format!("{card} is in the hand and on the board")));
        }
        match board.len() {
            0 | 3 | 5 => Ok(Position { hole, board, dead: CardSet::EMPTY }),
            cards => Err(SolverError::Invalid(format!(
                "invalid board of {cards} cards: expected none (before the flop), three or five"
            ))),
        }
    }

    /// Returns the position with dead cards.
    ///
    /// # Errors
    /// Returns an error if a dead card is in the hand, on the board or not in the deck, or if too few cards remain for
    /// the board and the dealer.
    pub fn with_dead_cards(self, dead: DeadCards) -> Result<Position, SolverError> {
        let (known, hidden) = (self.hole.set().union(self.board), 7 - self.board.len());
        Ok(Position { dead: dead.beside(known, CardSet::DECK_52, hidden)?, ..self })
    }

    /// Returns the player's two cards.
    pub fn hole(&self) -> Hole {
        self.hole
    }

    /// Returns the board.
    pub fn board(&self) -> CardSet {
        self.board
    }

    /// Returns the EV of every action, assuming that all later decisions are optimal. EVs include the result of a Trips
    /// bet with `trips` antes. Before the flop, this takes about a second on one core, or up to ten seconds if there
    /// are dead cards. Later decisions take milliseconds.
    ///
    /// # Errors
    /// Returns [`Cancelled`] if the evaluation was cancelled.
    pub fn choice(&self, game: &Game, trips: u32, control: &Control<'_>) -> Result<Choice, Cancelled> {
        let pays = Pays::new(game, trips);
        match self.board.len() {
            0 => {
                let [check, lines @ ..] = if self.dead.is_empty() {
                    start_values(game, &pays, self.hole, control)?
                } else {
                    start_values_beside(game, &pays, self.hole, self.dead, control)?
                };
                let names = ["play3", "play4"];
                let plays = preflop_plays(game).iter().map(|&antes| antes as usize - 3);
                let plays = plays.map(|size| (names[size], lines[size]));
                Ok(Choice::new("start", std::iter::once(("check", check)).chain(plays)))
            }
            3 => {
                let [play, check] = self.flop(game, &pays);
                Ok(Choice::new("flop", [("check", check), ("play2", play)]))
            }
            _ => {
                let river = river(game, &pays, self.hole, self.board, self.dead);
                Ok(Choice::new("river", [("fold", Line::fold(&river)), ("play1", Line::play(&river, 1))]))
            }
        }
    }

    /// Returns the cards from which the rest of the board and the dealer's hand come.
    fn left(&self) -> CardSet {
        CardSet::DECK_52.difference(self.board).difference(self.hole.set()).difference(self.dead)
    }

    /// Returns the sums for playing and for checking over all boards.
    fn flop(&self, game: &Game, pays: &Pays) -> [Line; 2] {
        let others: Vec<Card> = self.left().iter().collect();
        let sums = (1..others.len()).into_par_iter().map(|a| {
            let mut sums = [Line::default(); 2];
            for b in 0..a {
                let board = self.board.with(others[a]).with(others[b]);
                let river = river(game, pays, self.hole, board, self.dead);
                sums[0] += Line::play(&river, 2);
                sums[1] += Line::river(&river);
            }
            sums
        });
        sums.reduce(|| [Line::default(); 2], |a, b| [a[0] + b[0], a[1] + b[1]])
    }
}

/// The number of cards that aren't on a board.
const CARDS: usize = 47;
/// The number of boards between two progress reports.
const CHUNK: u64 = 1 << 10;

/// The strengths of all two-card hands on one board.
struct Strengths<'a> {
    game: &'a Game,
    /// The position of each card among the cards that aren't on the board.
    places: [u8; 52],
    /// The strengths of the hands, indexed by the [`pair`] of positions.
    strengths: [FiveStrength; HANDS],
    /// The number of hands with which the dealer doesn't qualify.
    unqualified: i64,
}

impl<'a> Strengths<'a> {
    fn new(game: &'a Game) -> Strengths<'a> {
        Strengths { game, places: [0; 52], strengths: [FiveStrength::default(); HANDS], unqualified: 0 }
    }

    fn evaluate(&mut self, board: CardSet) {
        let mut cards = [Card::JOKER; CARDS];
        let others = CardSet::DECK_52.difference(board);
        for (place, card) in others.iter().enumerate() {
            cards[place] = card;
            self.places[card.index()] = place as u8;
        }
        let keys = cards.map(Key::from_card);
        let on_board = Key::from_set(board);
        let mut strengths = self.strengths.iter_mut();
        for high in 1..CARDS {
            let (with_high, five_and_high) = (on_board + keys[high], board.with(cards[high]));
            for ((&key, &card), strength) in keys[..high].iter().zip(&cards).zip(&mut strengths) {
                *strength = self.game.best().of_key(with_high + key, || five_and_high.with(card));
            }
        }
        self.unqualified = self.below(self.game.qualifies());
    }

    fn below(&self, strength: FiveStrength) -> i64 {
        // Sixteen bits are enough for 1,081 hands and make the most of wide registers.
        self.strengths.iter().map(|&other| u16::from(other < strength)).sum::<u16>().into()
    }

    fn through(&self, strength: FiveStrength) -> i64 {
        self.strengths.iter().map(|&other| u16::from(other <= strength)).sum::<u16>().into()
    }

    /// Returns the positions of a hand's two cards.
    fn places(&self, hole: Hole) -> [u8; 2] {
        hole.cards().map(|card| self.places[card.index()])
    }

    fn strength(&self, [a, b]: [u8; 2]) -> FiveStrength {
        self.strengths[pair(a.min(b), a.max(b))]
    }

    /// Returns the results against the 990 dealer hands for a hand at the given positions. `below` is the number of all
    /// hands below its strength, and `through` is the number of hands up to and including it.
    fn ends(&self, [a, b]: [u8; 2], below: i64, through: i64) -> Ends {
        let (mine, qualifies) = (self.strength([a, b]), self.game.qualifies());
        let (mut wins, mut ties, mut unqualified) = (below, through - below, self.unqualified);
        // The dealer can't hold the 91 hands that contain one of these cards: the hand itself, and each card with one of
        // the other 45.
        let mut without = |places: [u8; 2]| {
            let other = self.strength(places);
            wins -= i64::from(other < mine);
            ties -= i64::from(other == mine);
            unqualified -= i64::from(other < qualifies);
        };
        without([a, b]);
        for other in (0..CARDS as u8).filter(|&other| other != a && other != b) {
            without([a, other]);
            without([b, other]);
        }
        Ends::of_ranked(wins, ties, unqualified, mine >= qualifies)
    }
}

/// Sums over boards and dealer hands.
struct Sums {
    /// The sums for a Play of three antes and of four antes before the flop.
    plays: [Line; 2],
    /// The sums for playing and for checking on the flop. The caller chooses the index.
    flops: Vec<[Line; 2]>,
}

impl Sums {
    /// Creates sums of zero with the given number of entries for the flop.
    fn new(flops: usize) -> Sums {
        Sums { plays: [Line::default(); 2], flops: vec![[Line::default(); 2]; flops] }
    }

    fn add(mut self, other: &Sums) -> Sums {
        self.plays = std::array::from_fn(|i| self.plays[i] + other.plays[i]);
        self.flops.iter_mut().zip(&other.flops).for_each(|(a, b)| *a = [a[0] + b[0], a[1] + b[1]]);
        self
    }
}

/// The hands of one kind, and the classes of flops that they can see.
struct Kind<'a> {
    pays: &'a Pays,
    flops: Flops,
    pairs: Vec<usize>,
    /// The index of each pair among these hands.
    slots: [u8; PAIRS],
}

impl<'a> Kind<'a> {
    fn new(pays: &'a Pays, kind: usize) -> Kind<'a> {
        let pairs: Vec<usize> = (0..PAIRS).filter(|&pair| hole(pair).kind() == kind).collect();
        let mut slots = [0; PAIRS];
        pairs.iter().enumerate().for_each(|(slot, &pair)| slots[pair] = slot as u8);
        Kind { pays, flops: Flops::new(), pairs, slots }
    }

    /// Adds a board that represents `weight` boards. The sums on the flop are indexed by flop class and then by hand.
    fn add_board(&self, strengths: &Strengths<'_>, board: CardSet, weight: i64, sums: &mut Sums) {
        let mut of_flops = Vec::with_capacity(FLOPS);
        for_each_flop(board, |flop| of_flops.push(self.flops.class(flop)));
        // Hands of one kind often have the same strength, so keep the counts for the last one.
        let mut last = (FiveStrength::default(), 0, 0);
        for &pair in &self.pairs {
            let hole = hole(pair);
            if !hole.set().intersection(board).is_empty() {
                continue;
            }
            let places = strengths.places(hole);
            let mine = strengths.strength(places);
            if last.0 != mine || last.2 == 0 {
                last = (mine, strengths.below(mine), strengths.through(mine));
            }
            let category = strengths.game.best().category(mine);
            let ends = strengths.ends(places, last.1, last.2);
            let moments = self.pays.moments(category, &ends);
            let river = River { ends, moments, fold: self.pays.fold(category) * DEALER_HANDS };
            for (sum, antes) in sums.plays.iter_mut().zip([3, 4]) {
                *sum += Line::play(&river, antes) * weight;
            }
            let (now, later) = (Line::play(&river, 2) * weight, Line::river(&river) * weight);
            for &(class, images) in &of_flops {
                let slot = self.slots[usize::from(images[pair])];
                let [play, wait] = &mut sums.flops[class * self.pairs.len() + usize::from(slot)];
                *play += now;
                *wait += later;
            }
        }
    }

    /// Adds up the better of playing and checking on a class of flops, for all hands.
    fn after_check(&self, class: &FlopClass, of_flop: &[[Line; 2]]) -> Line {
        let mut sum = Line::default();
        for &pair in &self.pairs {
            let orbit = self.flops.orbit(class, pair);
            // All hands in an orbit share the same decision, so it's enough to evaluate one of them. Each hand occurs
            // once for every symmetry that leaves it unchanged.
            if orbit.clone().all(|other| other >= pair) {
                let same = orbit.clone().filter(|&other| other == pair).count() as i64;
                let [mut play, mut wait] = [Line::default(); 2];
                for other in orbit {
                    let sums = of_flop[usize::from(self.slots[other])];
                    play += sums[0];
                    wait += sums[1];
                }
                let better = play.or(wait);
                sum += better.map(better, |sum, _| sum / same);
            }
        }
        sum
    }
}

/// Returns the sums for checking and for a Play of three and four antes with one kind of starting hand, assuming that
/// all later decisions are optimal.
///
/// # Errors
/// Returns [`Cancelled`] if the evaluation was cancelled.
fn start_values(game: &Game, pays: &Pays, of_kind: Hole, control: &Control<'_>) -> Result<[Line; 3], Cancelled> {
    let progress = control.stage("enumerating", "boards");
    let (kind, boards) = (Kind::new(pays, of_kind.kind()), boards());
    let (next, all) = (AtomicU64::new(0), boards.len() as u64);
    let work = |_| {
        let mut sums = Sums::new(kind.flops.classes().len() * kind.pairs.len());
        let mut strengths = Strengths::new(game);
        loop {
            let start = next.fetch_add(CHUNK, Ordering::Relaxed);
            if start >= all {
                return Ok(sums);
            }
            progress(start, all);
            control.check()?;
            for &(board, weight) in &boards[start as usize..(start + CHUNK).min(all) as usize] {
                strengths.evaluate(board);
                kind.add_board(&strengths, board, weight, &mut sums);
            }
        }
    };
    let sums = (0..rayon::current_num_threads()).into_par_iter().map(work);
    let sums = sums.reduce_with(|a, b| Ok(a?.add(&b?))).expect("a pool has at least one thread")?;
    let classes = kind.flops.classes().iter().zip(sums.flops.chunks_exact(kind.pairs.len()));
    // Each board was added once to the sums before the flop, and once for each of its flops after a check.
    let check = classes.map(|(class, of_flop)| kind.after_check(class, of_flop)).fold(Line::default(), Line::add);
    let [three, four] = sums.plays;
    Ok([check, three, four])
}

/// The number of flops in a full deck.
const ALL_FLOPS: usize = 22_100;

/// Returns the sums for checking and for a Play of three and four antes with dead cards. All later decisions are optimal.
///
/// # Errors
/// Returns [`Cancelled`] if the evaluation was cancelled.
pub(super) fn start_values_beside(
    game: &Game,
    pays: &Pays,
    hole: Hole,
    dead: CardSet,
    control: &Control<'_>,
) -> Result<[Line; 3], Cancelled> {
    let left = CardSet::DECK_52.difference(hole.set()).difference(dead);
    let boards = binomial(left.len() as u64, 5);
    let progress = control.stage("enumerating", "boards");
    let cards: Vec<Card> = left.iter().collect();
    // Boards with the same two highest cards form a unit of work.
    let pairs: Vec<(usize, usize)> = (0..cards.len()).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    let (empty, done) = (|| Sums::new(ALL_FLOPS), AtomicU64::new(0));
    let add_pair = |mut sums: Sums, &(a, b): &(usize, usize)| {
        control.check()?;
        let rest: CardSet = cards[b + 1..].iter().copied().collect();
        let highest = CardSet::EMPTY.with(cards[a]).with(cards[b]);
        for_each_subset(rest, 3, |others| {
            let board = highest.union(others);
            let river = river(game, pays, hole, board, dead);
            sums.plays.iter_mut().zip([3, 4]).for_each(|(sum, antes)| *sum += Line::play(&river, antes));
            let (now, later) = (Line::play(&river, 2), Line::river(&river));
            for_each_flop(board, |flop| {
                let [play, wait] = &mut sums.flops[flop_number(flop)];
                *play += now;
                *wait += later;
            });
        });
        let of_pair = binomial(rest.len() as u64, 3);
        progress(of_pair + done.fetch_add(of_pair, Ordering::Relaxed), boards);
        Ok(sums)
    };
    let sums = pairs.par_iter().try_fold(empty, add_pair).try_reduce(empty, |a, b| Ok(a.add(&b)))?;
    let check = sums.flops.iter().map(|&[play, wait]| play.or(wait)).fold(Line::default(), Line::add);
    let [three, four] = sums.plays;
    Ok([check, three, four])
}
