//! Charts with the gap to an equilibrium after each round.

use super::history::History;
use crate::plot::Figure;
use houseway_exact::answer::{Axis, LineChart, Series};
use houseway_exact::pai_gow::matchup::BankedBy;

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

/// Returns a chart with the gap after each pass. Each curve has a name.
pub(super) fn chart_by_passes(bank: BankedBy, curves: &[(&str, &History)]) -> Figure {
    let curves = curves.iter().map(|(name, history)| Series::new(*name, history.by_passes(bank)));
    let chart = curves.fold(chart("passes over all deals", bank), LineChart::with);
    let what = match bank {
        BankedBy::House => "Bounds",
        BankedBy::Player => "NashConv",
    };
    Figure::new(format!("{} by the number of passes", gap_title(bank)), chart)
        .note(format!("{what} for the averages after each pass, for best responses that only see profiles."))
}

/// Returns a chart with the gap by wall-clock time. Each curve has a name.
pub(super) fn chart_by_seconds(bank: BankedBy, curves: &[(&str, &History)]) -> Figure {
    let curves = curves.iter().map(|(name, history)| Series::new(*name, history.by_seconds(bank)));
    Figure::new(format!("{} by seconds", gap_title(bank)), curves.fold(chart("seconds", bank), LineChart::with))
        .note("Wall-clock time on this machine, including time spent on other work.")
}

fn chart(x: &str, bank: BankedBy) -> LineChart {
    LineChart::new(Axis::new(x).log(), Axis::new(format!("{}, stakes", gap_name(bank))).log())
}
