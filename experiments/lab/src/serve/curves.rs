//! Learning curves for the training runs in a results folder. They are drawn from the metrics files, which grow during
//! training.

use super::{CURVES, Group, METRICS, RESULTS, Response, Services, error_html, escape, is_plain};
use crate::metrics::MetricHistory;
use crate::plot::{Axis, Figure, LineChart, Series, svg};
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time after which a training run whose metrics haven't changed is considered to be interrupted.
const QUIET: Duration = Duration::from_secs(60);
const MAX_CURVES: usize = 20;
/// The step at which the network is still untrained. Its metrics are omitted from the figures since they would dominate
/// the scale.
const UNTRAINED: u64 = 0;

struct Training {
    name: String,
    history: MetricHistory,
    is_running: bool,
}

impl Training {
    fn json(&self) -> Value {
        let last = self.history.last();
        let values = self.history.names().into_iter().filter_map(|name| {
            let value = self.history.curve(name).pop()?.value;
            Some((name.to_owned(), if value.is_finite() { json!(value) } else { Value::Null }))
        });
        json!({
            "name": self.name,
            "step": last.map(|point| point.step),
            "hands": last.map(|point| point.hands),
            "settled": last.and_then(|point| point.settled),
            "rewards": last.and_then(|point| point.rewards),
            "updates": last.and_then(|point| point.updates),
            "values": values.collect::<serde_json::Map<String, Value>>(),
            "running": self.is_running,
        })
    }
}

/// Returns `true` if a training run's metrics have changed recently, and its report hasn't been written since.
fn is_training(folder: &Path) -> bool {
    let modified = |path: PathBuf| fs::metadata(path).ok()?.modified().ok();
    let Some(changed) = modified(folder.join(METRICS)) else { return false };
    let has_report = |run: &Path| modified(run.join("report.md")).is_some_and(|written| written >= changed);
    // A run has its training runs in `train`, and a sweep those of its points.
    let has_ended = folder.ancestors().skip(1).take(4).any(has_report);
    !has_ended && changed.elapsed().is_ok_and(|age| age < QUIET)
}

pub fn is_running(group: &Group) -> bool {
    group.values().any(|folder| is_training(folder))
}

/// Reads the training runs in a group. Any run whose metrics cannot be read is skipped, e.g. while its last line is
/// being written.
fn read(group: &Group) -> Vec<Training> {
    let training = |(name, folder): (&String, &PathBuf)| {
        let history = MetricHistory::read(folder).ok()?;
        Some(Training { name: name.clone(), history, is_running: is_training(folder) })
    };
    group.iter().take(MAX_CURVES).filter_map(training).collect()
}

/// Returns the names of all metrics, starting with the regret.
fn metrics(trainings: &[Training]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in trainings.iter().flat_map(|training| training.history.names()) {
        if !names.iter().any(|known| known == name) && is_plain(name) {
            names.push(name.to_owned());
        }
    }
    names.sort_by_key(|name| name != "regret");
    names
}

fn figure(folder: &str, metric: &str, trainings: &[Training]) -> Figure {
    let mut chart = LineChart::new(Axis::new("hands seen, in thousands").from_zero(), Axis::new(metric));
    for training in trainings {
        let points = training.history.curve(metric).into_iter().filter(|point| point.step > UNTRAINED);
        let points: Vec<(f64, f64)> = points.map(|point| (point.hands as f64 / 1e3, point.value)).collect();
        chart = chart.with(Series::new(training.name.as_str(), points));
    }
    Figure::new(format!("{metric} of {folder}"), chart)
}

/// Responds to a request for the learning curves in a folder. `rest` is empty for the page, `/data` for the values or
/// `/METRIC.svg` for a figure. Returns `None` for anything else.
pub fn respond(folder: &str, group: &Group, rest: &str, services: &Services) -> Option<Response> {
    let trainings = read(group);
    if rest.is_empty() {
        return Some(services.page(200, RESULTS, folder, &["curves.js"], &page(folder, &trainings)));
    }
    if rest == "/data" {
        let states: Vec<Value> = trainings.iter().map(Training::json).collect();
        return Some(Response::json(200, &json!({ "metrics": metrics(&trainings), "trainings": states })));
    }
    let metric = rest.strip_prefix('/')?.strip_suffix(".svg")?;
    let metric = metrics(&trainings).into_iter().find(|known| known == metric)?;
    match svg(&figure(folder, &metric, &trainings)) {
        Ok(svg) => Some(Response::file("image/svg+xml", svg.into_bytes())),
        Err(error) => Some(services.page(500, RESULTS, folder, &[], &error_html(&error.to_string()))),
    }
}

fn page(folder: &str, trainings: &[Training]) -> String {
    let folder = escape(folder);
    let metrics = metrics(trainings);
    let mut html = format!(
        "<nav aria-label=\"Folder\"><a href=\"/results/\">All results</a></nav>\n<h1>Learning curves for {folder}</h1>\n\
         <p id=\"live\" role=\"status\" class=\"quiet\"></p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" \
         aria-label=\"Training runs\">\n<table id=\"trainings\"><thead><tr><th scope=\"col\">Training</th>\
         <th scope=\"col\">Step</th><th scope=\"col\">Hands</th>"
    );
    for metric in &metrics {
        let _ = write!(html, "<th scope=\"col\" data-metric=\"{metric}\">{metric}</th>");
    }
    html += "<th scope=\"col\">State</th></tr></thead>\n<tbody>\n";
    for training in trainings {
        let last = training.history.last();
        let number = |value: Option<u64>| value.map_or_else(String::new, |value| value.to_string());
        let _ = write!(
            html,
            "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"number\">{}</td>",
            escape(&training.name),
            number(last.map(|point| point.step)),
            number(last.map(|point| point.hands))
        );
        for metric in &metrics {
            let value =
                training.history.curve(metric).pop().map_or_else(String::new, |point| format!("{:.6}", point.value));
            let _ = write!(html, "<td class=\"number\">{value}</td>");
        }
        let state = if training.is_running { "running" } else { "ended" };
        let _ = writeln!(html, "<td>{state}</td></tr>");
    }
    html += "</tbody></table></div>\n<article id=\"curves\">\n";
    for metric in &metrics {
        let source = format!("/results/{folder}{CURVES}/{metric}.svg");
        let _ = writeln!(
            html,
            "<a class=\"plot\" href=\"{source}?large=1\"><img src=\"{source}\" alt=\"{metric} against hands seen, one curve per \
             training run\"></a>"
        );
    }
    html + "</article>\n"
}
