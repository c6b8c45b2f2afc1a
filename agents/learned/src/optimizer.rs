//! The optimizers that update the weights.

use crate::limits::{MAX_DECAY, MAX_EPSILON, MAX_WEIGHT_DECAY, MIN_EPSILON, check};
use crate::network::Networks;
use crate::sums::total;
use burn::module::{Module, ModuleVisitor, Param};
use burn::optim::momentum::MomentumConfig;
use burn::optim::{AdamConfig, AdamWConfig, GradientsParams, ModuleOptimizer, RmsPropConfig, SgdConfig};
use burn::prelude::*;
use serde::{Deserialize, Serialize};

/// The optimizer and its parameters, serialized as a table that contains the `name` and the parameters. The learning
/// rate is a separate key, because it follows a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", deny_unknown_fields, rename_all = "lowercase", rename_all_fields = "kebab-case")]
pub enum OptimizerConfig {
    /// Adam (Kingma and Ba 2015, arXiv:1412.6980), the default.
    Adam {
        /// The decay per step of the mean gradient.
        #[serde(default = "default_beta_1")]
        beta_1: f64,
        /// The decay per step of the mean squared gradient.
        #[serde(default = "default_beta_2")]
        beta_2: f64,
        /// A number added to the denominator for numerical stability.
        #[serde(default = "default_epsilon")]
        epsilon: f64,
    },
    /// Adam with decoupled weight decay (Loshchilov and Hutter 2019, arXiv:1711.05101).
    AdamW {
        /// The decay per step of the mean gradient.
        #[serde(default = "default_beta_1")]
        beta_1: f64,
        /// The decay per step of the mean squared gradient.
        #[serde(default = "default_beta_2")]
        beta_2: f64,
        /// A number added to the denominator for numerical stability.
        #[serde(default = "default_epsilon")]
        epsilon: f64,
        /// The fraction of every weight that is removed per step, as a multiple of the learning rate.
        #[serde(default = "default_weight_decay")]
        weight_decay: f64,
    },
    /// Stochastic gradient descent.
    Sgd {
        /// The decay per step of the sum of past gradients. Without momentum, each step only uses its own gradient.
        #[serde(default)]
        momentum: f64,
    },
    /// Gradients divided by the root of their mean square (Tieleman and Hinton 2012).
    RmsProp {
        /// The decay per step of the mean squared gradient.
        #[serde(default = "default_alpha")]
        alpha: f64,
        /// The decay per step of the sum of past updates.
        #[serde(default)]
        momentum: f64,
        /// A number added to the denominator for numerical stability.
        #[serde(default = "default_epsilon")]
        epsilon: f64,
    },
}

const fn default_beta_1() -> f64 {
    0.9
}

const fn default_beta_2() -> f64 {
    0.999
}

const fn default_epsilon() -> f64 {
    1e-5
}

const fn default_weight_decay() -> f64 {
    1e-4
}

const fn default_alpha() -> f64 {
    0.99
}

impl Default for OptimizerConfig {
    fn default() -> OptimizerConfig {
        OptimizerConfig::Adam { beta_1: default_beta_1(), beta_2: default_beta_2(), epsilon: default_epsilon() }
    }
}

impl OptimizerConfig {
    /// Returns `true` if this is the default, which isn't serialized, so that the hashes of older configurations stay
    /// the same.
    pub(crate) fn is_default(&self) -> bool {
        *self == OptimizerConfig::default()
    }

    /// Checks that all parameters are in range.
    pub(crate) fn check(self) -> Result<(), String> {
        let decays = |named: &[(&str, f64)]| named.iter().try_for_each(|&(key, it)| check(key, it, [0.0, MAX_DECAY]));
        let epsilon = |epsilon| check("epsilon", epsilon, [MIN_EPSILON, MAX_EPSILON]);
        match self {
            OptimizerConfig::Adam { beta_1, beta_2, epsilon: small } => {
                decays(&[("beta-1", beta_1), ("beta-2", beta_2)])?;
                epsilon(small)
            }
            OptimizerConfig::AdamW { beta_1, beta_2, epsilon: small, weight_decay } => {
                decays(&[("beta-1", beta_1), ("beta-2", beta_2)])?;
                epsilon(small)?;
                check("weight-decay", weight_decay, [0.0, MAX_WEIGHT_DECAY])
            }
            OptimizerConfig::Sgd { momentum } => decays(&[("momentum", momentum)]),
            OptimizerConfig::RmsProp { alpha, momentum, epsilon: small } => {
                decays(&[("alpha", alpha), ("momentum", momentum)])?;
                epsilon(small)
            }
        }
    }

    /// Creates the optimizer.
    pub fn init(self) -> ModuleOptimizer {
        match self {
            OptimizerConfig::Adam { beta_1, beta_2, epsilon } => AdamConfig::new()
                .with_beta_1(beta_1 as f32)
                .with_beta_2(beta_2 as f32)
                .with_epsilon(epsilon as f32)
                .init(),
            OptimizerConfig::AdamW { beta_1, beta_2, epsilon, weight_decay } => AdamWConfig::new()
                .with_beta_1(beta_1 as f32)
                .with_beta_2(beta_2 as f32)
                .with_epsilon(epsilon as f32)
                .with_weight_decay(weight_decay as f32)
                .init(),
            OptimizerConfig::Sgd { momentum } => SgdConfig::new()
                .with_momentum((momentum > 0.0).then_some(MomentumConfig { momentum, dampening: 0.0, nesterov: false }))
                .init(),
            OptimizerConfig::RmsProp { alpha, momentum, epsilon } => RmsPropConfig::new()
                .with_alpha(alpha as f32)
                .with_momentum(momentum as f32)
                .with_epsilon(epsilon as f32)
                .init(),
        }
    }
}

/// Scales the gradients of every parameter whose norm is greater than `max_norm` down to it. The library's clipping
/// would round the norms differently on different processors.
pub(crate) fn clip(gradients: &mut GradientsParams, networks: &Networks, max_norm: f32) {
    struct Clipping<'a> {
        gradients: &'a mut GradientsParams,
        max_norm: f32,
    }

    impl ModuleVisitor for Clipping<'_> {
        fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
            let Some(gradient) = self.gradients.get::<D>(param.id) else { return };
            let squares = gradient.clone().square().flatten::<1>(0, D - 1).unsqueeze();
            let norm = total(squares).sqrt().into_scalar::<f32>();
            if norm > self.max_norm {
                self.gradients.register(param.id, gradient * (self.max_norm / norm));
            }
        }
    }

    networks.visit(&mut Clipping { gradients, max_norm });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::training_device;
    use crate::network::{Inputs, Network, NetworkConfig, WeightSource, matrix, to_vec};

    /// Minimizes (w - 3)² for a model with the single weight `w` and no bias, and returns the weight after each step.
    fn weights(optimizer: OptimizerConfig, rate: f64, steps: usize) -> Vec<f64> {
        let device = training_device();
        let mut source = WeightSource::new(1, &device);
        let mut networks = Networks::from(Network::new(NetworkConfig::LINEAR, 1, 1, 1.0, &mut source));
        let mut optimizer = optimizer.init();
        let output =
            |networks: &Networks, input: f32| networks.parts[0].forward(&Inputs::new(&[input], 1, &training_device()));
        let step = |_| {
            // The output at 1 less that at 0 is the weight, without the bias.
            let weight = output(&networks, 1.0) - output(&networks, 0.0);
            let before = f64::from(to_vec(weight.clone())[0]);
            let loss: Tensor<1> = (weight - matrix(&[3.0], 1, &training_device())).powi_scalar(2).mean();
            let gradients = GradientsParams::from_grads(loss.backward(), &networks);
            networks = optimizer.step(rate, networks.clone(), gradients);
            before
        };
        (0..steps).map(step).collect()
    }

    #[test]
    fn steps_follow_the_published_formulas() {
        // A formula returns the weight after a step.
        let near = |found: &[f64], formula: &mut dyn FnMut(f64, i32) -> f64| {
            let mut expected = found[0];
            for (step, found) in (1..).zip(found) {
                assert!((found - expected).abs() < 1e-4, "step {step}: {found} {expected}");
                expected = formula(expected, step);
            }
        };
        let gradient = |w: f64| 2.0 * (w - 3.0);
        let mut velocity = 0.0;
        near(&weights(OptimizerConfig::Sgd { momentum: 0.9 }, 0.01, 5), &mut |w, _| {
            velocity = 0.9 * velocity + gradient(w);
            w - 0.01 * velocity
        });
        near(&weights(OptimizerConfig::Sgd { momentum: 0.0 }, 0.01, 3), &mut |w, _| w - 0.01 * gradient(w));
        let adam = |decay: f64| {
            let (mut mean, mut square) = (0.0, 0.0);
            move |w: f64, step: i32| {
                mean = 0.9 * mean + 0.1 * gradient(w);
                square = 0.999 * square + 0.001 * gradient(w).powi(2);
                let [m, s] = [mean / (1.0 - 0.9f64.powi(step)), square / (1.0 - 0.999f64.powi(step))];
                w - 0.1 * decay * w - 0.1 * m / (s.sqrt() + 1e-5)
            }
        };
        near(&weights(OptimizerConfig::default(), 0.1, 5), &mut adam(0.0));
        let adam_w = OptimizerConfig::AdamW { beta_1: 0.9, beta_2: 0.999, epsilon: 1e-5, weight_decay: 0.5 };
        near(&weights(adam_w, 0.1, 5), &mut adam(0.5));
        let rms_prop = OptimizerConfig::RmsProp { alpha: 0.9, momentum: 0.0, epsilon: 1e-5 };
        let mut square = 0.0f64;
        near(&weights(rms_prop, 0.05, 5), &mut |w, _| {
            square = 0.9 * square + 0.1 * gradient(w).powi(2);
            w - 0.05 * gradient(w) / (square.sqrt() + 1e-5)
        });
    }

    #[test]
    fn gradients_above_the_norm_are_scaled_down_to_it() {
        let device = training_device();
        let networks =
            Networks::from(Network::new(NetworkConfig::LINEAR, 2, 1, 1.0, &mut WeightSource::new(1, &device)));
        // The gradients are (3, 4) for the weights and 1 for the bias.
        let loss: Tensor<1> = networks.parts[0].forward(&Inputs::new(&[3.0, 4.0], 1, &device)).sum();
        let mut gradients = GradientsParams::from_grads(loss.backward(), &networks);
        clip(&mut gradients, &networks, 2.0);
        let found = |id: u64| gradients.get::<1>(id.into()).map(|bias| bias.into_scalar::<f32>());
        assert_eq!(found(2), Some(1.0));
        let weights = to_vec(gradients.get::<2>(1.into()).unwrap());
        assert!((weights[0] - 1.2).abs() < 1e-6 && (weights[1] - 1.6).abs() < 1e-6, "{weights:?}");
    }

    #[test]
    fn parameters_are_read_and_checked() {
        let read = |json: &str| serde_json::from_str::<OptimizerConfig>(json).map_err(|error| error.to_string());
        assert_eq!(read(r#"{"name": "adam"}"#), Ok(OptimizerConfig::default()));
        assert_eq!(read(r#"{"name": "sgd", "momentum": 0.9}"#), Ok(OptimizerConfig::Sgd { momentum: 0.9 }));
        for name in ["adam", "adamw", "sgd", "rmsprop"] {
            let config = read(&format!(r#"{{"name": "{name}"}}"#)).unwrap();
            assert_eq!(config.check(), Ok(()));
            let again = serde_json::to_string(&config).unwrap();
            assert_eq!(read(&again), Ok(config));
        }
        assert!(read(r#"{"name": "adam", "momentum": 0.9}"#).unwrap_err().contains("unknown field `momentum`"));
        assert!(read(r#"{"name": "lion"}"#).unwrap_err().contains("unknown variant `lion`"));
        let error = |json: &str| read(json).unwrap().check().unwrap_err();
        assert!(error(r#"{"name": "sgd", "momentum": 1}"#).contains("momentum = 1: must be between 0 and"));
        assert!(error(r#"{"name": "adam", "epsilon": 0}"#).contains("epsilon = 0"));
        assert!(error(r#"{"name": "adamw", "weight-decay": -1}"#).contains("weight-decay = -1"));
    }
}
