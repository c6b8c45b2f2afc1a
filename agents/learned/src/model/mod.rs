//! The models that agents play with.

mod trees;

pub use trees::BoostedTrees;

use crate::network::{Inputs, Network, Networks, to_vec};

/// A trained model that computes values of actions.
#[derive(Clone, Debug)]
pub enum Model {
    /// A network on the CPU.
    Network(Box<Network>),
    /// An ensemble of trees.
    Trees(BoostedTrees),
}

impl Model {
    /// Computes the outputs in row-major order, with shape (rows, outputs).
    pub fn outputs(&self, inputs: &Inputs) -> Vec<f32> {
        match self {
            Model::Network(network) => to_vec(network.forward(inputs)),
            Model::Trees(trees) => trees.outputs(inputs),
        }
    }
}

impl Networks {
    /// Returns the models that agents play with, one for each part.
    pub fn models(&self) -> Vec<Model> {
        self.parts.iter().map(|network| Model::Network(Box::new(network.playing()))).collect()
    }
}
