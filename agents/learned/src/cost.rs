//! Estimates of the memory and time required for training.

use crate::config::TrainConfig;

/// Assumed number of features of an observation.
const FEATURES: f64 = 256.0;
/// Assumed number of rows that a network reads per deal, which are the candidates of a hand or the decisions of an
/// episode.
const ROWS: f64 = 6.0;
/// Number of bytes per weight: weight, gradient, two moments of Adam, and a copy of each during a step.
const BYTES_PER_WEIGHT: f64 = 32.0;
/// Number of bytes per number between two layers: its value, its gradient, and intermediate results.
const BYTES_PER_ACTIVATION: f64 = 16.0;
/// Number of operations per weight and row, forwards and backwards.
const OPERATIONS_PER_WEIGHT: f64 = 6.0;
/// Number of operations per sample of the unseen cards behind a reward.
const OPERATIONS_PER_SAMPLE: f64 = 2.5e4;
/// Number of operations per second on one core, measured with the configurations supplied with the program.
const OPERATIONS_PER_SECOND: f64 = 5e10;

/// The estimated cost of a training run, accurate to an order of magnitude.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Memory in bytes.
    pub memory: f64,
    /// Seconds on one processor core.
    pub seconds: f64,
}

impl TrainConfig {
    /// Estimates the cost of training.
    pub fn cost(&self) -> Cost {
        let [width, layers, batch] = [self.network.width, self.network.layers, self.batch].map(|size| size as f64);
        let weights = width * (FEATURES + width * (layers - 1.0));
        let rows = batch * ROWS;
        let samples = batch * self.method.reward_samples() as f64;
        let updates = self.method.updates() as f64;
        let operations = updates * rows * weights * OPERATIONS_PER_WEIGHT + samples * OPERATIONS_PER_SAMPLE;
        Cost {
            memory: weights * BYTES_PER_WEIGHT + rows * (FEATURES + width * layers) * BYTES_PER_ACTIVATION,
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
