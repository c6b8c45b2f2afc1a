//! All-action regression: the network learns what each action is worth.
//!
//! The cards that settle one action settle all of them, so a round tells the reward of every action. The loss is the
//! squared error on the legal ones. Where a round has several decisions, random legal actions lead from one to the next, so
//! that all are met.

use super::{Course, DecisionBatch, DecisionConfig, Perceptron};
use crate::method::{Loss, Method, step_stream};
use burn::prelude::*;
use burn::tensor::TensorData;
use houseway_env::gym::{Counterfactual, EnvError, VecEnv};
use rand::{Rng, RngExt};

/// All-action regression on the vectorised environment.
pub struct AllAction<E: Counterfactual> {
    lanes: VecEnv<E>,
    options: E::Options,
    seed: u64,
    device: Device,
    batch: DecisionBatch,
    targets: Vec<f32>,
}

impl<E: Counterfactual> AllAction<E> {
    /// A method with one lane for each round of a step.
    ///
    /// # Errors
    /// If the environment cannot be made.
    pub fn new(course: &Course<E>, config: &DecisionConfig, seed: u64, device: &Device) -> Result<Self, EnvError> {
        Ok(AllAction {
            lanes: VecEnv::new(&course.env, config.batch_rounds)?.without_final_observations(),
            options: course.options.clone(),
            seed,
            device: device.clone(),
            batch: DecisionBatch::default(),
            targets: vec![],
        })
    }

    /// Plays a round in every lane at random, and keeps every decision with the rewards of its actions.
    fn play(&mut self, rng: &mut impl Rng) -> Result<(), EnvError> {
        let (inputs, count) = (self.lanes.observation_len(), self.lanes.actions());
        self.lanes.reset(Some(rng.next_u64()), Some(&self.options))?;
        self.batch.clear();
        self.targets.clear();
        let mut playing = vec![true; self.lanes.len()];
        let mut actions = vec![0; self.lanes.len()];
        while playing.contains(&true) {
            let now = self.lanes.batch();
            for (lane, env) in self.lanes.lanes().iter().enumerate() {
                let mask = &now.masks[lane * count..][..count];
                let legal = mask.iter().filter(|&&legal| legal).count();
                let nth = rng.random_range(0..legal);
                actions[lane] = (0..count).filter(|&action| mask[action]).nth(nth).unwrap_or_default();
                if playing[lane] {
                    self.batch.push(&now.observations[lane * inputs..][..inputs], mask);
                    let first = self.targets.len();
                    self.targets.resize(first + count, 0.0);
                    env.action_rewards(&mut self.targets[first..])?;
                }
            }
            let then = self.lanes.step(&actions)?;
            for (lane, playing) in playing.iter_mut().enumerate() {
                *playing &= !(then.terminated[lane] || then.truncated[lane]);
            }
        }
        Ok(())
    }
}

impl<E: Counterfactual> Method<Perceptron> for AllAction<E> {
    fn loss(&mut self, network: &Perceptron, step: u64) -> Result<Loss, EnvError> {
        self.play(&mut step_stream(self.seed, step))?;
        let (rows, actions) = (self.batch.count, self.lanes.actions());
        let matrix = |values: &[f32]| {
            Tensor::<2>::from_data(TensorData::new(values.to_vec(), [rows, values.len() / rows]), &self.device)
        };
        let mask = matrix(&self.batch.masks);
        let outputs = network.forward(matrix(&self.batch.observations)).narrow(1, 0, actions);
        let errors = (outputs - matrix(&self.targets)) * mask.clone();
        let loss = errors.powi_scalar(2).sum() / mask.sum();
        Ok(Loss { loss, hands: self.lanes.len() as u64, values: vec![] })
    }
}
