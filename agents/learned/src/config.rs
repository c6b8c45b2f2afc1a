//! The training configuration. It contains every parameter that affects the weights except the task and the seed.
//!
//! The serialized form is nested. The optimizer and schedule keys are at the top level, while the method and the
//! network each have their own table:
//!
//! ```toml
//! method = { name = "policy-gradient", entropy = 0.01 }
//! steps = 3000
//! batch = 512
//! learning-rate = 0.005
//! network = { width = 128, layers = 2 }
//! ```
//!
//! `network = "linear"` is a linear model. The [optimizer](OptimizerConfig) and the [schedule](RateSchedule) of the
//! learning rate have tables of their own, which may be omitted:
//!
//! ```toml
//! optimizer = { name = "sgd", momentum = 0.9 }
//! schedule = { name = "linear", warmup = 100 }
//! ```
//!
//! The [`Feedback`](crate::task::Feedback) used by the method may be stated explicitly, as in `feedback = "bandit"`,
//! but it is only checked. Omitted keys use the task's defaults (see [`TrainConfig::with_overrides`]). Unknown keys,
//! and keys that belong to another method, are rejected.

use crate::limits::{self, check, is_zero};
use crate::methods::MethodConfig;
use crate::network::NetworkConfig;
use crate::optimizer::OptimizerConfig;
use crate::schedule::{RateSchedule, Schedule};
use houseway_env::seal::hex;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// The complete configuration of a training run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TrainConfig {
    /// The method and its parameters.
    pub method: MethodConfig,
    /// The number of optimizer steps to train for.
    pub steps: u64,
    /// The steps at which the schedule restarts, in ascending order. The learning rate's schedule begins again at each
    /// restart and covers the steps until the next one, or until the end of training. A run that ended at a restart can
    /// be continued from there. By default, there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub restarts: Vec<u64>,
    /// The number of deals (hands, rounds or situations) per step. Methods that learn from all actions of Pai Gow Poker
    /// deal until this many hands have a choice, which takes about 3% more.
    pub batch: usize,
    /// The optimizer. By default, Adam.
    #[serde(default, skip_serializing_if = "OptimizerConfig::is_default")]
    pub optimizer: OptimizerConfig,
    /// The learning rate at the beginning of the schedule, or at the end of its warmup. With Adam, this is the size of
    /// a step.
    pub learning_rate: f64,
    /// The schedule of the learning rate. By default, it falls to zero along half a cosine, either over all steps or
    /// until the next restart.
    #[serde(default, rename = "schedule", skip_serializing_if = "RateSchedule::is_default")]
    pub rate_schedule: RateSchedule,
    /// The maximum gradient norm. Larger gradients are scaled down to this norm.
    pub gradient_norm: f32,
    /// The decay per step of an exponential moving average of the weights. If this is positive, the agent plays with
    /// the averaged weights, and those work well at any step, even while the learning rate is still high. By default 0,
    /// which means playing with the weights themselves.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ema: f64,
    /// The number of steps between measurements. The agent is also measured before the first step, at every restart and
    /// after the last step.
    pub evaluate_every: u64,
    /// The number of steps between checkpoints. A checkpoint is also saved at every restart, after the last step, and
    /// when training is stopped early.
    pub checkpoint_every: u64,
    /// The network size. It may be a [linear model](NetworkConfig::LINEAR).
    pub network: NetworkConfig,
}

impl TrainConfig {
    /// Creates a configuration with defaults suited to a small game. Tasks provide their own defaults.
    pub fn new(method: impl Into<MethodConfig>) -> TrainConfig {
        TrainConfig {
            method: method.into(),
            steps: 1000,
            restarts: vec![],
            batch: 2048,
            optimizer: OptimizerConfig::default(),
            learning_rate: 3e-3,
            rate_schedule: RateSchedule::default(),
            gradient_norm: 1.0,
            ema: 0.0,
            evaluate_every: 100,
            checkpoint_every: 1000,
            network: NetworkConfig { width: 32, layers: 2 },
        }
    }

    /// Builds a complete configuration from partial JSON. The method is either a table or just a name, and all-action
    /// is used if it is missing. `defaults` receives that method with its default parameters and returns the task's
    /// configuration for it.
    ///
    /// # Errors
    /// Returns an error naming the key if a key or value is invalid.
    pub fn with_overrides(
        defaults: impl Fn(MethodConfig) -> TrainConfig,
        overrides: &Map<String, Value>,
    ) -> Result<TrainConfig, String> {
        let name = match overrides.get("method") {
            None => MethodConfig::NAMES[0],
            Some(Value::String(name)) => name,
            Some(table) => {
                table.get("name").and_then(Value::as_str).ok_or("method: expected a name or a table with a name")?
            }
        };
        let method = MethodConfig::from_name(name).ok_or_else(|| {
            let names = MethodConfig::NAMES.join(", ");
            format!("method: unknown name \"{name}\"; expected one of {names}")
        })?;
        let defaults = defaults(method);
        let mut complete = serde_json::to_value(&defaults).expect("a configuration is plain data");
        // Some keys are not serialized when they have their default value. Add them, because only existing keys can be
        // overridden.
        complete["restarts"] = defaults.restarts.into();
        complete["ema"] = defaults.ema.into();
        complete["optimizer"] = serde_json::to_value(defaults.optimizer).expect("an optimizer is plain data");
        complete["schedule"] = serde_json::to_value(defaults.rate_schedule).expect("a schedule is plain data");
        for (key, value) in defaults.method.unwritten() {
            complete["method"][key] = value;
        }
        let feedback = overrides.get("feedback");
        for (key, value) in overrides.iter().filter(|(key, _)| *key != "feedback") {
            overlay(&mut complete, key, value, key).map_err(|error| explain(name, key, error))?;
            // Apply one key at a time so that the error message can name it.
            TrainConfig::deserialize(&complete).map_err(|error| format!("{key}: {error}"))?;
        }
        let config = TrainConfig::deserialize(&complete).map_err(|error| error.to_string())?;
        match feedback.map(|named| (named, config.method.feedback().name())) {
            Some((named, own)) if named != own => {
                Err(format!("feedback = {named}: {} with these parameters learns from \"{own}\"", config.method.name()))
            }
            _ => Ok(config),
        }
    }

    /// Checks that all values are in range.
    ///
    /// # Errors
    /// Returns an error naming the key and the allowed range if a number is out of range.
    pub fn check(&self) -> Result<(), String> {
        check("steps", self.steps, [1, limits::MAX_STEPS])?;
        check("batch", self.batch, [1, limits::MAX_BATCH])?;
        check("evaluate-every", self.evaluate_every, [1, limits::MAX_STEPS])?;
        check("checkpoint-every", self.checkpoint_every, [1, limits::MAX_STEPS])?;
        self.network.check()?;
        check("learning-rate", self.learning_rate, [limits::MIN_LEARNING_RATE, limits::MAX_LEARNING_RATE])?;
        check("gradient-norm", self.gradient_norm, [limits::MIN_GRADIENT_NORM, limits::MAX_GRADIENT_NORM])?;
        check("ema", self.ema, [0.0, limits::MAX_EMA])?;
        if !self.restarts.iter().chain([&self.steps]).is_sorted_by(|a, b| a < b) || self.restarts.first() == Some(&0) {
            return Err(format!(
                "restarts = {:?}: must be in ascending order, at least 1 and below steps = {}",
                self.restarts, self.steps
            ));
        }
        self.optimizer.check().map_err(|error| format!("optimizer.{error}"))?;
        check("schedule.warmup", self.rate_schedule.warmup, [0, self.schedule().shortest() - 1])?;
        self.method.check().map_err(|error| format!("method.{error}"))
    }

    /// Returns the schedule defined by the number of steps and the restarts.
    pub fn schedule(&self) -> Schedule {
        Schedule { steps: self.steps, restarts: self.restarts.clone() }
    }

    /// Returns a hash of everything that determines the weights after `step` steps: the seed, the task, and the
    /// configuration without the parts that take effect later. A checkpoint matches a configuration if their hashes at
    /// the checkpoint's step are equal. This makes it possible to continue a finished run by raising `steps` and adding
    /// a restart at the step where it ended. The result has the same bytes as an uninterrupted run.
    pub fn hash_at(&self, step: u64, seed: u64, task: &str) -> String {
        let Schedule { steps, restarts } = self.schedule().until(step);
        TrainConfig { steps, restarts, ..self.clone() }.hash(seed, task)
    }

    /// Returns a hash of everything that determines the final weights: this configuration, the seed and the task.
    pub fn hash(&self, seed: u64, task: &str) -> String {
        let json = serde_json::to_string(&(self, seed, task)).expect("a configuration is plain data");
        hex(&Sha256::digest(json)[..8])
    }
}

/// Sets a key in a table. Nested tables are merged unless their `name` changes. A string in place of a table with a
/// `name` sets that name.
fn overlay(table: &mut Value, key: &str, value: &Value, path: &str) -> Result<(), String> {
    let keys = table.as_object().map(|table| table.keys().cloned().collect::<Vec<_>>()).unwrap_or_default();
    let Some(old) = table.get_mut(key) else {
        // The feedback is only checked.
        let more = if path == key { ", feedback" } else { "" };
        return Err(format!("unknown key {path}; expected one of {}{more}", keys.join(", ")));
    };
    let named = |value: &Value| value.get("name").cloned();
    match value {
        Value::Object(new) if old.is_object() && (value.get("name").is_none() || named(value) == named(old)) => {
            new.iter().try_for_each(|(key, value)| overlay(old, key, value, &format!("{path}.{key}")))
        }
        Value::String(name) if named(old).is_some() => {
            if named(old) != Some(value.clone()) {
                *old = serde_json::json!({ "name": name });
            }
            Ok(())
        }
        _ => {
            *old = value.clone();
            Ok(())
        }
    }
}

/// Adds a hint to an error about a key that belongs in the table of the configured method or of others.
fn explain(method: &str, key: &str, error: String) -> String {
    let has_key = |name: &&str| {
        let method = MethodConfig::from_name(name).expect("it is the name of a method");
        let written = serde_json::to_value(&method).expect("a method is plain data");
        written.get(key).is_some() || method.unwritten().iter().any(|(unwritten, _)| *unwritten == key)
    };
    let owners: Vec<&str> = MethodConfig::NAMES.iter().copied().filter(has_key).collect();
    match &owners[..] {
        [] => error,
        owners if owners.contains(&method) => {
            format!("{key} belongs to the method: use method = {{ name = \"{method}\", {key} = ... }}")
        }
        [first, ..] => format!(
            "{key} belongs to the method {}, as in method = {{ name = \"{first}\", {key} = ... }}; here the method is {method}",
            owners.join(" or ")
        ),
    }
}

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
        let passes = self.method.updates() as f64 / self.method.minibatches() as f64;
        let operations = passes * rows * weights * OPERATIONS_PER_WEIGHT + samples * OPERATIONS_PER_SAMPLE;
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
    use crate::methods::{ActorCritic, AllAction, PolicyGradient, Ppo, RegressionLoss};
    use crate::schedule::RateCurve;

    #[test]
    fn a_configuration_is_checked() {
        assert_eq!(TrainConfig::new(AllAction::default()).check(), Ok(()));
        let broken = |change: fn(&mut TrainConfig)| {
            let mut config = TrainConfig::new(PolicyGradient::default());
            change(&mut config);
            config.check().unwrap_err()
        };
        for (change, part) in [
            ((|c| c.steps = 0) as fn(&mut TrainConfig), "steps = 0"),
            (|c| c.batch = 0, "batch = 0"),
            (|c| c.gradient_norm = -1.0, "gradient-norm"),
            (|c| c.gradient_norm = 1e30, "gradient-norm"),
            (|c| c.learning_rate = f64::NAN, "learning-rate"),
            (|c| c.learning_rate = 1e30, "must be between 0.000000001 and 1"),
            (|c| c.learning_rate = 1e-300, "learning-rate"),
            (|c| c.steps = u64::MAX, "steps = 18446744073709551615: must be between 1 and 1000000000"),
            (|c| c.batch = usize::MAX, "must be between 1 and 1048576"),
            (|c| c.network.width = usize::MAX, "must be between 1 and 8192"),
            (|c| c.network.layers = 1 << 40, "must be between 1 and 64"),
            (
                |c| c.method = PolicyGradient { exploration: 1.0, ..Default::default() }.into(),
                "method.exploration = 1:",
            ),
            (|c| c.ema = 1.0, "ema = 1: must be between 0 and 0.999999"),
            (|c| c.optimizer = OptimizerConfig::Sgd { momentum: -0.5 }, "optimizer.momentum = -0.5: must be between 0"),
            (
                |c| {
                    c.rate_schedule = RateSchedule { curve: RateCurve::Linear, warmup: 400 };
                    c.restarts = vec![400];
                },
                "schedule.warmup = 400: must be between 0 and 399",
            ),
            (|c| c.restarts = vec![0], "restarts = [0]"),
            (|c| c.restarts = vec![500, 500], "ascending order"),
            (|c| c.restarts = vec![1000], "below steps = 1000"),
        ] {
            let error = broken(change);
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_restart_continues_what_ended_there() {
        let short = TrainConfig { steps: 100, ..TrainConfig::new(AllAction::default()) };
        let longer = TrainConfig { steps: 300, restarts: vec![100, 150], ..short.clone() };
        for step in [0, 1, 100] {
            assert_eq!(longer.hash_at(step, 1, "a"), short.hash(1, "a"));
        }
        let middle = TrainConfig { steps: 150, restarts: vec![100], ..short.clone() };
        assert_eq!(longer.hash_at(101, 1, "a"), middle.hash(1, "a"));
        assert_eq!(longer.hash_at(151, 1, "a"), longer.hash(1, "a"));
        // Without a restart, the schedule differs from the first step on.
        let straight = TrainConfig { steps: 300, ..short.clone() };
        assert_ne!(straight.hash_at(100, 1, "a"), short.hash(1, "a"));
    }

    #[test]
    fn the_hash_covers_what_decides_the_weights() {
        let config = TrainConfig::new(AllAction::default());
        let longer = TrainConfig { steps: 11, ..config.clone() };
        let hashes = [config.hash(1, "a"), config.hash(2, "a"), config.hash(1, "b"), longer.hash(1, "a")];
        assert!((0..4).all(|i| (0..i).all(|j| hashes[i] != hashes[j])));
        assert_eq!(config.hash(1, "a"), hashes[0]);
    }

    /// Returns the defaults of a task whose regressions average more samples.
    fn defaults(method: MethodConfig) -> TrainConfig {
        let loss = RegressionLoss::Differences { value_weight: 0.1 };
        let method = match method {
            MethodConfig::AllAction(_) => AllAction { reward_samples: 24, loss }.into(),
            other => other,
        };
        TrainConfig { batch: 512, ..TrainConfig::new(method) }
    }

    fn parse(json: &str) -> Result<TrainConfig, String> {
        TrainConfig::with_overrides(defaults, &serde_json::from_str(json).unwrap())
    }

    #[test]
    fn what_is_left_out_has_the_default_of_the_task() {
        let all_action = defaults(AllAction::default().into());
        assert_eq!(parse("{}").unwrap(), all_action);
        assert_eq!(parse(r#"{"method": "all-action", "steps": 7}"#).unwrap(), TrainConfig { steps: 7, ..all_action });
        let config =
            parse(r#"{"method": {"name": "policy-gradient", "entropy": 1}, "network": {"width": 8}}"#).unwrap();
        assert_eq!(config.method, PolicyGradient { entropy: 1.0, ..Default::default() }.into());
        assert_eq!((config.batch, config.network), (512, NetworkConfig { width: 8, layers: 2 }));
        let config = parse(r#"{"method": {"name": "all-action", "loss": {"value-weight": 0.5}}}"#).unwrap();
        let loss = RegressionLoss::Differences { value_weight: 0.5 };
        assert_eq!(config.method, AllAction { reward_samples: 24, loss }.into());
        let config = parse(r#"{"method": {"name": "all-action", "loss": "squared-error"}}"#).unwrap();
        assert_eq!(config.method, AllAction { reward_samples: 24, loss: RegressionLoss::SquaredError }.into());
        let focused =
            r#"{"ema": 0.9, "method": {"name": "all-action", "loss": {"name": "focused", "value-weight": 1}}}"#;
        let config = parse(focused).unwrap();
        let loss = RegressionLoss::Focused { value_weight: 1.0, scale: 0.05, floor: 0.02, from_step: 200 };
        assert_eq!((config.method.clone(), config.ema), (AllAction { reward_samples: 24, loss }.into(), 0.9));
        let again = serde_json::to_value(&config).unwrap();
        assert_eq!(TrainConfig::with_overrides(defaults, again.as_object().unwrap()).unwrap(), config);
    }

    /// The configuration hash is computed from this text.
    #[test]
    fn new_keys_at_their_defaults_leave_hashes_as_they_were() {
        let text = |json: &str| serde_json::to_string(&parse(json).unwrap()).unwrap();
        let plain =
            r#"{"method":{"name":"policy-gradient","entropy":0.02},"steps":1000,"batch":512,"learning-rate":0.003,"#
                .to_owned()
                + r#""gradient-norm":1.0,"evaluate-every":100,"checkpoint-every":1000,"network":{"width":32,"layers":2}}"#;
        assert_eq!(text(r#"{"method": "policy-gradient"}"#), plain);
        let method = r#"{"name": "policy-gradient", "exploration": 0}"#;
        assert_eq!(text(&format!(r#"{{"method": {method}, "ema": 0, "restarts": []}}"#)), plain);
        assert_ne!(text(r#"{"method": "policy-gradient", "ema": 0.5}"#), plain);
        assert_eq!(
            text(r#"{"method": {"name": "distillation", "thinning": null}}"#),
            text(r#"{"method": "distillation"}"#)
        );
        let linear = plain.replace(r#"{"width":32,"layers":2}"#, r#""linear""#);
        assert_eq!(text(r#"{"method": "policy-gradient", "network": "linear"}"#), linear);
        assert_ne!(text(&format!(r#"{{"method": {}}}"#, method.replace("\": 0", "\": 0.5"))), plain);
        let method = r#"{"name": "policy-gradient", "value-weight": 1}"#;
        let given = |method: &str, optimizer: &str, schedule: &str| {
            text(&format!(r#"{{"method": {method}, "optimizer": {optimizer}, "schedule": {schedule}}}"#))
        };
        assert_eq!(given(method, r#""adam""#, r#"{"warmup": 0}"#), plain);
        assert_eq!(given(method, r#"{"name": "adam", "beta-1": 0.9}"#, r#""half-cosine""#), plain);
        assert_ne!(given(&method.replace('1', "2"), r#""adam""#, r#""half-cosine""#), plain);
        assert_ne!(given(method, r#""sgd""#, r#""half-cosine""#), plain);
        assert_ne!(given(method, r#""adam""#, r#""linear""#), plain);
    }

    #[test]
    fn a_named_feedback_is_that_of_the_method() {
        for json in [
            r#"{"feedback": "re-dealing"}"#,
            r#"{"feedback": "full information", "method": {"name": "all-action", "reward-samples": 1}}"#,
            r#"{"feedback": "bandit", "method": "policy-gradient"}"#,
            r#"{"feedback": "exact labels", "method": "distillation"}"#,
        ] {
            parse(json).unwrap();
        }
        let error = parse(r#"{"feedback": "bandit"}"#).unwrap_err();
        assert_eq!(error, r#"feedback = "bandit": all-action with these parameters learns from "re-dealing""#);
    }

    #[test]
    fn mistakes_are_named() {
        for (json, part) in [
            (r#"{"batch-hands": 5}"#, "unknown key batch-hands; expected one of batch, "),
            (r#"{"entropy": 0.1}"#, r#"as in method = { name = "policy-gradient", entropy = ... }"#),
            (r#"{"method": "ppo", "entropy": 0.1}"#, r#"use method = { name = "ppo", entropy = ... }"#),
            (r#"{"method": {"name": "all-action", "entropy": 0.1}}"#, "unknown key method.entropy"),
            (r#"{"method": {"entropy": 0.1}}"#, "method: expected a name"),
            (r#"{"method": {"name": "distillation", "reward-samples": 3}}"#, "unknown key method.reward-samples"),
            (r#"{"method": {"name": "distillation", "thinning": {"margin": 1}}}"#, "missing field `keep`"),
            (r#"{"network": "wide"}"#, "network: invalid value: string \"wide\", expected \"linear\" or a table"),
            (r#"{"network": {"width": 8, "layers": 2, "kind": "linear"}}"#, "unknown key network.kind"),
            (r#"{"method": "magic"}"#, "expected one of all-action, policy-gradient"),
            (r#"{"network": {"widht": 5}}"#, "unknown key network.widht; expected one of layers, width"),
            (r#"{"steps": "many"}"#, "steps: invalid type"),
            (
                r#"{"optimizer": "newton"}"#,
                "optimizer: unknown variant `newton`, expected one of `adam`, `adamw`, `sgd`",
            ),
            (r#"{"optimizer": {"momentum": 0.9}}"#, "unknown key optimizer.momentum; expected one of beta-1, beta-2"),
            (r#"{"optimizer": {"name": "sgd", "beta-1": 0.9}}"#, "optimizer: unknown field `beta-1`"),
            (
                r#"{"schedule": "cosine"}"#,
                "schedule: unknown variant `cosine`, expected one of `half-cosine`, `linear`",
            ),
            (r#"{"schedule": {"name": "constant", "until": 3}}"#, "schedule: unknown field `until`"),
            (r#"{"warmup": 3}"#, "unknown key warmup; expected one of"),
            (
                r#"{"method": "all-action", "value-weight": 2}"#,
                "value-weight belongs to the method policy-gradient or actor-critic or ppo, as in method",
            ),
            (r#"{"method": {"name": "all-action", "loss": "absolute"}}"#, "unknown variant `absolute`"),
        ] {
            let error = parse(json).unwrap_err();
            assert!(error.contains(part), "{json}: {error}");
        }
    }

    #[test]
    fn parameters_of_methods_are_checked() {
        let read = |name: &str| parse(&format!(r#"{{"method": {{"name": {name}}}}}"#)).unwrap().method;
        for name in MethodConfig::NAMES {
            assert_eq!(MethodConfig::from_name(name).unwrap().check(), Ok(()));
        }
        assert_eq!(read(r#""all-action", "loss": {"name": "focused", "value-weight": 1}"#).check(), Ok(()));
        let loss = RegressionLoss::Focused { value_weight: 0.1, scale: f64::NAN, floor: 0.02, from_step: 0 };
        for (method, part) in [
            (read(r#""all-action", "reward-samples": 0"#), "reward-samples = 0: must be between 1 and 10000"),
            (read(r#""all-action", "reward-samples": 1099511627776"#), "reward-samples = 1099511627776: must be"),
            (read(r#""policy-gradient", "entropy": -0.1"#), "entropy = -0.1"),
            (read(r#""all-action", "loss": {"value-weight": -1}"#), "loss.value-weight = -1"),
            (
                read(r#""all-action", "loss": {"name": "focused", "value-weight": 1, "scale": 0}"#),
                "loss.scale = 0: must be between 0.0001 and",
            ),
            (
                read(r#""all-action", "loss": {"name": "focused", "value-weight": 1, "floor": 1.5}"#),
                "loss.floor = 1.5: must be between 0 and 1",
            ),
            (AllAction { loss, ..AllAction::default() }.into(), "loss.scale = NaN"),
            (
                read(r#""distillation", "thinning": {"margin": 0, "keep": 0.1}"#),
                "thinning.margin = 0: must be between 0.0001",
            ),
            (
                read(r#""distillation", "thinning": {"margin": 1, "keep": 1.5}"#),
                "thinning.keep = 1.5: must be between 0 and 1",
            ),
            (
                read(r#""bandit-regression", "exploration": {"epsilon": 1}"#),
                "exploration.epsilon = 1: must be between 0 and",
            ),
            (
                read(r#""bandit-regression", "exploration": {"name": "boltzmann", "temperature": 0}"#),
                "exploration.temperature = 0",
            ),
            (read(r#""actor-critic", "entropy": -1"#), "entropy = -1"),
            (read(r#""actor-critic", "exploration": 1"#), "exploration = 1"),
            (read(r#""actor-critic", "critic-rate": 0"#), "critic-rate = 0: must be between 0.001 and 1000"),
            (ActorCritic { value_weight: f64::INFINITY, ..ActorCritic::default() }.into(), "value-weight = inf"),
            (read(r#""ppo", "epochs": 0"#), "epochs = 0: must be between 1 and"),
            (read(r#""ppo", "minibatches": 0"#), "minibatches = 0: must be between 1 and"),
            (read(r#""ppo", "clip": 0"#), "clip = 0"),
            (read(r#""ppo", "entropy": -1"#), "entropy = -1"),
            (Ppo { value_weight: f64::NAN, ..Ppo::default() }.into(), "value-weight = NaN"),
        ] {
            let error = method.check().unwrap_err();
            assert!(error.starts_with(part), "{method:?}: {error}");
        }
    }

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
