//! The figures of an experiment.

use super::Results;
use super::config::Experiment;
use super::score::{Score, ShapeScore};
use crate::metrics::{History, Point};
use crate::plot::{Axis, BarChart, Figure, LineChart, Series, Value, save_figure};
use crate::run::RunFolder;
use houseway_env::pai_gow::house_way::Shape;

/// Learning curves against hands: file name and what it shows.
pub(super) const BY_HANDS: (&str, &str) =
    ("regret-by-hands", "regret of the learning agents against the hands they have seen");
/// Learning curves against the clock.
pub(super) const BY_TIME: (&str, &str) =
    ("regret-by-time", "regret of the learning agents against the seconds of training");
/// EV by agent.
pub(super) const EV: (&str, &str) = ("ev-by-agent", "EV of each agent with its interval");
/// Where EV is lost.
pub(super) const LOST: (&str, &str) = ("ev-lost-by-shape", "EV that each agent loses on each shape of hand");
/// Agreement with the optimum.
pub(super) const AGREEMENT: (&str, &str) =
    ("agreement-by-shape", "share of hands that each agent sets as well as the optimum, by shape");

/// Shapes with fewer hands in the sample say nothing.
const FEW_HANDS: usize = 20;

/// Draws all figures of an experiment into its folder.
pub(super) fn save(results: &Results, experiment: &Experiment, run: &RunFolder) -> anyhow::Result<()> {
    if !experiment.train.is_empty() {
        save_figure(
            run,
            BY_HANDS.0,
            &curves(results, experiment, run, "hands seen, in thousands", |p| p.hands as f64 / 1e3)?,
        )?;
        save_figure(run, BY_TIME.0, &curves(results, experiment, run, "seconds of training", |p| p.seconds)?)?;
    }
    save_figure(run, EV.0, &ev_by_agent(results, experiment))?;
    save_figure(run, LOST.0, &by_shape(results, experiment, "EV lost per game, in % of the stake", |s| s.regret))?;
    let agreement = by_shape(results, experiment, "hands set as well as the optimum", |s| s.agreement);
    save_figure(run, AGREEMENT.0, &agreement)?;
    Ok(())
}

/// The regret of the trainings, mean over seeds with the band from the lowest to the highest.
fn curves(
    results: &Results,
    experiment: &Experiment,
    run: &RunFolder,
    label: &str,
    x: impl Fn(&Point) -> f64,
) -> anyhow::Result<Figure> {
    let y = Axis::new("regret, in % of the stake").log().percent();
    let names = experiment.train.keys().map(String::as_str);
    let mut chart = learning_curves(run, names, &experiment.seeds, (Axis::new(label).from_zero(), y), x)?;
    for baseline in results.agents.iter().filter(|agent| is_baseline(agent, experiment)) {
        chart = chart.reference(baseline.name.as_str(), baseline.regret);
    }
    let seeds = experiment.seeds.len();
    let note = format!(
        "exact regret on {} hands; mean of {seeds} seeds, band from the lowest to the highest",
        experiment.sample.hands
    );
    Ok(Figure::new("Learning to set hands", chart).note(note))
}

/// The regret of trainings of any game: for each the mean over seeds with the band from the lowest to the highest.
///
/// # Errors
/// If the metrics of a training cannot be read.
pub(crate) fn learning_curves<'a>(
    run: &RunFolder,
    names: impl Iterator<Item = &'a str>,
    seeds: &[u64],
    (x_axis, y_axis): (Axis, Axis),
    x: impl Fn(&Point) -> f64,
) -> anyhow::Result<LineChart> {
    let mut chart = LineChart::new(x_axis, y_axis);
    for name in names {
        let mut curves = Vec::new();
        for seed in seeds {
            let curve = History::read(&run.training(&format!("{name}-seed-{seed}")))?.curve("regret");
            // The untrained network is off every scale.
            curves.push(curve.into_iter().filter(|point| point.step > 0).collect::<Vec<_>>());
        }
        let steps = curves.iter().map(Vec::len).min().unwrap_or(0);
        let n = curves.len() as f64;
        let (mut points, mut band) = (Vec::new(), Vec::new());
        for i in 0..steps {
            let at: Vec<&Point> = curves.iter().map(|curve| &curve[i]).collect();
            let values = || at.iter().map(|point| point.value);
            points.push((at.iter().map(|point| x(point)).sum::<f64>() / n, values().sum::<f64>() / n));
            band.push((values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max)));
        }
        chart = chart.with(Series::new(name, points).band(band));
    }
    Ok(chart)
}

/// House way and power rating: what the learners are to beat.
fn is_baseline(agent: &Score, experiment: &Experiment) -> bool {
    let learned = experiment.train.keys().any(|name| agent.name.starts_with(&format!("{name}, seed ")));
    !learned && agent.name != "random legal" && agent.name != "optimum"
}

fn ev_by_agent(results: &Results, experiment: &Experiment) -> Figure {
    let shown: Vec<&Score> = results.agents.iter().filter(|agent| agent.name != "random legal").collect();
    let names = shown.iter().map(|agent| agent.name.clone()).collect();
    let values = shown.iter().map(|agent| Value::between(agent.ev, agent.ev_ci[0], agent.ev_ci[1])).collect();
    let chart =
        BarChart::new(Axis::new("EV per game, in % of the stake").percent(), names).with("EV", values).places(3);
    let banker = &experiment.banker;
    let note = match results.is_whole() {
        true => format!("against {banker}; exact, over all deals"),
        false => format!(
            "against {banker}; optimum exact over all deals, the others below it by their exact regret on {} hands, 95% \
             intervals",
            results.hands
        ),
    };
    Figure::new("Expected value by agent", chart).note(note)
}

/// The agents whose shapes are shown: the baselines, and the first seed of each training.
fn shown_by_shape<'a>(results: &'a Results, experiment: &Experiment) -> Vec<&'a Score> {
    let first = experiment.seeds.first().copied().unwrap_or_default();
    let is_first = |agent: &Score| experiment.train.keys().any(|name| agent.name == format!("{name}, seed {first}"));
    results.agents.iter().filter(|agent| is_baseline(agent, experiment) || is_first(agent)).collect()
}

fn by_shape(results: &Results, experiment: &Experiment, label: &str, of: impl Fn(&ShapeScore) -> f64) -> Figure {
    let agents = shown_by_shape(results, experiment);
    let find = |agent: &Score, shape: Shape| agent.shapes.iter().find(|score| score.shape == shape.name()).cloned();
    let hands = |shape: Shape| agents.first().and_then(|agent| find(agent, shape)).map_or(0, |score| score.hands);
    // So many hands say more as a share.
    let of_hands = |shape: Shape| match results.is_whole() {
        true => format!("{:.2}%", 100.0 * hands(shape) as f64 / results.hands as f64),
        false => hands(shape).to_string(),
    };
    let shapes: Vec<Shape> = Shape::ALL.into_iter().filter(|&shape| hands(shape) >= FEW_HANDS).collect();
    let names = shapes.iter().map(|&shape| format!("{} ({})", shape.name(), of_hands(shape))).collect();
    let mut chart = BarChart::new(Axis::new(label).percent(), names);
    for agent in &agents {
        let values = shapes.iter().map(|&shape| find(agent, shape).map_or(Value::NONE, |score| of(&score).into()));
        chart = chart.with(agent.name.as_str(), values.collect());
    }
    let note = match results.is_whole() {
        true => "in brackets: share of all hands; exact".to_owned(),
        false => format!(
            "in brackets: hands of the sample of {}; shapes with fewer than {FEW_HANDS} are left out",
            results.hands
        ),
    };
    Figure::new(if label.starts_with("EV") { "Where EV is lost" } else { "Agreement with the optimum" }, chart)
        .note(note)
}
