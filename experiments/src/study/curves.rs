//! Plots learning curves.

use super::experiment::Experiment;
use crate::metrics::{MetricHistory, Point};
use crate::plot::{Axis, Figure, LineChart, Series};
use crate::run::RunFolder;
use houseway_exact::solver::PolicyScore;
use houseway_learned::task::Feedback;

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
    let runs = read_runs(experiment, run)?;
    let most = runs.iter().flat_map(|(_, curves)| curves.iter().flatten()).map(|point| point.hands).max();
    let (divisor, unit) = deal_unit(most.unwrap_or(0));
    let seeds = match experiment.seeds.len() {
        1 => "one seed".to_owned(),
        seeds => format!("mean of {seeds} seeds, band from the lowest to the highest"),
    };
    let draw = |budget: String, unit: &str, x: &dyn Fn(&Point) -> f64| {
        let mut chart = LineChart::new(Axis::new(format!("{budget}{unit}")).from_zero(), axes.regret.clone());
        for (label, curves) in &runs {
            chart = chart.with(mean_curve(label, curves, x));
        }
        for score in references {
            chart = chart.reference(score.name.as_str(), score.regret);
        }
        Figure::new(format!("{title}, at equal {budget}"), chart).note(format!("{note}; {seeds}"))
    };
    let deals = draw(format!("{}s seen", axes.round), unit, &|point| point.hands as f64 / divisor);
    Ok([deals, draw("seconds of training".to_owned(), "", &|point| point.seconds)])
}

/// Returns a unit for an axis that ends at this number of deals, as a divisor and a label. The tick labels have fewer
/// than five digits, so that they aren't abbreviated on top of the unit.
fn deal_unit(most: u64) -> (f64, &'static str) {
    match most {
        0..9_000_000 => (1e3, ", in thousands"),
        9_000_000..9_000_000_000 => (1e6, ", in millions"),
        _ => (1e9, ", in billions"),
    }
}

/// Returns the label of each training configuration and the regret curves of its seeds.
fn read_runs(experiment: &Experiment, run: &RunFolder) -> anyhow::Result<Vec<(String, Vec<Vec<Point>>)>> {
    let read = |(name, feedback): (&String, Feedback)| {
        let curve = |seed: &u64| -> anyhow::Result<Vec<Point>> {
            let mut curve = MetricHistory::read(&run.training(&format!("{name}-seed-{seed}")))?.curve("regret");
            // Leave out the untrained network, because its value is off the scale.
            curve.retain(|point| point.step > 0);
            Ok(curve)
        };
        let feedback = feedback.name();
        let is_named_after_it = name.replace('-', " ") == feedback.replace('-', " ");
        let label = if is_named_after_it { feedback.to_owned() } else { format!("{name} ({feedback})") };
        Ok((label, experiment.seeds.iter().map(curve).collect::<anyhow::Result<_>>()?))
    };
    experiment.feedback().map(read).collect()
}

/// Returns the mean of several curves.
fn mean_curve(label: &str, curves: &[Vec<Point>], x: &dyn Fn(&Point) -> f64) -> Series {
    let steps = curves.iter().map(Vec::len).min().unwrap_or(0);
    let n = curves.len() as f64;
    let (mut points, mut band) = (Vec::new(), Vec::new());
    for i in 0..steps {
        let at: Vec<&Point> = curves.iter().map(|curve| &curve[i]).collect();
        let values = || at.iter().map(|point| point.value);
        points.push((at.iter().map(|point| x(point)).sum::<f64>() / n, values().sum::<f64>() / n));
        band.push((values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max)));
    }
    Series::new(label, points).band(band)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_of_deals_keeps_tick_labels_short() {
        for (most, divisor, label) in [
            (0, 1e3, ", in thousands"),
            (8_999_999, 1e3, ", in thousands"),
            (60_000_000, 1e6, ", in millions"),
            (9_000_000_000, 1e9, ", in billions"),
        ] {
            assert_eq!(deal_unit(most), (divisor, label));
            // An axis extends a little beyond its last value.
            assert!(1.1 * most as f64 / divisor < 1e4);
        }
    }

    #[test]
    fn a_curve_is_the_mean_over_seeds() {
        let curve = |values: [f64; 2]| -> Vec<Point> {
            let point = |(step, value)| Point { step, hands: 1000 * step, seconds: 1.0, value };
            (1..).zip(values).map(point).collect()
        };
        let series = mean_curve("a", &[curve([0.5, 0.25]), curve([1.0, 0.75])], &|point| point.hands as f64 / 1e3);
        assert_eq!(series, Series::new("a", vec![(1.0, 0.75), (2.0, 0.5)]).band(vec![(0.5, 1.0), (0.25, 0.75)]));
    }
}
