//! The training of a banker: regression on the rewards of all answers.

use super::banker::{LearnedBanker, tensors};
use super::situation::{ANSWERS, BankingTable, CONTEXT, Situation, rewards, row_len};
use crate::checkpoint::{self, Measurement, TrainState};
use crate::metrics::{MetricSink, Progress};
use crate::network::{NetworkConfig, Scorer};
use crate::train::TrainError;
use burn::grad_clipping::GradientClippingConfig;
use burn::optim::{AdamConfig, GradientsParams, ModuleOptimizer};
use burn::prelude::*;
use burn::tensor::TensorData;
use houseway_env::gym::{StreamSeed, stream};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

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
            steps: 1_000,
            situations: 256,
            deals: 6,
            learning_rate: 0.003,
            gradient_norm: 10.0,
            network: NetworkConfig { width: 32, layers: 2 },
            evaluate_every: 100,
            checkpoint_every: 500,
        }
    }
}

impl BankerTraining {
    /// Says what cannot be trained with, and what to write instead.
    ///
    /// # Errors
    /// On a zero where something must be done, or a number out of its range.
    pub fn check(&self) -> Result<(), String> {
        let at_least_one = [
            ("steps", self.steps),
            ("situations", self.situations as u64),
            ("deals", self.deals as u64),
            ("evaluate-every", self.evaluate_every),
            ("checkpoint-every", self.checkpoint_every),
            ("network.width", self.network.width as u64),
            ("network.layers", self.network.layers as u64),
        ];
        if let Some((name, _)) = at_least_one.iter().find(|(_, value)| *value == 0) {
            return Err(format!("{name} = 0: write 1 or more"));
        }
        let above_zero = [("learning-rate", self.learning_rate), ("gradient-norm", f64::from(self.gradient_norm))];
        match above_zero.iter().find(|(_, value)| !(value.is_finite() && *value > 0.0)) {
            Some((name, value)) => Err(format!("{name} = {value}: write a number above 0")),
            None => Ok(()),
        }
    }

    /// A name for everything that decides the weights.
    fn hash(&self, seed: u64, table: &str) -> String {
        let json = serde_json::to_string(&(self, seed, table)).expect("a configuration is plain data");
        Sha256::digest(json)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// A banker at the end of its training.
pub struct TrainedBanker {
    /// The network.
    pub network: Scorer,
    /// Where the training stands.
    pub state: TrainState,
    /// Whether the last step was reached.
    pub finished: bool,
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
    measure: &mut dyn FnMut(&LearnedBanker) -> Vec<(&'static str, f64)>,
    sink: &mut dyn MetricSink,
    checkpoints: Option<&Path>,
    stop: &AtomicBool,
) -> Result<TrainedBanker, TrainError> {
    config.check().map_err(TrainError::Config)?;
    let (device, began) = (Device::flex().autodiff(), Instant::now());
    let clipping = GradientClippingConfig::Norm(config.gradient_norm);
    let mut optimizer: ModuleOptimizer = AdamConfig::new().with_grad_clipping(Some(clipping)).init();
    let mut network = Scorer::with_linear(config.network, row_len(table), CONTEXT, 2, seed, &device);
    let hash = config.hash(seed, &table.hash);
    let mut state = TrainState::new(hash.clone());
    if let Some(folder) = checkpoints
        && let Some(found) = checkpoint::find(folder, &hash)?
    {
        (network, optimizer) = checkpoint::load(folder, network, optimizer)?;
        state = found;
    }
    for past in &state.history {
        let values: Vec<(&str, f64)> = past.values.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        sink.scalars(&past.progress, &values)?;
    }
    let before = state.history.last().map_or(0.0, |last| last.progress.seconds);
    let (mut losses, mut measured) = (0.0, state.step);
    while state.step < config.steps {
        let (situations, targets) = situations(config, seed, state.step, table);
        let out = network.forward(&tensors(table, &situations, &device));
        let targets = Tensor::<2>::from_data(TensorData::new(targets, [situations.len() * ANSWERS, 2]), &device);
        let loss = (out - targets).powi_scalar(2).mean();
        losses += f64::from(loss.clone().into_scalar::<f32>());
        let gradients = GradientsParams::from_grads(loss.backward(), &network);
        let done = state.step as f64 / config.steps as f64;
        let rate = config.learning_rate * (1.0 + (std::f64::consts::PI * done).cos()) / 2.0;
        network = optimizer.step(rate, network, gradients);
        state.step += 1;
        state.hands += (config.situations * config.deals * houseway_env::pai_gow::HANDS) as u64;
        let (last, stopping) = (state.step == config.steps, stop.load(Ordering::Relaxed));
        if state.step.is_multiple_of(config.evaluate_every) || last {
            let mut values = vec![("loss", losses / (state.step - measured) as f64)];
            (losses, measured) = (0.0, state.step);
            values.extend(measure(&LearnedBanker::new(Arc::clone(table), &network)));
            let seconds = before + began.elapsed().as_secs_f64();
            let progress = Progress { step: state.step, steps_total: config.steps, hands: state.hands, seconds };
            sink.scalars(&progress, &values)?;
            let values = values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            state.history.push(Measurement { progress, values });
        }
        if let Some(folder) = checkpoints
            && (state.step.is_multiple_of(config.checkpoint_every) || last || stopping)
        {
            checkpoint::save(folder, &network, &optimizer, &state)?;
        }
        if stopping {
            break;
        }
    }
    sink.finish()?;
    let finished = state.step == config.steps;
    Ok(TrainedBanker { network, state, finished })
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
