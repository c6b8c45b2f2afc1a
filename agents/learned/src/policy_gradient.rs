//! Policy gradient from the bandit reward: what the environment returns for the one setting played, and nothing else.
//!
//! Every step resets all lanes of the vectorised environment, draws a setting for each from the policy (a softmax over the
//! candidates' scores), plays it, and follows the gradient of the expected reward (REINFORCE, Williams 1992). Its variance
//! is lowered by a baseline: a second output of the network learns the value of each candidate from the rewards of those
//! played, and the baseline of a hand is their mean under the policy. An entropy bonus keeps the policy from settling early.

use crate::candidates::{CandidateBatch, CandidateTensors};
use crate::config::TrainConfig;
use crate::encode::from_observation;
use crate::method::{Loss, Method, step_stream};
use crate::network::Scorer;
use crate::train::Table;
use burn::prelude::*;
use burn::tensor::TensorData;
use burn::tensor::activation::log_softmax;
use houseway_env::gym::{EnvError, VecEnv};
use houseway_env::pai_gow::observe::{Observation, candidates};
use houseway_env::pai_gow::{BankedGame, PaiGowPoker, ProfileStrategy};
use rand::{Rng, RngExt};
use std::sync::Arc;

/// Added to the scores of places without a candidate: their probability is zero.
const NEVER: f32 = 1e9;

/// Policy gradient on the vectorised environment.
pub struct PolicyGradient<B: ProfileStrategy + Send> {
    lanes: VecEnv<PaiGowPoker<B>>,
    config: TrainConfig,
    seed: u64,
    device: Device,
    /// Lanes whose hand has more than one candidate, in the order of the batch.
    deciding: Vec<usize>,
    batch: CandidateBatch,
    actions: Vec<usize>,
}

impl<B: ProfileStrategy + Send> PolicyGradient<B> {
    /// A method with one lane for each hand of a step.
    ///
    /// # Errors
    /// If the environment cannot be made.
    pub fn new(table: &Table<B>, config: &TrainConfig, seed: u64, device: &Device) -> Result<Self, EnvError> {
        let game = BankedGame::new(Arc::clone(&table.game), Arc::clone(&table.banker));
        let env = PaiGowPoker::new(game).with_encoding(Observation::Candidates);
        Ok(PolicyGradient {
            lanes: VecEnv::new(&env, config.batch_hands)?.without_final_observations(),
            config: config.clone(),
            seed,
            device: device.clone(),
            deciding: vec![],
            batch: CandidateBatch::default(),
            actions: vec![0; config.batch_hands],
        })
    }

    /// Deals a hand to every lane. Lanes with one candidate play it; the others go into the batch.
    fn deal(&mut self, seed: u64) -> Result<(), EnvError> {
        let dealt = self.lanes.reset(Some(seed), None)?;
        self.batch.clear();
        self.deciding.clear();
        for (lane, observation) in dealt.observations.chunks_exact(candidates::LEN).enumerate() {
            match from_observation(&mut self.batch, observation, self.config.among) {
                Some(only) => self.actions[lane] = only.index(),
                None => self.deciding.push(lane),
            }
        }
        Ok(())
    }

    /// Draws a candidate for each hand of the batch, from its row of `probabilities`, (B, most).
    fn draw(&mut self, probabilities: &[f32], rng: &mut impl Rng) -> Vec<i64> {
        let (most, mut first, mut chosen) = (self.batch.most(), 0, Vec::with_capacity(self.deciding.len()));
        for ((&lane, &count), row) in self.deciding.iter().zip(&self.batch.counts).zip(probabilities.chunks(most)) {
            let mut left = rng.random::<f32>();
            // Rounding may leave a rest after the last candidate, which then takes it.
            let place = row[..count - 1].iter().position(|p| {
                left -= p;
                left < 0.0
            });
            let place = place.unwrap_or(count - 1);
            self.actions[lane] = self.batch.settings[first + place].index();
            chosen.push(place as i64);
            first += count;
        }
        chosen
    }

    fn entropy_weight(&self, step: u64) -> f32 {
        (self.config.entropy * (1.0 - step as f64 / self.config.steps as f64)) as f32
    }
}

/// One column of the network's outputs in the padded form.
fn column(tensors: &CandidateTensors, outputs: &Tensor<2>, index: i64) -> Tensor<2> {
    tensors.pad(outputs.clone().narrow(1, index as usize, 1))
}

impl<B: ProfileStrategy + Send> Method for PolicyGradient<B> {
    fn loss(&mut self, network: &Scorer, step: u64) -> Result<Loss, EnvError> {
        let mut rng = step_stream(self.seed, step);
        self.deal(rng.next_u64())?;
        let tensors = self.batch.tensors(&self.device);
        let outputs = network.forward(&tensors);
        let scores = column(&tensors, &outputs, 0) + (tensors.mask() - 1.0) * NEVER;
        let log_policy = log_softmax(scores, 1);
        let policy = log_policy.clone().exp();
        let probabilities = policy.clone().into_data().try_to_vec::<f32>().expect("probabilities are floats");
        let chosen = self.draw(&probabilities, &mut rng);
        let played = self.lanes.step(&self.actions)?;
        let rewards: Vec<f32> = self.deciding.iter().map(|&lane| played.rewards[lane]).collect();
        let mean_reward = played.rewards.iter().map(|&reward| f64::from(reward)).sum::<f64>() / self.lanes.len() as f64;

        let hands = self.deciding.len();
        let rewards = Tensor::<2>::from_data(TensorData::new(rewards, [hands, 1]), &self.device);
        let chosen = Tensor::<2, Int>::from_data(TensorData::new(chosen, [hands, 1]), &self.device);
        let values = column(&tensors, &outputs, 1) * tensors.mask();
        let baseline = (policy.clone() * values.clone()).sum_dim(1).detach();
        let gain = (log_policy.clone().gather(1, chosen.clone()) * (rewards.clone() - baseline)).mean();
        let entropy = -(policy * log_policy * tensors.mask()).sum_dim(1).mean();
        let value_error = (values.gather(1, chosen) - rewards).powi_scalar(2).mean();
        let entropy_value = f64::from(entropy.clone().into_scalar::<f32>());
        let loss = value_error - gain - entropy * self.entropy_weight(step);
        let values = vec![("reward", mean_reward), ("entropy", entropy_value)];
        Ok(Loss { loss, hands: self.lanes.len() as u64, values })
    }
}
