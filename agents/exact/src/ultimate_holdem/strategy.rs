//! The strategy interface, the optimal strategy, a published one that consists of a few rules, and policies for the
//! environment, which play either their greedy choices or at random with their probabilities.

use super::board::{PAIRS, pair};
use super::whole::hole;
use crate::solver::{SolverError, weighed_choices};
use houseway_env::cards::{Card, CardSet, Rank, Suit};
use houseway_env::gym::{Encoding, Policy};
use houseway_env::rank::{Category, FiveStrength};
use houseway_env::ultimate_holdem::observe::Observation;
use houseway_env::ultimate_holdem::{Action, BettingState, Game, Hole, Stage};

/// A strategy for Ultimate Texas Hold'em.
///
/// Decisions can depend on the player's two cards and the board, but not on the order in which the board was dealt.
/// Strategies must be suit-isomorphic, because only one hand is evaluated for each class.
///
/// Every decision also receives the exact values of Play and of the alternative, as sums over the same deals in half
/// antes. Strategies that follow rules can ignore them.
pub trait DecisionRule: Sync {
    /// Precomputed features of a flop or a complete board, shared by all hands on it.
    type Board;

    /// Computes the features of a board with three or five cards.
    fn board(&self, board: CardSet) -> Self::Board;

    /// Returns the number of antes to play before the flop, or 0 to check. `plays` lists the legal sizes and their
    /// values.
    fn start(&self, hole: Hole, plays: &[(i64, i128)], check: i128) -> i64;

    /// Returns `true` to play two antes on the flop, or `false` to check.
    fn flop(&self, hole: Hole, flop: &Self::Board, play: i64, check: i64) -> bool;

    /// Returns `true` to play one ante on the river, or `false` to fold.
    fn river(&self, hole: Hole, board: &Self::Board, play: i64, fold: i64) -> bool;
}

/// The optimal strategy. It always picks the action with the higher value, or the smaller wager if they are equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Optimum;

impl DecisionRule for Optimum {
    type Board = ();

    fn board(&self, _: CardSet) {}

    fn start(&self, _: Hole, plays: &[(i64, i128)], check: i128) -> i64 {
        let mut best = (0, check);
        for &(antes, value) in plays {
            if value > best.1 || (value == best.1 && antes < best.0) {
                best = (antes, value);
            }
        }
        best.0
    }

    #[inline]
    fn flop(&self, _: Hole, (): &(), play: i64, check: i64) -> bool {
        play > check
    }

    #[inline]
    fn river(&self, _: Hole, (): &(), play: i64, fold: i64) -> bool {
        play > fold
    }
}

/// The simple strategy from the Wizard of Odds ("Ultimate Texas Hold'em", section Strategy), with a published house
/// edge of 2.43%:
///
/// - Before the flop, play with a pair of threes or better, any ace, a king with a suited card or a five, a queen with
///   a suited six or an eight, a jack with a suited eight or a ten.
/// - On the flop, play with two pairs or better, a hidden pair other than pocket deuces, or four to a flush including a
///   hidden ten or better of the suit.
/// - On the river, play with a hidden pair or better, or if fewer than 21 dealer cards beat the player.
///
/// A hidden pair includes a card from the hand. "Or better" is read as a hand that the board doesn't make on its own.
pub struct Simple<'a> {
    game: &'a Game,
}

/// The strategy folds if at least this many dealer cards beat the player.
const OUTS: usize = 21;

/// Everything that the simple strategy looks at on a board.
pub struct SeenBoard {
    board: CardSet,
    category: Category,
    /// The cards that aren't on the board, each with the strength of the best five cards out of the six. Sorted by
    /// strength.
    with: Vec<(FiveStrength, Card)>,
}

impl<'a> Simple<'a> {
    /// Creates the strategy for a game. The same strategy applies to all readings.
    pub fn new(game: &'a Game) -> Simple<'a> {
        Simple { game }
    }

    /// Returns the number of antes that the strategy plays on a board, or 0 for a check or a fold. `most` is the largest
    /// Play before the flop.
    pub(super) fn antes(&self, hole: Hole, board: CardSet, most: i64) -> i64 {
        match board.len() {
            0 => self.start(hole, &[(most, 0)], 0),
            3 => 2 * i64::from(self.flop(hole, &self.board(board), 0, 0)),
            _ => i64::from(self.river(hole, &self.board(board), 0, 0)),
        }
    }

    fn category(&self, cards: CardSet) -> Category {
        self.game.best().category(self.game.best().ranking().best(cards))
    }
}

/// Returns `true` if one of the hole cards is part of a pair.
fn hidden_pair(hole: Hole, board: CardSet) -> bool {
    let [a, b] = hole.ranks();
    a == b || board.iter().filter_map(Card::rank).any(|rank| rank == a || rank == b)
}

/// Returns `true` if at least four cards share a suit and one of them is a hole card that is a ten or better.
fn high_four_flush(hole: Hole, flop: CardSet) -> bool {
    Suit::ALL.into_iter().any(|suit| {
        let of_suit = |cards: CardSet| cards.iter().filter(move |card| card.suit() == Some(suit));
        let high = of_suit(hole.set()).any(|card| card.rank() >= Some(Rank::Ten));
        of_suit(hole.set().union(flop)).count() >= 4 && high
    })
}

impl DecisionRule for Simple<'_> {
    type Board = SeenBoard;

    fn start(&self, hole: Hole, plays: &[(i64, i128)], _: i128) -> i64 {
        let ([high, low], suited) = (hole.ranks(), hole.is_suited());
        let lowest = |of_suit, otherwise| low >= if suited { of_suit } else { otherwise };
        let play = match high {
            _ if high == low => high >= Rank::Three,
            Rank::Ace => true,
            Rank::King => lowest(Rank::Two, Rank::Five),
            Rank::Queen => lowest(Rank::Six, Rank::Eight),
            Rank::Jack => lowest(Rank::Eight, Rank::Ten),
            _ => false,
        };
        let most = plays.iter().map(|(antes, _)| *antes).max().unwrap_or(0);
        if play { most } else { 0 }
    }

    fn flop(&self, hole: Hole, seen: &SeenBoard, _: i64, _: i64) -> bool {
        let flop = seen.board;
        let deuces = hole.ranks() == [Rank::Two; 2];
        let first = flop.iter().next().and_then(Card::rank);
        let three_on_board = flop.iter().all(|card| card.rank() == first);
        let made = self.category(hole.set().union(flop));
        made > if three_on_board { Category::ThreeOfAKind } else { Category::OnePair }
            || (hidden_pair(hole, flop) && !deuces)
            || high_four_flush(hole, flop)
    }

    fn board(&self, board: CardSet) -> SeenBoard {
        if board.len() < 5 {
            // The flop decision only needs the cards.
            return SeenBoard { board, category: Category::HighCard, with: vec![] };
        }
        let ranking = self.game.best().ranking();
        let others = CardSet::DECK_52.difference(board);
        let mut with: Vec<_> = others.iter().map(|card| (ranking.best(board.with(card)), card)).collect();
        with.sort_unstable();
        SeenBoard { board, category: self.category(board), with }
    }

    fn river(&self, hole: Hole, seen: &SeenBoard, _: i64, _: i64) -> bool {
        let mine = self.game.on_board(seen.board).of(hole.set());
        let category = self.game.best().category(mine);
        if category > seen.category || (category >= Category::OnePair && hidden_pair(hole, seen.board)) {
            return true;
        }
        let above = seen.with.iter().rev().take_while(|(strength, _)| *strength > mine);
        above.filter(|(_, card)| !hole.set().contains(*card)).count() < OUTS
    }
}

/// The observation encoding that policies must use. Like every strategy, it's suit-isomorphic and doesn't depend on the
/// order of the board cards.
pub(super) const ENCODING: Observation = Observation::Features;

/// The strategy that a policy plays. For each board, the policy is called once with a batch of all hands that check
/// before the flop.
pub(super) struct PolicyStrategy<'a> {
    game: &'a Game,
    policy: &'a dyn Policy,
    /// The number of antes played before the flop, indexed by [`Hole::kind`].
    pub(super) starts: Vec<i64>,
}

/// The hands that play on a board, stored as bits and indexed by card pair.
pub(super) struct Plays([u64; PAIRS.div_ceil(64)]);

impl<'a> PolicyStrategy<'a> {
    /// Returns an error if the policy doesn't choose a legal action for every starting hand.
    pub(super) fn new(game: &'a Game, policy: &'a dyn Policy) -> Result<PolicyStrategy<'a>, SolverError> {
        let (observations, masks) = observe(game, CardSet::EMPTY, &kinds());
        let choices = weighed_choices(policy, &observations, &masks, Action::ALL.len())?;
        Ok(PolicyStrategy { game, policy, starts: choices.actions.into_iter().map(antes).collect() })
    }
}

/// A policy that takes actions at random.
pub(super) struct StochasticPolicy<'a> {
    game: &'a Game,
    policy: &'a dyn Policy,
    /// The probabilities of the actions before the flop, indexed by [`Hole::kind`].
    pub(super) starts: Vec<Vec<u32>>,
}

impl<'a> StochasticPolicy<'a> {
    /// Returns `None` if the policy has no probabilities.
    pub(super) fn new(game: &'a Game, policy: &'a dyn Policy) -> Result<Option<StochasticPolicy<'a>>, SolverError> {
        let (observations, masks) = observe(game, CardSet::EMPTY, &kinds());
        let choices = weighed_choices(policy, &observations, &masks, Action::ALL.len())?;
        Ok(choices.weights.map(|starts| StochasticPolicy { game, policy, starts }))
    }

    /// Returns the probability of checking before the flop.
    pub(super) fn checks(&self, hole: Hole) -> i128 {
        self.starts[hole.kind()][Action::Check.index()].into()
    }

    /// Returns the probability of playing each pair on a flop or a complete board. It is 0 for pairs that share a card
    /// with the board and for those that never get there.
    pub(super) fn plays(&self, board: CardSet) -> Result<Vec<u32>, SolverError> {
        let holes = undecided(board, |hole| self.checks(hole) > 0);
        let mut plays = vec![0; PAIRS];
        if holes.is_empty() {
            return Ok(plays);
        }
        let (observations, masks) = observe(self.game, board, &holes);
        let choices = weighed_choices(self.policy, &observations, &masks, Action::ALL.len())?;
        let weights = choices.weights.ok_or_else(|| {
            SolverError::Failed(format!("the policy {} has probabilities only before the flop", self.policy.name()))
        })?;
        for (hole, weights) in holes.into_iter().zip(weights) {
            plays[pair_of(hole)] =
                (0..weights.len()).filter(|&action| antes(action) > 0).map(|action| weights[action]).sum();
        }
        Ok(plays)
    }
}

/// Returns the observations and action masks of hands on a board, which may be empty.
fn observe(game: &Game, board: CardSet, holes: &[Hole]) -> (Vec<f32>, Vec<bool>) {
    let stage = match board.len() {
        0 => Stage::Start,
        3 => Stage::Flop,
        _ => Stage::River,
    };
    let mut observations = vec![0.0; holes.len() * ENCODING.len()];
    for (observation, &hole) in observations.chunks_exact_mut(ENCODING.len()).zip(holes) {
        ENCODING.write(game, stage, hole, board, board, observation);
    }
    let (seat, preflop) = (BettingState { stage, ..BettingState::default() }, game.rules().preflop_play);
    (observations, Action::ALL.map(|action| seat.is_legal(preflop, action)).repeat(holes.len()))
}

/// Returns the hands beside a board for which `checks` is true, in the order of their pairs.
fn undecided(board: CardSet, checks: impl Fn(Hole) -> bool) -> Vec<Hole> {
    (0..PAIRS).map(hole).filter(|&hole| hole.set().intersection(board).is_empty() && checks(hole)).collect()
}

fn pair_of(hole: Hole) -> usize {
    let [high, low] = hole.cards().map(|card| card.index() as u8);
    pair(low, high)
}

/// Returns a hand of each kind, in the order of [`Hole::kind`].
fn kinds() -> Vec<Hole> {
    let mut kinds: Vec<Option<Hole>> = vec![None; Hole::KINDS];
    (0..PAIRS).map(hole).for_each(|hole| _ = kinds[hole.kind()].get_or_insert(hole));
    kinds.into_iter().flatten().collect()
}

/// Returns the number of antes that an action stakes.
pub(super) fn antes(action: usize) -> i64 {
    Action::ALL.get(action).map_or(0, |action| action.antes().into())
}

impl DecisionRule for PolicyStrategy<'_> {
    type Board = Plays;

    fn board(&self, board: CardSet) -> Plays {
        let holes = undecided(board, |hole| self.starts[hole.kind()] == 0);
        let mut plays = Plays([0; PAIRS.div_ceil(64)]);
        if holes.is_empty() {
            return plays;
        }
        let (observations, masks) = observe(self.game, board, &holes);
        let actions = self.policy.choose(&observations, &masks).actions;
        assert_eq!(actions.len(), holes.len(), "a policy chooses an action for each row");
        for (&hole, action) in holes.iter().zip(actions) {
            let pair = pair_of(hole);
            plays.0[pair / 64] |= u64::from(antes(action) > 0) << (pair % 64);
        }
        plays
    }

    fn start(&self, hole: Hole, _: &[(i64, i128)], _: i128) -> i64 {
        self.starts[hole.kind()]
    }

    fn flop(&self, hole: Hole, plays: &Plays, _: i64, _: i64) -> bool {
        plays.contains(hole)
    }

    fn river(&self, hole: Hole, plays: &Plays, _: i64, _: i64) -> bool {
        plays.contains(hole)
    }
}

impl Plays {
    fn contains(&self, hole: Hole) -> bool {
        let pair = pair_of(hole);
        self.0[pair / 64] >> (pair % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hand_is_found_among_the_plays_of_its_board() {
        for at in (0..PAIRS).step_by(7) {
            let mut plays = Plays([0; PAIRS.div_ceil(64)]);
            plays.0[at / 64] |= 1 << (at % 64);
            assert!((0..PAIRS).all(|pair| plays.contains(hole(pair)) == (pair == at)));
        }
    }
}
