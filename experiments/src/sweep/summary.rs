//! Compares the points of a sweep over their seeds.

use super::plan::Plan;
use super::rows::{AgentStatus, Row};
use super::space::{described, shown, varied};
use houseway_exact::answer::TextTable;
use houseway_lab::report::{terminal, wrapped};
use houseway_lab::stats::{Bootstrap, interquartile_mean};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::slice::from_ref;

/// The bootstrap for intervals, as in `houseway stats`.
const BOOTSTRAP: Bootstrap = Bootstrap { samples: 20_000, seed: 1 };

/// The number of points shown in the terminal.
const SHOWN: usize = 10;

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
