//! The training of a banker: regression on the rewards of all answers.

use super::banker::{LearnedBanker, tensors};
use super::rewards::rewards;
use super::rows::{CONTEXT, row_len};
use super::situation::{ANSWERS, BankingTable, Situation};
use crate::config::{Schedule, hash};
use crate::method::{Loss, Method, Named};
use crate::metrics::MetricSink;
use crate::network::{NetworkConfig, Scorer, training_device};
use crate::train::{Learner, TrainError, Trained};
use burn::prelude::*;
use burn::tensor::TensorData;
use houseway_env::gym::{EnvError, StreamSeed, stream};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How a banker is trained. Every field has a default.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct BankerTraining {
    /// Steps of the optimiser; the only thing that ends a training.
    pub steps: u64,
    /// Situations of each step.
    pub situations: usize,
    /// Deals over which the rewards of each situation are averaged, each in fourteen seatings.
    pub deals: usize,
    /// Adam's rate at the beginning; it falls to zero along half a cosine.
    pub learning_rate: f64,
    /// Longer gradients are cut down to this length.
    pub gradient_norm: f32,
    /// The network.
    pub network: NetworkConfig,
    /// Steps between measurements.
    pub evaluate_every: u64,
    /// Steps between checkpoints.
    pub checkpoint_every: u64,
}

impl Default for BankerTraining {
    fn default() -> BankerTraining {
        BankerTraining {
            steps: 2_000,
            situations: 256,
            deals: 6,
            learning_rate: 0.01,
            gradient_norm: 10.0,
            network: NetworkConfig { width: 32, layers: 2 },
            evaluate_every: 200,
            checkpoint_every: 1_000,
        }
    }
}

impl BankerTraining {
    /// Says what cannot be trained with, and what to write instead.
    ///
    /// # Errors
    /// On a zero where something must be done, or a number out of its range.
    pub fn check(&self) -> Result<(), String> {
        self.schedule().check(self.network, &[("situations", self.situations), ("deals", self.deals)])
    }

    fn schedule(&self) -> Schedule {
        Schedule {
            steps: self.steps,
            learning_rate: self.learning_rate,
            gradient_norm: self.gradient_norm,
            evaluate_every: self.evaluate_every,
            checkpoint_every: self.checkpoint_every,
        }
    }
}

/// Trains a banker; ends at the last step or when it is asked to stop, and goes on from its checkpoint to the same bytes.
/// `measure` gives named numbers to report now and then.
///
/// # Errors
/// See [`TrainError`].
pub fn train_banker(
    config: &BankerTraining,
    seed: u64,
    table: &Arc<BankingTable>,
    measure: &mut dyn FnMut(&LearnedBanker) -> Named,
    sink: &mut dyn MetricSink,
    checkpoints: Option<&Path>,
    stop: &AtomicBool,
) -> Result<Trained, TrainError> {
    config.check().map_err(TrainError::Config)?;
    let device = training_device();
    let network = Scorer::with_linear(config.network, row_len(table), CONTEXT, 2, seed, &device);
    let mut learner = Learner::begin(config.schedule(), hash(config, seed, &table.hash), network, checkpoints)?;
    let mut method = Regression { config, seed, table, device };
    let mut measure = |network: &Scorer| measure(&LearnedBanker::new(Arc::clone(table), network));
    learner.run(&mut method, &mut measure, sink, checkpoints, stop)?;
    Ok(learner.end())
}

/// Regression on the rewards of all answers to the situations of a step.
struct Regression<'a> {
    config: &'a BankerTraining,
    seed: u64,
    table: &'a BankingTable,
    device: Device,
}

impl Method for Regression<'_> {
    fn loss(&mut self, network: &Scorer, step: u64) -> Result<Loss, EnvError> {
        let (situations, targets) = situations(self.config, self.seed, step, self.table);
        let out = network.forward(&tensors(self.table, &situations, &self.device));
        let targets = Tensor::<2>::from_data(TensorData::new(targets, [situations.len() * ANSWERS, 2]), &self.device);
        let hands = (self.config.situations * self.config.deals * houseway_env::pai_gow::HANDS) as u64;
        Ok(Loss { loss: (out - targets).powi_scalar(2).mean(), hands, values: vec![] })
    }
}

/// The situations of a step and the rewards of their answers: each from a stream of its own, so that threads change nothing.
fn situations(config: &BankerTraining, seed: u64, step: u64, table: &BankingTable) -> (Vec<Situation>, Vec<f32>) {
    let one = |i: usize| {
        let mut rng = stream(StreamSeed { seed, lane: step * config.situations as u64 + i as u64 });
        let situation = Situation::draw(table, &mut rng);
        (situation, rewards(table, &situation, config.deals, &mut rng))
    };
    let drawn: Vec<_> = (0..config.situations).into_par_iter().map(one).collect();
    let targets = drawn.iter().flat_map(|(_, rewards)| rewards.iter().flatten().copied()).collect();
    (drawn.into_iter().map(|(situation, _)| situation).collect(), targets)
}
