//! Writes the report on a search. It is meant for readers who don't program.

use super::findings::{Findings, Known};
use crate::plot::Figure;
use crate::report::{Report, TextTable};
use houseway_env::pai_gow::Strategy;
use houseway_exact::answer::{Axis, LineChart, Marker, Series};
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::search::{FoundList, loss};

/// The list lengths for which the report prints the rules.
const SHEETS: [usize; 5] = [4, 6, 8, 12, 20];

impl Findings {
    /// Returns the report to write to the run's folder.
    pub fn report(&self) -> Report {
        let report = Report::new(format!("The best short house ways, as the {}", self.seat))
            .text(
                "A *house way* is a list of rules for splitting seven cards into a hand of five and a hand of two. How good can \
                 a short one be? This report lists the best lists of rules that a search found for each length. What a list \
                 *loses* is the EV of the best setting of every hand less its own EV, in percent of the stake. Every loss is \
                 exact: the list was written as a file, and all deals were evaluated.",
            )
            .text(format!("**{}**", self.verdict()))
            .figure("front-by-rules", "EV lost by the number of rules", self.by_rules())
            .figure("front-by-bounds", "EV lost by the number of bounds", self.by_bounds())
            .table(self.front_table())
            .text(format!(
                "A *bound* is an end of a range of ranks that excludes something, or a minimum front: the limits that a dealer \
                 must remember. No list of the vocabulary with that number of rules loses less than the column *at least* says, \
                 whatever the conditions of its rules are; between the two columns better lists may exist. *The next rule* is \
                 the best single rule that could be added without changing the others{}.",
                if self.is_mean() { "; its gain is the mean over the opponents" } else { "" }
            ))
            .heading("Other strategies")
            .table(self.known_table());
        let report = self
            .lists
            .iter()
            .filter(|list| SHEETS.contains(&list.rules()) || self.lists.len() == 1)
            .fold(report, |report, list| self.add_sheet(report, list));
        let report = self.add_robustness(report);
        report.heading("Method").text(format!(
            "One pass over all deals gives the EV of every setting of every hand, summed over the hands that differ only in \
             suits that make no flush. A rule is a way to set (a *play*) and, for some kinds of hands, ranges of ranks. For a \
             play at a place of a list, the best ranges are found exactly. Lists grow by one rule at a time, and after each step \
             every rule is replaced if a better one exists; the best lists are kept, and longer lists are shortened again. \
             The best play of the vocabulary for each single hand would lose {}. The lists are not proven to be the best \
             possible: the gap is the difference to the column *at least*.",
            percent(self.floor, 5),
        ))
    }

    fn chart(
        &self,
        x: &str,
        length: impl Fn(&FoundList) -> usize,
        of_known: impl Fn(&Known) -> Option<usize>,
    ) -> LineChart {
        let mut found: Vec<(f64, f64)> =
            self.lists.iter().map(|list| (length(list) as f64, list.regret.value())).collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut chart = LineChart::new(Axis::new(x).from_zero(), Axis::new("EV lost, % of the stake").log().percent());
        chart.series = vec![Series::new("best lists found", found)];
        for known in &self.known {
            let (name, y) = (known.name.clone(), known.regret.value());
            match of_known(known) {
                Some(x) => chart.markers.push(Marker { name, x: x as f64, y }),
                None => chart = chart.reference(name, y),
            }
        }
        chart
    }

    fn by_rules(&self) -> Figure {
        let chart = self.chart("rules", FoundList::rules, |known| known.rules);
        Figure::new("EV lost by the number of rules", chart)
            .note("Exact. Squares: published house ways and strategies.")
    }

    fn by_bounds(&self) -> Figure {
        let chart = self.chart("bounds in all rules", FoundList::bounds, |known| known.bounds);
        Figure::new("EV lost by the number of bounds", chart)
            .note("Exact. Squares: published house ways and strategies.")
    }

    fn known_table(&self) -> TextTable {
        let ev = if self.is_mean() { "mean EV" } else { "EV" };
        let mut table = TextTable::new(["strategy", "rules", "bounds", ev, "EV lost"]);
        table = (1..5).fold(table, TextTable::right);
        let mut known: Vec<&Known> = self.known.iter().collect();
        known.sort_by_key(|known| std::cmp::Reverse(known.ev));
        let number = |number: Option<usize>| number.map_or(String::new(), |number| number.to_string());
        for known in known {
            let lost = percent(known.regret.value(), 4);
            table = table.row([
                known.name.clone(),
                number(known.rules),
                number(known.bounds),
                percent(known.ev.value(), 4),
                lost,
            ]);
        }
        table
    }

    fn add_robustness(&self, report: Report) -> Report {
        let Some(robust) = &self.robust else { return report };
        let shown: Vec<usize> = (0..self.lists.len()).filter(|&i| SHEETS.contains(&self.lists[i].rules())).collect();
        let best = robust.best(self.lists.len());
        let mut columns = shown.clone();
        columns.extend(best.filter(|best| !shown.contains(best)));
        let header = ["situation".to_owned()]
            .into_iter()
            .chain(columns.iter().map(|&i| format!("{} rules", self.lists[i].rules())));
        let mut table = (1..=columns.len()).fold(TextTable::new(header), TextTable::right);
        let cell = |value: Option<f64>| value.map_or("not all hands".to_owned(), |value| percent(value, 4));
        for (name, regrets) in robust.situations.iter().zip(&robust.regrets) {
            table = table.row([name.clone()].into_iter().chain(columns.iter().map(|&i| cell(regrets[i]))));
        }
        type Part = fn((f64, f64)) -> f64;
        for (name, part) in [("mean", (|it| it.0) as Part), ("worst", (|it| it.1) as Part)] {
            let cells = columns.iter().map(|&i| cell(robust.mean_and_worst(i).map(part)));
            table = table.row([format!("**{name}**")].into_iter().chain(cells));
        }
        let verdict = best.map_or(String::new(), |best| {
            let (mean, worst) = robust.mean_and_worst(best).unwrap_or_default();
            format!(
                "Of all lists found, the one of {} rules has the least greatest loss: {} at worst, {} on average.",
                self.lists[best].rules(),
                percent(worst, 4),
                percent(mean, 4)
            )
        });
        report
            .heading("Elsewhere")
            .text(
                "The lists are made for one opponent, one side and one set of rules. What they lose elsewhere, each compared \
                 with the best response there (with `joker=wild` the joker makes hands that no rule of the lists has in view):",
            )
            .table(table)
            .text(verdict)
    }

    /// Adds a list's sheet.
    fn add_sheet(&self, report: Report, list: &FoundList) -> Report {
        let mut table = TextTable::new(["", "rule", "hands", "without it", "limits, one rank lower / higher"]);
        table = table.right(0).right(2).right(3);
        for i in 0..list.rules() {
            let survey = &list.way.survey().rules[i];
            let change =
                |units: Option<i64>| units.map_or("-".to_owned(), |units| format!("{:+.4}%", 100.0 * loss(units)));
            let limits: Vec<String> = list.priced[i]
                .limits
                .iter()
                .map(|limit| format!("{}: {} / {}", limit.name, change(limit.lower), change(limit.higher)))
                .collect();
            table = table.row([
                (i + 1).to_string(),
                survey.text.clone(),
                grouped(survey.hands),
                list.without(i).map_or(String::new(), |loss| percent(loss, 4)),
                limits.join("; "),
            ]);
        }
        let report = report.heading(format!("{} rules", list.rules())).text(format!(
            "The file [ways/{0}.toml](ways/{0}.toml) holds this list. A hand that a rule cannot set goes to the next one. *Without \
             it* is what leaving the rule out loses; the limits show what moving each by one rank changes{1}.",
            list.way.name(),
            if self.is_mean() { "; both are means over the opponents" } else { "" },
        ));
        let report = report.table(table);
        match &list.next {
            Some((text, gain)) => {
                let mean = if self.is_mean() { " in the mean over the opponents" } else { "" };
                report.text(format!("The best further rule gains {}{mean}: {text}", percent(*gain, 4)))
            }
            None => report,
        }
    }
}
