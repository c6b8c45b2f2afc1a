//! The configuration of a training run: all parameters that determine the weights, except task and seed.
//!
//! The serialized form is nested. The keys of the optimiser and the schedule are at the top level, and the method and
//! the network have one table each:
//!
//! ```toml
//! method = { name = "policy-gradient", entropy = 0.01 }
//! steps = 3000
//! batch = 512
//! learning-rate = 0.005
//! network = { width = 128, layers = 2 }
//! ```
//!
//! The [`Feedback`](crate::task::Feedback) that the method learns from may be given, as in `feedback = "bandit"`, but
//! it is only checked. Omitted keys have the defaults of the task (see [`TrainConfig::with_overrides`]). A key that
//! does not exist or belongs to another method is rejected.

use crate::limits::{self, check, is_zero};
use crate::methods::MethodConfig;
use crate::network::NetworkConfig;
use crate::schedule::Schedule;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// The complete configuration of a training run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TrainConfig {
    /// The method and its parameters.
    pub method: MethodConfig,
    /// Number of optimiser steps after which training ends.
    pub steps: u64,
    /// Steps at which the schedule restarts, in ascending order. The learning rate returns to its initial value and
    /// falls to zero by the next restart or the end. A training run that ended at a restart can be continued there (see
    /// [`TrainConfig::hash_at`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub restarts: Vec<u64>,
    /// Number of deals (hands, rounds or situations) per step.
    pub batch: usize,
    /// Initial step size of Adam. It falls to zero along half a cosine over all steps or until the next restart.
    pub learning_rate: f64,
    /// Maximum norm, to which larger gradients are scaled down.
    pub gradient_norm: f32,
    /// Decay per step of an exponential moving average of the weights, with which the agent plays, or 0 to play with
    /// the weights themselves. The average is usable at any step, even while the learning rate is still high.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ema: f64,
    /// Number of steps between two measurements of the agent.
    pub evaluate_every: u64,
    /// Number of steps between two checkpoints.
    pub checkpoint_every: u64,
    /// Size of the network.
    pub network: NetworkConfig,
}

impl TrainConfig {
    /// Creates a configuration with defaults suitable for a small game. Tasks have their own defaults.
    pub fn new(method: impl Into<MethodConfig>) -> TrainConfig {
        TrainConfig {
            method: method.into(),
            steps: 1000,
            restarts: vec![],
            batch: 2048,
            learning_rate: 3e-3,
            gradient_norm: 1.0,
            ema: 0.0,
            evaluate_every: 100,
            checkpoint_every: 1000,
            network: NetworkConfig { width: 32, layers: 2 },
        }
    }

    /// Completes a serialized configuration. `defaults` returns the configuration of a task for a method with default
    /// parameters. The method is given as a table, or as a name to use its default parameters. If omitted, it is
    /// all-action.
    ///
    /// # Errors
    /// Returns an error that names the key if a key or a value is invalid.
    pub fn with_overrides(
        defaults: impl Fn(MethodConfig) -> TrainConfig,
        overrides: &Map<String, Value>,
    ) -> Result<TrainConfig, String> {
        let name = match overrides.get("method") {
            None => MethodConfig::NAMES[0],
            Some(Value::String(name)) => name,
            Some(table) => {
                table.get("name").and_then(Value::as_str).ok_or("method: write its name, or a table with it")?
            }
        };
        let method = MethodConfig::from_name(name).ok_or_else(|| {
            let names = MethodConfig::NAMES.join(", ");
            format!("method: unknown name \"{name}\"; choose among {names}")
        })?;
        let defaults = defaults(method);
        let mut complete = serde_json::to_value(&defaults).expect("a configuration is plain data");
        // Some valid keys are not written at their defaults.
        complete["restarts"] = defaults.restarts.into();
        complete["ema"] = defaults.ema.into();
        for (key, value) in defaults.method.unwritten() {
            complete["method"][key] = value;
        }
        let feedback = overrides.get("feedback");
        for (key, value) in overrides.iter().filter(|(key, _)| *key != "feedback") {
            overlay(&mut complete, key, value, key).map_err(|error| explain(key, error))?;
            // One key at a time, so that the message names it.
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

    /// Checks the configuration.
    ///
    /// # Errors
    /// Returns an error that names the key and the remedy if a number is out of range.
    pub fn check(&self) -> Result<(), String> {
        check("steps", self.steps, [1, limits::MAX_STEPS])?;
        check("batch", self.batch, [1, limits::MAX_BATCH])?;
        check("evaluate-every", self.evaluate_every, [1, limits::MAX_STEPS])?;
        check("checkpoint-every", self.checkpoint_every, [1, limits::MAX_STEPS])?;
        check("network.width", self.network.width, [1, limits::MAX_WIDTH])?;
        check("network.layers", self.network.layers, [1, limits::MAX_LAYERS])?;
        check("learning-rate", self.learning_rate, [limits::MIN_LEARNING_RATE, limits::MAX_LEARNING_RATE])?;
        check("gradient-norm", self.gradient_norm, [limits::MIN_GRADIENT_NORM, limits::MAX_GRADIENT_NORM])?;
        check("ema", self.ema, [0.0, limits::MAX_EMA])?;
        if !self.restarts.iter().chain([&self.steps]).is_sorted_by(|a, b| a < b) || self.restarts.first() == Some(&0) {
            return Err(format!(
                "restarts = {:?}: write steps in ascending order, from 1 to below steps = {}",
                self.restarts, self.steps
            ));
        }
        self.method.check().map_err(|error| format!("method.{error}"))
    }

    /// Returns the schedule.
    pub fn schedule(&self) -> Schedule {
        Schedule { steps: self.steps, restarts: self.restarts.clone() }
    }

    /// Returns a hash of everything that determines the weights after `step` steps: the configuration without parts
    /// that take effect later, the seed and the task. A checkpoint matches a configuration if the hashes at its step
    /// are equal. A finished training run can therefore be continued by raising `steps` and adding a restart where it
    /// ended, with the same bytes as without the interruption.
    pub fn hash_at(&self, step: u64, seed: u64, task: &str) -> String {
        let Schedule { steps, restarts } = self.schedule().until(step);
        TrainConfig { steps, restarts, ..self.clone() }.hash(seed, task)
    }

    /// Returns a hash of everything that determines the final weights: this configuration, the seed and the task.
    pub fn hash(&self, seed: u64, task: &str) -> String {
        let json = serde_json::to_string(&(self, seed, task)).expect("a configuration is plain data");
        Sha256::digest(json)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Replaces the value of a key in a table. Tables are merged, unless their `name` changes. A string in place of a table
/// with a `name` is that name.
fn overlay(table: &mut Value, key: &str, value: &Value, path: &str) -> Result<(), String> {
    let keys = table.as_object().map(|table| table.keys().cloned().collect::<Vec<_>>()).unwrap_or_default();
    let Some(old) = table.get_mut(key) else {
        return Err(format!("unknown key {path}; choose among {}", keys.join(", ")));
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

/// Explains where to write a key that belongs in the table of a method.
fn explain(key: &str, error: String) -> String {
    let owner = MethodConfig::NAMES.iter().find(|name| {
        let method = MethodConfig::from_name(name).and_then(|method| serde_json::to_value(method).ok());
        method.is_some_and(|method| method.get(key).is_some())
    });
    match owner {
        Some(name) => format!("{key} belongs to a method: write method = {{ name = \"{name}\", {key} = ... }}"),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::{AllAction, PolicyGradient, RegressionLoss};

    #[test]
    fn a_configuration_is_checked() {
        assert_eq!(TrainConfig::new(AllAction::default()).check(), Ok(()));
        let broken = |change: fn(&mut TrainConfig)| {
            let mut config = TrainConfig::new(PolicyGradient::default());
            change(&mut config);
            config.check().unwrap_err()
        };
        assert!(broken(|c| c.steps = 0).contains("steps = 0"));
        assert!(broken(|c| c.batch = 0).contains("batch = 0"));
        assert!(broken(|c| c.network.layers = 0).contains("network.layers = 0: write 1 to 64"));
        assert!(broken(|c| c.learning_rate = f64::NAN).contains("learning-rate"));
        assert!(broken(|c| c.gradient_norm = -1.0).contains("gradient-norm"));
        assert!(
            broken(|c| c.method = PolicyGradient { entropy: -0.1, exploration: 0.0 }.into())
                .contains("method.entropy = -0.1")
        );
        for (change, part) in [
            ((|c| c.learning_rate = 1e30) as fn(&mut TrainConfig), "write 0.000000001 to 1"),
            (|c| c.learning_rate = 1e-300, "learning-rate"),
            (|c| c.steps = u64::MAX, "steps = 18446744073709551615: write 1 to 1000000000"),
            (|c| c.batch = usize::MAX, "write 1 to 1048576"),
            (|c| c.network.width = usize::MAX, "write 1 to 8192"),
            (|c| c.network.layers = 1 << 40, "write 1 to 64"),
            (|c| c.method = AllAction { reward_samples: 1 << 40, ..AllAction::default() }.into(), "write 1 to 10000"),
            (
                |c| c.method = PolicyGradient { exploration: 1.0, ..Default::default() }.into(),
                "method.exploration = 1:",
            ),
            (|c| c.ema = 1.0, "ema = 1: write 0 to 0.999999"),
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
        // The schedule differs from the first step on.
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

    /// Returns the defaults of a task whose regressions average over more samples.
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
        assert_eq!(config.method, PolicyGradient { entropy: 1.0, exploration: 0.0 }.into());
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

    /// The hash is computed from this text.
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
        assert_ne!(text(&format!(r#"{{"method": {}}}"#, method.replace("\": 0", "\": 0.5"))), plain);
    }

    #[test]
    fn a_named_feedback_is_that_of_the_method() {
        for json in [
            r#"{"feedback": "re-dealing"}"#,
            r#"{"feedback": "full information", "method": {"name": "all-action", "reward-samples": 1}}"#,
            r#"{"feedback": "bandit", "method": "policy-gradient"}"#,
        ] {
            parse(json).unwrap();
        }
        let error = parse(r#"{"feedback": "bandit"}"#).unwrap_err();
        assert_eq!(error, r#"feedback = "bandit": all-action with these parameters learns from "re-dealing""#);
    }

    #[test]
    fn mistakes_are_named() {
        for (json, part) in [
            (r#"{"batch-hands": 5}"#, "unknown key batch-hands; choose among batch, "),
            (r#"{"entropy": 0.1}"#, r#"write method = { name = "policy-gradient", entropy = ... }"#),
            (r#"{"method": {"name": "all-action", "entropy": 0.1}}"#, "unknown key method.entropy"),
            (r#"{"method": {"entropy": 0.1}}"#, "method: write its name"),
            (r#"{"method": "magic"}"#, "choose among all-action, policy-gradient"),
            (r#"{"network": {"widht": 5}}"#, "unknown key network.widht; choose among layers, width"),
            (r#"{"steps": "many"}"#, "steps: invalid type"),
            (r#"{"method": {"name": "all-action", "loss": "absolute"}}"#, "unknown variant `absolute`"),
        ] {
            let error = parse(json).unwrap_err();
            assert!(error.contains(part), "{json}: {error}");
        }
    }
}
