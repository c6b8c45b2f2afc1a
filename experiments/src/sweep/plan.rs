//! All runs of a sweep, checked before anything is trained.

use super::config::{Point, SweepConfig, concerns, described, keep, labels, points, shown, training_of, trainings};
use crate::study::{Experiment, MAX_SEEDS, StudyBase};
use anyhow::{anyhow, bail};
use houseway_exact::solver::{Scope, StakeUnit};
use houseway_lab::run::{RunKind, RunSpec, check_names};
use houseway_learned::TrainConfig;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

const MAX_RUNS: usize = 100_000;

/// A point with one of the seeds. It has its own run folder.
pub struct SweepRun {
    pub name: String,
    pub point: usize,
    pub experiment: Experiment,
    /// The index of its base in [`Plan::bases`].
    pub base: usize,
    pub spec: RunSpec,
}

pub struct Plan {
    pub config: SweepConfig,
    pub points: Vec<Point>,
    /// The runs, in the order of points and seeds.
    pub runs: Vec<SweepRun>,
    /// The distinct rules, opponents and samples of the runs.
    pub bases: Vec<StudyBase>,
    pub scope: Scope,
}

impl Plan {
    pub fn new(config: SweepConfig, scope: Option<Scope>) -> anyhow::Result<Plan> {
        let mut points = points(&config.keys, config.random).map_err(anyhow::Error::msg)?;
        let trained = trained(&config, &mut points);
        if config.seeds.len() > MAX_SEEDS || points.len() * config.seeds.len() > MAX_RUNS {
            bail!(
                "{} points with {} seeds each; must be at most {MAX_SEEDS} seeds and {MAX_RUNS} runs",
                points.len(),
                config.seeds.len()
            );
        }
        let names: BTreeSet<&str> = points.iter().map(|point| point.name.as_str()).collect();
        if names.len() < points.len() {
            bail!("keys: two points have the same name; write equal values in the same way");
        }
        let (mut bases, mut by_task) = (vec![], BTreeMap::new());
        let mut runs = Vec::with_capacity(points.len() * config.seeds.len());
        for (i, (point, names)) in points.iter().zip(&trained).enumerate() {
            let mut base = config.base.clone();
            keep(&mut base, &Some(names.clone()))?;
            let experiment = experiment(&base, &set_of(point, names)).map_err(|error| blame(&config, point, error))?;
            let task = Value::Object(experiment.task.clone()).to_string();
            let task = (task, format!("{:?}", experiment.sample), experiment.exploitability);
            let base = match by_task.get(&task) {
                Some(&base) => base,
                None => {
                    bases.push(StudyBase::new(&experiment).map_err(|error| blame(&config, point, error))?);
                    by_task.insert(task, bases.len() - 1);
                    bases.len() - 1
                }
            };
            bases[base].check(&experiment).map_err(|error| blame(&config, point, error))?;
            for &seed in &config.seeds {
                let name = format!("{}-seed-{seed}", point.name);
                check_names([&name]).map_err(anyhow::Error::msg)?;
                let experiment = Experiment { name: name.clone(), seeds: vec![seed], ..experiment.clone() };
                let spec = bases[base].spec(&experiment)?;
                runs.push(SweepRun { name, point: i, experiment, base, spec });
            }
        }
        let scope = bases[0].check_scope(scope).map_err(anyhow::Error::msg)?;
        Ok(Plan { config, points, runs, bases, scope })
    }

    pub fn spec(&self) -> anyhow::Result<RunSpec> {
        let all = |hash: fn(&RunSpec) -> &str| {
            let hashes: BTreeSet<&str> = self.runs.iter().map(|run| hash(&run.spec)).collect();
            hashes.into_iter().collect::<Vec<_>>().join(", ")
        };
        Ok(RunSpec {
            kind: RunKind::Sweep,
            config: self.config.to_toml()?,
            seeds: self.config.seeds.clone(),
            rules_hash: all(|spec| &spec.rules_hash),
            environment_hash: Some(all(|spec| spec.environment_hash.as_deref().unwrap_or_default())),
            task_hash: Some(all(|spec| spec.task_hash.as_deref().unwrap_or_default())),
        })
    }

    pub fn game(&self) -> &'static str {
        self.runs[0].experiment.game
    }

    pub fn environment_hash(&self, point: usize) -> &str {
        &self.bases[self.run_at(point).base].environment_hash
    }

    pub fn rules_hash(&self, point: usize) -> &str {
        &self.run_at(point).spec.rules_hash
    }

    /// Returns the number of each point's task. Points with the same rules, opponents and reset options have the same
    /// task. Tasks are numbered in the order of the points.
    pub fn tasks(&self) -> Vec<usize> {
        let mut numbers = BTreeMap::new();
        let task = |point: usize| {
            let options = self.run_at(point).experiment.task.get("options").map(Value::to_string);
            let next = numbers.len();
            *numbers.entry((self.environment_hash(point), options)).or_insert(next)
        };
        (0..self.points.len()).map(task).collect()
    }

    fn run_at(&self, point: usize) -> &SweepRun {
        &self.runs[point * self.config.seeds.len()]
    }

    pub fn unit(&self) -> StakeUnit {
        self.bases[0].unit()
    }

    /// Returns short names for all keys. If there are several training configurations, the keys of one of them begin with
    /// its name.
    pub fn labels(&self) -> BTreeMap<&str, &str> {
        let mut labels = labels(self.config.keys.keys());
        if trainings(&self.config.base).len() > 1 {
            for (key, label) in &mut labels {
                if let Some((_, of_training)) = key.split_once('.').filter(|_| training_of(key).is_some()) {
                    *label = of_training;
                }
            }
        }
        labels
    }

    /// Returns the values at a point that concern a training configuration.
    pub fn set_of(&self, point: usize, training: &str) -> BTreeMap<String, Value> {
        set_of(&self.points[point], &BTreeSet::from([training.to_owned()]))
    }

    /// Returns the number of steps of some runs, which are stages for trees.
    pub fn steps(&self, runs: &[usize]) -> u64 {
        let agents = runs.iter().flat_map(|&run| self.runs[run].experiment.agents());
        agents.map(|agent| agent.training.steps()).sum()
    }

    /// Returns the training configurations of the networks of some runs, each with a name for messages.
    pub fn trainings(&self, runs: &[usize]) -> Vec<(String, TrainConfig)> {
        let mut trainings = vec![];
        for &run in runs {
            let SweepRun { name, experiment, .. } = &self.runs[run];
            for (training, config) in &experiment.train {
                trainings.push((format!("{name}: train.{training}"), config.clone()));
            }
        }
        trainings
    }
}

/// Returns the names of the training configurations that are trained at each point. Those that a key doesn't concern
/// are only trained at the first of the points that only differ in it. Points where nothing is left are removed.
fn trained(config: &SweepConfig, points: &mut Vec<Point>) -> Vec<BTreeSet<String>> {
    let mut seen = BTreeSet::new();
    let mut is_new = |point: &Point, training: &str| {
        let set = point.set.iter().filter(|(key, _)| concerns(key, training));
        seen.insert((training.to_owned(), json!(set.collect::<BTreeMap<_, _>>()).to_string()))
    };
    let mut trained = vec![];
    points.retain(|point| {
        let names: BTreeSet<String> =
            trainings(&config.base).into_iter().filter(|name| is_new(point, name)).map(str::to_owned).collect();
        let any = !names.is_empty();
        trained.extend(any.then_some(names));
        any
    });
    trained
}

/// Returns the values at a point that concern any of the training configurations.
fn set_of(point: &Point, trainings: &BTreeSet<String>) -> BTreeMap<String, Value> {
    let set = point.set.iter().filter(|(key, _)| trainings.iter().any(|training| concerns(key, training)));
    set.map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn experiment(base: &Map<String, Value>, set: &BTreeMap<String, Value>) -> anyhow::Result<Experiment> {
    let mut keys = base.clone();
    for (key, value) in set {
        assign(&mut keys, key, value)?;
    }
    Experiment::from_keys(keys, None)
}

/// Sets the value at a path of names. Missing tables are created, and a name in place of a table becomes the table's
/// `name`, as in configurations.
fn assign(table: &mut Map<String, Value>, path: &str, value: &Value) -> anyhow::Result<()> {
    let Some((first, rest)) = path.split_once('.') else {
        table.insert(path.to_owned(), value.clone());
        return Ok(());
    };
    let entry = table.entry(first).or_insert_with(|| json!({}));
    if entry.is_string() {
        *entry = json!({ "name": entry.take() });
    }
    match entry {
        Value::Object(table) => assign(table, rest, value),
        other => Err(anyhow!("{first} is {other}, so it has no key {rest}")),
    }
}

/// Adds the key that is to blame to an error, or all values of the point if it is their combination.
fn blame(config: &SweepConfig, point: &Point, error: anyhow::Error) -> anyhow::Error {
    for (key, value) in &point.set {
        let alone = BTreeMap::from([(key.clone(), value.clone())]);
        let opened = experiment(&config.base, &alone)
            .and_then(|experiment| StudyBase::new(&experiment).and_then(|base| base.check(&experiment)));
        if let Err(error) = opened {
            return anyhow!("keys.{key} = {}: {error:#}", shown(value));
        }
    }
    anyhow!("the point {}: {error:#}", described(&point.set, &labels(config.keys.keys())))
}
