//! The results of a sweep by run, and their comparison over the seeds.
//!
//! They are also written as a table in long form, as CSV and as Parquet, with one row per point, agent and seed. The book's
//! chapter `reference/files.md` lists the columns.

use super::config::{concerns, shown};
use super::job::state_of;
use super::plan::{Plan, SweepRun};
use crate::metrics::MetricHistory;
use crate::study::{AgentTraining, TRAININGS, has_diverged};
use anyhow::{Context, bail};
use houseway_env::named_enum;
use houseway_lab::columns::{Column, Values, to_csv, to_parquet};
use houseway_lab::run::{RESULTS, RunFolder, RunState, cannot_read, read_result, split_agent_name, write_atomic};
use houseway_lab::stats::{Bootstrap, interquartile_mean};
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::slice::from_ref;

const FIRST: [&str; 5] = ["ev", "regret", "regret_low", "regret_high", "agreement"];
/// The bootstrap for intervals, as in `houseway stats`.
const BOOTSTRAP: Bootstrap = Bootstrap { samples: 20_000, seed: 1 };

named_enum! {
    pub enum AgentStatus: words {
        Finished,
        Diverged,
        /// Another agent in the same run diverged, so this one wasn't evaluated.
        NotEvaluated,
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub run: String,
    pub point: usize,
    pub agent: String,
    pub seed: u64,
    pub status: AgentStatus,
    /// The number of optimizer steps, or of stages for trees.
    pub steps: u64,
    /// The number of deals seen, if the agent was evaluated.
    pub deals: Option<u64>,
    pub metrics: BTreeMap<String, f64>,
}

impl Row {
    pub fn json(&self, plan: &Plan) -> Value {
        let point = &plan.points[self.point];
        let mut json = json!({
            "name": self.run,
            "point": point.name,
            "agent": self.agent,
            "seed": self.seed,
            "set": plan.set_of(self.point, &self.agent),
            "status": self.status.name(),
            "steps": self.steps,
            "deals": self.deals,
        });
        for (name, value) in &self.metrics {
            json[name] = json!(value);
        }
        json
    }
}

pub fn collect(plan: &Plan, folder: &Path) -> anyhow::Result<Vec<Row>> {
    let mut rows = vec![];
    for run in &plan.runs {
        rows.extend(rows_of(plan, run, folder).with_context(|| run.name.clone())?);
    }
    Ok(rows)
}

fn rows_of(plan: &Plan, run: &SweepRun, folder: &Path) -> anyhow::Result<Vec<Row>> {
    let (state, folder) = (state_of(plan, run, folder)?, folder.join(&run.name));
    let results: Option<Value> = match state {
        RunState::Finished => {
            let text = read_result(&folder, RESULTS)?;
            Some(serde_json::from_str(&text).map_err(|error| cannot_read(&folder.join(RESULTS), error.into()))?)
        }
        RunState::Unfinished if has_diverged(&folder) => None,
        _ => bail!("the run isn't finished"),
    };
    let mut rows = vec![];
    for AgentTraining { name, folder: own, training, seed } in run.experiment.agents() {
        let trained = folder.join(TRAININGS).join(own);
        let (agent, _) = split_agent_name(&name).expect("the name has a seed");
        let mut row = Row {
            run: run.name.clone(),
            point: run.point,
            agent: agent.to_owned(),
            seed,
            status: AgentStatus::Finished,
            steps: training.steps(),
            deals: None,
            metrics: BTreeMap::new(),
        };
        if let Some(results) = &results {
            let agents = results["agents"].as_array().into_iter().flatten();
            let found = agents.filter_map(Value::as_object).find(|found| found["name"] == json!(name));
            row.metrics = metrics(found.with_context(|| format!("{RESULTS} has no results of {name}"))?);
            row.deals = MetricHistory::read(&trained)?.last().map(|point| point.hands);
        } else {
            row.status = if has_diverged(&trained) { AgentStatus::Diverged } else { AgentStatus::NotEvaluated };
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Returns the numbers among the results of an agent.
fn metrics(agent: &Map<String, Value>) -> BTreeMap<String, f64> {
    let mut metrics: BTreeMap<String, f64> =
        agent.iter().filter_map(|(name, value)| Some((name.clone(), value.as_f64()?))).collect();
    if let Some([low, high]) = agent.get("regret_ci").and_then(Value::as_array).map(Vec::as_slice) {
        for (name, end) in [("regret_low", low), ("regret_high", high)] {
            metrics.extend(end.as_f64().map(|end| (name.to_owned(), end)));
        }
    }
    metrics
}

pub fn metric_names(rows: &[Row]) -> Vec<String> {
    let mut names: Vec<String> = rows.iter().flat_map(|row| row.metrics.keys().cloned()).collect();
    let place = |name: &String| FIRST.iter().position(|first| first == name).unwrap_or(FIRST.len());
    names.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| a.cmp(b)));
    names.dedup();
    names
}

/// The results of an agent at a point, over all seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct PointSummary {
    pub point: usize,
    pub agent: String,
    /// The values of the metric, in seed order. Seeds without results are left out.
    pub scores: Vec<f64>,
    /// The number of seeds without results, because a training run diverged.
    pub missing: usize,
    /// The interquartile mean, or NaN if no seed has results.
    pub iqm: f64,
    /// The 95% interval of the interquartile mean, or `None` if there is at most one value.
    pub ci: Option<[f64; 2]>,
    /// The EV of the optimum, if it is known and a seed has results. It is the same for all seeds.
    pub optimum: Option<f64>,
}

/// The results of a sweep. The points of each task start with the best one.
pub struct Summary<'a> {
    pub plan: &'a Plan,
    /// The metric that points are compared by, which is the regret, or the EV if the optimum is unknown.
    pub metric: &'static str,
    /// All points. Points of the same task are next to each other, and those that diverged with a seed come last among
    /// them.
    pub points: Vec<PointSummary>,
    /// The number of tasks. Points with different rules, opponents or options can't be compared.
    pub tasks: usize,
    pub rows: Vec<Row>,
}

impl PointSummary {
    /// Returns the lowest and highest value, or `None` if there are no values.
    pub fn range(&self) -> Option<[f64; 2]> {
        let low = self.scores.iter().copied().reduce(f64::min)?;
        Some([low, self.scores.iter().copied().fold(low, f64::max)])
    }

    fn new(rows: &[&Row], metric: &str) -> PointSummary {
        let scores: Vec<f64> = rows.iter().filter_map(|row| row.metrics.get(metric).copied()).collect();
        let ci = if scores.is_empty() { None } else { BOOTSTRAP.interval(from_ref(&scores), interquartile_mean) };
        PointSummary {
            point: rows[0].point,
            agent: rows[0].agent.clone(),
            missing: rows.len() - scores.len(),
            iqm: interquartile_mean(from_ref(&scores)),
            ci,
            scores,
            optimum: rows.iter().find_map(|row| Some(row.metrics.get("ev")? + row.metrics.get("regret")?)),
        }
    }
}

impl<'a> Summary<'a> {
    pub fn new(plan: &'a Plan, rows: Vec<Row>) -> Summary<'a> {
        let mut evaluated = rows.iter().filter(|row| row.status == AgentStatus::Finished);
        let has_regret = evaluated.all(|row| row.metrics.contains_key("regret"));
        let metric = if has_regret { "regret" } else { "ev" };
        let mut groups: BTreeMap<(usize, &str), Vec<&Row>> = BTreeMap::new();
        for row in &rows {
            groups.entry((row.point, &row.agent)).or_default().push(row);
        }
        let groups: Vec<Vec<&Row>> = groups.into_values().collect();
        let mut points: Vec<PointSummary> = groups.par_iter().map(|rows| PointSummary::new(rows, metric)).collect();
        let order = |point: &PointSummary| if has_regret { point.iqm } else { -point.iqm };
        let tasks = plan.tasks();
        let task = |point: &PointSummary| tasks[point.point];
        // NaN comes after all numbers. The sort is stable, so equal points stay in the order of the configuration.
        points.sort_by(|a, b| {
            let of_task = (a.missing > 0).cmp(&(b.missing > 0)).then(order(a).total_cmp(&order(b)));
            task(a).cmp(&task(b)).then(of_task)
        });
        Summary { plan, metric, points, tasks: tasks.iter().max().map_or(0, |last| last + 1), rows }
    }

    /// Returns `true` if all points have the same task, so that one of them is the best.
    pub fn is_ranking(&self) -> bool {
        self.tasks == 1
    }

    pub fn json(&self) -> Value {
        let point = |summary: &PointSummary| {
            let range = summary.range();
            json!({
                "point": self.plan.points[summary.point].name,
                "agent": summary.agent,
                "set": self.plan.set_of(summary.point, &summary.agent),
                "rules_hash": self.plan.rules_hash(summary.point),
                "environment_hash": self.plan.environment_hash(summary.point),
                "runs": summary.scores.len(),
                "missing": summary.missing,
                "iqm": summary.iqm,
                "ci": summary.ci,
                "optimum": summary.optimum,
                "min": range.map(|[low, _]| low),
                "max": range.map(|[_, high]| high),
            })
        };
        json!({
            "name": self.plan.config.name,
            "game": self.plan.game(),
            "scope": self.plan.scope,
            "metric": self.metric,
            "points": self.points.iter().map(point).collect::<Value>(),
            "runs": self.rows.iter().map(|row| row.json(self.plan)).collect::<Value>(),
        })
    }
}

/// Writes `sweep.csv` and `sweep.parquet` to the run's folder.
pub fn write_rows(plan: &Plan, rows: &[Row], run: &RunFolder) -> io::Result<()> {
    let columns = columns(plan, rows);
    write_atomic(&run.file("sweep.csv"), to_csv(&columns, rows.len())?)?;
    write_atomic(&run.file("sweep.parquet"), to_parquet(&columns, &[])?)
}

fn columns(plan: &Plan, rows: &[Row]) -> Vec<Column> {
    let texts = |text: &dyn Fn(&Row) -> String| Values::Texts(rows.iter().map(text).collect());
    let integers = |number: &dyn Fn(&Row) -> Option<u64>| {
        Values::Integers(rows.iter().map(|row| number(row).and_then(|number| i64::try_from(number).ok())).collect())
    };
    let mut columns = vec![
        Column::new("name", texts(&|row| row.run.clone())),
        Column::new("point", texts(&|row| plan.points[row.point].name.clone())),
        Column::new("agent", texts(&|row| row.agent.clone())),
        Column::new("seed", Values::Unsigned(rows.iter().map(|row| row.seed).collect())),
        Column::new("status", texts(&|row| row.status.name().to_owned())),
        Column::new("steps", integers(&|row| Some(row.steps))),
        Column::new("deals", integers(&|row| row.deals)),
    ];
    for key in plan.config.keys.keys() {
        let value = |row: &Row| concerns(key, &row.agent).then(|| plan.points[row.point].set[key].clone());
        let values: Vec<Option<Value>> = rows.iter().map(value).collect();
        columns.push(Column::new(key, of_key(&values)));
    }
    for name in metric_names(rows) {
        let values = rows.iter().map(|row| row.metrics.get(&name).copied()).collect();
        columns.push(Column::new(&name, Values::Doubles(values)));
    }
    columns
}

/// Returns a key's values with the narrowest type that fits all of them. Missing texts are empty.
fn of_key(values: &[Option<Value>]) -> Values {
    let all = |is: fn(&Value) -> bool| values.iter().flatten().all(is);
    if all(Value::is_boolean) {
        Values::Bools(values.iter().map(|value| value.as_ref()?.as_bool()).collect())
    } else if all(Value::is_i64) {
        Values::Integers(values.iter().map(|value| value.as_ref()?.as_i64()).collect())
    } else if all(Value::is_number) {
        Values::Doubles(values.iter().map(|value| value.as_ref()?.as_f64()).collect())
    } else {
        Values::Texts(values.iter().map(|value| value.as_ref().map_or_else(String::new, shown)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_the_numbers_of_an_agent() {
        let agent =
            json!({ "name": "a, seed 1", "plays": "x", "regret": 0.5, "regret_ci": [0.25, 0.75], "ev": -1.0, "z": 2 });
        let metrics = metrics(agent.as_object().unwrap());
        let row = Row {
            run: "r".to_owned(),
            point: 0,
            agent: "a".to_owned(),
            seed: 1,
            status: AgentStatus::Finished,
            steps: 3,
            deals: None,
            metrics,
        };
        assert_eq!(metric_names(&[row]), ["ev", "regret", "regret_low", "regret_high", "z"]);
    }

    #[test]
    fn a_key_has_the_narrowest_type_of_its_values() {
        let key = |values: &[Value]| of_key(&values.iter().cloned().map(Some).collect::<Vec<_>>());
        assert!(matches!(key(&[json!(3), json!(-4)]), Values::Integers(values) if values == [Some(3), Some(-4)]));
        assert!(matches!(key(&[json!(0.5), json!(2)]), Values::Doubles(values) if values == [Some(0.5), Some(2.0)]));
        assert!(
            matches!(key(&[json!(true), json!(false)]), Values::Bools(values) if values == [Some(true), Some(false)])
        );
        assert!(matches!(of_key(&[None, Some(json!(3))]), Values::Integers(values) if values == [None, Some(3)]));
        let texts = key(&[json!("x, y"), json!({ "name": "z" })]);
        assert!(matches!(texts, Values::Texts(values) if values == ["x, y", "{\"name\":\"z\"}"]));
    }
}
