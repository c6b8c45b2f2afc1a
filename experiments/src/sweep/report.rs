//! The results of a sweep by run, their comparison over the seeds, and the report with its figures.

use super::config::concerns;
use super::job::RunStatus;
use super::plan::{Plan, SweepRun};
use super::space::{described, shown, varied};
use crate::metrics::MetricHistory;
use crate::study::{Experiment, folder_name, has_diverged, regret_axis};
use anyhow::{Context, bail};
use houseway_exact::answer::{Marker, TextTable};
use houseway_lab::plot::{Axis, Bar, BarChart, Chart, Figure, LineChart, Series};
use houseway_lab::report::{Report, terminal, wrapped};
use houseway_lab::run::{RESULTS, cannot_read, read_result};
use houseway_lab::stats::{Bootstrap, interquartile_mean};
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::slice::from_ref;

/// The number of points in the report. The tables contain all of them.
const LISTED: usize = 50;
/// The maximum number of bars in the chart of the points.
const BARS: usize = 15;
/// The maximum number of curves in a figure. If there were more, the points are drawn without curves.
const MAX_CURVES: usize = 6;
/// The ratio of the highest to the lowest value from which an axis is logarithmic.
const LOG_RATIO: f64 = 20.0;
/// The metrics that come first, in this order.
const FIRST: [&str; 5] = ["ev", "regret", "regret_low", "regret_high", "agreement"];
/// The bootstrap for intervals, as in `houseway stats`.
const BOOTSTRAP: Bootstrap = Bootstrap { samples: 20_000, seed: 1 };
/// The number of points shown in the terminal.
const SHOWN: usize = 10;

/// Creates the report of a sweep.
pub(super) fn report(summary: &Summary<'_>) -> Report {
    let plan = summary.plan;
    let (points, runs) = (plan.points.len(), plan.runs.len());
    let kind = match plan.config.random {
        Some(random) => format!("{points} points drawn at random (seed {})", random.seed),
        None => format!("the grid of {points} points"),
    };
    let about = format!("A sweep over {kind}, with {runs} runs of {}. {}", plan.game(), summary.explanation());
    let files = "[sweep.csv](sweep.csv) and [sweep.parquet](sweep.parquet) contain the results in long form, with one \
                 row per point, agent and seed. Each run has its own report in `points/NAME`.";
    let shown = summary.points.len().min(LISTED);
    let mut report = Report::new(format!("Sweep {}", plan.config.name)).text(about).text(files);
    let (heading, first, slug) = match summary.is_ranking() {
        true => ("Best points", "best", "best-points"),
        false => ("Points", "first", "points"),
    };
    report = report.heading(heading).table(summary.table(LISTED));
    if shown < summary.points.len() {
        report = report.text(format!("These are the {first} {shown} of {} points.", summary.points.len()));
    }
    let metric = summary.metric;
    let alt = format!("{metric} of the {} with 95% intervals", heading.to_lowercase());
    report = report.figure(slug, alt, bars(summary, heading));
    for key in varied(&plan.points) {
        let label = plan.labels()[key];
        for (name, figure) in by_key(summary, key) {
            report = report.figure(name, format!("{metric} against {label}"), figure);
        }
    }
    report
}

/// Returns an axis for the metric, without a range.
fn metric_axis(summary: &Summary<'_>) -> Axis {
    let unit = summary.plan.unit();
    match summary.metric {
        "regret" => regret_axis(unit),
        _ => Axis::new(format!("EV, in {}s", unit.name)),
    }
}

/// Draws the first points as bars.
fn bars(summary: &Summary<'_>, heading: &str) -> Figure {
    let first: Vec<&PointSummary> = summary.points.iter().filter(|point| point.iqm.is_finite()).take(BARS).collect();
    let names = first.iter().map(|point| summary.label(point)).collect();
    let bar = |point: &&PointSummary| match point.ci {
        Some([low, high]) => Bar::between(point.iqm, low, high),
        None => Bar::from(point.iqm),
    };
    let chart = BarChart::new(metric_axis(summary), names).with(summary.metric, first.iter().map(bar).collect());
    Figure::new(format!("{heading} of {}", summary.plan.config.name), chart).note(note(summary, "95% intervals"))
}

fn note(summary: &Summary<'_>, band: &str) -> String {
    match summary.plan.config.seeds.len() {
        1 => "one seed".to_owned(),
        seeds => format!("interquartile mean of {seeds} seeds; {band}"),
    }
}

/// Draws the metric against a key, in one figure for each training configuration. There is nothing to draw if a value
/// isn't a number.
fn by_key(summary: &Summary<'_>, key: &str) -> Vec<(String, Figure)> {
    let plan = summary.plan;
    let value = |point: usize| plan.points[point].set[key].as_f64();
    if (0..plan.points.len()).any(|point| value(point).is_none()) {
        return vec![];
    }
    let mut agents: Vec<&str> = summary.points.iter().map(|point| point.agent.as_str()).collect();
    agents.sort_unstable();
    agents.dedup();
    let slug = plan.labels()[key].replace('.', "-");
    agents.retain(|agent| concerns(key, agent));
    let draw = |agent: &str| {
        let own = summary.points.iter().filter(|point| point.agent == agent && point.iqm.is_finite());
        let mut own: Vec<(f64, &PointSummary)> = own.filter_map(|point| Some((value(point.point)?, point))).collect();
        own.sort_by(|a, b| a.0.total_cmp(&b.0));
        let x = scaled(Axis::new(plan.labels()[key]), own.iter().map(|(x, _)| *x));
        let y = scaled(metric_axis(summary), own.iter().map(|(_, point)| point.iqm));
        let chart = curves(summary, key, &own, LineChart::new(x, y));
        let title = format!("{} by {}", if summary.metric == "regret" { "Regret" } else { "EV" }, plan.labels()[key]);
        let (name, title) = match summary.has_agents() {
            true => (format!("{agent}-by-{slug}"), format!("{title}, {agent}")),
            false => (format!("{}-by-{slug}", summary.metric), title),
        };
        (name, Figure::new(title, Chart::from(chart)).note(note(summary, "band from the lowest to the highest seed")))
    };
    agents.into_iter().map(draw).collect()
}

/// Makes an axis logarithmic if its values are positive and span a large range.
fn scaled(axis: Axis, values: impl Iterator<Item = f64> + Clone) -> Axis {
    let (low, high) = (values.clone().fold(f64::INFINITY, f64::min), values.fold(0.0, f64::max));
    if low > 0.0 && high / low >= LOG_RATIO { axis.log() } else { axis }
}

/// Adds a curve for each combination of the other keys' values, or only points if there are too many combinations.
fn curves(summary: &Summary<'_>, key: &str, points: &[(f64, &PointSummary)], chart: LineChart) -> LineChart {
    let mut groups: BTreeMap<String, Vec<&(f64, &PointSummary)>> = BTreeMap::new();
    let others = varied(&summary.plan.points).into_iter().filter(|other| *other != key);
    let others: Vec<&str> =
        others.filter(|other| points.iter().all(|(_, point)| concerns(other, &point.agent))).collect();
    let labels = summary.plan.labels();
    for point in points {
        let set: &BTreeMap<String, Value> = &summary.plan.points[point.1.point].set;
        let name = others.iter().map(|other| format!("{}={}", labels[other], super::space::shown(&set[*other])));
        groups.entry(name.collect::<Vec<_>>().join(", ")).or_default().push(point);
    }
    if groups.len() > MAX_CURVES {
        let markers = points.iter().map(|(x, point)| Marker { name: String::new(), x: *x, y: point.iqm }).collect();
        return LineChart { markers, ..chart };
    }
    groups.into_iter().fold(chart, |chart, (name, points)| {
        let name = if name.is_empty() { points[0].1.agent.clone() } else { name };
        let band = points.iter().filter_map(|(_, point)| point.range()).map(|[low, high]| (low, high)).collect();
        chart.with(Series::new(name, points.iter().map(|(x, point)| (*x, point.iqm)).collect()).band(band))
    })
}

/// The state of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentStatus {
    /// The agent has results.
    Finished,
    /// Its training diverged.
    Diverged,
    /// Another agent in the same run diverged, so this one wasn't evaluated.
    NotEvaluated,
}

impl AgentStatus {
    /// Returns the name used in tables.
    pub fn name(self) -> &'static str {
        match self {
            AgentStatus::Finished => "finished",
            AgentStatus::Diverged => "diverged",
            AgentStatus::NotEvaluated => "not evaluated",
        }
    }
}

/// The results of an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The name of the run.
    pub run: String,
    /// The index of the point.
    pub point: usize,
    /// The name of the training configuration.
    pub agent: String,
    pub seed: u64,
    /// The state of the agent.
    pub status: AgentStatus,
    /// The number of optimizer steps, or of stages for trees.
    pub steps: u64,
    /// The number of deals seen, if the agent was evaluated.
    pub deals: Option<u64>,
    /// The results of the evaluation by name.
    pub metrics: BTreeMap<String, f64>,
}

impl Row {
    /// Returns the row as JSON.
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

/// Reads the results of all runs.
pub(super) fn collect(plan: &Plan, folder: &Path) -> anyhow::Result<Vec<Row>> {
    let mut rows = vec![];
    for run in &plan.runs {
        let read = match RunStatus::read(plan, run, folder)? {
            RunStatus::Finished => finished(run, &folder.join(&run.name)),
            RunStatus::Diverged => Ok(diverged(run, &folder.join(&run.name))),
            RunStatus::Missing | RunStatus::Other => bail!("{}: the run isn't finished", run.name),
        };
        rows.extend(read.with_context(|| run.name.clone())?);
    }
    Ok(rows)
}

fn finished(run: &SweepRun, folder: &Path) -> anyhow::Result<Vec<Row>> {
    let file = folder.join(RESULTS);
    let results: Value =
        serde_json::from_str(&read_result(folder, RESULTS)?).map_err(|error| cannot_read(&file, error.into()))?;
    let row = |mut row: Row, name: &str| {
        let agents = results["agents"].as_array().into_iter().flatten();
        let agent = agents.filter_map(Value::as_object).find(|agent| agent["name"] == json!(name));
        row.metrics = metrics(agent.with_context(|| format!("{RESULTS} has no results of {name}"))?);
        let history = MetricHistory::read(&folder.join("train").join(folder_name(name)))?;
        row.deals = history.last().map(|point| point.hands);
        Ok(row)
    };
    rows(run).into_iter().map(|(name, plain)| row(plain, &name)).collect()
}

fn diverged(run: &SweepRun, folder: &Path) -> Vec<Row> {
    let status = |name: &str| match has_diverged(&folder.join("train").join(folder_name(name))) {
        true => AgentStatus::Diverged,
        false => AgentStatus::NotEvaluated,
    };
    rows(run).into_iter().map(|(name, row)| Row { status: status(&name), ..row }).collect()
}

/// Returns a row without results for each agent, and the agent's full name.
fn rows(run: &SweepRun) -> Vec<(String, Row)> {
    let row = |(agent, steps): (&String, u64)| Row {
        run: run.name.clone(),
        point: run.point,
        agent: agent.clone(),
        seed: run.seed,
        status: AgentStatus::Finished,
        steps,
        deals: None,
        metrics: BTreeMap::new(),
    };
    let Experiment { train, trees, .. } = &run.experiment;
    let networks = train.iter().map(|(name, config)| (name, config.steps));
    let rows = networks.chain(trees.iter().map(|(name, config)| (name, config.stages))).map(row);
    let names = run.experiment.agents().map(|(name, ..)| name);
    names.chain(run.experiment.ensembles().map(|(name, ..)| name)).zip(rows).collect()
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

pub(super) fn metric_names(rows: &[Row]) -> Vec<String> {
    let mut names: Vec<String> = rows.iter().flat_map(|row| row.metrics.keys().cloned()).collect();
    let place = |name: &String| FIRST.iter().position(|first| first == name).unwrap_or(FIRST.len());
    names.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| a.cmp(b)));
    names.dedup();
    names
}

/// The results of an agent at a point, over all seeds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PointSummary {
    /// The index of the point.
    pub(super) point: usize,
    /// The name of the training configuration.
    pub(super) agent: String,
    /// The values of the metric, in seed order. Seeds without results are left out.
    pub(super) scores: Vec<f64>,
    /// The number of seeds without results, because a training run diverged.
    pub(super) missing: usize,
    /// The interquartile mean, or NaN if no seed has results.
    pub(super) iqm: f64,
    /// The 95% interval of the interquartile mean, or `None` if there is at most one value.
    pub(super) ci: Option<[f64; 2]>,
    /// The EV of the optimum, if it is known and a seed has results. It is the same for all seeds.
    pub(super) optimum: Option<f64>,
}

/// The results of a sweep. The points of each task start with the best one.
pub(super) struct Summary<'a> {
    /// The sweep.
    pub(super) plan: &'a Plan,
    /// The metric that points are compared by, which is the regret, or the EV if the optimum is unknown.
    pub(super) metric: &'static str,
    /// All points. Points of the same task are next to each other, and those that diverged with a seed come last among
    /// them.
    pub(super) points: Vec<PointSummary>,
    /// The number of tasks. Points with different rules, opponents or options can't be compared.
    tasks: usize,
    /// The results of all runs.
    pub(super) rows: Vec<Row>,
}

impl PointSummary {
    /// Returns the lowest and highest value, or `None` if there are no values.
    pub(super) fn range(&self) -> Option<[f64; 2]> {
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
    /// Compares the points by the results of their runs.
    pub(super) fn new(plan: &'a Plan, rows: Vec<Row>) -> Summary<'a> {
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
    pub(super) fn is_ranking(&self) -> bool {
        self.tasks == 1
    }

    /// Returns the results as JSON.
    pub(super) fn json(&self) -> Value {
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
                "iqm": finite(summary.iqm),
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

    /// Returns a table with the first points.
    pub(super) fn table(&self, count: usize) -> TextTable {
        let (keys, labels) = (varied(&self.plan.points), self.plan.labels());
        let (has_agents, has_missing) = (self.has_agents(), self.points.iter().any(|point| point.missing > 0));
        let mut header: Vec<String> = keys.iter().map(|key| labels[key].to_owned()).collect();
        header.extend(has_agents.then(|| "agent".to_owned()));
        let first_number = header.len();
        let has_optima = !self.is_ranking() && self.metric == "regret";
        header.extend(has_optima.then(|| "EV of the optimum".to_owned()));
        header.extend(["runs".to_owned(), format!("{}, IQM", self.metric), "95% interval".to_owned()]);
        header.extend(has_missing.then(|| "diverged".to_owned()));
        let percent = self.plan.unit().percent;
        let number = |value: f64| match (value.is_nan(), percent) {
            (true, _) => "-".to_owned(),
            (_, true) => format!("{:.5}%", 100.0 * value),
            (_, false) => format!("{value:.7}"),
        };
        let mut table = TextTable::new(header).right_from(first_number);
        for summary in &self.points[..count.min(self.points.len())] {
            let set = self.plan.set_of(summary.point, &summary.agent);
            let mut cells: Vec<String> = keys.iter().map(|key| set.get(*key).map_or("-".to_owned(), shown)).collect();
            cells.extend(has_agents.then(|| summary.agent.clone()));
            cells.extend(has_optima.then(|| summary.optimum.map_or("-".to_owned(), number)));
            let ci = summary.ci.map_or("-".to_owned(), |[low, high]| format!("{} to {}", number(low), number(high)));
            cells.extend([summary.scores.len().to_string(), number(summary.iqm), ci]);
            cells.extend(has_missing.then(|| summary.missing.to_string()));
            table = table.row(cells);
        }
        table
    }

    /// Returns `true` if the points have several training configurations.
    pub(super) fn has_agents(&self) -> bool {
        self.points.iter().any(|point| point.agent != self.points[0].agent)
    }

    /// Returns the label of a point in charts.
    pub(super) fn label(&self, summary: &PointSummary) -> String {
        let keys = varied(&self.plan.points);
        let mut set = self.plan.set_of(summary.point, &summary.agent);
        set.retain(|key, _| keys.contains(&key.as_str()));
        let values = described(&set, &self.plan.labels());
        match (self.has_agents(), values.is_empty()) {
            (false, false) => values,
            (true, false) => format!("{}: {values}", summary.agent),
            (_, true) => summary.agent.clone(),
        }
    }

    /// Returns a sentence about the comparison.
    pub(super) fn explanation(&self) -> String {
        let seeds = match self.plan.config.seeds.len() {
            1 => "one seed".to_owned(),
            seeds => format!("{seeds} seeds"),
        };
        let unit = self.plan.unit();
        let unit = if unit.percent { format!("% of the {}", unit.name) } else { format!("{}s per round", unit.name) };
        let metric = match self.metric {
            "regret" => "regret (lower is better)",
            _ => "EV (higher is better)",
        };
        let interval = "Its interval comes from a bootstrap over the seeds.";
        if self.is_ranking() {
            return format!(
                "Each point was trained with {seeds}. The points are ordered by the interquartile mean (IQM) of the {metric}, \
                 in {unit}. {interval} The best of many points is also a lucky one, so train it with new seeds before you quote \
                 its {}.",
                self.metric
            );
        }
        let order = match self.points.len() == self.tasks {
            true => "They are in the order of the configuration.",
            false => "Only points with the same ones are ordered by it.",
        };
        format!(
            "Each point was trained with {seeds}. IQM is the interquartile mean of the {metric}, in {unit}. {interval} The \
             points have different rules, opponents or options, so none of them is the best. {order}"
        )
    }

    /// Returns the summary for the terminal.
    pub(super) fn text(&self) -> String {
        let table = terminal(&self.table(SHOWN));
        let shown = SHOWN.min(self.points.len());
        let all = self.points.len();
        let first = if self.is_ranking() { "best" } else { "first" };
        let head = if shown < all { format!("The {first} {shown} of {all} points. ") } else { String::new() };
        format!("{}\n{table}", wrapped(&(head + &self.explanation())))
    }
}

/// Returns `None` for numbers that JSON can't represent.
fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
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
}
