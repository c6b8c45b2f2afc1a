//! Draws an audit's figures.

use super::findings::{AuditFindings, RulePrice};
use crate::plot::{Axis, Bar, BarChart, Figure, HeatMap};
use houseway_env::cards::Rank;
use houseway_env::rank::TwoStrength;
use houseway_exact::pai_gow::audit::HalfCounts;

/// The maximum number of bars in a chart.
const MAX_BARS: usize = 15;
/// The maximum length for a bar's label.
const NAME: usize = 52;
const EXACT: &str = "Exact, over all 8,250,459,031,214,400 deals.";

impl AuditFindings {
    pub(super) fn formed_figure(&self) -> Figure {
        let formed = |counts: &HalfCounts| counts.hands as f64 / self.counts.hands as f64;
        self.fronts_figure("Frequency of each front", 2, formed)
    }

    pub(super) fn beaten_figure(&self) -> Figure {
        let title = format!("Probability that each front is beaten by the {}'s", self.seat.other().name());
        self.fronts_figure(&title, 1, |counts| counts.beaten() as f64 / counts.deals() as f64)
    }

    /// Draws bars in units per 1,000 games, in the given order.
    fn bars(&self, title: &str, axis: &str, bars: Vec<(String, i128)>) -> Figure {
        let name = |name: &str| match name.chars().count() > NAME {
            true => name.chars().take(NAME - 1).chain(['…']).collect(),
            false => name.to_owned(),
        };
        let categories = bars.iter().map(|(text, _)| name(text)).collect();
        let values = bars.iter().map(|(_, gain)| Bar::from(1e3 * self.ev_of(*gain).value())).collect();
        let chart = BarChart::new(Axis::new(axis), categories).with("units", values).places(3);
        Figure::new(title, chart).note(EXACT)
    }

    pub(super) fn rules_figure(&self) -> Figure {
        let mut rules: Vec<(String, i128)> = self.rules.iter().map(|it| (it.name.clone(), it.loss.lost)).collect();
        rules.sort_by_key(|(_, lost)| std::cmp::Reverse(*lost));
        rules.retain(|(_, lost)| *lost > 0);
        rules.truncate(MAX_BARS);
        self.bars("EV lost by rule", "units lost per 1,000 games of one unit", rules)
    }

    pub(super) fn classes_figure(&self) -> Figure {
        let classes = self.costliest().take(MAX_BARS).map(|(group, loss)| (group.group.to_string(), loss.lost));
        self.bars("Hands with the greatest losses", "units lost per 1,000 games of one unit", classes.collect())
    }

    pub(super) fn prices_figure(&self) -> Figure {
        let price = |rule: &super::RuleFinding| match rule.price {
            RulePrice::Without(change) => Some((rule.name.clone(), change.gain)),
            RulePrice::Needed(_) => None,
        };
        let mut rules: Vec<(String, i128)> = self.rules.iter().filter_map(price).collect();
        rules.sort_by_key(|(_, gain)| *gain);
        self.bars("Change without each rule", "change per 1,000 games of one unit", rules)
    }

    /// Draws a triangular heat map of fronts, with a row for each higher card and a column for each lower one.
    fn fronts_figure(&self, title: &str, places: usize, value: impl Fn(&HalfCounts) -> f64) -> Figure {
        let ranks: Vec<Rank> = Rank::ALL.into_iter().rev().collect();
        let names = || ranks.iter().map(Rank::to_string).collect::<Vec<_>>();
        let cell = |high: Rank, low: Rank| {
            let counts = &self.counts.fronts[TwoStrength::from_ranks(high, low).index()];
            if low > high || counts.hands == 0 { f64::NAN } else { value(counts) }
        };
        let values = ranks.iter().map(|&high| ranks.iter().map(|&low| cell(high, low)).collect()).collect();
        let chart = HeatMap::new(("higher card in front", names()), ("lower card in front", names()), values);
        Figure::new(title, chart.percent().places(places).hide_empty()).note(EXACT)
    }

    pub(super) fn backs_figure(&self) -> Figure {
        let backs = self.backs_by_category();
        let categories = backs.iter().map(|(category, _)| category.name().to_owned()).collect();
        let values = |value: &dyn Fn(&HalfCounts) -> f64| backs.iter().map(|(_, it)| Bar::from(value(it))).collect();
        let chart = BarChart::new(Axis::new("share").percent(), categories)
            .with("fraction of all hands", values(&|it| it.hands as f64 / self.counts.hands as f64))
            .with(
                format!("fraction of its deals with a higher back of the {}", self.seat.other().name()),
                values(&|it| it.beaten() as f64 / it.deals() as f64),
            )
            .places(2);
        Figure::new("Backs by category", chart).note(EXACT)
    }
}
