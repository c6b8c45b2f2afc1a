//! The training task of banking, and a trained model as a banker.

use super::features::OfferFeatures;
use super::rewards::{SEATINGS, rewards};
use super::{ANSWERS, BankOffer, BankingTable, TAKE_ALL};
use crate::config::TrainConfig;
use crate::device::playing_device;
use crate::methods::{AllAction, MethodConfig};
use crate::metrics::DealTotals;
use crate::model::{Model, ScoreKind};
use crate::network::{Inputs, Network, NetworkConfig, Networks, WeightSource, matrix};
use crate::task::{Agent, Episodes, Feedback, Regression, RewardBatch, RewardSource, TaskError, TrainingTask};
use burn::prelude::*;
use burn::tensor::TensorData;
use houseway_env::gym::{Choices, Policy, StreamSeed, stream};
use houseway_env::money::Chips;
use houseway_env::pai_gow::HANDS;
use rayon::prelude::*;
use std::sync::Arc;

/// The quantity that a banker maximizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The expected profit. The banker either covers all bets or passes.
    Profit,
    /// The expected profit. The banker also chooses the stake.
    Stake,
    /// The expected log growth of the chips. The banker also chooses the stake.
    Growth,
}

/// A banker that chooses the answer with the highest learned value.
pub struct LearnedBanker {
    name: String,
    table: Arc<BankingTable>,
    features: OfferFeatures,
    model: Model,
    device: Device,
}

/// Encodes situations as network inputs, with one row per answer.
pub(super) fn inputs(
    table: &BankingTable,
    features: OfferFeatures,
    situations: &[BankOffer],
    device: &Device,
) -> Inputs {
    let mut rows = Vec::with_capacity(situations.len() * ANSWERS * features.row_len(table));
    let mut context = Vec::with_capacity(situations.len() * features.context_len(table));
    situations.iter().for_each(|situation| features.write(table, situation, &mut rows, &mut context));
    inputs_from(&rows, &context, situations.len(), device)
}

fn inputs_from(rows: &[f32], context: &[f32], situations: usize, device: &Device) -> Inputs {
    let count = situations * ANSWERS;
    let situation: Vec<i64> = (0..count).map(|row| (row / ANSWERS) as i64).collect();
    let situation = Tensor::from_data(TensorData::new(situation, [count]), device);
    Inputs { rows: matrix(rows, count, device), context: Some((matrix(context, situations, device), situation)) }
}

impl LearnedBanker {
    /// Creates a banker from a model that reads the given features.
    pub(super) fn new(name: &str, table: Arc<BankingTable>, features: OfferFeatures, model: Model) -> LearnedBanker {
        LearnedBanker { name: name.to_owned(), table, features, model, device: playing_device() }
    }

    /// Returns the values of all answers in each situation, as the profit in chips and the log growth.
    ///
    /// # Panics
    /// Panics if there are no situations.
    pub fn values(&self, situations: &[BankOffer]) -> Vec<[[f64; 2]; ANSWERS]> {
        let out = self.model.outputs(&inputs(&self.table, self.features, situations, &self.device));
        let values = |(situation, out): (&BankOffer, &[f32])| {
            let (money, funds) = (situation.money() as f64, situation.funds as f64);
            std::array::from_fn(|answer| {
                [f64::from(out[2 * answer]) * money, f64::from(out[2 * answer + 1]) * money / funds]
            })
        };
        situations.iter().zip(out.chunks_exact(2 * ANSWERS)).map(values).collect()
    }

    /// Returns the chosen answer in each situation, where 0 means to pass. Ties go to the lowest answer.
    pub fn answers(&self, situations: &[BankOffer], objective: Objective) -> Vec<usize> {
        self.values(situations).iter().map(|values| best(values, objective).0).collect()
    }

    /// Returns the stake for taking the bank, or `None` to pass.
    pub fn stake(&self, situation: &BankOffer, objective: Objective) -> Option<Chips> {
        let answer = self.answers(std::slice::from_ref(situation), objective)[0];
        (answer > 0).then(|| situation.stake(&self.table.rules, answer))
    }

    /// Returns the bet from `bets` whose best answer has the highest value. Ties go to the first bet.
    ///
    /// # Panics
    /// Panics if there are no bets.
    pub fn bet(&self, situation: &BankOffer, bets: &[Chips], objective: Objective) -> Chips {
        let situations: Vec<BankOffer> = bets.iter().map(|&own| BankOffer { own, ..*situation }).collect();
        let values = self.values(&situations);
        let values = bets.iter().zip(&values).map(|(&bet, values)| (bet, best(values, objective).1));
        values.reduce(|best, next| if next.1 > best.1 { next } else { best }).expect("there is a bet").0
    }
}

/// Chooses the answer with the highest profit. An observation consists of the rows of all answers, followed by the
/// context.
impl Policy for LearnedBanker {
    fn name(&self) -> &str {
        &self.name
    }

    fn encoding(&self) -> &str {
        match self.features {
            OfferFeatures::Derived => "offer",
            OfferFeatures::Raw => "raw-offer",
        }
    }

    fn choose(&self, observations: &[f32], masks: &[bool]) -> Choices {
        let (rows, context) = (ANSWERS * self.features.row_len(&self.table), self.features.context_len(&self.table));
        let split = observations.chunks_exact(rows + context).map(|observation| observation.split_at(rows));
        let (rows, context): (Vec<&[f32]>, Vec<&[f32]>) = split.unzip();
        if rows.is_empty() {
            return vec![].into();
        }
        let inputs = inputs_from(&rows.concat(), &context.concat(), rows.len(), &self.device);
        let out = self.model.outputs(&inputs);
        let best = |(out, mask): (&[f32], &[bool])| {
            let answers = (0..ANSWERS).filter(|&answer| mask[answer]);
            let best = answers.reduce(|best, next| if out[2 * next] > out[2 * best] { next } else { best });
            best.expect("an answer is allowed")
        };
        let answers: Vec<usize> = out.chunks_exact(2 * ANSWERS).zip(masks.chunks_exact(ANSWERS)).map(best).collect();
        answers.into()
    }
}

/// Returns the answer with the highest value, along with its value.
fn best(values: &[[f64; 2]; ANSWERS], objective: Objective) -> (usize, f64) {
    let answers: &[usize] = match objective {
        Objective::Profit => &[0, TAKE_ALL],
        Objective::Stake | Objective::Growth => &[0, 1, 2, 3, 4, 5, TAKE_ALL],
    };
    let value = |answer: usize| values[answer][usize::from(objective == Objective::Growth)];
    let best = answers.iter().copied().reduce(|best, next| if value(next) > value(best) { next } else { best });
    let best = best.expect("there are answers");
    (best, value(best))
}

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
    /// The deals, which are settled once for each seating.
    deals: DealTotals,
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
        deals: DealTotals {
            seen: (batch * samples * HANDS) as u64,
            settled: (batch * samples * SEATINGS) as u64,
            rewards: 0,
        },
    }
}

impl RewardBatch for Rewarded {
    fn deals(&self) -> DealTotals {
        self.deals
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
            rewards: self.deals.settled * ANSWERS as u64,
            clipped: None,
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_answer_is_the_first_of_the_best() {
        let mut values = [[0.0; 2]; ANSWERS];
        assert_eq!(best(&values, Objective::Growth), (0, 0.0));
        values[2] = [5.0, 0.5];
        values[3] = [4.0, 0.5];
        assert_eq!(best(&values, Objective::Growth), (2, 0.5));
        // When maximizing profit, covering only part of the bets is not allowed.
        assert_eq!(best(&values, Objective::Profit), (0, 0.0));
        assert_eq!(best(&values, Objective::Stake), (2, 5.0));
        values[TAKE_ALL][0] = 1.0;
        assert_eq!(best(&values, Objective::Profit), (TAKE_ALL, 1.0));
    }
}
