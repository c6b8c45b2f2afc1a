//! Writes the report on an equilibrium. It is meant for readers who don't program.

use super::findings::{FILES, Findings, STRATEGIES};
use crate::plot::Figure;
use crate::report::{Report, TextTable};
use houseway_exact::answer::{Axis, LineChart, Series};
use houseway_exact::equilibrium::SIDES;
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::whole::Side;

impl Findings {
    /// Returns the report that is written to the run's folder.
    pub fn report(&self) -> Report {
        let report = Report::new("Optimal play against optimal play")
            .text(
                "A casino's banker follows a house way. What would the player's EV be if the banker could set freely? Neither \
                 side could then predict what the other does, so optimal play is an *equilibrium*, which is a pair of \
                 strategies that are best responses to each other. This report gives bounds for the value of the game, \
                 which is the player's EV in an equilibrium. The bounds are exact: against a given strategy, all deals are \
                 evaluated and every hand is set in the best way, taking all suits into account.",
            )
            .text(format!("**{}**", self.verdict()))
            .table(self.bounds_table())
            .text(
                "The casino wins what the player loses and keeps the commission on what the player wins. Copies are settled as \
                 the rules say. One side's gain is therefore always the other side's loss, and the game has a single value, \
                 which lies between the two bounds. The width of the bracket between them is also the total that best \
                 responses gain against the two strategies.",
            )
            .figure("bracket-by-passes", "Bracket by the number of passes over all deals", self.chart_by_passes());
        let report = match self.history.seconds.is_empty() {
            true => report,
            false => report.figure("bracket-by-seconds", "Bracket by seconds", self.chart_by_seconds()),
        };
        report.heading("The strategies").table(self.strategies_table()).text(format!(
            "Both strategies only look at a hand's *profile*, which consists of its ranks and the suit of any flush that it \
             contains. Some hands are mixed, which means that they are set in one of several ways at random. The probabilities \
             are in [tables/mixed-player.csv](tables/mixed-player.csv) and \
             [tables/mixed-banker.csv](tables/mixed-banker.csv). The files in `{STRATEGIES}/` play each setting equally often, \
             but without randomness: the hands with the same profile, which only differ in suits that hardly matter, take \
             turns. Every command accepts them as strategies, as in `houseway solve --player optimal --banker \
             {STRATEGIES}/banker.safetensors`.",
        )).text(format!(
            "A best response that only sees profiles would gain {} less against the player's strategy and {} less against the \
             banker's. This is the value of seeing the other suits.",
            percent(self.value_of_suits(Side::Player).value(), 6),
            percent(self.value_of_suits(Side::Banker).value(), 6),
        )).heading("Method").text(format!(
            "Each round evaluates every setting of every hand against what the other side plays, first for the player and then \
             for the banker. In the first {} rounds, each side plays the best response to the other side's average (fictitious \
             play, with more weight on later rounds). After that, both sides play each setting in proportion to how much they \
             regret not having played it (linear counterfactual regret minimization), starting from the average. The \
             strategies above are the averages over these rounds. A pass only evaluates hands whose mixture has changed. \
             The curves show the bracket for best responses that only see profiles. Their numbers are in \
             [tables/bounds.csv](tables/bounds.csv).",
            self.method.fictitious_rounds,
        ))
    }

    fn bounds_table(&self) -> TextTable {
        let certificate = &self.certificate;
        let mut table = TextTable::new(["player's EV", "of the stake", "exactly"]).right(1);
        for (name, ev) in [
            ("lower bound, from the player's strategy", certificate.lower),
            ("both strategies against each other", certificate.ev),
            ("upper bound, from the banker's strategy", certificate.upper),
        ] {
            table = table.row([name.to_owned(), percent(ev.value(), 7), format!("{ev:?}")]);
        }
        table
    }

    fn strategies_table(&self) -> TextTable {
        let header = ["strategy", "profiles that mix", "of all hands", "hands set in a rarer way", "loses at most"];
        let table = TextTable::new(header).right_from(1);
        SIDES.into_iter().zip([Side::Player, Side::Banker]).fold(table, |table, (side, of)| {
            let mixing = &self.mixing[side];
            table.row([
                format!("{0} ([{0}.safetensors]({STRATEGIES}/{0}.safetensors))", FILES[side]),
                grouped(mixing.profiles as u64),
                percent(mixing.hands, 2),
                percent(mixing.minority, 2),
                percent(self.certificate.exploitability(of).value(), 6),
            ])
        })
    }

    fn chart_by_passes(&self) -> Figure {
        let chart = LineChart::new(Axis::new("passes over all deals").log(), Axis::new("bracket, stakes").log());
        Figure::new("Bracket by the number of passes", chart.with(Series::new("bracket", self.by_passes())))
            .note("Bounds for the averages after each pass, for best responses that only see profiles.")
    }

    fn chart_by_seconds(&self) -> Figure {
        let chart = LineChart::new(Axis::new("seconds").log(), Axis::new("bracket, stakes").log());
        Figure::new("Bracket by seconds", chart.with(Series::new("bracket", self.by_seconds())))
            .note("Wall-clock time on this machine, including time spent on other work.")
    }
}
