//! The network: one small perceptron that scores every candidate setting of a hand with the same weights.
//!
//! A candidate is a row of features, a hand a row of context; the first layer adds the two, so the context is multiplied
//! once a hand and not once a candidate. What the outputs mean (a value, a preference) is up to the method.

use crate::candidates::CandidateTensors;
use burn::module::{Module, Param, ParamId};
use burn::nn::Linear;
use burn::prelude::*;
use burn::tensor::TensorData;
use burn::tensor::activation::relu;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Size of a [`Scorer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct NetworkConfig {
    /// Units in each hidden layer.
    pub width: usize,
    /// Hidden layers, the first one that joins candidate and context among them.
    pub layers: usize,
}

impl Default for NetworkConfig {
    fn default() -> NetworkConfig {
        NetworkConfig { width: 128, layers: 2 }
    }
}

/// Scores candidate settings: `rows` (R, features) and `context` (B, features) to (R, outputs).
#[derive(Module, Debug)]
pub struct Scorer {
    context: Linear,
    row: Linear,
    hidden: Vec<Linear>,
    head: Linear,
    /// If there is one, all outputs have a linear part, and the first output has no other.
    linear: Option<Linear>,
}

/// Draws weights from a generator of our own: the tensor library's is one global state for the whole process.
pub(crate) struct Weights<'a> {
    rng: ChaCha8Rng,
    next_id: u64,
    device: &'a Device,
}

impl<'a> Weights<'a> {
    /// Weights that follow from a seed.
    pub(crate) fn new(seed: u64, device: &'a Device) -> Weights<'a> {
        Weights { rng: ChaCha8Rng::seed_from_u64(seed), next_id: 0, device }
    }

    /// Uniform weights with the variance `gain / inputs`; biases start at zero. Parameters are numbered from 1, so that
    /// the same seed writes the same file.
    pub(crate) fn linear(&mut self, inputs: usize, outputs: usize, bias: bool, gain: f64) -> Linear {
        let bound = (3.0 * gain / inputs as f64).sqrt() as f32;
        let weight: Vec<f32> = (0..inputs * outputs).map(|_| self.rng.random_range(-bound..bound)).collect();
        let weight = Tensor::<2>::from_data(TensorData::new(weight, [inputs, outputs]), self.device);
        let bias = bias.then(|| Tensor::<1>::from_data(TensorData::new(vec![0f32; outputs], [outputs]), self.device));
        Linear {
            weight: Param::initialized(self.id(), weight.require_grad()),
            bias: bias.map(|bias| Param::initialized(self.id(), bias.require_grad())),
        }
    }

    fn id(&mut self) -> ParamId {
        self.next_id += 1;
        ParamId::from(self.next_id)
    }
}

/// Where networks are trained: the processor, with gradients.
pub fn training_device() -> Device {
    Device::flex().autodiff()
}

impl Scorer {
    /// A network with weights drawn from `seed`, for candidate rows and contexts of these lengths.
    pub fn new(
        config: NetworkConfig,
        row_features: usize,
        context_features: usize,
        outputs: usize,
        seed: u64,
        device: &Device,
    ) -> Scorer {
        let mut weights = Weights::new(seed, device);
        let width = config.width;
        // A dozen or so of the features of a row, most of which are one-hot, are on at a time.
        let first_gain = 2.0 * row_features as f64 / 12.0;
        Scorer {
            context: weights.linear(context_features, width, false, 1.0),
            row: weights.linear(row_features, width, true, first_gain),
            hidden: (1..config.layers).map(|_| weights.linear(width, width, true, 2.0)).collect(),
            head: weights.linear(width, outputs, true, 0.01),
            linear: None,
        }
    }

    /// As [`Scorer::new`], with a linear part of all outputs beside the layers; the first output is linear in the row and
    /// nothing else. For a value that is known to be linear this is exact where layers are only near.
    pub fn with_linear(
        config: NetworkConfig,
        row_features: usize,
        context_features: usize,
        outputs: usize,
        seed: u64,
        device: &Device,
    ) -> Scorer {
        let scorer = Scorer::new(config, row_features, context_features, outputs, seed, device);
        let next_id = 2 * (config.layers as u64 + 2);
        let mut weights = Weights { rng: ChaCha8Rng::seed_from_u64(seed.wrapping_add(1)), next_id, device };
        let linear = Some(weights.linear(row_features, outputs, false, 1e-6));
        Scorer { linear, ..scorer }
    }

    /// The scores of all candidates, (R, outputs).
    pub fn forward(&self, candidates: &CandidateTensors) -> Tensor<2> {
        let context = self.context.forward(candidates.context.clone());
        let row = self.row.forward(candidates.rows.clone());
        let first = relu(row + context.select(0, candidates.hand_of_row.clone()));
        let last = self.hidden.iter().fold(first, |below, layer| relu(layer.forward(below)));
        let scores = self.head.forward(last);
        let Some(linear) = &self.linear else { return scores };
        let [_, outputs] = scores.dims();
        let mask: Vec<f32> = (0..outputs).map(|output| if output == 0 { 0.0 } else { 1.0 }).collect();
        let mask = Tensor::<2>::from_data(TensorData::new(mask, [1, outputs]), &scores.device());
        scores * mask + linear.forward(candidates.rows.clone())
    }
}
