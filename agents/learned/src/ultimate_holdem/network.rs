//! The networks of a player: a perceptron for each decision, or one for all of them.

use super::deals::ROW;
use crate::decisions::Perceptron;
use crate::network::{NetworkConfig, Weights};
use crate::policy::save_weights;
use burn::module::Module;
use burn::prelude::*;
use burn::tensor::TensorData;
use houseway_env::ultimate_holdem::{Action, Stage};
use std::path::Path;

/// The three decisions of a hand. Each network tells for rows (R, [`ROW`]) what playing earns more than the other decision,
/// (R, 1).
#[derive(Module, Debug)]
pub struct PlayerNetwork {
    /// Before the flop.
    pub start: Perceptron,
    /// On the flop.
    pub flop: Perceptron,
    /// On the whole board.
    pub river: Perceptron,
}

impl PlayerNetwork {
    /// Networks with weights drawn from `seed`.
    pub fn new(config: NetworkConfig, seed: u64, device: &Device) -> PlayerNetwork {
        let mut weights = Weights::new(seed, device);
        // A dozen or so of the numbers of a row are on at a time.
        let first_gain = 2.0 * ROW as f64 / 12.0;
        let [start, flop, river] = [(); 3].map(|()| Perceptron::drawn(config, ROW, 1, first_gain, &mut weights));
        PlayerNetwork { start, flop, river }
    }
}

/// The networks of a player, by the way they were trained.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a training has one of them")]
pub enum Networks {
    /// One for each decision, with what playing earns more: from all actions.
    OfDecisions(PlayerNetwork),
    /// One for all, with a score for each [`Action`] and then their values: from policy gradient.
    OfActions(Perceptron),
}

impl Networks {
    /// The same without gradients.
    pub(super) fn valid(&self) -> Networks {
        match self {
            Networks::OfDecisions(networks) => Networks::OfDecisions(networks.valid()),
            Networks::OfActions(network) => Networks::OfActions(network.valid()),
        }
    }

    /// Whether to play, for each row of a stage: `antes` before the flop, then what the rules leave.
    pub(super) fn plays(&self, stage: Stage, antes: i32, rows: &[f32], device: &Device) -> Vec<bool> {
        let (play, other) = match (stage, antes) {
            (Stage::Start, 3) => (Action::Play3, Action::Check),
            (Stage::Start, _) => (Action::Play4, Action::Check),
            (Stage::Flop, _) => (Action::Play2, Action::Check),
            _ => (Action::Play1, Action::Fold),
        };
        match (self, stage) {
            (Networks::OfDecisions(networks), Stage::Start) => plays(&networks.start, rows, device),
            (Networks::OfDecisions(networks), Stage::Flop) => plays(&networks.flop, rows, device),
            (Networks::OfDecisions(networks), _) => plays(&networks.river, rows, device),
            (Networks::OfActions(_), _) if rows.is_empty() => vec![],
            (Networks::OfActions(network), _) => {
                let outputs = network.forward(tensor(rows, ROW, device));
                let score = |action: Action| outputs.clone().narrow(1, action.index(), 1);
                above_zero(score(play) - score(other))
            }
        }
    }

    /// Writes the weights as safetensors.
    pub(super) fn save(&self, path: &Path, metadata: &[(&str, &str)]) -> Result<(), String> {
        match self {
            Networks::OfDecisions(networks) => save_weights(networks, path, metadata),
            Networks::OfActions(network) => save_weights(network, path, metadata),
        }
    }
}

/// Rows of numbers as a matrix with so many columns.
pub(super) fn tensor(rows: &[f32], columns: usize, device: &Device) -> Tensor<2> {
    Tensor::from_data(TensorData::new(rows.to_vec(), [rows.len() / columns, columns]), device)
}

/// Whether to play, for each row.
pub(super) fn plays(network: &Perceptron, rows: &[f32], device: &Device) -> Vec<bool> {
    if rows.is_empty() {
        return vec![];
    }
    above_zero(network.forward(tensor(rows, ROW, device)))
}

fn above_zero(values: Tensor<2>) -> Vec<bool> {
    let values = values.into_data();
    values.try_to_vec::<f32>().expect("values are floats").into_iter().map(|value| value > 0.0).collect()
}
