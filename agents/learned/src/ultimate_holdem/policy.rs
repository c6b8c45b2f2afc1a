//! Trained networks as a player.

use super::deals::{ROW, highest_play, write_row};
use super::network::Networks;
use burn::prelude::*;
use houseway_env::cards::{Card, CardSet};
use houseway_env::ultimate_holdem::{Game, Hole, Stage};
use std::path::Path;
use std::sync::LazyLock;

/// Plays where the network says that it earns more than to check or to fold. It sees what the environment shows; which board
/// cards came last does not matter to it, nor which suit is which.
pub struct LearnedPolicy<'a> {
    name: String,
    game: &'a Game,
    networks: Networks,
    /// By kind of starting hand: whether it plays before the flop.
    starts: Vec<bool>,
    device: Device,
}

/// A hand of each kind, by [`Hole::kind`].
pub(super) static KINDS: LazyLock<Vec<Hole>> = LazyLock::new(|| {
    let mut kinds = vec![None; Hole::KINDS];
    let cards: Vec<Card> = CardSet::DECK_52.iter().collect();
    for (i, &a) in cards.iter().enumerate() {
        for &b in &cards[..i] {
            let hole = Hole::new(CardSet::EMPTY.with(a).with(b)).expect("two cards of the deck");
            kinds[hole.kind()].get_or_insert(hole);
        }
    }
    kinds.into_iter().flatten().collect()
});

/// Rows of all kinds of starting hands, by [`Hole::kind`].
pub(super) fn start_rows(game: &Game) -> Vec<f32> {
    let mut rows = vec![0.0; Hole::KINDS * ROW];
    for (row, &hole) in rows.chunks_exact_mut(ROW).zip(KINDS.iter()) {
        write_row(game, Stage::Start, hole, CardSet::EMPTY, row);
    }
    rows
}

impl<'a> LearnedPolicy<'a> {
    /// The player of a trained network.
    pub fn new(name: &str, game: &'a Game, networks: &Networks) -> LearnedPolicy<'a> {
        let (networks, device) = (networks.valid(), Device::flex());
        let starts = networks.plays(Stage::Start, highest_play(game), &start_rows(game), &device);
        LearnedPolicy { name: name.to_owned(), game, networks, starts, device }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Antes played before the flop; 0 is a check.
    pub fn start(&self, hole: Hole) -> i64 {
        if self.starts[hole.kind()] { highest_play(self.game).into() } else { 0 }
    }

    /// Whether to play with each of these hands on a board of three cards (two antes) or five (one).
    ///
    /// # Panics
    /// If the board has another number of cards.
    pub fn plays(&self, board: CardSet, holes: &[Hole]) -> Vec<bool> {
        let stage = match board.len() {
            3 => Stage::Flop,
            5 => Stage::River,
            cards => panic!("nobody decides on a board of {cards} cards"),
        };
        let mut rows = vec![0.0; holes.len() * ROW];
        for (row, &hole) in rows.chunks_exact_mut(ROW).zip(holes) {
            write_row(self.game, stage, hole, board, row);
        }
        self.networks.plays(stage, highest_play(self.game), &rows, &self.device)
    }

    /// Writes the weights as safetensors, for others to load. Matrices are (inputs, outputs).
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save_weights(&self, path: &Path, metadata: &[(&str, &str)]) -> Result<(), String> {
        self.networks.save(path, metadata)
    }
}

#[cfg(test)]
mod tests {
    use super::super::PlayerNetwork;
    use super::*;
    use crate::decisions::Perceptron;
    use crate::network::{NetworkConfig, training_device};
    use houseway_env::ultimate_holdem::Rules;

    #[test]
    fn kinds_stand_in_their_order_and_all_decisions_are_taken() {
        assert!(KINDS.len() == Hole::KINDS && KINDS.iter().enumerate().all(|(kind, hole)| hole.kind() == kind));
        let game = Game::new(Rules::default());
        let (size, device) = (NetworkConfig { width: 8, layers: 2 }, training_device());
        let of_decisions = Networks::OfDecisions(PlayerNetwork::new(size, 3, &device));
        let of_actions = Networks::OfActions(Perceptron::new(size, ROW, 12, 3, &device));
        let holes: Vec<Hole> = ["As Kd", "7h 2c", "9h 9d"].map(|hole| hole.parse().unwrap()).to_vec();
        for networks in [of_decisions, of_actions] {
            let policy = LearnedPolicy::new("untrained", &game, &networks);
            for board in ["2s 3d Qh", "2s 3d Qh Jc 4d"].map(|board| board.parse().unwrap()) {
                let all = policy.plays(board, &holes);
                let one_by_one: Vec<bool> = holes.iter().map(|&hole| policy.plays(board, &[hole])[0]).collect();
                assert_eq!(all, one_by_one);
                assert!(policy.plays(board, &[]).is_empty());
            }
            assert!(holes.iter().all(|&hole| [0, 4].contains(&policy.start(hole))));
        }
    }
}
