//! The models that agents play with, and the meaning of their scores.

mod trees;

pub use trees::BoostedTrees;

use crate::network::{Inputs, Network, Networks, to_vec};
use houseway_env::gym::Scores;

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

/// The meaning of the scores that a model computes for actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreKind {
    /// Estimates of the actions' values. Only their differences matter.
    Values,
    /// The logarithms of the probabilities with which a stochastic policy takes the actions, up to a constant.
    Preferences,
}

impl ScoreKind {
    /// Converts a model's scores with shape (rows, actions). They are NaN for actions that aren't considered, and every
    /// row considers an action.
    pub(crate) fn scores(self, mut scores: Vec<f32>, actions: usize) -> Scores {
        match self {
            ScoreKind::Values => Scores::Values(scores),
            ScoreKind::Preferences => {
                scores.chunks_exact_mut(actions).for_each(softmax);
                Scores::Probabilities(scores)
            }
        }
    }
}

/// Replaces preferences with probabilities, and NaN with 0.
fn softmax(row: &mut [f32]) {
    // The maximum ignores NaN.
    let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    row.iter_mut().for_each(|score| *score = if score.is_nan() { 0.0 } else { (*score - most).exp() });
    let sum: f32 = row.iter().sum();
    row.iter_mut().for_each(|probability| *probability /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preferences_become_probabilities() {
        let scores = vec![1.0, f32::NAN, 1.0 + 3f32.ln(), f32::NAN, 900.0, f32::NAN];
        let Scores::Probabilities(found) = ScoreKind::Preferences.scores(scores.clone(), 3) else { panic!() };
        for (found, expected) in found.iter().zip([0.25, 0.0, 0.75, 0.0, 1.0, 0.0]) {
            assert!((found - expected).abs() < 1e-6, "{found} instead of {expected}");
        }
        let Scores::Values(values) = ScoreKind::Values.scores(scores.clone(), 3) else { panic!() };
        assert_eq!(values[4], 900.0);
    }
}
