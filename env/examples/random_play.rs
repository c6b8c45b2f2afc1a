//! Plays legal actions uniformly at random and prints the mean reward of an episode.
//!
//! ```sh
//! cargo run --release -p houseway-env --example random_play -- asian-stud
//! ```

use houseway_env::gym::{VecEnv, stream};
use houseway_env::registry;
use rand::seq::IteratorRandom;
use std::error::Error;

const LANES: usize = 256;
const STEPS: usize = 2_000;
const SEED: u64 = 1;

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "pai-gow-poker".to_owned());
    let env = (registry::find(&name)?.make)("{}")?;
    let mut lanes = VecEnv::new(&*env, LANES)?.without_final_observations();
    let mut rng = stream(SEED.into());
    let mut actions = vec![0; LANES];
    let (mut episodes, mut sum, mut squares) = (0.0, 0.0, 0.0);
    // The rewards of an episode's earlier steps, by lane.
    let mut earned = vec![0.0; LANES];

    lanes.reset(Some(SEED), None)?;
    for _ in 0..STEPS {
        for (action, mask) in actions.iter_mut().zip(lanes.batch().mask_rows().rows()) {
            let legal = (0..mask.len()).filter(|&action| mask[action]);
            *action = legal.choose(&mut rng).expect("some action is legal");
        }
        lanes.step(&actions)?;
        let batch = lanes.batch();
        for (lane, &reward) in batch.reward_row().indexed_iter() {
            earned[lane] += f64::from(reward);
            if batch.terminated[lane] || batch.truncated[lane] {
                episodes += 1.0;
                sum += earned[lane];
                squares += earned[lane] * earned[lane];
                earned[lane] = 0.0;
            }
        }
    }
    let mean = sum / episodes;
    let error = ((squares / episodes - mean * mean) / (episodes - 1.0)).sqrt();
    println!("{name}: mean reward {mean:.4} +/- {error:.4} in {episodes} episodes");
    Ok(())
}
