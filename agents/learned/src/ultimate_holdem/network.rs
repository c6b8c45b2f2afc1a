//! The networks of a player: a perceptron for each decision.

use super::deals::ROW;
use crate::decisions::Perceptron;
use crate::network::{NetworkConfig, Weights};
use burn::module::Module;
use burn::prelude::*;
use burn::tensor::TensorData;

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

/// Rows of numbers as a matrix with so many columns.
pub(super) fn tensor(rows: &[f32], columns: usize, device: &Device) -> Tensor<2> {
    Tensor::from_data(TensorData::new(rows.to_vec(), [rows.len() / columns, columns]), device)
}

/// Whether to play, for each row.
pub(super) fn plays(network: &Perceptron, rows: &[f32], device: &Device) -> Vec<bool> {
    if rows.is_empty() {
        return vec![];
    }
    let values = network.forward(tensor(rows, ROW, device)).into_data();
    values.try_to_vec::<f32>().expect("values are floats").into_iter().map(|value| value > 0.0).collect()
}
