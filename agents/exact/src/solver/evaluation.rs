//! The configuration and results of evaluations.

use super::{SolverError, invalid};
use crate::Ratio;
use crate::answer::{Axis, Bar, BarChart, Figure, Section, TextTable};
use crate::format::percent;
use crate::store::PassStore;
use houseway_env::gym::{EVALUATION, Policy, stream_in};
use rand_pcg::Pcg64;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The half-width of a 95% confidence interval, in standard errors.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The metric for the standard error of the regret, which evaluators report if they measure policies on a sample.
pub const REGRET_ERROR: &str = "regret_error";

/// The key of a stochastic policy's EV and regret in the details of a score.
pub const STOCHASTIC: &str = "stochastic";

/// The unit used for EVs and regrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StakeUnit {
    /// The name in the singular, such as "ante", "chip" or "stake".
    pub name: &'static str,
    /// `true` if tables and charts show amounts as percentages.
    pub percent: bool,
}

impl StakeUnit {
    /// Formats an amount without its sign.
    pub fn amount(self, amount: f64) -> String {
        if self.percent { percent(amount, 4) } else { format!("{amount:.6}") }
    }
}

/// The choice of hands for evaluating policies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// All hands, with exact results.
    #[default]
    Whole,
    /// A fixed sample of hands with exact values. Results have confidence intervals.
    Sample,
}

/// A fixed sample of hands or boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleConfig {
    /// The number of items.
    pub size: usize,
    /// The seed. Its stream is only used to deal evaluation samples.
    pub seed: u64,
}

impl SampleConfig {
    /// The default seed.
    pub const DEFAULT_SEED: u64 = 20_261_121;
    /// The minimum size.
    pub const MIN_SIZE: usize = 100;
    /// The maximum size.
    pub const MAX_SIZE: usize = 1_000_000;

    /// Returns the random stream that deals the sample. Training never uses it, even with the same seed.
    pub fn stream(self) -> Pcg64 {
        stream_in(EVALUATION, self.seed.into())
    }
}

/// The configuration of an [`Evaluator`](super::Evaluator).
#[derive(Clone, Debug, Default)]
pub struct EvaluatorConfig {
    /// The reset options for the environment that the policies play in. Missing options have their default value.
    pub reset_options: Map<String, Value>,
    /// The sample, for games that support one. `None` uses the default sample.
    pub sample: Option<SampleConfig>,
    /// The store where the sample's exact values are kept for later evaluations.
    pub store: PassStore,
    /// `true` to compute how much best responses gain against each policy, if the solver
    /// [supports](super::Solver::has_exploitability) it. Other solvers ignore this.
    pub exploitability: bool,
}

/// A policy to be evaluated.
#[derive(Clone, Copy)]
pub struct Entrant<'a> {
    /// The policy.
    pub policy: &'a dyn Policy,
    /// `true` if the policy is included in charts that have many bars per policy.
    pub in_detail: bool,
}

impl EvaluatorConfig {
    /// Returns the reset options for an environment.
    ///
    /// # Errors
    /// Returns an error if an option is unknown or has an invalid value.
    pub fn reset_options<O: DeserializeOwned>(&self) -> Result<O, SolverError> {
        let options = serde_json::from_value(Value::Object(self.reset_options.clone()));
        options.map_err(|error| invalid!("invalid environment options: {error}"))
    }

    /// Returns the configured sample, or the default one if there is none.
    ///
    /// # Errors
    /// Returns an error if the sample is smaller than [`SampleConfig::MIN_SIZE`].
    pub fn sample(&self, default_size: usize) -> Result<SampleConfig, SolverError> {
        let sample = self.sample.unwrap_or(SampleConfig { size: default_size, seed: SampleConfig::DEFAULT_SEED });
        match sample.size {
            SampleConfig::MIN_SIZE.. => Ok(sample),
            size => Err(invalid!("invalid sample size {size}: must be at least {}", SampleConfig::MIN_SIZE)),
        }
    }

    /// Checks that the configuration has no reset options. Games whose results don't depend on them use this.
    pub(crate) fn check_no_reset_options(&self) -> Result<(), SolverError> {
        match self.reset_options.is_empty() {
            true => Ok(()),
            false => Err(SolverError::invalid("policies are evaluated per unit staked; remove the reset options")),
        }
    }

    /// Checks that the configuration has no sample. Games that are always evaluated on all hands use this.
    pub(crate) fn check_no_sample(&self) -> Result<(), SolverError> {
        match self.sample {
            Some(_) => Err(SolverError::invalid(
                "this game is always evaluated on all hands; leave out --exact sample and the table [sample]",
            )),
            None => Ok(()),
        }
    }
}

/// The exact evaluation of a policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyScore {
    /// The policy's name.
    pub name: String,
    /// The EV of a round, in units of the stake.
    pub ev: f64,
    /// The EV of the optimum minus the policy's EV.
    pub regret: f64,
    /// The 95% confidence interval of the regret, or `None` if the regret is exact.
    pub regret_ci: Option<[f64; 2]>,
    /// The fraction of decisions that are as good as the optimal ones.
    pub agreement: f64,
    /// Additional values that depend on the game.
    #[serde(flatten)]
    pub details: Map<String, Value>,
}

/// The evaluation of some policies, the baselines and the optimum.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The hands used for the evaluation.
    pub scope: Scope,
    /// The scores of the baselines, then of the policies in the given order, and finally of the optimum.
    pub scores: Vec<PolicyScore>,
    /// Additional results for the JSON document.
    pub details: Map<String, Value>,
    /// A summary of the game, its rules and the evaluation method.
    pub preface: String,
    /// A table that compares all policies.
    pub comparison: TextTable,
    /// Charts that compare the policies.
    pub plots: Vec<Figure>,
    /// The report sections that follow the comparison.
    pub sections: Vec<Section>,
}

impl PolicyScore {
    /// The key of the exact EV in the details, which is a list with the numerator and the denominator as strings.
    pub const EXACT_EV: &'static str = "exact_ev";

    /// Adds the EV as a ratio of integers.
    pub fn with_exact_ev(mut self, ev: Ratio) -> PolicyScore {
        let parts = json!([ev.numerator().to_string(), ev.denominator().to_string()]);
        self.details.insert(PolicyScore::EXACT_EV.to_owned(), parts);
        self
    }

    /// Adds the EV of the stochastic policy to the score of its greedy choices.
    pub fn with_stochastic_ev(mut self, ev: Option<f64>) -> PolicyScore {
        let optimum = self.ev + self.regret;
        let details = ev.map(|ev| json!({ "ev": ev, "regret": optimum - ev }));
        self.details.extend(details.map(|details| (STOCHASTIC.to_owned(), details)));
        self
    }

    /// Returns the standard error of the regret, or `None` if the regret is exact.
    pub fn regret_error(&self) -> Option<f64> {
        self.regret_ci.map(|[low, high]| (high - low) / (2.0 * Z95))
    }
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

/// The baselines of a game, measured on the hands that [`Evaluator::measure`](super::Evaluator::measure) uses. Learning
/// curves may only be compared with scores on these hands.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredBaselines {
    /// A remark about the hands and the accuracy of the regret, for use in charts.
    pub note: String,
    /// The scores, without that of the optimum.
    pub scores: Vec<PolicyScore>,
}

/// The limits of the 95% confidence interval for the mean of a Poisson distribution, by the number of events
/// (F. Garwood, "Fiducial limits for the Poisson distribution", Biometrika 28, 1936).
pub(crate) const RARE: [[f64; 2]; 10] = [
    [0.0, 3.689],
    [0.025, 5.572],
    [0.242, 7.225],
    [0.619, 8.767],
    [1.090, 10.242],
    [1.623, 11.668],
    [2.202, 13.059],
    [2.814, 14.423],
    [3.454, 15.763],
    [4.115, 17.085],
];

/// Returns the 95% confidence interval for the mean of losses, none of which is negative or exceeds `max`. If there are
/// fewer than ten losses, a normal approximation would be too narrow, so the limits are those of the number of losses
/// times the smallest one and `max`.
pub fn loss_interval(losses: &[f64], max: f64) -> [f64; 2] {
    let n = losses.len() as f64;
    let positive = || losses.iter().copied().filter(|&loss| loss > 0.0);
    if let Some([fewest, greatest]) = RARE.get(positive().count()) {
        let smallest = positive().reduce(f64::min).unwrap_or(0.0);
        return [fewest * smallest / n, greatest * max / n];
    }
    let (mean, half) = mean_with_half_width(losses);
    [(mean - half).max(0.0), mean + half]
}

/// Returns the mean of a sample, and half the width of its 95% confidence interval.
pub(crate) fn mean_with_half_width(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, Z95 * (variance / n).sqrt())
}

/// Returns the score of choosing one of several policies uniformly at random, with the given details.
pub fn mean_score(name: &str, scores: &[PolicyScore], details: Map<String, Value>) -> PolicyScore {
    let mean = |value: fn(&PolicyScore) -> f64| scores.iter().map(value).sum::<f64>() / scores.len() as f64;
    PolicyScore {
        name: name.to_owned(),
        ev: mean(|score| score.ev),
        regret: mean(|score| score.regret),
        regret_ci: None,
        agreement: mean(|score| score.agreement),
        details,
    }
}

/// Returns the standard comparison table, which has the EV, the regret, its interval if it was measured on a sample, the
/// agreement, and the detail `plays`, a description of how the policy plays.
pub fn comparison(scores: &[PolicyScore], unit: StakeUnit) -> TextTable {
    let regret = if unit.percent { "regret".to_owned() } else { format!("regret, {}s", unit.name) };
    let is_sample = scores.iter().any(|score| score.regret_ci.is_some());
    let has_plays = scores.iter().any(|score| score.details.contains_key("plays"));
    let mut header = vec!["agent", "EV", &regret];
    header.extend(is_sample.then_some("95% interval"));
    header.push("agrees");
    let numbers = 1..header.len();
    header.extend(has_plays.then_some("plays"));
    let mut table = numbers.fold(TextTable::new(header), TextTable::right);
    for score in scores {
        let mut row = vec![score.name.clone()];
        row.push(if unit.percent { percent(score.ev, 3) } else { format!("{:+.6}", score.ev) });
        row.push(unit.amount(score.regret));
        if is_sample {
            let interval = score.regret_ci.map(|ci| ci.map(|end| unit.amount(end)).join(" to "));
            row.push(interval.unwrap_or_else(|| "exact".to_owned()));
        }
        row.push(percent(score.agreement, if unit.percent { 1 } else { 2 }));
        if has_plays {
            row.push(score.details.get("plays").and_then(Value::as_str).unwrap_or_default().to_owned());
        }
        table = table.row(row);
    }
    table
}

/// Returns the report section that compares greedy and stochastic play, or `None` if no policy is stochastic. Amounts
/// are formatted by `format`.
///
/// The score of a policy that computes probabilities is that of its greedy choices. The EV of choosing at random with
/// these probabilities is reported beside it.
pub fn stochastic_section<'a>(
    scores: impl IntoIterator<Item = &'a PolicyScore>,
    format: impl Fn(f64) -> String,
) -> Option<Section> {
    let regret = |score: &PolicyScore| score.details.get(STOCHASTIC)?.get("regret").and_then(Value::as_f64);
    let rows: Vec<(&PolicyScore, f64)> = scores.into_iter().filter_map(|score| Some((score, regret(score)?))).collect();
    let is_sampled = rows.first()?.0.regret_ci.is_some();
    let table = TextTable::new(["agent", "greedy regret", "stochastic regret"]).right_from(1);
    let table = rows
        .into_iter()
        .fold(table, |table, (score, regret)| table.row([score.name.clone(), format(score.regret), format(regret)]));
    let text = format!(
        "Some agents learn the probabilities of actions. All other results are those of their greedy policies, \
         which always take the most probable action. The stochastic policy takes every action with its probability, \
         without the exploration used in training. Its EV is computed from the probabilities \
         and not by drawing actions, so it is exact{}, apart from rounding each probability to a multiple of \
         1/1,048,576.",
        if is_sampled { " for the sample" } else { "" }
    );
    Some(Section::new("Greedy and stochastic play").text(text).table(table))
}

/// Returns the standard EV chart.
pub fn ev_plot(scores: &[PolicyScore], unit: StakeUnit, note: &str) -> Figure {
    let names = scores.iter().map(|score| score.name.clone()).collect();
    // Games without a solver play sampled rounds.
    let bar = |score: &PolicyScore| match score.details.get("standard_error").and_then(Value::as_f64) {
        Some(error) => Bar::between(score.ev, score.ev - Z95 * error, score.ev + Z95 * error),
        None => Bar::from(score.ev),
    };
    let values = scores.iter().map(bar).collect();
    let axis = Axis::new(format!("EV of a round, in {}s", unit.name));
    Figure::new("Expected value by agent", BarChart::new(axis, names).with("EV", values).places(5))
        .note(note)
        .named("ev-by-agent", "EV of each agent")
}

/// Checks that a policy reads one of the given encodings.
///
/// # Errors
/// Returns [`SolverError::Invalid`] if the policy reads another encoding.
pub fn check_encoding(policy: &dyn Policy, encodings: &[&str]) -> Result<(), SolverError> {
    match encodings.contains(&policy.encoding()) {
        true => Ok(()),
        false => Err(invalid!(
            "the policy {} reads the encoding '{}', but exact evaluation needs {}; in a configuration, that is the key \
             `observation`, which can be left out",
            policy.name(),
            policy.encoding(),
            encodings.join(" or "),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_losses_have_an_interval() {
        // No loss among 3,689 allows one loss in 1,000 of the greatest size.
        assert_eq!(loss_interval(&[0.0; 3_689], 2.0), [0.0, 0.002]);
        let mut losses = vec![0.0; 1_000];
        losses[..2].copy_from_slice(&[0.5, 1.0]);
        assert_eq!(loss_interval(&losses, 2.0), [0.242 * 0.5 / 1_000.0, 7.225 * 2.0 / 1_000.0]);
        // With many losses, the interval is that of a normal distribution.
        let losses: Vec<f64> = (0..100).map(|i| f64::from(i % 2)).collect();
        let half = Z95 * (25.0 / 99.0 / 100.0_f64).sqrt();
        let [low, high] = loss_interval(&losses, 2.0);
        assert!((low - (0.5 - half)).abs() < 1e-12 && (high - (0.5 + half)).abs() < 1e-12);
    }
}
