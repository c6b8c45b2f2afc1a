//! Plots learning curves.

use super::experiment::Experiment;
use crate::metrics::{MetricHistory, Point};
use crate::plot::{Axis, Figure, LineChart, Series};
use crate::run::RunFolder;
use houseway_exact::solver::PolicyScore;

/// The axes of learning curves.
pub struct CurveAxes {
    /// The name of the unit of play ("hand" or "round").
    pub round: &'static str,
    /// The regret axis.
    pub regret: Axis,
}

/// Plots the regret of the training runs against the number of deals and against time. Each curve is the mean over the
/// seeds, with a band from the lowest to the highest value. Curves are labeled with their feedback, and the titles say
/// which quantity is held equal.
///
/// # Errors
/// Returns an error if the metrics of a training run can't be read.
pub fn learning_figures(
    experiment: &Experiment,
    run: &RunFolder,
    axes: &CurveAxes,
    references: &[PolicyScore],
    title: &str,
    note: &str,
) -> anyhow::Result<[Figure; 2]> {
    let deals = (format!("{}s seen", axes.round), ", in thousands", deals_in_thousands as fn(&Point) -> f64);
    let time = ("seconds of training".to_owned(), "", seconds as fn(&Point) -> f64);
    let draw = |(budget, unit, x): (String, &str, fn(&Point) -> f64)| -> anyhow::Result<Figure> {
        let mut chart = LineChart::new(Axis::new(format!("{budget}{unit}")).from_zero(), axes.regret.clone());
        for (name, config) in &experiment.train {
            let feedback = config.method.feedback().name();
            chart = chart.with(mean_curve(experiment, run, name, &format!("{name} ({feedback})"), x)?);
        }
        for score in references {
            chart = chart.reference(score.name.as_str(), score.regret);
        }
        let seeds = experiment.seeds.len();
        let note = format!("{note}; mean of {seeds} seeds, band from the lowest to the highest");
        Ok(Figure::new(format!("{title}, at equal {budget}"), chart).note(note))
    };
    Ok([draw(deals)?, draw(time)?])
}

fn deals_in_thousands(point: &Point) -> f64 {
    point.hands as f64 / 1e3
}

fn seconds(point: &Point) -> f64 {
    point.seconds
}

/// Returns the labeled curve for a training run, averaged over its seeds.
fn mean_curve(
    experiment: &Experiment,
    run: &RunFolder,
    name: &str,
    label: &str,
    x: fn(&Point) -> f64,
) -> anyhow::Result<Series> {
    let mut curves = Vec::new();
    for seed in &experiment.seeds {
        let curve = MetricHistory::read(&run.training(&format!("{name}-seed-{seed}")))?.curve("regret");
        // Leave out the untrained network, because its value is off the scale.
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
    Ok(Series::new(label, points).band(band))
}
