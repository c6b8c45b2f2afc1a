//! Evaluates a player's decisions, given their two cards and the visible board.
//!
//! Before the flop, [`FullGame`](super::FullGame) would sort the 1,081 hands on every board to evaluate all of them at
//! once. For the 4, 6 or 12 hands of one kind, it's about ten times faster to count the lower and equal hands without
//! sorting.
//!
//! Dead cards break the suit symmetry that this relies on, so each of the up to 2,118,760 boards has to be evaluated. A
//! board's results are added to the ten flops that it contains. Flop decisions have to wait until all boards have been
//! evaluated.

use super::board::{ALL_FLOPS, FlopClass, Flops, HANDS, PAIRS, boards, flop_number, pair};
use super::showdown::{Pays, River, dealer_hands, river};
use super::whole::{FLOPS, combinations, for_each_flop, hole, preflop_plays};
use super::{ANTE, DEALER_HANDS, Ends};
use crate::Ratio;
use crate::solver::{Cancelled, Control, DeadCards, SolverError, invalid};
use houseway_env::cards::combinations::{binomial, for_each_subset};
use houseway_env::cards::key::Key;
use houseway_env::cards::{Card, CardSet};
use houseway_env::rank::FiveStrength;
use houseway_env::ultimate_holdem::{Game, Hole};
use rayon::prelude::*;
use std::iter::Sum;
use std::ops::AddAssign;
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
    /// The shares of the deals with each of the [`Choice::ENDS`], for every action, or nothing if they weren't counted.
    pub shares: Vec<[Ratio; Choice::ENDS.len()]>,
}

/// Sums over boards and dealer hands. `ENDS` is the number of [`Choice::ENDS`], or 0 to sum up the results only, which
/// takes two thirds of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DealSums<const ENDS: usize> {
    /// The results in half antes.
    pub(super) value: i64,
    /// The number of deals with each end.
    ends: [i64; ENDS],
}

impl<const ENDS: usize> DealSums<ENDS> {
    const ZERO: DealSums<ENDS> = DealSums { value: 0, ends: [0; ENDS] };

    fn new(value: i64, ends: [i64; Choice::ENDS.len()]) -> DealSums<ENDS> {
        DealSums { value, ends: std::array::from_fn(|end| ends[end]) }
    }

    /// Returns the sums for playing on a complete board.
    #[inline]
    fn play(river: &River, antes: i64) -> DealSums<ENDS> {
        let [win, tie, lose] = river.ends;
        DealSums::new(river.moments.value(antes), [win, tie, lose, 0])
    }

    /// Returns the sums for folding on a complete board.
    #[inline]
    fn fold(river: &River) -> DealSums<ENDS> {
        DealSums::new(river.fold, [0, 0, 0, river.ends.into_iter().sum()])
    }

    /// Returns the sums for playing one ante on a complete board, or for folding if that isn't worse.
    #[inline]
    fn river(river: &River) -> DealSums<ENDS> {
        DealSums::play(river, 1).or(DealSums::fold(river))
    }

    /// Returns the better sums. The others win ties.
    #[inline]
    fn or(self, other: DealSums<ENDS>) -> DealSums<ENDS> {
        if self.value > other.value { self } else { other }
    }

    #[inline]
    fn map(self, change: impl Fn(i64) -> i64) -> DealSums<ENDS> {
        DealSums { value: change(self.value), ends: self.ends.map(change) }
    }
}

impl<const ENDS: usize> AddAssign for DealSums<ENDS> {
    #[inline]
    fn add_assign(&mut self, other: DealSums<ENDS>) {
        self.value += other.value;
        self.ends.iter_mut().zip(other.ends).for_each(|(sum, deals)| *sum += deals);
    }
}

impl<const ENDS: usize> Sum for DealSums<ENDS> {
    fn sum<I: Iterator<Item = DealSums<ENDS>>>(all: I) -> DealSums<ENDS> {
        let mut sum = DealSums::ZERO;
        all.for_each(|sums| sum += sums);
        sum
    }
}

impl Choice {
    /// The ways in which a deal ends: the player's hand is higher, equal or lower, or it is folded. If a dealer who doesn't
    /// qualify loses without a comparison, the player's hand counts as higher.
    pub const ENDS: [&str; 4] = ["win", "tie", "lose", "fold"];

    /// Creates a choice from the sums of each action over a number of deals.
    fn new<const ENDS: usize>(
        stage: &'static str,
        deals: i128,
        actions: impl IntoIterator<Item = (&'static str, DealSums<ENDS>)>,
    ) -> Choice {
        let (names, all): (Vec<_>, Vec<DealSums<ENDS>>) = actions.into_iter().unzip();
        let evs = all.iter().map(|sums| Ratio::new(sums.value.into(), deals * i128::from(ANTE)));
        let share = |count: &i64| Ratio::new((*count).into(), deals);
        let shares = all.iter().filter_map(|sums| sums.ends.each_ref().map(share).to_vec().try_into().ok());
        Choice { stage, actions: names.into_iter().zip(evs).collect(), shares: shares.collect() }
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
        // A board of any size may not have a joker.
        board.check_hand(board.len(), CardSet::DECK_52).map_err(SolverError::invalid)?;
        if let Some(card) = board.intersection(hole.set()).iter().next() {
            return Err(invalid!("{card} is in the hand and on the board"));
        }
        match board.len() {
            0 | 3 | 5 => Ok(Position { hole, board, dead: CardSet::EMPTY }),
            cards => Err(invalid!("invalid board of {cards} cards: expected none (before the flop), three or five")),
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
    /// Returns [`Cancelled`] if the evaluation was canceled.
    pub fn choice(&self, game: &Game, trips: u16, control: &Control<'_>) -> Result<Choice, Cancelled> {
        self.evaluate::<0>(game, trips, control)
    }

    /// Like [`Position::choice`], but also returns the shares of the deals with each end.
    pub(crate) fn choice_with_shares(
        &self,
        game: &Game,
        trips: u16,
        control: &Control<'_>,
    ) -> Result<Choice, Cancelled> {
        self.evaluate::<{ Choice::ENDS.len() }>(game, trips, control)
    }

    fn evaluate<const ENDS: usize>(&self, game: &Game, trips: u16, control: &Control<'_>) -> Result<Choice, Cancelled> {
        let pays = Pays::new(game, trips);
        let hidden = 5 - self.board.len() as u64;
        let deals = i128::from(binomial(self.left().len() as u64, hidden)) * i128::from(dealer_hands(self.dead));
        match self.board.len() {
            0 => {
                let ([check, sums @ ..], kind) = if self.dead.is_empty() {
                    (start_values::<ENDS>(game, &pays, self.hole, control)?, combinations(self.hole))
                } else {
                    (start_values_beside(game, &pays, self.hole, self.dead, control)?, 1)
                };
                let names = ["play3", "play4"];
                let plays = preflop_plays(game).iter().map(|&antes| antes as usize - 3);
                // After a check, every board was added once for each of its flops.
                let plays = plays.map(|size| (names[size], sums[size].map(|sum| sum * FLOPS as i64)));
                let actions = std::iter::once(("check", check)).chain(plays);
                Ok(Choice::new("start", deals * FLOPS as i128 * kind, actions))
            }
            3 => {
                let [play, check] = self.flop::<ENDS>(game, &pays);
                Ok(Choice::new("flop", deals, [("check", check), ("play2", play)]))
            }
            _ => {
                let river = river(game, &pays, self.hole, self.board, self.dead);
                let actions = [("fold", DealSums::<ENDS>::fold(&river)), ("play1", DealSums::play(&river, 1))];
                Ok(Choice::new("river", deals, actions))
            }
        }
    }

    /// Returns the cards from which the rest of the board and the dealer's hand come.
    fn left(&self) -> CardSet {
        CardSet::DECK_52.difference(self.board).difference(self.hole.set()).difference(self.dead)
    }

    /// Returns the sums for playing and for checking over all boards.
    fn flop<const ENDS: usize>(&self, game: &Game, pays: &Pays) -> [DealSums<ENDS>; 2] {
        let others: Vec<Card> = self.left().iter().collect();
        let sums = (1..others.len()).into_par_iter().map(|a| {
            let mut sums = [DealSums::ZERO; 2];
            for b in 0..a {
                let board = self.board.with(others[a]).with(others[b]);
                let river = river(game, pays, self.hole, board, self.dead);
                sums[0] += DealSums::play(&river, 2);
                sums[1] += DealSums::river(&river);
            }
            sums
        });
        sums.reduce(|| [DealSums::ZERO; 2], add_pairs)
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
        let ranking = self.game.on_board(board);
        let mut strengths = self.strengths.iter_mut();
        for high in 1..CARDS {
            for ((&key, &card), strength) in keys[..high].iter().zip(&cards).zip(&mut strengths) {
                *strength = ranking.of_key(keys[high] + key, || CardSet::EMPTY.with(cards[high]).with(card));
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

fn add_pairs<const ENDS: usize>(
    [mut a, mut b]: [DealSums<ENDS>; 2],
    [c, d]: [DealSums<ENDS>; 2],
) -> [DealSums<ENDS>; 2] {
    a += c;
    b += d;
    [a, b]
}

/// Sums over boards and dealer hands.
struct Sums<const ENDS: usize> {
    /// The sums for a Play of three antes and of four antes before the flop.
    plays: [DealSums<ENDS>; 2],
    /// The sums for playing and for checking on the flop. The caller chooses the index.
    flops: Vec<[DealSums<ENDS>; 2]>,
}

impl<const ENDS: usize> Sums<ENDS> {
    /// Creates sums of zero with the given number of entries for the flop.
    fn new(flops: usize) -> Sums<ENDS> {
        Sums { plays: [DealSums::ZERO; 2], flops: vec![[DealSums::ZERO; 2]; flops] }
    }

    fn add(mut self, other: &Sums<ENDS>) -> Sums<ENDS> {
        self.plays = add_pairs(self.plays, other.plays);
        self.flops.iter_mut().zip(&other.flops).for_each(|(a, b)| *a = add_pairs(*a, *b));
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
    fn add_board<const ENDS: usize>(
        &self,
        strengths: &Strengths<'_>,
        board: CardSet,
        weight: i64,
        sums: &mut Sums<ENDS>,
    ) {
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
            let fold = self.pays.fold(category) * DEALER_HANDS;
            let river = River { ends: self.pays.settled(&ends), moments, fold };
            for (sum, antes) in sums.plays.iter_mut().zip([3, 4]) {
                *sum += DealSums::play(&river, antes).map(|sum| sum * weight);
            }
            let [now, later] =
                [DealSums::play(&river, 2), DealSums::river(&river)].map(|sums| sums.map(|sum| sum * weight));
            for &(class, images) in &of_flops {
                let slot = self.slots[usize::from(images[pair])];
                let [play, wait] = &mut sums.flops[class * self.pairs.len() + usize::from(slot)];
                *play += now;
                *wait += later;
            }
        }
    }

    /// Adds up the better of playing and checking on a class of flops, for all hands.
    fn after_check<const ENDS: usize>(&self, class: &FlopClass, of_flop: &[[DealSums<ENDS>; 2]]) -> DealSums<ENDS> {
        let mut sum = DealSums::ZERO;
        for &pair in &self.pairs {
            let orbit = self.flops.orbit(class, pair);
            // All hands in an orbit share the same decision, so it's enough to evaluate one of them. Each hand occurs
            // once for every symmetry that leaves it unchanged.
            if orbit.clone().all(|other| other >= pair) {
                let same = orbit.clone().filter(|&other| other == pair).count() as i64;
                let [mut play, mut wait] = [DealSums::ZERO; 2];
                for other in orbit {
                    let sums = of_flop[usize::from(self.slots[other])];
                    play += sums[0];
                    wait += sums[1];
                }
                let better = play.or(wait);
                sum += better.map(|sum| sum / same);
            }
        }
        sum
    }
}

/// Returns the sums for checking and for a Play of three and four antes with one kind of starting hand, assuming that
/// all later decisions are optimal.
fn start_values<const ENDS: usize>(
    game: &Game,
    pays: &Pays,
    of_kind: Hole,
    control: &Control<'_>,
) -> Result<[DealSums<ENDS>; 3], Cancelled> {
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
    let check = classes.map(|(class, of_flop)| kind.after_check(class, of_flop)).sum();
    let [three, four] = sums.plays;
    Ok([check, three, four])
}

/// Returns the sums for checking and for a Play of three and four antes with dead cards. All later decisions are optimal.
pub(super) fn start_values_beside<const ENDS: usize>(
    game: &Game,
    pays: &Pays,
    hole: Hole,
    dead: CardSet,
    control: &Control<'_>,
) -> Result<[DealSums<ENDS>; 3], Cancelled> {
    let left = CardSet::DECK_52.difference(hole.set()).difference(dead);
    let boards = binomial(left.len() as u64, 5);
    let progress = control.stage("enumerating", "boards");
    let cards: Vec<Card> = left.iter().collect();
    // Boards with the same two highest cards form a unit of work.
    let pairs: Vec<(usize, usize)> = (0..cards.len()).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    let (empty, done) = (|| Sums::new(ALL_FLOPS), AtomicU64::new(0));
    let add_pair = |mut sums: Sums<ENDS>, &(a, b): &(usize, usize)| {
        control.check()?;
        let rest: CardSet = cards[b + 1..].iter().copied().collect();
        let highest = CardSet::EMPTY.with(cards[a]).with(cards[b]);
        for_each_subset(rest, 3, |others| {
            let board = highest.union(others);
            let river = river(game, pays, hole, board, dead);
            sums.plays.iter_mut().zip([3, 4]).for_each(|(sum, antes)| *sum += DealSums::play(&river, antes));
            let (now, later) = (DealSums::play(&river, 2), DealSums::river(&river));
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
    let check = sums.flops.iter().map(|&[play, wait]| play.or(wait)).sum();
    let [three, four] = sums.plays;
    Ok([check, three, four])
}
