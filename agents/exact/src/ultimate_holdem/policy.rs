//! Treats a policy for the environment as a strategy, either by its greedy choices or by their probabilities.

use super::DecisionRule;
use super::board::{PAIRS, pair};
use super::whole::hole;
use crate::solver::{SolverError, weighed_choices};
use houseway_env::cards::CardSet;
use houseway_env::gym::{Encoding, Policy};
use houseway_env::ultimate_holdem::observe::Observation;
use houseway_env::ultimate_holdem::{Action, Game, Hole, PreflopPlay, Stage};

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
    pub(super) fn new(game: &'a Game, policy: &'a dyn Policy) -> PolicyStrategy<'a> {
        let (observations, masks) = observe(game, CardSet::EMPTY, &kinds());
        let starts = policy.choose(&observations, &masks).into_iter().map(antes).collect();
        PolicyStrategy { game, policy, starts }
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
    ///
    /// # Errors
    /// Returns an error if the probabilities are invalid.
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
        let written = ENCODING.write(game, stage, hole, board, board, observation);
        written.expect("the observation has the length of its encoding");
    }
    (observations, mask(stage, game.rules().preflop_play).repeat(holes.len()))
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

/// Returns the legal actions in a stage.
fn mask(stage: Stage, preflop: PreflopPlay) -> [bool; Action::ALL.len()] {
    Action::ALL.map(|action| match (stage, action) {
        (Stage::Start | Stage::Flop, Action::Check) | (Stage::Flop, Action::Play2) => true,
        (Stage::Start, Action::Play3) => preflop != PreflopPlay::Four,
        (Stage::Start, Action::Play4) => preflop != PreflopPlay::Three,
        (Stage::River, Action::Fold | Action::Play1) => true,
        _ => false,
    })
}

/// Returns the number of antes that an action stakes.
pub(super) fn antes(action: usize) -> i64 {
    let antes = [(Action::Play1, 1), (Action::Play2, 2), (Action::Play3, 3), (Action::Play4, 4)];
    antes.into_iter().find(|(play, _)| play.index() == action).map_or(0, |(_, antes)| antes)
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
        for (&hole, action) in holes.iter().zip(self.policy.choose(&observations, &masks)) {
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

    #[test]
    fn masks_are_those_of_the_environment() {
        use houseway_env::ultimate_holdem::BettingState;
        let seat = BettingState::default();
        for preflop in PreflopPlay::ALL {
            assert_eq!(mask(Stage::Start, preflop), Action::ALL.map(|action| seat.is_legal(preflop, action)));
        }
        let legal = |stage| Action::ALL.into_iter().zip(mask(stage, PreflopPlay::Four)).filter(|(_, legal)| *legal);
        assert_eq!(legal(Stage::Flop).map(|(action, _)| antes(action.index())).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(legal(Stage::River).map(|(action, _)| antes(action.index())).collect::<Vec<_>>(), [0, 1]);
    }
}
