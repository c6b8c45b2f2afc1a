//! Charts of agents that only differ in their seed.

use houseway_exact::answer::Figure;
use houseway_lab::plot::{Bar, BarChart, BarSeries, Chart};
use houseway_lab::run::split_agent_name;

/// The note on charts with bars for several seeds.
const NOTE: &str = "; agents with several seeds: mean and range of the seeds";

/// Replaces the bars of agents that only differ in their seed by a bar with their mean and range. Other plots are left
/// unchanged.
pub(super) fn merge_seeds(mut plot: Figure) -> Figure {
    let Chart::Bars(chart) = &mut plot.chart else { return plot };
    let groups = groups(&chart.categories);
    if groups.len() < chart.categories.len() {
        merge(chart, &groups);
        plot.note.push_str(NOTE);
    }
    plot
}

/// Groups the indices of adjacent categories that belong to the same training configuration.
fn groups(categories: &[String]) -> Vec<Vec<usize>> {
    let training = |index: usize| split_agent_name(&categories[index]).map(|(training, _)| training);
    let indices: Vec<usize> = (0..categories.len()).collect();
    let alike = |first: &usize, second: &usize| training(*first).is_some_and(|own| training(*second) == Some(own));
    indices.chunk_by(alike).map(<[usize]>::to_vec).collect()
}

fn merge(chart: &mut BarChart, groups: &[Vec<usize>]) {
    let name = |group: &Vec<usize>| match (&group[..], &chart.categories[group[0]]) {
        ([_], name) => name.clone(),
        (seeds, name) => {
            let training = split_agent_name(name).map_or(&**name, |(training, _)| training);
            format!("{training}, {} seeds", seeds.len())
        }
    };
    chart.categories = groups.iter().map(name).collect();
    for BarSeries { values, .. } in &mut chart.series {
        *values = groups.iter().map(|group| merged(group.iter().map(|&index| values[index]))).collect();
    }
}

/// Returns the mean and the range of several bars, or the bar itself if there is only one.
fn merged(mut bars: impl ExactSizeIterator<Item = Bar>) -> Bar {
    let Some(first) = bars.next() else { return Bar::NONE };
    let count = bars.len() + 1;
    if count == 1 {
        return first;
    }
    let start = (first.value, first.value, first.value);
    let (sum, low, high) =
        bars.fold(start, |(sum, low, high), bar| (sum + bar.value, low.min(bar.value), high.max(bar.value)));
    Bar::between(sum / count as f64, low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_lab::plot::{Axis, LineChart};

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
        assert_eq!(note, format!("exact{NOTE}"));
        let values = &chart.series[0].values;
        assert_eq!(values[1], Bar::between(-1.5, -2.0, -1.0));
        assert_eq!(
            [values[0], values[2], values[3]].map(|bar| (bar.value, bar.low)),
            [(-3.0, -3.5), (-4.0, -4.5), (0.0, -0.5)]
        );
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
