//! A trained network as a policy.

use super::Perceptron;
use crate::policy::save_weights;
use burn::module::Module;
use burn::prelude::*;
use burn::tensor::TensorData;
use std::path::Path;

/// Plays the legal action that the network scores highest; of equal scores the first.
pub struct LearnedPolicy {
    name: String,
    network: Perceptron,
    actions: usize,
    device: Device,
}

impl LearnedPolicy {
    /// A policy that plays the first outputs of `network`, one for each of so many actions.
    pub fn new(name: &str, network: &Perceptron, actions: usize) -> LearnedPolicy {
        LearnedPolicy { name: name.to_owned(), network: network.valid(), actions, device: Device::flex() }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The actions for observations and masks that stand one after the other.
    ///
    /// # Panics
    /// If there is no observation, or a mask allows nothing.
    pub fn choose(&self, observations: &[f32], masks: &[bool]) -> Vec<usize> {
        let rows = masks.len() / self.actions;
        let data = TensorData::new(observations.to_vec(), [rows, observations.len() / rows]);
        let scores = self.network.forward(Tensor::<2>::from_data(data, &self.device));
        let [_, outputs] = scores.dims();
        let scores = scores.into_data().try_to_vec::<f32>().expect("scores are floats");
        let best = |(scores, mask): (&[f32], &[bool])| {
            let legal = (0..self.actions).filter(|&action| mask[action]);
            let best = legal.reduce(|best, action| if scores[action] > scores[best] { action } else { best });
            best.expect("an action is legal")
        };
        scores.chunks_exact(outputs).zip(masks.chunks_exact(self.actions)).map(best).collect()
    }

    /// Writes the weights as safetensors, for others to load. Matrices are (inputs, outputs).
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save_weights(&self, path: &Path, metadata: &[(&str, &str)]) -> Result<(), String> {
        save_weights(&self.network, path, metadata)
    }
}
