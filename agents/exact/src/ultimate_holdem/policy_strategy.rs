//! Treats a policy for the environment as a strategy.

use super::DecisionRule;
use super::board::PAIRS;
use super::whole::hole;
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
    starts: Vec<i64>,
}

/// The hands that play on a board, stored as bits and indexed by card pair.
pub(super) struct Plays([u64; PAIRS.div_ceil(64)]);

impl<'a> PolicyStrategy<'a> {
    pub(super) fn new(game: &'a Game, policy: &'a dyn Policy) -> PolicyStrategy<'a> {
        let mut strategy = PolicyStrategy { game, policy, starts: vec![] };
        strategy.starts = strategy.choose(Stage::Start, CardSet::EMPTY, &kinds());
        strategy
    }

    /// Returns the number of antes played with each hand, or 0 for a check or a fold.
    fn choose(&self, stage: Stage, board: CardSet, holes: &[Hole]) -> Vec<i64> {
        if holes.is_empty() {
            return vec![];
        }
        let (observations, masks) = observe(self.game, stage, board, holes);
        let actions = self.policy.choose(&observations, &masks);
        actions.into_iter().map(antes).collect()
    }
}

/// Returns the observations and action masks of hands on a board.
pub(super) fn observe(game: &Game, stage: Stage, board: CardSet, holes: &[Hole]) -> (Vec<f32>, Vec<bool>) {
    let mut observations = vec![0.0; holes.len() * ENCODING.len()];
    for (observation, &hole) in observations.chunks_exact_mut(ENCODING.len()).zip(holes) {
        let written = ENCODING.write(game, stage, hole, board, board, observation);
        written.expect("the observation has the length of its encoding");
    }
    (observations, mask(stage, game.rules().preflop_play).repeat(holes.len()))
}

/// Returns a hand of each kind, in the order of [`Hole::kind`].
pub(super) fn kinds() -> Vec<Hole> {
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
        let stage = if board.len() == 3 { Stage::Flop } else { Stage::River };
        let waits = |hole: Hole| hole.set().intersection(board).is_empty() && self.starts[hole.kind()] == 0;
        let pairs: Vec<usize> = (0..PAIRS).filter(|&pair| waits(hole(pair))).collect();
        let holes: Vec<Hole> = pairs.iter().map(|&pair| hole(pair)).collect();
        let mut plays = Plays([0; PAIRS.div_ceil(64)]);
        for (&pair, antes) in pairs.iter().zip(self.choose(stage, board, &holes)) {
            plays.0[pair / 64] |= u64::from(antes > 0) << (pair % 64);
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
        let [high, low] = hole.cards().map(|card| card.index() as u8);
        let pair = super::board::pair(low, high);
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
