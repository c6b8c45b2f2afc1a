//! The report of a sweep with its figures.

use super::config::{concerns, described, shown, varied};
use super::results::{PointSummary, Summary};
use crate::study::{regret_axis, seeds_text};
use houseway_exact::answer::{Answer, Marker, Section, TextTable};
use houseway_lab::plot::{Axis, Bar, BarChart, Chart, Figure, LineChart, Series};
use serde_json::Value;
use std::collections::BTreeMap;

/// The number of points that are listed. The tables contain all of them.
const LISTED: usize = 50;
const SHOWN: usize = 10;
const BARS: usize = 15;
/// The maximum number of curves in a figure. If there were more, the points are drawn without curves.
const MAX_CURVES: usize = 6;
/// The ratio of the highest to the lowest value from which an axis is logarithmic.
const LOG_RATIO: f64 = 20.0;

/// Returns the answer of a sweep. In the terminal, it is the table of the points.
pub fn answer(summary: &Summary<'_>) -> Answer {
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
    let (heading, first, slug) = match summary.is_ranking() {
        true => ("Best points", "best", "best-points"),
        false => ("Points", "first", "points"),
    };
    let list = Section::new(heading).table(summary.table().top(SHOWN));
    let mut more = Section::default().detail();
    if shown < summary.points.len() {
        more = more.text(format!("These are the {first} {shown} of {} points.", summary.points.len()));
    }
    let metric = summary.metric;
    let with = if plan.config.seeds.len() > 1 { " with 95% intervals" } else { "" };
    let alt = format!("{metric} of the {}{with}", heading.to_lowercase());
    more = more.figure(bars(summary, heading).named(slug, alt));
    for key in varied(&plan.points) {
        let label = plan.labels()[key];
        for (name, figure) in by_key(summary, key) {
            more = more.figure(figure.named(name, format!("{metric} against {label}")));
        }
    }
    let sections = [Section::default().text(about), Section::default().text(files).detail(), list, more];
    Answer::new(summary.json(), sections).titled(format!("Sweep {}", plan.config.name))
}

fn metric_axis(summary: &Summary<'_>) -> Axis {
    let unit = summary.plan.unit();
    match summary.metric {
        "regret" => regret_axis(unit),
        _ => Axis::new(format!("EV, in {}s", unit.name)),
    }
}

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
        let name = others.iter().map(|other| format!("{}={}", labels[other], shown(&set[*other])));
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

impl Summary<'_> {
    fn table(&self) -> TextTable {
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
        for summary in self.points.iter().take(LISTED) {
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

    fn has_agents(&self) -> bool {
        self.points.iter().any(|point| point.agent != self.points[0].agent)
    }

    fn label(&self, summary: &PointSummary) -> String {
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

    fn explanation(&self) -> String {
        let seeds = seeds_text(self.plan.config.seeds.len());
        let unit = self.plan.unit();
        let unit = if unit.percent { format!("% of the {}", unit.name) } else { format!("{}s per round", unit.name) };
        let metric = match self.metric {
            "regret" => "regret (lower is better)",
            _ => "EV (higher is better)",
        };
        let interval = match self.plan.config.seeds.len() {
            1 => "One seed has no interval.",
            2..10 => "Its interval comes from a bootstrap over the seeds, which is too narrow for fewer than ten.",
            _ => "Its interval comes from a bootstrap over the seeds.",
        };
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
}
