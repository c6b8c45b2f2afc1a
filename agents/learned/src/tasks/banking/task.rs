//! The banker's task. It provides the rewards for all answers to random situations.

use super::banker::{LearnedBanker, inputs};
use super::features::OfferFeatures;
use super::rewards::{SEATINGS, rewards};
use super::situation::{ANSWERS, BankOffer, BankingTable};
use crate::config::TrainConfig;
use crate::methods::{AllAction, MethodConfig};
use crate::model::Model;
use crate::network::{Network, NetworkConfig, Networks, WeightSource, matrix};
use crate::scores::ScoreKind;
use crate::task::{Agent, Episodes, Feedback, Regression, RewardBatch, RewardSource, TaskError, TrainingTask};
use burn::prelude::*;
use houseway_env::gym::{StreamSeed, stream};
use houseway_env::pai_gow::HANDS;
use rayon::prelude::*;
use std::sync::Arc;

/// The number of values per answer (the profit and the log growth of the chips).
const VALUES: usize = 2;

/// Returns the default configuration. Each sample of a reward is one deal played in fourteen seatings.
pub fn defaults(method: MethodConfig) -> TrainConfig {
    let method = match method {
        MethodConfig::AllAction(defaults) => AllAction { reward_samples: 6, ..defaults }.into(),
        other => other,
    };
    TrainConfig {
        steps: 2000,
        batch: 256,
        learning_rate: 0.01,
        gradient_norm: 10.0,
        evaluate_every: 200,
        network: NetworkConfig { width: 32, layers: 2 },
        ..TrainConfig::new(method)
    }
}

/// The task of answering offers to take the bank. It only supports full information. The agent is a [`LearnedBanker`].
#[derive(Clone)]
pub struct BankingTask {
    /// The table.
    pub table: Arc<BankingTable>,
    /// The features that the network reads.
    pub features: OfferFeatures,
}

impl TrainingTask for BankingTask {
    fn hash(&self) -> String {
        let features = match self.features {
            OfferFeatures::Derived => "",
            OfferFeatures::Raw => " raw",
        };
        format!("banking {}{features}", self.table.hash)
    }

    fn networks(&self, size: NetworkConfig, _: Feedback, outputs: usize, weights: &mut WeightSource<'_>) -> Networks {
        let (table, outputs) = (&self.table, outputs * VALUES);
        let (features, context) = (self.features.row_len(table), self.features.context_len(table));
        let network = Network::with_context(size, features, context, outputs, weights);
        match self.features {
            OfferFeatures::Derived => network.with_linear(features, outputs, weights).into(),
            // The profit isn't linear in these features.
            OfferFeatures::Raw => network.into(),
        }
    }

    fn check_feedback(&self, feedback: Feedback) -> Result<(), TaskError> {
        match feedback {
            Feedback::Paired => {
                let text = "an answer to an offer of the bank has two values; use method = \"all-action\"";
                Err(TaskError::Unsupported(text.to_owned()))
            }
            Feedback::ExactLabels => Err(TaskError::NoExactValues),
            _ => Ok(()),
        }
    }

    fn agent(&self, name: &str, models: &[Model], _: ScoreKind) -> Box<dyn Agent> {
        Box::new(LearnedBanker::new(name, Arc::clone(&self.table), self.features, models[0].clone()))
    }

    fn reward_source(&self, batch: usize, samples: usize, seed: u64) -> Result<RewardSource, TaskError> {
        let task = self.clone();
        Ok(Box::new(move |step| Ok(Box::new(draw(&task, batch, samples, seed, step)))))
    }

    fn episodes(&self, _: usize) -> Result<Episodes, TaskError> {
        let text = "offers of the bank have no environment; use method = \"all-action\"";
        Err(TaskError::Unsupported(text.to_owned()))
    }
}

/// A batch of situations with the rewards for all answers.
struct Rewarded {
    task: BankingTask,
    situations: Vec<BankOffer>,
    rewards: Vec<f32>,
    deals: u64,
    /// The number of deals settled, one for each seating.
    settled: u64,
}

/// Draws a batch of situations. Each situation has its own random stream, so the result doesn't depend on how many
/// threads are used.
fn draw(task: &BankingTask, batch: usize, samples: usize, seed: u64, step: u64) -> Rewarded {
    let one = |i: usize| {
        let mut rng = stream(StreamSeed { seed, lane: step * batch as u64 + i as u64 });
        let situation = BankOffer::draw(&task.table, &mut rng);
        (situation, rewards(&task.table, &situation, samples, &mut rng))
    };
    let drawn: Vec<_> = (0..batch).into_par_iter().map(one).collect();
    Rewarded {
        task: task.clone(),
        rewards: drawn.iter().flat_map(|(_, rewards)| rewards.iter().flatten().copied()).collect(),
        situations: drawn.into_iter().map(|(situation, _)| situation).collect(),
        deals: (batch * samples * HANDS) as u64,
        settled: (batch * samples * SEATINGS) as u64,
    }
}

impl RewardBatch for Rewarded {
    fn deals(&self) -> u64 {
        self.deals
    }

    fn settled(&self) -> u64 {
        self.settled
    }

    fn regressions(&self, networks: &Networks, device: &Device) -> Vec<Regression> {
        let count = self.situations.len();
        let BankingTask { table, features } = &self.task;
        let predictions = networks.parts[0].forward(&inputs(table, *features, &self.situations, device));
        vec![Regression {
            predictions: predictions.reshape([count, ANSWERS * VALUES]),
            targets: matrix(&self.rewards, count, device),
            mask: None,
            // Both values of an answer come from the same result.
            rewards: self.settled * ANSWERS as u64,
            clipped: None,
        }]
    }
}
