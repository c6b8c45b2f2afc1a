//! The network of a game with a fixed list of actions.

use crate::network::{NetworkConfig, Weights};
use burn::module::Module;
use burn::nn::Linear;
use burn::prelude::*;
use burn::tensor::activation::relu;

/// A perceptron: observations (B, features) to (B, outputs). What the outputs mean is up to the method; the first ones are
/// the scores of the actions.
#[derive(Module, Debug)]
pub struct Perceptron {
    hidden: Vec<Linear>,
    head: Linear,
}

impl Perceptron {
    /// A network with weights drawn from `seed`.
    pub fn new(config: NetworkConfig, inputs: usize, outputs: usize, seed: u64, device: &Device) -> Perceptron {
        Perceptron::drawn(config, inputs, outputs, 2.0, &mut Weights::new(seed, device))
    }

    /// A network with the next weights of a generator; `first_gain` is the variance of the first layer, times its inputs.
    pub(crate) fn drawn(
        config: NetworkConfig,
        inputs: usize,
        outputs: usize,
        first_gain: f64,
        weights: &mut Weights<'_>,
    ) -> Perceptron {
        let mut hidden = vec![weights.linear(inputs, config.width, true, first_gain)];
        hidden.extend((1..config.layers).map(|_| weights.linear(config.width, config.width, true, 2.0)));
        Perceptron { hidden, head: weights.linear(config.width, outputs, true, 0.01) }
    }

    /// The outputs, (B, outputs).
    pub fn forward(&self, observations: Tensor<2>) -> Tensor<2> {
        let last = self.hidden.iter().fold(observations, |below, layer| relu(layer.forward(below)));
        self.head.forward(last)
    }
}
