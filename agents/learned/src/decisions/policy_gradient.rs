//! Policy gradient from the bandit reward: what the environment returns for the actions played, and nothing else.
//!
//! Every step plays one round in each lane of the vectorised environment, actions drawn from the policy (a softmax over the
//! scores of the legal ones), and follows the gradient of the expected result (REINFORCE, Williams 1992): each action is
//! credited with what came after it. Its variance is lowered by a baseline: further outputs of the network learn the value
//! of each action, and the baseline of a decision is their mean under the policy. An entropy bonus keeps the policy from
//! settling early.

use super::{Course, DecisionBatch, DecisionConfig, Perceptron};
use crate::method::{Loss, Method, step_stream};
use burn::module::Module;
use burn::prelude::*;
use burn::tensor::TensorData;
use burn::tensor::activation::{log_softmax, softmax};
use houseway_env::gym::{Env, EnvError, VecEnv};
use rand::{Rng, RngExt};

/// Added to the scores of illegal actions: their probability is zero.
const NEVER: f32 = 1e9;

/// Policy gradient on the vectorised environment.
pub struct PolicyGradient<E: Env> {
    lanes: VecEnv<E>,
    options: E::Options,
    config: DecisionConfig,
    seed: u64,
    device: Device,
    /// The decisions of a step, and for each its lane, its action and what came after it.
    batch: DecisionBatch,
    lane_of: Vec<usize>,
    chosen: Vec<i64>,
    returns: Vec<f32>,
}

impl<E: Env> PolicyGradient<E> {
    /// A method with one lane for each round of a step.
    ///
    /// # Errors
    /// If the environment cannot be made.
    pub fn new(course: &Course<E>, config: &DecisionConfig, seed: u64, device: &Device) -> Result<Self, EnvError> {
        Ok(PolicyGradient {
            lanes: VecEnv::new(&course.env, config.batch_rounds)?.without_final_observations(),
            options: course.options.clone(),
            config: config.clone(),
            seed,
            device: device.clone(),
            batch: DecisionBatch::default(),
            lane_of: vec![],
            chosen: vec![],
            returns: vec![],
        })
    }

    /// Plays a round in every lane by the policy, and keeps every decision.
    fn play(&mut self, network: &Perceptron, rng: &mut impl Rng) -> Result<(), EnvError> {
        let (network, device) = (network.valid(), Device::flex());
        let (lanes, inputs, count) = (self.lanes.len(), self.lanes.observation_len(), self.lanes.actions());
        self.lanes.reset(Some(rng.next_u64()), Some(&self.options))?;
        self.batch.clear();
        self.lane_of.clear();
        self.chosen.clear();
        self.returns.clear();
        let (mut playing, mut actions) = (vec![true; lanes], vec![0; lanes]);
        while playing.contains(&true) {
            let (first, now) = (self.batch.count, self.lanes.batch());
            for lane in 0..lanes {
                let mask = &now.masks[lane * count..][..count];
                // Lanes that are through play on in a round that nobody looks at.
                actions[lane] = mask.iter().position(|&legal| legal).unwrap_or_default();
                if playing[lane] {
                    self.batch.push(&now.observations[lane * inputs..][..inputs], mask);
                    self.lane_of.push(lane);
                }
            }
            let rows = self.batch.count - first;
            let matrix = |values: &[f32], width: usize| {
                Tensor::<2>::from_data(TensorData::new(values.to_vec(), [rows, width]), &device)
            };
            let outputs = network.forward(matrix(&self.batch.observations[first * inputs..], inputs));
            let masks = &self.batch.masks[first * count..];
            let scores = outputs.narrow(1, 0, count) + (matrix(masks, count) - 1.0) * NEVER;
            let policy = softmax(scores, 1).into_data().try_to_vec::<f32>().expect("probabilities are floats");
            for (&lane, policy) in self.lane_of[first..].iter().zip(policy.chunks_exact(count)) {
                actions[lane] = draw(policy, rng);
                self.chosen.push(actions[lane] as i64);
            }
            let then = self.lanes.step(&actions)?;
            self.returns.extend(self.lane_of[first..].iter().map(|&lane| then.rewards[lane]));
            for (lane, playing) in playing.iter_mut().enumerate() {
                *playing &= !(then.terminated[lane] || then.truncated[lane]);
            }
        }
        // From the reward of each action to all that came after it.
        let mut after = vec![0f32; lanes];
        for (lane, reward) in self.lane_of.iter().zip(&mut self.returns).rev() {
            after[*lane] += *reward;
            *reward = after[*lane];
        }
        Ok(())
    }

    fn entropy_weight(&self, step: u64) -> f32 {
        (self.config.entropy * (1.0 - step as f64 / self.config.steps as f64)) as f32
    }
}

/// An action drawn by its probability; rounding may leave a rest, which the last possible one takes.
fn draw(policy: &[f32], rng: &mut impl Rng) -> usize {
    let (mut left, mut last) = (rng.random::<f32>(), 0);
    for (action, &probability) in policy.iter().enumerate().filter(|(_, probability)| **probability > 0.0) {
        left -= probability;
        last = action;
        if left < 0.0 {
            break;
        }
    }
    last
}

impl<E: Env> Method<Perceptron> for PolicyGradient<E> {
    fn loss(&mut self, network: &Perceptron, step: u64) -> Result<Loss, EnvError> {
        self.play(network, &mut step_stream(self.seed, step))?;
        let (rows, count) = (self.batch.count, self.lanes.actions());
        let matrix = |values: &[f32]| {
            Tensor::<2>::from_data(TensorData::new(values.to_vec(), [rows, values.len() / rows]), &self.device)
        };
        let (mask, returns) = (matrix(&self.batch.masks), matrix(&self.returns));
        let chosen = TensorData::new(self.chosen.clone(), [rows, 1]);
        let chosen = Tensor::<2, Int>::from_data(chosen, &self.device);
        let outputs = network.forward(matrix(&self.batch.observations));
        let scores = outputs.clone().narrow(1, 0, count) + (mask.clone() - 1.0) * NEVER;
        let values = outputs.narrow(1, count, count) * mask.clone();
        let log_policy = log_softmax(scores, 1);
        let policy = log_policy.clone().exp();
        let baseline = (policy.clone() * values.clone()).sum_dim(1).detach();
        let gain = (log_policy.clone().gather(1, chosen.clone()) * (returns.clone() - baseline)).mean();
        let entropy = -(policy * log_policy * mask).sum_dim(1).mean();
        let value_error = (values.gather(1, chosen) - returns).powi_scalar(2).mean();
        let entropy_value = f64::from(entropy.clone().into_scalar::<f32>());
        let loss = value_error - gain - entropy * self.entropy_weight(step);
        let lanes = self.lanes.len();
        // In every lane the first decision comes first, with all that came after it.
        let reward = self.returns[..lanes].iter().map(|&reward| f64::from(reward)).sum::<f64>() / lanes as f64;
        Ok(Loss { loss, hands: lanes as u64, values: vec![("reward", reward), ("entropy", entropy_value)] })
    }
}
