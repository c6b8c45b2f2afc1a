//! Trains a linear agent through views of the batches alone: for every action, it fits the reward as a linear function of
//! the observation by gradient descent, and plays the legal action with the highest prediction.
//!
//! ```sh
//! cargo run --release -p houseway-env --example linear_agent
//! ```
//!
//! It needs a game whose environment has the rewards of all actions. Games with more than one decision need a method
//! that looks ahead.

use houseway_env::gym::{EnvError, VecEnv};
use houseway_env::registry;
use ndarray::{Array2, Zip};
use std::error::Error;

const LANES: usize = 256;
const STEPS: usize = 4_000;
const SEED: u64 = 1;
const LEARNING_RATE: f32 = 0.02;

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "pai-gow-poker".to_owned());
    let env = (registry::find(&name)?.make)("{}")?;
    let mut lanes = VecEnv::new(&*env, LANES)?.without_final_observations();
    let mut weights = Array2::<f32>::zeros((lanes.observation_len(), lanes.actions()));
    println!("{name}: mean reward before training {:.4}", mean_reward(&mut lanes, &weights)?);

    let mut rewards = Array2::<f32>::zeros((LANES, lanes.actions()));
    lanes.reset(Some(SEED), None)?;
    for step in 0..STEPS {
        lanes.action_reward_rows(rewards.view_mut())?;
        let batch = lanes.batch();
        let observations = batch.observation_rows();
        let predictions = observations.dot(&weights);
        let mut errors = &predictions - &rewards;
        // The rewards of illegal actions mean nothing.
        Zip::from(&mut errors).and(batch.mask_rows()).for_each(|error, &legal| {
            if !legal {
                *error = 0.0;
            }
        });
        let rate = LEARNING_RATE * (1.0 - step as f32 / STEPS as f32) / LANES as f32;
        weights.scaled_add(-rate, &observations.t().dot(&errors));
        let actions = greedy(&lanes, &weights);
        lanes.step(&actions)?;
    }
    println!("{name}: mean reward after training  {:.4}", mean_reward(&mut lanes, &weights)?);
    Ok(())
}

/// Returns the legal action with the highest prediction in every lane.
fn greedy(lanes: &VecEnv, weights: &Array2<f32>) -> Vec<usize> {
    let batch = lanes.batch();
    let predictions = batch.observation_rows().dot(weights);
    let mut actions = Vec::with_capacity(LANES);
    for (values, mask) in predictions.rows().into_iter().zip(batch.mask_rows().rows()) {
        let legal = (0..mask.len()).filter(|&action| mask[action]);
        actions.push(legal.max_by(|&a, &b| values[a].total_cmp(&values[b])).expect("some action is legal"));
    }
    actions
}

/// Returns the mean reward per step of the greedy agent, on the same deals at every call.
fn mean_reward(lanes: &mut VecEnv, weights: &Array2<f32>) -> Result<f32, EnvError> {
    lanes.reset(Some(SEED + 1), None)?;
    let mut sum = 0.0;
    for _ in 0..STEPS {
        let actions = greedy(lanes, weights);
        lanes.step(&actions)?;
        sum += lanes.batch().reward_row().mean().expect("there are lanes");
    }
    Ok(sum / STEPS as f32)
}
