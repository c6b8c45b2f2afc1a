//! The gap to an equilibrium after each round, and its charts.

use super::history::History;
use crate::plot::Figure;
use houseway_exact::answer::{Axis, LineChart, Series};
use houseway_exact::equilibrium::AverageValues;
use houseway_exact::pai_gow::matchup::BankedBy;

/// Returns the width of the bracket around the value, or NashConv if a player banks and there is no value.
pub(super) fn gap(values: AverageValues, bank: BankedBy) -> f64 {
    match bank {
        BankedBy::House => values.bounds().width(),
        BankedBy::Player => values.nash_conv(),
    }
}

/// Returns the name of the gap, which is the bracket around the value or, if a player banks, NashConv.
pub(super) fn gap_name(bank: BankedBy) -> &'static str {
    match bank {
        BankedBy::House => "bracket",
        BankedBy::Player => "NashConv",
    }
}

/// Returns the gap's name at the beginning of a title.
pub(super) fn gap_title(bank: BankedBy) -> &'static str {
    match bank {
        BankedBy::House => "Bracket",
        BankedBy::Player => "NashConv",
    }
}

/// Returns a chart with the gap after each round. Each curve has a name. If `certified` is the gap for best responses that
/// see all suits, it is drawn as a horizontal line.
pub(super) fn chart_by_passes(bank: BankedBy, curves: &[(&str, &History)], certified: Option<f64>) -> Figure {
    let suits = match curves.iter().any(|(_, history)| history.rounds_before > 0) {
        true => " With suits, strategies and best responses see the suits of hands for which they matter.",
        false => "",
    };
    let curves = curves.iter().map(|(name, history)| Series::new(*name, history.by_passes(bank)));
    let chart = curves.fold(chart("passes over all deals", bank, certified), LineChart::with);
    let what = match bank {
        BankedBy::House => "Bounds",
        BankedBy::Player => "NashConv",
    };
    let line = if certified.is_some() { " The line is for best responses that see all suits." } else { "" };
    Figure::new(format!("{} by the number of passes", gap_title(bank)), chart).note(format!(
        "{what} for the averages after each round, for best responses that only see profiles.{suits}{line}"
    ))
}

/// Returns a chart with the gap by processor time. Each curve has a name. The line is that of [`chart_by_passes`].
pub(super) fn chart_by_seconds(bank: BankedBy, curves: &[(&str, &History)], certified: Option<f64>) -> Figure {
    let curves = curves.iter().map(|(name, history)| Series::new(*name, history.by_seconds(bank)));
    let chart = curves.fold(chart("processor seconds", bank, certified), LineChart::with);
    Figure::new(format!("{} by processor seconds", gap_title(bank)), chart).note(
        "Processor time of this run, summed over all threads. Waiting for other work on the machine isn't included.",
    )
}

fn chart(x: &str, bank: BankedBy, certified: Option<f64>) -> LineChart {
    let chart = LineChart::new(Axis::new(x).log(), Axis::new(format!("{}, stakes", gap_name(bank))).log());
    match certified {
        Some(gap) => chart.reference(format!("certified: {gap:.2e}"), gap),
        None => chart,
    }
}
