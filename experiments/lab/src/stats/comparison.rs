//! Compares methods by the regrets of their runs.

use super::estimate::{Bootstrap, Tasks, interquartile_mean, mean, probability_of_improvement, profile};
use super::scores::{RunScores, StatsTask};
use serde_json::{Value, json};

/// The maximum number of regrets at which profiles are computed.
const PROFILE_POINTS: usize = 101;

/// A summary of a method's runs.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodSummary {
    /// The name of the method's training runs.
    pub name: String,
    /// The regrets by task and run. The runs are in seed order.
    pub scores: Tasks,
    /// The interquartile mean.
    pub iqm: f64,
    /// The 95% interval of the interquartile mean, or `None` if there is a single run.
    pub ci: Option<[f64; 2]>,
    /// The fraction of runs at or below each regret in [`Comparison::regrets`].
    pub profile: Vec<f64>,
    /// The 95% intervals of the profile, or `None` if there is a single run.
    pub profile_ci: Option<Vec<[f64; 2]>>,
}

impl MethodSummary {
    /// Returns the number of runs on each task.
    pub fn runs(&self) -> usize {
        self.scores.first().map_or(0, Vec::len)
    }

    /// Returns a matrix of values that depend on the regrets, with a row per run and a column per task.
    fn rows(&self, value: impl Fn(f64) -> f64) -> Value {
        let run = |run: usize| -> Value { self.scores.iter().map(|task| json!(value(task[run]))).collect() };
        (0..self.runs()).map(run).collect()
    }

    /// Returns the lowest and highest regret.
    pub fn range(&self) -> [f64; 2] {
        let all = || self.scores.iter().flatten().copied();
        [all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max)]
    }
}

/// A pairwise comparison of two methods.
#[derive(Clone, Debug, PartialEq)]
pub struct Improvement {
    /// The name of the method.
    pub method: String,
    /// The other method's name.
    pub over: String,
    /// The probability that a run with the method has a lower regret.
    pub probability: f64,
    /// The 95% interval of the probability, or `None` if there is a single run.
    pub ci: Option<[f64; 2]>,
}

/// A comparison of several methods on the same tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The tasks. Every method has runs on all of them.
    pub tasks: Vec<StatsTask>,
    /// The methods, in ascending order of interquartile mean.
    pub methods: Vec<MethodSummary>,
    /// All pairs of methods. Within a pair, the method with the lower interquartile mean comes first.
    pub improvements: Vec<Improvement>,
    /// The regrets at which to compute profiles, in ascending order.
    pub regrets: Vec<f64>,
}

impl Comparison {
    /// Compares the methods of several runs.
    pub fn new(scores: &RunScores, bootstrap: Bootstrap) -> anyhow::Result<Comparison> {
        let tasks = scores.tasks()?;
        let of_tasks = |own: &std::collections::BTreeMap<_, std::collections::BTreeMap<u64, f64>>| -> Tasks {
            own.values().map(|runs| runs.values().copied().collect()).collect()
        };
        let scores: Vec<(&String, Tasks)> = scores.methods.iter().map(|(name, own)| (name, of_tasks(own))).collect();
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
        let improvement = |Improvement { method, over, probability, ci }: &Improvement| json!({ "method": method, "over": over, "probability": probability, "ci": ci });
        let score = |method: &MethodSummary| (method.name.clone(), method.rows(|regret| -regret));
        let task = |StatsTask { game, environment_hash, options }: &StatsTask| {
            let options: Value = serde_json::from_str(options).unwrap_or_default();
            json!({ "game": game, "environment_hash": environment_hash, "options": options })
        };
        json!({
            "metric": "regret",
            "tasks": self.tasks.iter().map(task).collect::<Value>(),
            "methods": self.methods.iter().map(method).collect::<Value>(),
            "improvements": self.improvements.iter().map(improvement).collect::<Value>(),
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

    #[test]
    fn methods_are_ordered_and_compared_on_the_same_tasks() {
        let task = |game: &str| StatsTask {
            game: game.to_owned(),
            environment_hash: "0".to_owned(),
            options: "{}".to_owned(),
        };
        let runs = |scores: &[f64]| (1..).zip(scores.iter().copied()).collect::<BTreeMap<u64, f64>>();
        let mut scores = RunScores::default();
        for (name, first, second) in [("worse", [4.0, 5.0], [6.0, 9.0]), ("better", [1.0, 2.0], [8.0, 3.0])] {
            let tasks = BTreeMap::from([(task("a"), runs(&first)), (task("b"), runs(&second))]);
            scores.methods.insert(name.to_owned(), tasks);
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
        let last = scores.methods.get_mut("worse").unwrap();
        last.get_mut(&task("b")).unwrap().insert(3, 1.0);
        assert!(scores.tasks().unwrap_err().to_string().contains("worse has [2, 3] runs"));
        scores.methods.get_mut("worse").unwrap().remove(&task("b"));
        assert!(scores.tasks().unwrap_err().to_string().contains("worse has no run on b"));
    }

    #[test]
    fn a_profile_has_few_points() {
        let many = grid((0..1000).map(f64::from).collect());
        assert_eq!((many.len(), many[0], many[100]), (PROFILE_POINTS, 0.0, 999.0));
    }
}
