//! Learning curves for the training runs in a results folder. They are drawn from the metrics files, which grow during
//! training.

use super::{CURVES, Group, RESULTS, Response, Services, error_html, escape, is_plain};
use crate::metrics::MetricHistory;
use crate::plot::{Axis, Figure, LineChart, Series, svg};
use crate::run::{is_locked, read_inside};
use houseway_exact::format::grouped;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use toml::Table;

const MAX_CURVES: usize = 20;
/// The step at which the network is still untrained. Its metrics are omitted from the figures since they would dominate
/// the scale.
const UNTRAINED: u64 = 0;

struct Training {
    name: String,
    history: MetricHistory,
    /// The number of steps that the run's configuration asks for, if it has one.
    steps: Option<u64>,
    is_running: bool,
}

impl Training {
    fn read(name: &str, folder: &Path) -> Option<Training> {
        let history = MetricHistory::read(folder).ok()?;
        let steps = steps(name, folder);
        let is_finished = steps.is_some_and(|steps| history.last().is_some_and(|point| point.step >= steps));
        Some(Training { name: name.to_owned(), history, steps, is_running: !is_finished && is_in_use(folder) })
    }

    /// Returns the last step, and the number of all steps if it is known.
    fn progress(&self) -> String {
        let step = self.history.last().map_or_else(String::new, |point| grouped(point.step));
        self.steps.map_or_else(|| step.clone(), |steps| format!("{step} of {}", grouped(steps)))
    }

    fn state(&self) -> String {
        let last = self.history.last();
        let left = last.zip(self.steps).map(|(point, steps)| (point, steps.saturating_sub(point.step)));
        match left {
            Some((_, 0)) => "finished".to_owned(),
            _ if !self.is_running => "not running".to_owned(),
            Some((point, left)) if point.step > 0 && point.seconds.is_some() => {
                let minutes = point.seconds.unwrap_or_default() * left as f64 / point.step as f64 / 60.0;
                format!("running, about {} min left", minutes.ceil())
            }
            _ => "running".to_owned(),
        }
    }

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
            "progress": self.progress(),
            "state": self.state(),
        })
    }
}

/// Returns the folder of a training run's run, which has it in `train`, and that of the run's sweep, which has the runs of
/// its points in `points`.
fn runs_of(training: &Path) -> impl Iterator<Item = &Path> {
    let run = training.ancestors().nth(2);
    let points = run.and_then(Path::parent).filter(|folder| folder.ends_with("points"));
    run.into_iter().chain(points.and_then(Path::parent))
}

/// Returns `true` if a process has locked the run that a training run is part of.
fn is_in_use(training: &Path) -> bool {
    runs_of(training).any(is_locked)
}

/// Returns the number of steps in the configuration of a training run, whose name consists of the agent and a seed.
fn steps(name: &str, training: &Path) -> Option<u64> {
    let agent = name.rsplit_once("-seed-").map_or(name, |(agent, _)| agent);
    let config = runs_of(training).find_map(|run| read_inside(run, "config.toml").ok())?;
    let config: Table = toml::from_str(&config).ok()?;
    config.get("train")?.get(agent)?.get("steps")?.as_integer()?.try_into().ok()
}

pub fn is_running(group: &Group) -> bool {
    let is_running = |training: Training| training.is_running;
    group.iter().any(|(name, folder)| is_in_use(folder) && Training::read(name, folder).is_some_and(is_running))
}

/// Reads the training runs in a group. Any run whose metrics cannot be read is skipped, e.g. while its last line is
/// being written.
fn read(group: &Group) -> Vec<Training> {
    let training = |(name, folder): (&String, &PathBuf)| Training::read(name, folder);
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

fn is_regret(metric: &str) -> bool {
    metric.starts_with("regret")
}

/// Returns the name of a metric in words.
fn words(metric: &str) -> String {
    match metric {
        "ev" => "EV".to_owned(),
        "regret_error" => "standard error of the regret".to_owned(),
        metric => metric.replace(['_', '-'], " "),
    }
}

/// Returns the axis for a metric. Regrets are drawn as in reports.
fn axis(metric: &str) -> Axis {
    match is_regret(metric) {
        true => Axis::new(format!("{}, in % of the stake", words(metric))).percent().log(),
        false => Axis::new(words(metric)),
    }
}

/// Formats a value of a metric with four significant digits.
fn value_text(metric: &str, value: f64) -> String {
    let scaled = if is_regret(metric) { 100.0 * value } else { value };
    let rounded: f64 = format!("{scaled:.3e}").parse().unwrap_or(scaled);
    if is_regret(metric) { format!("{rounded}%") } else { rounded.to_string() }
}

fn figure(folder: &str, metric: &str, trainings: &[Training]) -> Figure {
    let mut chart = LineChart::new(Axis::new("hands seen").log(), axis(metric));
    for training in trainings {
        let points = training.history.curve(metric).into_iter().filter(|point| point.step > UNTRAINED);
        let points: Vec<(f64, f64)> = points.map(|point| (point.hands as f64, point.value)).collect();
        chart = chart.with(Series::new(training.name.as_str(), points));
    }
    Figure::new(format!("{} of {folder}", words(metric)), chart)
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
        let table = table(&trainings);
        return Some(Response::json(
            200,
            &json!({ "metrics": metrics(&trainings), "trainings": states, "table": table }),
        ));
    }
    let metric = rest.strip_prefix('/')?.strip_suffix(".svg")?;
    let metric = metrics(&trainings).into_iter().find(|known| known == metric)?;
    match svg(&figure(folder, &metric, &trainings)) {
        Ok(svg) => Some(Response::file("image/svg+xml", svg.into_bytes())),
        Err(error) => Some(services.page(500, RESULTS, folder, &[], &error_html(&error.to_string()))),
    }
}

/// Returns the table of training runs as HTML, without its tags.
fn table(trainings: &[Training]) -> String {
    let metrics = metrics(trainings);
    let mut html =
        "<thead><tr><th scope=\"col\">Training</th><th scope=\"col\">Step</th><th scope=\"col\">Hands</th>".to_owned();
    for metric in &metrics {
        html += &format!("<th scope=\"col\">{}</th>", escape(&words(metric)));
    }
    html += "<th scope=\"col\">State</th></tr></thead>\n<tbody>\n";
    for training in trainings {
        let hands = training.history.last().map_or_else(String::new, |point| grouped(point.hands));
        html += &format!(
            "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"number\">{hands}</td>",
            escape(&training.name),
            training.progress(),
        );
        for metric in &metrics {
            let value = training.history.curve(metric).pop();
            let value = value.map_or_else(String::new, |point| value_text(metric, point.value));
            html += &format!("<td class=\"number\">{value}</td>");
        }
        html += &format!("<td>{}</td></tr>\n", training.state());
    }
    html + "</tbody>"
}

fn page(folder: &str, trainings: &[Training]) -> String {
    let (folder, mut plots) = (escape(folder), String::new());
    for metric in metrics(trainings) {
        let source = format!("/results/{folder}{CURVES}/{metric}.svg");
        plots += &format!(
            "<a class=\"plot\" href=\"{source}?large=1\"><img src=\"{source}\" alt=\"{} against hands seen, one curve per \
             training run\"></a>\n",
            escape(&words(&metric))
        );
    }
    format!(include_str!("assets/curves.html"), folder = folder, table = table(trainings), plots = plots)
}
