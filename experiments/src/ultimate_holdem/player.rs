//! A learned policy as a strategy that can be counted.

use houseway_env::cards::{Card, CardSet};
use houseway_env::gym::{Encoding, Policy};
use houseway_env::ultimate_holdem::observe::Observation;
use houseway_env::ultimate_holdem::{Action, Game, Hole, Stage};
use houseway_exact::ultimate_holdem::Strategy;
use houseway_learned::tasks::ultimate_holdem::max_preflop_play;
use std::sync::LazyLock;

/// Pairs of cards of a deck.
const PAIRS: usize = 1_326;

/// Looks at a board once, with all hands that wait for it. Hands that play before the flop are left out: they never decide.
pub struct Player<'a> {
    policy: &'a dyn Policy,
    game: &'a Game,
    /// Starting hands that are played, by [`number`].
    starts: Plays,
}

/// With which hands it plays on a board, by [`number`].
pub struct Plays([u64; PAIRS.div_ceil(64)]);

/// The two cards of each hand, by [`number`].
static HOLES: LazyLock<Vec<Hole>> = LazyLock::new(|| {
    let mut holes: Vec<Hole> = Vec::with_capacity(PAIRS);
    let cards: Vec<Card> = CardSet::DECK_52.iter().collect();
    for (i, &a) in cards.iter().enumerate() {
        let pairs = cards[..i].iter().map(|&b| CardSet::EMPTY.with(a).with(b));
        holes.extend(pairs.map(|cards| Hole::new(cards).expect("two cards of the deck")));
    }
    holes.sort_unstable_by_key(|&hole| number(hole));
    holes
});

impl<'a> Player<'a> {
    /// A policy that reads features. Before the flop it chooses between a check and the most antes.
    pub fn new(policy: &'a dyn Policy, game: &'a Game) -> Player<'a> {
        let mut kinds = HOLES.clone();
        kinds.sort_by_key(|hole| hole.kind());
        kinds.dedup_by_key(|hole| hole.kind());
        let mut player = Player { policy, game, starts: Plays([0; PAIRS.div_ceil(64)]) };
        let plays = player.plays(Stage::Start, CardSet::EMPTY, &kinds);
        HOLES.iter().for_each(|&hole| player.starts.set(hole, plays[hole.kind()]));
        player
    }

    /// Returns true for each hand that the policy plays.
    fn plays(&self, stage: Stage, board: CardSet, holes: &[Hole]) -> Vec<bool> {
        let (play, other) = match (stage, max_preflop_play(self.game)) {
            (Stage::Start, 3) => (Action::Play3, Action::Check),
            (Stage::Start, _) => (Action::Play4, Action::Check),
            (Stage::Flop, _) => (Action::Play2, Action::Check),
            _ => (Action::Play1, Action::Fold),
        };
        let encoding = Observation::Features;
        let mut rows = vec![0.0; holes.len() * encoding.len()];
        for (row, &hole) in rows.chunks_exact_mut(encoding.len()).zip(holes) {
            encoding.write(self.game, stage, hole, board, board, row).expect("there is room for the row");
        }
        let mask = Action::ALL.map(|action| action == play || action == other);
        let actions = self.policy.choose(&rows, &mask.repeat(holes.len()));
        actions.into_iter().map(|action| action == play.index()).collect()
    }
}

/// The number of a hand, 0 to 1,325.
fn number(hole: Hole) -> usize {
    let [high, low] = hole.cards().map(Card::index);
    high * (high - 1) / 2 + low
}

impl Strategy for Player<'_> {
    type Board = Plays;

    fn board(&self, board: CardSet) -> Plays {
        let stage = if board.len() == 3 { Stage::Flop } else { Stage::River };
        let waiting = |hole: &Hole| hole.set().intersection(board).is_empty() && !self.starts.holds(*hole);
        let holes: Vec<Hole> = HOLES.iter().copied().filter(waiting).collect();
        let mut plays = Plays([0; PAIRS.div_ceil(64)]);
        for (&hole, play) in holes.iter().zip(self.plays(stage, board, &holes)) {
            plays.set(hole, play);
        }
        plays
    }

    fn start(&self, hole: Hole, _: &[(i64, i128)], _: i128) -> i64 {
        if self.starts.holds(hole) { max_preflop_play(self.game).into() } else { 0 }
    }

    fn flop(&self, hole: Hole, seen: &Plays, _: i64, _: i64) -> bool {
        seen.holds(hole)
    }

    fn river(&self, hole: Hole, seen: &Plays, _: i64, _: i64) -> bool {
        seen.holds(hole)
    }
}

impl Plays {
    fn set(&mut self, hole: Hole, play: bool) {
        self.0[number(hole) / 64] |= u64::from(play) << (number(hole) % 64);
    }

    fn holds(&self, hole: Hole) -> bool {
        self.0[number(hole) / 64] >> (number(hole) % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_are_found_by_their_number() {
        assert!(HOLES.len() == PAIRS && HOLES.iter().enumerate().all(|(i, &hole)| number(hole) == i));
    }
}
