//! Estimates of the memory and time that training requires.

use crate::config::TrainConfig;

/// The number of features assumed for an observation.
const FEATURES: f64 = 256.0;
/// The number of rows assumed to be evaluated per deal. A row is either a candidate or a decision in an episode.
const ROWS: f64 = 6.0;
/// The memory per weight in bytes, covering the weight, its gradient, Adam's two moments and a temporary copy of each.
const BYTES_PER_WEIGHT: f64 = 32.0;
/// The memory per activation in bytes, covering its value, its gradient and intermediate results.
const BYTES_PER_ACTIVATION: f64 = 16.0;
/// The number of operations per weight and row in a forward and backward pass.
const OPERATIONS_PER_WEIGHT: f64 = 6.0;
/// The number of operations needed to sample a reward once.
const OPERATIONS_PER_SAMPLE: f64 = 2.5e4;
/// The operations per second on one core, measured with the configurations supplied with the program.
const OPERATIONS_PER_SECOND: f64 = 5e10;

/// The estimated cost of a training run, accurate to an order of magnitude.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// The memory in bytes.
    pub memory: f64,
    /// The number of seconds on one processor core.
    pub seconds: f64,
}

impl TrainConfig {
    /// Estimates the cost of a run with this configuration.
    pub fn cost(&self) -> Cost {
        let [width, layers, batch] = [self.network.width, self.network.layers, self.batch].map(|size| size as f64);
        let networks = if self.method.critic_rate().is_some() { 2.0 } else { 1.0 };
        let weights = networks * width * (FEATURES + width * (layers - 1.0));
        let rows = batch * ROWS;
        let samples = batch * self.method.reward_samples() as f64;
        let updates = self.method.updates() as f64;
        let operations = updates * rows * weights * OPERATIONS_PER_WEIGHT + samples * OPERATIONS_PER_SAMPLE;
        Cost {
            memory: weights * BYTES_PER_WEIGHT + rows * (FEATURES + networks * width * layers) * BYTES_PER_ACTIVATION,
            seconds: self.steps as f64 * operations / OPERATIONS_PER_SECOND,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{MAX_BATCH, MAX_LAYERS, MAX_WIDTH};
    use crate::methods::AllAction;
    use crate::network::NetworkConfig;

    #[test]
    fn the_cost_grows_with_every_size() {
        let small = TrainConfig::new(AllAction::default());
        // The main job takes about 20 MB and half a minute on two cores.
        let main = TrainConfig {
            method: AllAction { reward_samples: 24, ..AllAction::default() }.into(),
            steps: 3000,
            batch: 512,
            network: NetworkConfig { width: 128, layers: 2 },
            ..small.clone()
        };
        let cost = main.cost();
        assert!((1e7..2e8).contains(&cost.memory) && (20.0..300.0).contains(&cost.seconds), "{cost:?}");
        let larger: [fn(&mut TrainConfig); 3] = [
            |config| config.batch = MAX_BATCH,
            |config| config.network.width = MAX_WIDTH,
            |config| {
                config.network.layers = MAX_LAYERS;
            },
        ];
        for change in larger {
            let mut config = main.clone();
            change(&mut config);
            let more = config.cost();
            assert!(more.memory > 2.0 * cost.memory && more.seconds > 2.0 * cost.seconds, "{more:?}");
        }
        assert_eq!(TrainConfig { steps: 6000, ..main }.cost().seconds, 2.0 * cost.seconds);
    }
}
