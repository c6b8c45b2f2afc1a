//! Statistics over several runs of stochastic methods, following Agarwal et al., *Deep Reinforcement Learning at the
//! Edge of the Statistical Precipice* (NeurIPS 2021, arXiv:2108.13264).
//!
//! Each method has several runs (seeds) on each task. A score is a regret, so lower is better. Intervals are about the
//! seeds; a regret that was evaluated on a sample has an error of its own, which they don't contain.
//!
//! - [`interquartile_mean`] is the mean of the middle half of a method's scores, pooled over all tasks.
//! - [`Bootstrap`] computes 95% percentile intervals with a stratified bootstrap, which resamples runs within each
//!   task.
//! - [`probability_of_improvement`] is the probability that a run of one method has a lower regret than a run of
//!   another on the same task, averaged over the tasks. Ties count as one half.
//! - [`profile`] is the fraction of runs that don't exceed a given regret, averaged over the tasks.
//!
//! A [`Comparison`] computes all of these for the runs in several folders. A [`MeanTest`] tests a mean after every
//! observation.

mod sequential;

use crate::run::{CONFIG, PROVENANCE, RESULTS, notice, read_result, split_agent_name};
use anyhow::{Context, bail};
use houseway_env::gym::stream;
use houseway_env::registry;
use rand::RngExt;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

pub use sequential::MeanTest;

/// A game with specific rules and opponents, used as a benchmark for methods.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StatsTask {
    pub game: String,
    pub environment_hash: String,
    /// The hands that the agents were evaluated on, `whole` or `sample`.
    pub scope: String,
    /// The reset options as JSON. Options that aren't listed have their default value.
    pub options: String,
}

impl std::fmt::Display for StatsTask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} with environment {}, scope {}", self.game, self.environment_hash, self.scope)?;
        match &*self.options {
            "{}" => Ok(()),
            options => write!(f, " and options {options}"),
        }
    }
}

/// The regrets by method, task, and seed.
pub type RunScores = BTreeMap<String, BTreeMap<StatsTask, BTreeMap<u64, f64>>>;

#[derive(Deserialize)]
struct Agent {
    name: String,
    regret: Option<f64>,
}

/// Returns the reset options in a run's configuration that differ from the game's defaults under the run's rules.
fn options(game: &str, config: &str) -> anyhow::Result<String> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Config {
        options: Map<String, Value>,
        rules: Map<String, Value>,
    }
    let Config { mut options, rules } = toml::from_str(config)?;
    // The run may be of a game or of rules that this program doesn't know.
    let env = registry::find(game).ok().and_then(|game| (game.make)(&json!({ "rules": rules }).to_string()).ok());
    if let Some(env) = env {
        let defaults: Map<String, Value> = serde_json::from_str(&env.default_options())?;
        options.retain(|option, value| defaults.get(option) != Some(value));
    }
    Ok(Value::Object(options).to_string())
}

/// Reads the results from the folders of evaluated runs. Runs of the same game with the same rules, opponents, options and
/// scope form one task.
pub fn read_scores(folders: &[PathBuf]) -> anyhow::Result<RunScores> {
    let (mut scores, mut trainings) = (RunScores::default(), Trainings::default());
    for folder in folders {
        add(&mut scores, &mut trainings, folder).with_context(|| folder.display().to_string())?;
    }
    let different = trainings.iter().filter(|(_, configs)| configs.len() > 1);
    for method in different.map(|((method, _), _)| method).collect::<BTreeSet<_>>() {
        notice(&format!(
            "{method} was trained with different configurations in these runs, which are pooled as one method"
        ));
    }
    Ok(scores)
}

/// The distinct configurations of each method on each task.
type Trainings = BTreeMap<(String, StatsTask), Vec<toml::Table>>;

/// Returns the training configuration of a method, without what doesn't affect any weights.
fn training(config: &toml::Table, method: &str) -> toml::Table {
    let of_kind = |kind: &str| config.get(kind)?.get(method)?.as_table().cloned();
    let mut table = of_kind("train").or_else(|| of_kind("trees")).unwrap_or_default();
    for key in ["note", "evaluate-every", "checkpoint-every"] {
        table.remove(key);
    }
    table
}

fn add(scores: &mut RunScores, trainings: &mut Trainings, folder: &Path) -> anyhow::Result<()> {
    let read = |file: &str| -> anyhow::Result<Value> {
        let text = read_result(folder, file).or_else(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                bail!("it is not the folder of an evaluated run (no {file}); create one with houseway bench")
            }
            _ => Err(error.into()),
        })?;
        serde_json::from_str(&text).with_context(|| file.to_owned())
    };
    let results = read(RESULTS)?;
    let provenance = read(PROVENANCE)?;
    // Earlier versions only have the second one, which covers the same.
    let hashes = [&provenance["environment_hash"], &provenance["rules_hash"]];
    let config = read_result(folder, CONFIG).context(CONFIG)?;
    let agents: Vec<Agent> = match (&results["agents"], &results["game"]) {
        (agents @ Value::Array(_), Value::String(_)) => Vec::deserialize(agents).context(RESULTS)?,
        _ => bail!("its results do not contain trained agents with a regret; the runs of a sweep are in points/"),
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let task = StatsTask {
        game: text(&results["game"]),
        environment_hash: hashes.into_iter().find_map(Value::as_str).unwrap_or_default().to_owned(),
        scope: text(&results["scope"]),
        options: options(&text(&results["game"]), &config).context(CONFIG)?,
    };
    let config: toml::Table = toml::from_str(&config).context(CONFIG)?;
    let mut found = false;
    for Agent { name, regret } in &agents {
        let Some((method, seed)) = split_agent_name(name) else { continue };
        let Some(regret) = *regret else { bail!("{name} has no regret: the optimum of the game is unknown") };
        let runs = scores.entry(method.to_owned()).or_default().entry(task.clone()).or_default();
        if runs.insert(seed, regret).is_some() {
            bail!("{name} also appears in another run; pass each run once or rename its training runs");
        }
        let (configs, own) =
            (trainings.entry((method.to_owned(), task.clone())).or_default(), training(&config, method));
        if !configs.contains(&own) {
            configs.push(own);
        }
        found = true;
    }
    if found { Ok(()) } else { bail!("it has no trained agents") }
}

pub fn tasks(scores: &RunScores) -> anyhow::Result<Vec<StatsTask>> {
    let mut tasks: Vec<StatsTask> = scores.values().flat_map(|tasks| tasks.keys().cloned()).collect();
    tasks.sort();
    tasks.dedup();
    for (method, own) in scores {
        if let Some(missing) = tasks.iter().find(|task| !own.contains_key(task)) {
            bail!("{method} has no run on {missing}; compare methods on the same tasks");
        }
        let counts: Vec<usize> = own.values().map(BTreeMap::len).collect();
        if counts.iter().any(|count| *count != counts[0]) {
            bail!("{method} has {counts:?} runs on the tasks; use the same number of seeds for each task");
        }
    }
    Ok(tasks)
}

pub type Tasks = Vec<Vec<f64>>;

/// Returns the mean of the scores without the lowest and the highest quarter. The size of a quarter is rounded down.
/// Returns NaN if there are no scores.
pub fn interquartile_mean(tasks: &[Vec<f64>]) -> f64 {
    let mut scores: Vec<f64> = tasks.iter().flatten().copied().collect();
    scores.sort_by(f64::total_cmp);
    let cut = scores.len() / 4;
    mean(&scores[cut..scores.len() - cut])
}

/// Returns the probability that a run of `a` has a lower score than a run of `b` on the same task, averaged over the
/// tasks. Ties count as one half.
pub fn probability_of_improvement(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    assert_eq!(a.len(), b.len(), "methods are compared on the same tasks");
    let points = |a: f64, b: f64| if a < b { 1.0 } else { f64::from(u8::from(a == b)) / 2.0 };
    let of_task = |(a, b): (&Vec<f64>, &Vec<f64>)| {
        let sum: f64 = a.iter().flat_map(|&a| b.iter().map(move |&b| points(a, b))).sum();
        sum / (a.len() * b.len()) as f64
    };
    mean(&a.iter().zip(b).map(of_task).collect::<Vec<_>>())
}

/// Returns the fraction of runs that don't exceed a score, averaged over the tasks.
pub fn profile(tasks: &[Vec<f64>], score: f64) -> f64 {
    let below = |runs: &Vec<f64>| runs.iter().filter(|&&run| run <= score).count() as f64 / runs.len() as f64;
    mean(&tasks.iter().map(below).collect::<Vec<_>>())
}

pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bootstrap {
    pub samples: usize,
    pub seed: u64,
}

impl Bootstrap {
    /// Returns the 95% interval of a statistic, from the 2.5th to the 97.5th percentile, when each task's runs are
    /// resampled with replacement. Returns `None` if a task has only one run.
    pub fn interval(&self, tasks: &[Vec<f64>], statistic: impl Fn(&[Vec<f64>]) -> f64) -> Option<[f64; 2]> {
        self.all(tasks, |tasks| vec![statistic(tasks)])?.pop()
    }

    /// Returns the intervals of several statistics, computed on the same resamples.
    pub fn all(&self, tasks: &[Vec<f64>], statistics: impl Fn(&[Vec<f64>]) -> Vec<f64>) -> Option<Vec<[f64; 2]>> {
        if tasks.iter().any(|runs| runs.len() < 2) {
            return None;
        }
        let (mut rng, mut drawn) = (stream(self.seed.into()), tasks.to_vec());
        let mut values: Vec<Vec<f64>> = vec![];
        for _ in 0..self.samples {
            for (drawn, runs) in drawn.iter_mut().zip(tasks) {
                drawn.iter_mut().for_each(|score| *score = runs[rng.random_range(0..runs.len())]);
            }
            let statistics = statistics(&drawn);
            values.resize_with(statistics.len(), Vec::new);
            values.iter_mut().zip(statistics).for_each(|(values, value)| values.push(value));
        }
        let interval = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            [0.025, 0.975].map(|part| quantile(&values, part))
        };
        Some(values.into_iter().map(interval).collect())
    }
}

fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = part * (sorted.len() - 1) as f64;
    let (low, rest) = (place.floor() as usize, place.fract());
    let high = (low + 1).min(sorted.len() - 1);
    sorted[low] + rest * (sorted[high] - sorted[low])
}

const PROFILE_POINTS: usize = 101;

#[derive(Clone, Debug, PartialEq)]
pub struct MethodSummary {
    pub name: String,
    /// The regrets by task and run. The runs are in seed order.
    pub scores: Tasks,
    pub iqm: f64,
    /// The 95% interval of the interquartile mean, or `None` if there is a single run.
    pub ci: Option<[f64; 2]>,
    /// The fraction of runs at or below each regret in [`Comparison::regrets`].
    pub profile: Vec<f64>,
    /// The 95% intervals of the profile, or `None` if there is a single run.
    pub profile_ci: Option<Vec<[f64; 2]>>,
}

impl MethodSummary {
    pub fn runs(&self) -> usize {
        self.scores.first().map_or(0, Vec::len)
    }

    /// Returns a matrix of values that depend on the regrets, with a row per run and a column per task.
    fn rows(&self, value: impl Fn(f64) -> f64) -> Value {
        let run = |run: usize| -> Value { self.scores.iter().map(|task| json!(value(task[run]))).collect() };
        (0..self.runs()).map(run).collect()
    }

    pub fn range(&self) -> [f64; 2] {
        let all = || self.scores.iter().flatten().copied();
        [all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max)]
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Improvement {
    pub method: String,
    pub over: String,
    /// The probability that a run with the method has a lower regret.
    pub probability: f64,
    /// The 95% interval of the probability, or `None` if there is a single run.
    pub ci: Option<[f64; 2]>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    pub tasks: Vec<StatsTask>,
    /// The methods, in ascending order of interquartile mean.
    pub methods: Vec<MethodSummary>,
    /// All pairs of methods. Within a pair, the method with the lower interquartile mean comes first.
    pub improvements: Vec<Improvement>,
    /// The regrets at which to compute profiles, in ascending order.
    pub regrets: Vec<f64>,
}

impl Comparison {
    pub fn new(scores: &RunScores, bootstrap: Bootstrap) -> anyhow::Result<Comparison> {
        let tasks = tasks(scores)?;
        let of_tasks = |own: &BTreeMap<StatsTask, BTreeMap<u64, f64>>| -> Tasks {
            own.values().map(|runs| runs.values().copied().collect()).collect()
        };
        let scores: Vec<(&String, Tasks)> = scores.iter().map(|(name, own)| (name, of_tasks(own))).collect();
        let regrets = grid(scores.iter().flat_map(|(_, tasks)| tasks.iter().flatten().copied()).collect());
        let summary = |(name, scores): (&String, Tasks)| {
            let profiles = |tasks: &[Vec<f64>]| regrets.iter().map(|&regret| profile(tasks, regret)).collect();
            MethodSummary {
                name: name.clone(),
                iqm: interquartile_mean(&scores),
                ci: bootstrap.interval(&scores, interquartile_mean),
                profile: profiles(&scores),
                profile_ci: bootstrap.all(&scores, profiles),
                scores,
            }
        };
        let mut methods: Vec<MethodSummary> = scores.into_iter().map(summary).collect();
        methods.sort_by(|a, b| a.iqm.total_cmp(&b.iqm));
        let pairs = methods.iter().enumerate().flat_map(|(i, a)| methods[i + 1..].iter().map(move |b| (a, b)));
        let improvements = pairs.map(|(a, b)| improvement(a, b, bootstrap)).collect();
        Ok(Comparison { tasks, methods, improvements, regrets })
    }

    /// Returns the comparison as JSON. A method's `scores` have a row per run and a column per task.
    ///
    /// `score_dict` is the argument of this name that the functions of the Python package `rliable` take. It contains
    /// negated regrets, because `rliable` expects higher scores to be better.
    pub fn json(&self) -> Value {
        let method = |method: &MethodSummary| {
            let [low, high] = method.range();
            json!({
                "name": method.name,
                "runs": method.runs(),
                "iqm": method.iqm,
                "ci": method.ci,
                "mean": mean(&method.scores.concat()),
                "min": low,
                "max": high,
                "scores": method.rows(|regret| regret),
                "profile": method.profile,
                "profile_ci": method.profile_ci,
            })
        };
        let score = |method: &MethodSummary| (method.name.clone(), method.rows(|regret| -regret));
        let task = |StatsTask { game, environment_hash, scope, options }: &StatsTask| {
            let options: Value = serde_json::from_str(options).unwrap_or_default();
            json!({ "game": game, "environment_hash": environment_hash, "scope": scope, "options": options })
        };
        json!({
            "metric": "regret",
            "tasks": self.tasks.iter().map(task).collect::<Value>(),
            "methods": self.methods.iter().map(method).collect::<Value>(),
            "improvements": self.improvements,
            "profile_regrets": self.regrets,
            "score_dict": self.methods.iter().map(score).collect::<Value>(),
        })
    }
}

fn improvement(a: &MethodSummary, b: &MethodSummary, bootstrap: Bootstrap) -> Improvement {
    let tasks = a.scores.len();
    // Treat the tasks of both methods as one list, so that the runs of both are resampled.
    let both = [&a.scores[..], &b.scores[..]].concat();
    let probability = |both: &[Vec<f64>]| probability_of_improvement(&both[..tasks], &both[tasks..]);
    Improvement {
        method: a.name.clone(),
        over: b.name.clone(),
        probability: probability(&both),
        ci: bootstrap.interval(&both, probability),
    }
}

/// Returns the distinct regrets in ascending order, or an evenly spaced subset if there are more than a profile can
/// hold.
fn grid(mut regrets: Vec<f64>) -> Vec<f64> {
    regrets.sort_by(f64::total_cmp);
    regrets.dedup();
    if regrets.len() <= PROFILE_POINTS {
        return regrets;
    }
    (0..PROFILE_POINTS).map(|point| regrets[point * (regrets.len() - 1) / (PROFILE_POINTS - 1)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::slice::from_ref;

    const BOOTSTRAP: Bootstrap = Bootstrap { samples: 20_000, seed: 1 };

    /// The expected values are from `scipy.stats.trim_mean(scores, 0.25)`.
    #[test]
    fn the_interquartile_mean_leaves_out_whole_scores() {
        for (scores, expected) in [
            (vec![3.0], 3.0),
            (vec![9.0, 1.0, 2.0], 4.0),
            (vec![1.0, 100.0, 3.0, 2.0], 2.5),
            (vec![0.5, 0.1, 0.9, 0.3, 0.7, 40.0, -8.0], 0.5),
            (vec![5.0, 1.0, 4.0, 2.0, 3.0, 9.0, 8.0, 7.0, 6.0, 10.0], 5.5),
        ] {
            assert!((interquartile_mean(from_ref(&scores)) - expected).abs() < 1e-12, "{scores:?}");
            let (a, b) = scores.split_at(scores.len() / 2);
            assert!((interquartile_mean(&[a.to_vec(), b.to_vec()]) - expected).abs() < 1e-12, "{scores:?}");
        }
        assert!(interquartile_mean(&[]).is_nan());
    }

    /// The probability is the Mann-Whitney U statistic divided by the number of pairs. The expected values are from
    /// `scipy.stats.mannwhitneyu(b, a).statistic / 12`.
    #[test]
    fn improvement_counts_pairs_and_half_of_the_ties() {
        let (a, b) = (vec![1.0, 2.0, 4.0], vec![2.0, 3.0, 5.0, 0.5]);
        let one = probability_of_improvement(from_ref(&a), from_ref(&b));
        assert_eq!(one, 6.5 / 12.0);
        let other = probability_of_improvement(from_ref(&b), from_ref(&a));
        assert_eq!(one + other, 1.0);
        assert_eq!(probability_of_improvement(&[a.clone(), b.clone()], &[b, a]), 0.5);
        assert_eq!(probability_of_improvement(&[vec![1.0]], &[vec![2.0, 3.0]]), 1.0);
    }

    #[test]
    fn options_with_their_default_value_are_the_same_task() {
        let options = |game: &str, config: &str| options(game, config).unwrap();
        assert_eq!(options("joker-seven", "[options]\nchips = 1\nplayers = 2"), r#"{"players":2}"#);
        assert_eq!(options("joker-seven", "[options]\nchips = 1\n[rules]\nminimum = 2"), r#"{"chips":1}"#);
        assert_eq!(options("of-a-plug-in", "[options]\nchips = 1"), r#"{"chips":1}"#);
    }

    #[test]
    fn a_profile_is_a_mean_of_distribution_functions() {
        let tasks = [vec![1.0, 2.0, 3.0, 4.0], vec![2.0, 2.0]];
        let fractions = [0.5, 1.0, 2.0, 3.5, 4.0].map(|score| profile(&tasks, score));
        assert_eq!(fractions, [0.0, 0.125, 0.75, 0.875, 1.0]);
    }

    /// Enumerates all resamples of three runs.
    #[test]
    fn intervals_are_the_percentiles_of_all_draws() {
        let (first, second) = ([0.0f64, 1.0, 10.0], [0.0f64, 100.0]);
        let mut means = vec![];
        for draw in 0..27 {
            let sum: f64 = [draw % 3, draw / 3 % 3, draw / 9].iter().map(|&run| first[run]).sum();
            for other in 0..4 {
                means.push((sum + second[other % 2] + second[other / 2]) / 5.0);
            }
        }
        means.sort_by(f64::total_cmp);
        let tasks = [first.to_vec(), second.to_vec()];
        let all = |tasks: &[Vec<f64>]| mean(&tasks.concat());
        let [low, high] = BOOTSTRAP.interval(&tasks, all).unwrap();
        // The percentiles lie within steps of the distribution, each of which has a probability of at least 1/108.
        assert_eq!((low, high), (means[2], means[105]));
        assert!(low < all(&tasks) && all(&tasks) < high);
        // A task with equal runs contributes no uncertainty.
        assert_eq!(BOOTSTRAP.interval(&[vec![7.0; 3], vec![9.0; 3]], all), Some([8.0, 8.0]));
        assert_eq!(BOOTSTRAP.interval(&tasks, all), Some([low, high]));
        assert_eq!(BOOTSTRAP.interval(&[vec![1.0, 2.0], vec![1.0]], all), None);
    }

    #[test]
    fn intervals_cover_the_mean_about_as_often_as_they_say() {
        let mut rng = stream(5.into());
        let covered = (0..400).filter(|&seed| {
            let runs: Vec<f64> = (0..30).map(|_| rng.random_range(-1.0..1.0)).collect();
            let bootstrap = Bootstrap { samples: 300, seed };
            let [low, high] = bootstrap.interval(&[runs], |tasks| mean(&tasks[0])).unwrap();
            low <= 0.0 && 0.0 <= high
        });
        let covered = covered.count();
        assert!((360..395).contains(&covered), "{covered} of 400");
    }

    /// The expected values are from rliable 1.2.0. `aggregate_iqm` and `probability_of_improvement` must match to the
    /// last digit. `get_interval_estimates` uses 20,000 samples from its own generator.
    #[test]
    fn estimates_are_those_of_rliable() {
        let a = [
            vec![0.611, 0.755, 1.122, 0.764, 1.735, 1.151, 2.403, 1.08, 1.17, 1.719],
            vec![2.384, 4.476, 2.523, 3.897, 1.642, 1.827, 0.931, 2.217, 2.646, 1.676],
        ];
        let b = [
            vec![1.09, 2.356, 0.827, 0.622, 0.872, 2.639, 1.519, 1.313, 0.955, 2.764],
            vec![2.84, 1.677, 2.909, 4.492, 2.422, 3.528, 2.972, 5.597, 2.105, 1.884],
        ];
        let near = |found: [f64; 2], expected: [f64; 2], error: f64| {
            let close = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < error);
            assert!(close, "{found:?} {expected:?}");
        };
        near([interquartile_mean(&a), interquartile_mean(&b)], [1.6643, 2.1519], 1e-12);
        near(BOOTSTRAP.interval(&a, interquartile_mean).unwrap(), [1.3264, 2.0375], 0.02);
        near(BOOTSTRAP.interval(&b, interquartile_mean).unwrap(), [1.6896, 2.6043], 0.02);
        let probability = |both: &[Vec<f64>]| probability_of_improvement(&both[..2], &both[2..]);
        let both = [a, b].concat();
        near([probability(&both), 0.0], [0.63, 0.0], 1e-12);
        near(BOOTSTRAP.interval(&both, probability).unwrap(), [0.444_875, 0.795], 0.01);
    }

    #[test]
    fn quantiles_are_linear_between_values() {
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(|part| quantile(&[1.0, 2.0, 4.0], part)), [1.0, 1.5, 2.0, 4.0]);
    }

    #[test]
    fn methods_are_ordered_and_compared_on_the_same_tasks() {
        let task = |game: &str| StatsTask {
            game: game.to_owned(),
            environment_hash: "0".to_owned(),
            scope: "whole".to_owned(),
            options: "{}".to_owned(),
        };
        let runs = |scores: &[f64]| (1..).zip(scores.iter().copied()).collect::<BTreeMap<u64, f64>>();
        let mut scores = RunScores::default();
        for (name, first, second) in [("worse", [4.0, 5.0], [6.0, 9.0]), ("better", [1.0, 2.0], [8.0, 3.0])] {
            let tasks = BTreeMap::from([(task("a"), runs(&first)), (task("b"), runs(&second))]);
            scores.insert(name.to_owned(), tasks);
        }
        let bootstrap = Bootstrap { samples: 500, seed: 1 };
        let comparison = Comparison::new(&scores, bootstrap).unwrap();
        let json = comparison.json();
        assert_eq!(
            (json["methods"][0]["name"].as_str(), json["methods"][0]["iqm"].as_f64()),
            (Some("better"), Some(2.5))
        );
        assert_eq!(json["methods"][0]["scores"], json!([[1.0, 8.0], [2.0, 3.0]]));
        assert_eq!(
            json["score_dict"],
            json!({ "better": [[-1.0, -8.0], [-2.0, -3.0]], "worse": [[-4.0, -6.0], [-5.0, -9.0]] })
        );
        assert_eq!(json["methods"][1]["runs"], 2);
        assert_eq!(json["improvements"][0]["probability"], (1.0 + 0.75) / 2.0);
        assert_eq!(json["profile_regrets"], json!([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 9.0]));
        assert_eq!(json["methods"][1]["profile"], json!([0.0, 0.0, 0.0, 0.25, 0.5, 0.75, 0.75, 1.0]));
        for method in &comparison.methods {
            let [low, high] = method.ci.unwrap();
            assert!(low < method.iqm && method.iqm < high);
        }
        let last = scores.get_mut("worse").unwrap();
        last.get_mut(&task("b")).unwrap().insert(3, 1.0);
        assert!(tasks(&scores).unwrap_err().to_string().contains("worse has [2, 3] runs"));
        scores.get_mut("worse").unwrap().remove(&task("b"));
        assert!(tasks(&scores).unwrap_err().to_string().contains("worse has no run on b"));
    }

    #[test]
    fn a_profile_has_few_points() {
        let many = grid((0..1000).map(f64::from).collect());
        assert_eq!((many.len(), many[0], many[100]), (PROFILE_POINTS, 0.0, 999.0));
    }
}
