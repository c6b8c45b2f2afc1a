//! The metrics of training runs, learning curves along each axis, and charts of agents that only differ in their seed.

use super::experiment::Experiment;
use crate::metrics::{MetricHistory, Point};
use houseway_env::named_enum;
use houseway_exact::solver::{MeasuredBaselines, REGRET_ERROR, StakeUnit, Z95};
use houseway_lab::plot::{Axis, Bar, BarSeries, Chart, Figure, LineChart, Reference, Series};
use houseway_lab::run::{RunFolder, split_agent_name};
use houseway_learned::explain_metric;
use houseway_learned::task::Feedback;

/// The relative difference up to which two budgets count as equal.
const EQUAL: f64 = 0.05;
/// The relative difference up to which two axes count as proportional.
const PROPORTIONAL: f64 = 0.01;
/// The ratio of two budgets from which their axis is logarithmic. The shorter curve would be too narrow on a linear one.
const FAR_APART: f64 = 20.0;
/// The note on charts with bars for several seeds.
const NOTE: &str = "; agents with several seeds: mean and range of the seeds";

pub struct Trained {
    pub name: String,
    pub feedback: Feedback,
    pub seeds: Vec<MetricHistory>,
}

impl Trained {
    pub fn read(experiment: &Experiment, run: &RunFolder) -> anyhow::Result<Vec<Trained>> {
        let mut trained: Vec<Trained> = vec![];
        for (name, training) in experiment.trainings() {
            let history = |seed: &u64| MetricHistory::read(&run.training(&format!("{name}-seed-{seed}")));
            let seeds = experiment.seeds.iter().map(history).collect::<Result<_, _>>()?;
            trained.push(Trained { name: name.clone(), feedback: training.feedback(), seeds });
        }
        Ok(trained)
    }

    /// Returns the mean over the seeds of a number at the end of training, or `None` if a seed doesn't have it.
    fn mean(&self, last: impl Fn(&MetricHistory) -> Option<f64>) -> Option<f64> {
        let values = self.seeds.iter().map(last).collect::<Option<Vec<f64>>>()?;
        Some(values.iter().sum::<f64>() / values.len() as f64)
    }

    /// Returns the amount of training, or `None` if it wasn't recorded.
    pub fn total(&self, axis: CurveAxis) -> Option<f64> {
        self.mean(|history| axis.amount(&history.last()?))
    }

    /// Returns the names of the metrics that the method reports. Those of the evaluator have no explanation.
    pub fn metrics(&self) -> Vec<&str> {
        let Some(history) = self.seeds.first() else { return vec![] };
        let names = history.last().map_or(vec![], |last| history.at(last.step));
        names.into_iter().filter(|name| explain_metric(name).is_some()).collect()
    }

    pub fn metric(&self, name: &str) -> Option<f64> {
        self.mean(|history| Some(history.curve(name).last()?.value))
    }

    fn label(&self) -> String {
        match self.feedback.is_named(&self.name) {
            true => self.feedback.name().to_owned(),
            false => format!("{} ({})", self.name, self.feedback.name()),
        }
    }

    /// Returns the regret curve of each seed with the standard errors, which are 0 if the regret is exact.
    fn regrets(&self) -> Vec<Vec<(Point, f64)>> {
        let curve = |history: &MetricHistory| {
            let errors = history.curve(REGRET_ERROR);
            let error = |point: &Point| errors.iter().find(|error| error.step == point.step);
            // Leave out the untrained network, because its value is off the scale.
            let points = history.curve("regret").into_iter().filter(|point| point.step > 0);
            points.map(|point| (point, error(&point).map_or(0.0, |error| error.value))).collect()
        };
        self.seeds.iter().map(curve).collect()
    }

    fn curve(&self, x: impl Fn(&Point) -> f64) -> Series {
        let seeds = self.regrets();
        let points = seeds.iter().map(Vec::len).min().unwrap_or(0);
        let n = seeds.len() as f64;
        let (mut means, mut band) = (Vec::new(), Vec::new());
        for i in 0..points {
            let at: Vec<(Point, f64)> = seeds.iter().map(|curve| curve[i]).collect();
            let mean = |value: &dyn Fn(&Point) -> f64| at.iter().map(|(point, _)| value(point)).sum::<f64>() / n;
            means.push((mean(&x), mean(&|point| point.value)));
            let ends = |side: f64| at.iter().map(move |(point, error)| point.value + side * Z95 * error);
            band.push((ends(-1.0).fold(f64::INFINITY, f64::min).max(0.0), ends(1.0).fold(0.0, f64::max)));
        }
        Series::new(self.label(), means).band(band)
    }
}

/// Plots the regret of the training runs by each of these axes. Each curve is the mean over the seeds. Its band extends
/// from the lowest to the highest value, including their 95% confidence intervals if the regret is measured on a sample.
/// Curves are labeled with their feedback. The title states the budget if it is the same for all runs.
///
/// By default, an axis is left out if another one shows the same picture, and wall-clock time is left out too.
pub fn learning_figures(
    trained: &[Trained],
    axes: Option<&[CurveAxis]>,
    game: &str,
    unit: StakeUnit,
    baselines: &MeasuredBaselines,
) -> Vec<Figure> {
    let axes = axes.map_or_else(|| different_axes(trained), <[CurveAxis]>::to_vec);
    let draw = |axis: CurveAxis| {
        let alt = format!("regret of the learning agents by {}", axis.noun(round(unit)));
        Some(figure(trained, axis, game, unit, baselines)?.named(axis.figure_name(round(unit)), alt))
    };
    axes.into_iter().filter_map(draw).collect()
}

pub fn regret_axis(unit: StakeUnit) -> Axis {
    match unit.percent {
        true => Axis::new(format!("regret, in % of the {}", unit.name)).percent(),
        false => Axis::new(format!("regret, in {}s", unit.name)),
    }
}

/// Returns the word for a unit of play, i.e. for what one stake covers.
pub fn round(unit: StakeUnit) -> &'static str {
    if unit.percent { "hand" } else { "round" }
}

/// Returns the axes that differ, and processor time.
fn different_axes(trained: &[Trained]) -> Vec<CurveAxis> {
    let mut kept: Vec<(CurveAxis, Vec<f64>)> = vec![];
    for axis in CurveAxis::ALL.into_iter().filter(|axis| !axis.is_time()) {
        let Some(totals) = trained.iter().map(|it| it.total(axis)).collect::<Option<Vec<f64>>>() else { continue };
        let is_proportional = |(_, other): &(CurveAxis, Vec<f64>)| {
            let ratios = || totals.iter().zip(other).map(|(a, b)| a / b);
            are_equal(ratios().collect(), PROPORTIONAL)
        };
        if !kept.iter().any(is_proportional) {
            kept.push((axis, totals));
        }
    }
    kept.into_iter().map(|(axis, _)| axis).chain([CurveAxis::ProcessorSeconds]).collect()
}

/// Returns `true` if numbers differ by no more than a fraction of the greatest one.
fn are_equal(numbers: Vec<f64>, tolerance: f64) -> bool {
    let (low, high) = numbers.iter().fold((f64::INFINITY, 0f64), |(low, high), &x| (low.min(x), high.max(x)));
    high.is_finite() && high - low <= tolerance * high
}

fn figure(
    trained: &[Trained],
    axis: CurveAxis,
    game: &str,
    unit: StakeUnit,
    baselines: &MeasuredBaselines,
) -> Option<Figure> {
    let totals = trained.iter().map(|it| it.total(axis)).collect::<Option<Vec<f64>>>()?;
    let (shown, omitted): (Vec<_>, Vec<_>) = trained.iter().zip(totals).partition(|(_, total)| *total > 0.0);
    let totals: Vec<f64> = shown.iter().map(|(_, total)| *total).collect();
    let most = totals.iter().copied().reduce(f64::max)?;
    let noun = axis.noun(round(unit));
    let (divisor, suffix) = if axis.is_time() { (1.0, "") } else { axis_unit(most) };
    let x = Axis::new(format!("{noun}{suffix}"));
    let least = totals.iter().copied().fold(most, f64::min);
    let x = if most < FAR_APART * least { x.from_zero() } else { x.log() };
    let mut chart = LineChart::new(x, regret_axis(unit).log());
    for (it, _) in &shown {
        chart = chart.with(it.curve(|point| axis.amount(point).unwrap_or(f64::NAN) / divisor));
    }
    for score in &baselines.scores {
        let band = score.regret_ci.map(|[low, high]| (low.max(0.0), high));
        chart = chart.with_reference(Reference { name: score.name.clone(), y: score.regret, band });
    }
    let title = match totals.len() > 1 && are_equal(totals.clone(), EQUAL) {
        true => format!("Learning {game}, at {} {} each", amount(&totals), axis.unit(round(unit))),
        false => format!("Learning {game} by {noun}"),
    };
    let is_sampled = trained.iter().any(|it| it.regrets().iter().flatten().any(|(_, error)| *error > 0.0));
    let seeds = trained.first().map_or(0, |it| it.seeds.len());
    let mut note = format!("{}; {}", baselines.note, explain_band(seeds, is_sampled));
    for (it, _) in omitted {
        note += &format!("; no curve for {}: 0 {}", it.label(), axis.unit(round(unit)));
    }
    Some(Figure::new(title, chart).note(note))
}

pub fn seeds_text(seeds: usize) -> String {
    if seeds == 1 { "one seed".to_owned() } else { format!("{seeds} seeds") }
}

fn explain_band(seeds: usize, is_sampled: bool) -> String {
    match (seeds, is_sampled) {
        (1, false) => "one seed".to_owned(),
        (1, true) => "one seed; bands: 95% confidence intervals".to_owned(),
        (_, false) => format!("mean of {seeds} seeds, band from the lowest to the highest"),
        (_, true) => {
            format!("mean of {seeds} seeds; bands: range of the seeds, widened by the 95% intervals of the sample")
        }
    }
}

/// Returns a unit for an axis that ends at this number, as a divisor and a label. The tick labels have fewer than five
/// digits, so that they aren't abbreviated on top of the unit.
fn axis_unit(most: f64) -> (f64, &'static str) {
    match most {
        ..9e3 => (1.0, ""),
        9e3..9e6 => (1e3, ", in thousands"),
        9e6..9e9 => (1e6, ", in millions"),
        _ => (1e9, ", in billions"),
    }
}

/// Formats the mean of several budgets with two significant digits.
fn amount(totals: &[f64]) -> String {
    let mean = totals.iter().sum::<f64>() / totals.len() as f64;
    let unit = 10f64.powf(mean.max(1.0).log10().floor() - 1.0);
    let rounded = (mean / unit).round() * unit;
    let (divisor, word) = match rounded {
        ..1e6 => (1.0, ""),
        1e6..1e9 => (1e6, " million"),
        _ => (1e9, " billion"),
    };
    let number = rounded / divisor;
    let places = usize::from(number < 9.95 && number.fract() > 1e-9);
    match word {
        "" => houseway_exact::format::grouped(number.round() as u64),
        word => format!("{number:.places$}{word}"),
    }
}

named_enum! {
    /// A horizontal axis of learning curves.
    pub enum CurveAxis: kebab_case {
        /// The number of hands seen.
        Hands,
        Settled,
        Rewards,
        /// The number of gradient steps.
        Updates,
        ProcessorSeconds,
        /// The wall-clock time.
        Seconds,
    }
}

impl CurveAxis {
    /// Returns the name of the figure. `round` is the name of the unit of play.
    pub fn figure_name(self, round: &str) -> String {
        match self {
            CurveAxis::ProcessorSeconds => "regret-by-processor-time".to_owned(),
            CurveAxis::Seconds => "regret-by-time".to_owned(),
            _ => format!("regret-by-{}", self.unit(round).replace(' ', "-")),
        }
    }

    /// Returns the name of the quantity in the plural. `round` is the name of the unit of play.
    pub fn noun(self, round: &str) -> String {
        match self {
            CurveAxis::Hands => format!("{round}s seen"),
            CurveAxis::Rewards => "rewards used".to_owned(),
            _ => self.unit(round),
        }
    }

    /// Returns the name that follows an amount. `round` is the name of the unit of play.
    pub fn unit(self, round: &str) -> String {
        match self {
            CurveAxis::Hands => format!("{round}s"),
            CurveAxis::Settled => "deals settled".to_owned(),
            CurveAxis::Rewards => "rewards".to_owned(),
            CurveAxis::Updates => "gradient steps".to_owned(),
            CurveAxis::ProcessorSeconds => "processor seconds".to_owned(),
            CurveAxis::Seconds => "seconds of training".to_owned(),
        }
    }

    /// Returns `true` if the axis is a time, which isn't reproducible.
    pub fn is_time(self) -> bool {
        matches!(self, CurveAxis::ProcessorSeconds | CurveAxis::Seconds)
    }

    /// Returns the amount at a point, or `None` if it wasn't recorded.
    pub fn amount(self, point: &Point) -> Option<f64> {
        let count = |count: Option<u64>| count.map(|count| count as f64);
        match self {
            CurveAxis::Hands => Some(point.hands as f64),
            CurveAxis::Settled => count(point.settled),
            CurveAxis::Rewards => count(point.rewards),
            CurveAxis::Updates => count(point.updates),
            CurveAxis::ProcessorSeconds => point.processor_seconds,
            CurveAxis::Seconds => point.seconds,
        }
    }
}

/// Replaces the bars of adjacent agents that only differ in their seed by a bar with their mean and range. Other plots are
/// left unchanged.
pub fn merge_seeds(mut plot: Figure) -> Figure {
    let Chart::Bars(chart) = &mut plot.chart else { return plot };
    let training = |agent: &String| split_agent_name(agent).map(|(training, _)| training.to_owned());
    let unmerged = chart.clone();
    chart.categories.clear();
    chart.series.iter_mut().for_each(|series| series.values.clear());
    let mut start = 0;
    for seeds in unmerged.categories.chunk_by(|a, b| training(a).is_some() && training(a) == training(b)) {
        let name = training(&seeds[0]).filter(|_| seeds.len() > 1);
        chart.categories.push(name.map_or_else(|| seeds[0].clone(), |name| format!("{name}, {} seeds", seeds.len())));
        for (series, BarSeries { values, .. }) in chart.series.iter_mut().zip(&unmerged.series) {
            series.values.push(merged(&values[start..start + seeds.len()]));
        }
        start += seeds.len();
    }
    if chart.categories.len() < start {
        let has_interval = |bar: &Bar| bar.low < bar.high;
        let is_sample = unmerged.series.iter().any(|series| series.values.iter().any(has_interval));
        plot.note += NOTE;
        plot.note += if is_sample { ", widened by their intervals" } else { "" };
    }
    plot
}

/// Returns the mean of several bars and their range, which includes their intervals, or the bar itself if there is only
/// one.
fn merged(bars: &[Bar]) -> Bar {
    if let [bar] = bars {
        return *bar;
    }
    let mean = bars.iter().map(|bar| bar.value).sum::<f64>() / bars.len() as f64;
    // The ends of an interval that isn't known are not a number, which the comparisons skip.
    let low = bars.iter().map(|bar| bar.value.min(bar.low)).reduce(f64::min).unwrap_or(f64::NAN);
    let high = bars.iter().map(|bar| bar.value.max(bar.high)).reduce(f64::max).unwrap_or(f64::NAN);
    Bar::between(mean, low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_lab::plot::{Axis, BarChart, Chart, LineChart};

    fn point(step: u64, settled: u64, value: f64) -> Point {
        Point {
            step,
            hands: 1000 * step,
            settled: Some(settled),
            rewards: Some(2000 * step),
            updates: None,
            seconds: Some(1.0),
            processor_seconds: None,
            value,
        }
    }

    /// Returns the training runs with two seeds, two measurements and the given numbers of settled deals.
    fn curves(name: &str, settled: [u64; 2], errors: [f64; 2]) -> Trained {
        let history = |values: [f64; 2]| {
            let mut history = MetricHistory::default();
            for (i, value) in values.into_iter().enumerate() {
                let at = point(i as u64 + 1, settled[i], value);
                history.add("regret", at);
                history.add(REGRET_ERROR, Point { value: errors[i], ..at });
            }
            history
        };
        let seeds = vec![history([0.5, 0.25]), history([1.0, 0.75])];
        Trained { name: name.to_owned(), feedback: Feedback::ExactLabels, seeds }
    }

    const UNIT: StakeUnit = StakeUnit { name: "stake", percent: true };

    fn baselines() -> MeasuredBaselines {
        MeasuredBaselines { note: "on 10 hands".to_owned(), scores: vec![] }
    }

    #[test]
    fn the_unit_of_deals_keeps_tick_labels_short() {
        for (most, divisor, label) in [
            (8_999.0, 1.0, ""),
            (8_999_999.0, 1e3, ", in thousands"),
            (6e7, 1e6, ", in millions"),
            (9e9, 1e9, ", in billions"),
        ] {
            assert_eq!(axis_unit(most), (divisor, label));
            // An axis extends a little beyond its last value.
            assert!(1.1 * most / divisor < 1e4);
        }
    }

    #[test]
    fn amounts_have_two_digits() {
        for (total, text) in [
            (16_777_216.0, "17 million"),
            (1.5e6, "1.5 million"),
            (999_999.0, "1 million"),
            (2.0e9, "2 billion"),
            (65_536.0, "66,000"),
            (12_000.0, "12,000"),
            (123.4, "120"),
            (7.0, "7"),
        ] {
            assert_eq!(amount(&[total, total]), text);
        }
    }

    #[test]
    fn a_curve_is_the_mean_over_seeds_with_their_intervals() {
        let mean = |errors| curves("exact-labels", [1, 2], errors).curve(|point| point.hands as f64 / 1e3);
        let points = vec![(1.0, 0.75), (2.0, 0.5)];
        let series = Series::new("exact labels", points.clone()).band(vec![(0.5, 1.0), (0.25, 0.75)]);
        assert_eq!(mean([0.0, 0.0]), series);
        let band = vec![(0.5 - Z95 * 0.125, 1.0 + Z95 * 0.125), (0.0, 0.75 + Z95 * 0.25)];
        assert_eq!(mean([0.125, 0.25]), Series::new("exact labels", points).band(band));
    }

    #[test]
    fn axes_that_show_the_same_picture_are_left_out() {
        let names = |curves: &[Trained]| different_axes(curves).into_iter().map(CurveAxis::name).collect::<Vec<_>>();
        let one = || curves("one", [1000, 2000], [0.0, 0.0]);
        let many = || curves("many", [120_000, 240_000], [0.0, 0.0]);
        let none = || curves("none", [0, 0], [0.0, 0.0]);
        assert_eq!(names(&[one(), one()]), ["hands", "processor-seconds"]);
        assert_eq!(names(&[many()]), ["hands", "processor-seconds"]);
        assert_eq!(names(&[one(), many()]), ["hands", "settled", "processor-seconds"]);
        assert_eq!(names(&[one(), none()]), ["hands", "settled", "processor-seconds"]);
    }

    #[test]
    fn budgets_that_are_far_apart_have_a_logarithmic_axis() {
        let one = || curves("one", [1000, 2000], [0.0, 0.0]);
        let axis = |settled: [u64; 2]| {
            let runs = [one(), curves("many", settled, [0.0, 0.0])];
            let figure = figure(&runs, CurveAxis::Settled, "Poker", UNIT, &baselines()).unwrap();
            let Chart::Lines(chart) = figure.chart else { panic!("the figure has lines") };
            (chart.x.log, chart.x.from_zero)
        };
        assert_eq!(axis([1000, 39_999]), (false, true));
        assert_eq!(axis([20_000, 40_000]), (true, false));
    }

    #[test]
    fn a_title_states_the_budget_only_if_it_is_equal() {
        let title = |runs: &[Trained], axis| figure(runs, axis, "Poker", UNIT, &baselines()).map(|figure| figure.title);
        let close = || curves("close", [1000, 1950], [0.0, 0.0]);
        let one = || curves("one", [1000, 2000], [0.0, 0.0]);
        let more = || curves("more", [1000, 2200], [0.0, 0.0]);
        let settled = |runs: &[Trained]| title(runs, CurveAxis::Settled).unwrap();
        assert_eq!(settled(&[one(), close()]), "Learning Poker, at 2,000 deals settled each");
        assert_eq!(settled(&[one(), more()]), "Learning Poker by deals settled");
        assert_eq!(settled(&[one()]), "Learning Poker by deals settled");
        assert_eq!(title(&[one(), more()], CurveAxis::Hands).unwrap(), "Learning Poker, at 2,000 hands each");
        // These were not recorded.
        assert_eq!(title(&[one(), one()], CurveAxis::Updates), None);
        let none = || curves("exact labels", [0, 0], [0.0, 0.0]);
        assert_eq!(title(&[none()], CurveAxis::Settled), None);
        let drawn = figure(&[one(), none()], CurveAxis::Settled, "Poker", UNIT, &baselines()).unwrap();
        assert!(drawn.note.ends_with("; no curve for exact labels: 0 deals settled"), "{drawn:?}");
        assert!(drawn.note.starts_with("on 10 hands; mean of 2 seeds, band from"));
    }

    fn plot(chart: impl Into<Chart>) -> Figure {
        Figure::new("EV", chart).note("exact").named("ev", "EV")
    }

    fn bars(agents: &[(&str, f64)]) -> Figure {
        let names = agents.iter().map(|(name, _)| (*name).to_owned()).collect();
        let values = agents.iter().map(|&(_, value)| Bar::between(value, value - 0.5, value + 0.5)).collect();
        plot(BarChart::new(Axis::new("EV"), names).with("EV", values))
    }

    fn shown(plot: Figure) -> (String, BarChart) {
        match plot.chart {
            Chart::Bars(chart) => (plot.note, chart),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn seeds_of_the_same_training_share_a_bar() {
        let agents =
            [("house way", -3.0), ("a, seed 1", -2.0), ("a, seed 7", -1.0), ("b, seed 1", -4.0), ("best", 0.0)];
        let (note, chart) = shown(merge_seeds(bars(&agents)));
        assert_eq!(chart.categories, ["house way", "a, 2 seeds", "b, seed 1", "best"]);
        assert_eq!(note, format!("exact{NOTE}, widened by their intervals"));
        let values = &chart.series[0].values;
        assert_eq!(values[1], Bar::between(-1.5, -2.5, -0.5));
        assert_eq!(
            [values[0], values[2], values[3]].map(|bar| (bar.value, bar.low)),
            [(-3.0, -3.5), (-4.0, -4.5), (0.0, -0.5)]
        );
    }

    #[test]
    fn exact_values_of_seeds_have_their_range() {
        let names = ["a, seed 1", "a, seed 7"].map(str::to_owned).to_vec();
        let exact = |value: f64| Bar::between(value, value, value);
        for values in [[Bar::from(-2.0), Bar::from(-1.0)], [exact(-2.0), exact(-1.0)]] {
            let (note, chart) =
                shown(merge_seeds(plot(BarChart::new(Axis::new("EV"), names.clone()).with("EV", values.to_vec()))));
            assert_eq!((note, chart.series[0].values[0]), (format!("exact{NOTE}"), Bar::between(-1.5, -2.0, -1.0)));
        }
    }

    #[test]
    fn plots_without_repeated_trainings_stay_unchanged() {
        for plot in [
            bars(&[("house way", -3.0), ("a, seed 1", -2.0), ("b, seed 1", -1.0), ("optimum", 0.0)]),
            bars(&[]),
            plot(LineChart::new(Axis::new("x"), Axis::new("y"))),
        ] {
            assert_eq!(merge_seeds(plot.clone()), plot);
        }
    }
}
