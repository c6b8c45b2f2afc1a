//! Configuration and results of evaluations.

use super::error::SolverError;
use crate::answer::{Axis, Bar, BarChart, Plot, Section, TextTable};
use houseway_env::gym::Policy;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Unit of EVs and regrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StakeUnit {
    /// Singular: "ante", "chip", "stake".
    pub name: &'static str,
    /// Shown as a percentage in tables and charts.
    pub percent: bool,
}

/// Hands on which policies are evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// All of them: the results are exact.
    #[default]
    Whole,
    /// A sample with exact values, dealt once: the results have confidence intervals.
    Sample,
}

/// A fixed sample of hands or boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleConfig {
    /// Number of its items.
    pub size: usize,
    /// Seed by which it is dealt; nothing else uses it.
    pub seed: u64,
}

impl SampleConfig {
    /// Seed by default.
    pub const DEFAULT_SEED: u64 = 20_261_121;
    /// Smallest size.
    pub const MIN_SIZE: usize = 100;
    /// Largest size.
    pub const MAX_SIZE: usize = 1_000_000;
}

/// Configuration of an [`Evaluator`](super::Evaluator).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EvaluatorConfig {
    /// Reset options of the environment in which the policies play; missing ones have their default.
    pub reset_options: Map<String, Value>,
    /// The sample of games that have one; `None` for the default one.
    pub sample: Option<SampleConfig>,
    /// Folder that keeps the exact values of the sample for later evaluations.
    pub cache: Option<PathBuf>,
}

/// A policy to be evaluated.
#[derive(Clone, Copy)]
pub struct Entrant<'a> {
    /// The policy.
    pub policy: &'a dyn Policy,
    /// Shown in charts with many bars per policy.
    pub in_detail: bool,
}

impl EvaluatorConfig {
    /// Returns the reset options of an environment.
    ///
    /// # Errors
    /// If one is unknown or has an invalid value.
    pub fn reset_options<O: DeserializeOwned>(&self) -> Result<O, SolverError> {
        let options = serde_json::from_value(Value::Object(self.reset_options.clone()));
        options.map_err(|error| SolverError::Invalid(format!("invalid options of the environment: {error}")))
    }

    /// Returns the sample, or the default one of the solver.
    ///
    /// # Errors
    /// If it is too small.
    pub fn sample(&self, default_size: usize) -> Result<SampleConfig, SolverError> {
        let sample = self.sample.unwrap_or(SampleConfig { size: default_size, seed: SampleConfig::DEFAULT_SEED });
        match sample.size {
            SampleConfig::MIN_SIZE.. => Ok(sample),
            size => Err(SolverError::Invalid(format!(
                "a sample of {size} is too small: write {} or more",
                SampleConfig::MIN_SIZE
            ))),
        }
    }

    /// Refuses a sample, for games that are always evaluated on all hands.
    ///
    /// # Errors
    /// If there is one.
    pub fn check_no_sample(&self) -> Result<(), SolverError> {
        match self.sample {
            Some(_) => Err(SolverError::invalid("a sample is not needed: this game is evaluated on all hands")),
            None => Ok(()),
        }
    }
}

/// Refuses a sample, for games that are always evaluated on all hands.
///
/// # Errors
/// If the scope is a sample.
pub fn check_whole(scope: Scope) -> Result<(), SolverError> {
    match scope {
        Scope::Whole => Ok(()),
        Scope::Sample => Err(SolverError::invalid("a sample is not needed: this game is evaluated on all hands")),
    }
}

/// Exact evaluation of a policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyScore {
    /// Name of the policy.
    pub name: String,
    /// EV of a round, in units of the stake.
    pub ev: f64,
    /// EV of the optimum less that of the policy.
    pub regret: f64,
    /// 95% confidence interval of the regret; none if it is exact.
    pub regret_ci: Option<[f64; 2]>,
    /// Fraction of decisions that are as good as the optimum's.
    pub agreement: f64,
    /// Further values of the game.
    #[serde(flatten)]
    pub details: Map<String, Value>,
    /// Shown in learning curves for comparison.
    #[serde(skip)]
    pub is_reference: bool,
}

/// Evaluation of policies, baselines and the optimum.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The hands.
    pub scope: Scope,
    /// The baselines, the policies in the order given, the optimum last.
    pub scores: Vec<PolicyScore>,
    /// Further results for the JSON document.
    pub details: Map<String, Value>,
    /// Summary of the game, its rules and the method of evaluation.
    pub preface: String,
    /// All policies side by side.
    pub comparison: TextTable,
    /// Charts of the comparison.
    pub plots: Vec<Plot>,
    /// Remark on the accuracy of the regret, for charts.
    pub note: String,
    /// Sections of a report that follow the comparison.
    pub sections: Vec<Section>,
}

impl Evaluation {
    /// Returns the results as JSON.
    pub fn json(&self, game: &str) -> Value {
        let mut json = Map::from_iter([
            ("scope".to_owned(), json!(self.scope)),
            ("game".to_owned(), json!(game)),
            ("agents".to_owned(), json!(self.scores)),
        ]);
        json.extend(self.details.clone());
        Value::Object(json)
    }
}

/// Returns the score of choosing one of several policies uniformly at random, each with its own weight of one. The
/// details are those given.
pub fn mean_score(name: &str, scores: &[PolicyScore], details: Map<String, Value>) -> PolicyScore {
    let mean = |value: fn(&PolicyScore) -> f64| scores.iter().map(value).sum::<f64>() / scores.len() as f64;
    PolicyScore {
        name: name.to_owned(),
        ev: mean(|score| score.ev),
        regret: mean(|score| score.regret),
        regret_ci: None,
        agreement: mean(|score| score.agreement),
        details,
        is_reference: true,
    }
}

/// Returns the usual comparison: EV, regret, agreement, and the detail `plays`, the behaviour of a policy in words.
pub fn comparison(scores: &[PolicyScore], unit: StakeUnit) -> TextTable {
    let regret = format!("regret, {}s", unit.name);
    let mut table = TextTable::new(["agent", "EV", &regret, "agrees", "plays"]).right(1).right(2).right(3);
    for score in scores {
        table = table.row([
            score.name.as_str(),
            &format!("{:+.6}", score.ev),
            &format!("{:.6}", score.regret),
            &format!("{:.2}%", 100.0 * score.agreement),
            score.details.get("plays").and_then(Value::as_str).unwrap_or_default(),
        ]);
    }
    table
}

/// Returns the usual chart of EVs.
pub fn ev_plot(scores: &[PolicyScore], unit: StakeUnit, note: &str) -> Plot {
    let names = scores.iter().map(|score| score.name.clone()).collect();
    let values = scores.iter().map(|score| Bar::from(score.ev)).collect();
    let axis = Axis::new(format!("EV of a round, in {}s", unit.name));
    Plot {
        name: "ev-by-agent",
        alt: "EV of each agent",
        title: "Expected value by agent".to_owned(),
        note: note.to_owned(),
        chart: BarChart::new(axis, names).with("EV", values).places(5).into(),
    }
}

/// Checks that a policy reads an encoding.
///
/// # Errors
/// [`SolverError::Invalid`] if it reads another one.
pub fn check_encoding(policy: &dyn Policy, encodings: &[&str]) -> Result<(), SolverError> {
    match encodings.contains(&policy.encoding()) {
        true => Ok(()),
        false => Err(SolverError::Invalid(format!(
            "the policy {} reads the encoding '{}', but exact evaluation needs {}",
            policy.name(),
            policy.encoding(),
            encodings.join(" or "),
        ))),
    }
}
