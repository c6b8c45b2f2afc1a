//! The networks of a player: a perceptron for each decision.

use super::deals::ROW;
use crate::network::{NetworkConfig, Weights};
use burn::module::Module;
use burn::nn::Linear;
use burn::prelude::*;
use burn::tensor::TensorData;
use burn::tensor::activation::relu;

/// What playing earns more than the other decision, for rows (R, [`ROW`]) of one stage: (R, 1).
#[derive(Module, Debug)]
pub struct Decider {
    hidden: Vec<Linear>,
    head: Linear,
}

/// The three decisions of a hand.
#[derive(Module, Debug)]
pub struct PlayerNetwork {
    /// Before the flop.
    pub start: Decider,
    /// On the flop.
    pub flop: Decider,
    /// On the whole board.
    pub river: Decider,
}

impl Decider {
    fn new(config: NetworkConfig, weights: &mut Weights<'_>) -> Decider {
        // A dozen or so of the numbers of a row are on at a time.
        let first_gain = 2.0 * ROW as f64 / 12.0;
        let hidden = (0..config.layers).map(|layer| match layer {
            0 => weights.linear(ROW, config.width, true, first_gain),
            _ => weights.linear(config.width, config.width, true, 2.0),
        });
        Decider { hidden: hidden.collect(), head: weights.linear(config.width, 1, true, 0.01) }
    }

    /// The values of rows.
    pub fn forward(&self, rows: Tensor<2>) -> Tensor<2> {
        let last = self.hidden.iter().fold(rows, |below, layer| relu(layer.forward(below)));
        self.head.forward(last)
    }

    /// Whether to play, for each row.
    pub(super) fn plays(&self, rows: &[f32], device: &Device) -> Vec<bool> {
        if rows.is_empty() {
            return vec![];
        }
        let values = self.forward(tensor(rows, ROW, device)).into_data();
        values.try_to_vec::<f32>().expect("values are floats").into_iter().map(|value| value > 0.0).collect()
    }
}

impl PlayerNetwork {
    /// Networks with weights drawn from `seed`.
    pub fn new(config: NetworkConfig, seed: u64, device: &Device) -> PlayerNetwork {
        let mut weights = Weights::new(seed, device);
        let [start, flop, river] = [(); 3].map(|()| Decider::new(config, &mut weights));
        PlayerNetwork { start, flop, river }
    }
}

/// Rows of numbers as a matrix with so many columns.
pub(super) fn tensor(rows: &[f32], columns: usize, device: &Device) -> Tensor<2> {
    Tensor::from_data(TensorData::new(rows.to_vec(), [rows.len() / columns, columns]), device)
}
