//! The exploitability of strategies in either seat, and an evaluation as tables, charts, and text.

use super::score::{Calibration, NAMES, RANDOM_BASELINES, ShapeScore, StrategyScore};
use crate::Ratio;
use crate::answer::{Axis, Bar, BarChart, Chart, Figure, HeatMap, Section, TextTable};
use crate::equilibrium::Bounds;
use crate::format::percent;
use crate::pai_gow::matchup::{BankedBy, SideStrategy, outcomes};
use crate::pai_gow::outcomes::{DealCounts, Payoff};
use crate::pai_gow::solver::ExactGame;
use crate::pai_gow::table::Tabulated;
use crate::pai_gow::whole::Run;
use crate::solver::{Scope, SolverError};
use crate::store::PassStore;
use houseway_env::money::Collection;
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::Shape;
use serde_json::{Map, Value, json};

/// Shapes with fewer hands than this are left out of the charts.
const MIN_HANDS: usize = 20;
/// The number of series of bars that have colors of their own.
const MAX_BARS: usize = 16;

/// The data for an evaluation report.
pub(super) struct EvaluationReport<'a> {
    pub(super) exact: &'a ExactGame,
    /// The name of the banker's house way.
    pub(super) banker: &'a str,
    pub(super) scope: Scope,
    /// The number of evaluated hands.
    pub(super) hands: usize,
    /// The regret of the best strategy that sees hands as policies do, if it is known.
    pub(super) encoding_regret: Option<f64>,
    /// The scores of the random strategies, the house way, the other baselines, the policies, and the optimum, in this
    /// order.
    pub(super) scores: Vec<StrategyScore>,
}

/// Formats a percentage and the half-width of its interval.
fn plus_minus(text: String, half: f64, places: usize) -> String {
    if half == 0.0 { format!("{text}%") } else { format!("{text}±{:.places$}%", 100.0 * half) }
}

impl EvaluationReport<'_> {
    pub(super) fn preface(&self) -> String {
        let method = match self.scope {
            Scope::Whole => {
                "All are evaluated on all 154,143,080 hands: the EV of every setting of every hand is enumerated over all \
                 53,524,680 hands of the banker. *Over house way* is the difference of EV. *random legal* chooses a legal \
                 setting uniformly at random, and *random contender* one that no other setting of the hand dominates. \
                 *no card removal* is the best setting against all hands of the banker, including those with cards that the \
                 player holds."
                    .to_owned()
            }
            Scope::Sample => format!(
                "All are evaluated on the same {} hands, dealt once with a fixed seed; the EV of every setting of every hand \
                 is enumerated over all 53,524,680 hands of the banker, so the only error is that of dealing the hands. All \
                 EVs share it, and it mostly cancels in the *regret* and in *over house way*, which are paired differences on \
                 the same hands.",
                self.hands
            ),
        };
        let rules = self.exact.game.rules();
        let fee = match rules.collection {
            Collection::NONE => String::new(),
            fee => format!(", fee {fee}"),
        };
        format!(
            "Agents set Pai Gow Poker hands against a banker who sets by the house way {}, commission {}{fee}. {method}",
            self.banker,
            rules.commission_on_win()
        )
    }

    pub(super) fn comparison(&self) -> TextTable {
        let header = ["agent", "EV", "regret", "over house way", "agrees"].into_iter();
        let has_exploitability = self.scores.iter().any(|score| score.exploitability.is_some());
        let mut table = TextTable::new(header.chain(has_exploitability.then_some("exploitability"))).right_from(1);
        for score in &self.scores {
            let (regret, over) = (&score.regret, &score.over_house_way);
            let [low, value, high] = [regret.low, regret.value, regret.high].map(|it| format!("{:.4}", 100.0 * it));
            // Intervals of rare losses are wider above than below.
            let regret = if score.is_exact { format!("{value}%") } else { format!("{value}% ({low} to {high}%)") };
            table = table.row([
                score.name.as_str(),
                &plus_minus(format!("{:+.3}", 100.0 * score.ev.value), (score.ev.high - score.ev.low) / 2.0, 3),
                &regret,
                &plus_minus(format!("{:+.3}", 100.0 * over.value), over.high - over.value, 3),
                &percent(score.agreement, 1),
                &score.exploitability.map_or_else(String::new, |it| percent(it.width().value(), 4)),
            ]);
        }
        table
    }

    /// Plots the EVs of all strategies except the random ones, whose EVs are far lower.
    pub(super) fn ev_plot(&self) -> Figure {
        let shown = &self.scores[RANDOM_BASELINES..];
        let names = shown.iter().map(|score| score.name.clone()).collect();
        let values = shown.iter().map(|score| score.ev).collect();
        let axis = Axis::new("EV per game, in % of the stake").percent();
        let note = match self.scope {
            Scope::Whole => format!("against {}; exact, over all deals", self.banker),
            Scope::Sample => format!(
                "against {}; exact EVs of the same {} hands, with 95% confidence intervals of the mean over all hands",
                self.banker, self.hands
            ),
        };
        let alt = match self.scope {
            Scope::Whole => "EV of each agent",
            Scope::Sample => "EV of each agent with its confidence interval",
        };
        let chart = BarChart::new(axis, names).with("EV", values).places(3);
        Figure::new("Expected value by agent", chart).note(note).named("ev-by-agent", alt)
    }

    /// Iterates over the names, the results over all deals and the EVs of the strategies with such results.
    fn over_all_deals(&self) -> impl Iterator<Item = (&str, DealCounts, f64)> {
        let payoff = Payoff::player(&self.exact.game.rules());
        let ev = move |deals: DealCounts| deals.ev(payoff).value();
        self.scores.iter().filter_map(move |score| Some((score.name.as_str(), score.deals?, ev(score.deals?))))
    }

    /// Returns the results that aren't part of the scores as JSON.
    pub(super) fn details(&self) -> Map<String, Value> {
        let whole = self.over_all_deals().map(|(name, deals, ev)| {
            let [wins, pushes, losses] = [deals.wins, deals.pushes, deals.losses].map(|count| count.to_string());
            json!({ "name": name, "wins": wins, "pushes": pushes, "losses": losses, "ev": ev })
        });
        Map::from_iter([
            ("hands".to_owned(), json!(self.hands)),
            ("whole".to_owned(), whole.collect()),
            ("encoding_regret".to_owned(), json!(self.encoding_regret)),
        ])
    }

    pub(super) fn sections(&self) -> Vec<Section> {
        let rows = self.over_all_deals().map(|(name, deals, ev)| {
            [name.to_owned(), deals.wins.to_string(), deals.losses.to_string(), format!("{:+.5}%", 100.0 * ev)]
        });
        let table = TextTable::new(["strategy", "deals won", "deals lost", "EV"]).right_from(1).rows(rows);
        let lost = ("EV lost per game, in % of the stake", "Regret by shape of the hand");
        let agreement = ("hands set as well as by the optimum", "Agreement with the optimum");
        let over_all_deals = Section::new("The whole game")
            .text("Enumerated over all 8,250,459,031,214,400 deals, without any sample.")
            .table(table);
        let by_shape = Section::new("By shape of the hand")
            .figure(
                self.shape_plot(lost, 3, |shape| shape.regret)
                    .named("ev-lost-by-shape", "EV that each agent loses on each shape of hand"),
            )
            .figure(self.shape_plot(agreement, 1, |shape| shape.agreement).named(
                "agreement-by-shape",
                "fraction of hands that each agent sets as well as the optimum, by shape",
            ));
        let exploited = self.scores.iter().filter_map(|score| Some((score.name.as_str(), score.exploitability?)));
        let over_all_deals = (self.scope == Scope::Whole).then_some(over_all_deals);
        let parts = over_all_deals.into_iter().chain(exploitability_section(exploited));
        parts.chain([by_shape, self.by_gap()]).chain(self.calibration()).collect()
    }

    /// Returns the section that tells how close the decisions are that cost EV.
    fn by_gap(&self) -> Section {
        let shown: Vec<&StrategyScore> = self.scores.iter().filter(|score| score.in_detail).collect();
        let names = shown.iter().map(|score| score.name.as_str());
        let mut table = TextTable::new(["gap", "hands"].into_iter().chain(names)).right_from(1);
        for (class, gap) in NAMES.into_iter().enumerate() {
            let hands = shown.first().map_or(0, |score| score.gaps[class].hands);
            let hands = percent(hands as f64 / self.hands as f64, 2);
            let lost = shown.iter().map(|score| percent(score.gaps[class].regret, 5));
            table = table.row([gap.to_owned(), hands].into_iter().chain(lost));
        }
        let text = "The gap of a hand is the EV of its best setting less that of the best worse one. The columns contain \
                    the EV lost on the hands in each row, in % of the stake and per hand of any row, so that a column adds \
                    up to the regret.";
        let floor = self.encoding_regret.map_or_else(String::new, |floor| {
            let floor = percent(floor, 6);
            format!(
                " Some hands look alike to the agents although their best settings differ. The best strategy that sees \
                 hands as the agents do has a regret of {floor}."
            )
        });
        Section::new("By gap between the best settings").text(format!("{text}{floor}")).table(table)
    }

    /// Returns the section that compares learned values with exact ones, or `None` if no strategy in detail has values.
    fn calibration(&self) -> Option<Section> {
        let shown = self.scores.iter().filter(|score| score.in_detail);
        let shown: Vec<(&str, &[Calibration])> =
            shown.filter_map(|score| Some((score.name.as_str(), score.calibration.as_deref()?))).collect();
        let (_, first) = shown.first()?;
        let names = || shown.iter().map(|(name, _)| *name);
        let mut means = TextTable::new(["gap", "mean gap"].into_iter().chain(names())).right_from(1);
        let mut errors = TextTable::new(["gap", "hands"].into_iter().chain(names())).right_from(1);
        for (class, exact) in first.iter().enumerate() {
            let learned = shown.iter().map(|(_, classes)| percent(classes[class].learned, 4));
            means = means.row([exact.gap.to_owned(), percent(exact.exact, 4)].into_iter().chain(learned));
            let hands = percent(exact.hands as f64 / self.hands as f64, 2);
            let error = shown.iter().map(|(_, classes)| percent(classes[class].error, 4));
            errors = errors.row([exact.gap.to_owned(), hands].into_iter().chain(error));
        }
        let text = "Agents that learn values predict the gap of each hand, the difference between the values of the two best \
                    settings among those that they consider. This table compares the predictions with the exact gaps. All \
                    are means over the hands in a row, in % of the stake.";
        let wrong = "The root mean square of the errors. An agent prefers the worse setting if it underestimates the \
                     difference by more than the gap, so the errors in close decisions matter most.";
        let section = Section::new("Calibration of learned values").text(text).table(means);
        Some(section.text(wrong).table(errors))
    }

    /// Plots a value by shape, with bars or, if there are many strategies, as a matrix with `places` decimals of a percent.
    fn shape_plot(&self, (label, title): (&str, &str), places: usize, value: impl Fn(&ShapeScore) -> f64) -> Figure {
        let shown: Vec<&StrategyScore> = self.scores.iter().filter(|score| score.in_detail).collect();
        let find =
            |score: &StrategyScore, shape: Shape| score.shapes.iter().position(|other| other.shape == shape.name());
        let hands = |shape: Shape| {
            let first = shown.first().and_then(|score| Some(&score.shapes[find(score, shape)?]));
            first.map_or(0, |score| score.hands)
        };
        // The full game has too many hands for a readable label.
        let count = |shape: Shape| match self.scope {
            Scope::Whole => percent(hands(shape) as f64 / self.hands as f64, 2),
            Scope::Sample => hands(shape).to_string(),
        };
        let shapes: Vec<Shape> = Shape::ALL.into_iter().filter(|&shape| hands(shape) >= MIN_HANDS).collect();
        let names = shapes.iter().map(|&shape| format!("{} ({})", shape.name(), count(shape))).collect();
        let of_shape = |score: &StrategyScore, shape| find(score, shape).map(|at| value(&score.shapes[at]));
        let chart: Chart = if shown.len() <= MAX_BARS {
            let bars = |score: &StrategyScore| {
                shapes.iter().map(|&shape| of_shape(score, shape).map_or(Bar::NONE, Bar::from)).collect()
            };
            let chart = BarChart::new(Axis::new(label).percent(), names);
            shown.iter().fold(chart, |chart, score| chart.with(score.name.as_str(), bars(score))).into()
        } else {
            let row = |score: &&StrategyScore| {
                shapes.iter().map(|&shape| of_shape(score, shape).unwrap_or(f64::NAN)).collect()
            };
            let agents = shown.iter().map(|score| score.name.clone()).collect();
            let values = shown.iter().map(row).collect();
            HeatMap::new(("agent", agents), (label, names), values).percent().places(places).into()
        };
        let note = match self.scope {
            Scope::Whole => "in brackets: fraction of all hands; exact".to_owned(),
            Scope::Sample => format!(
                "in brackets: hands of the sample of {}; shapes with fewer than {MIN_HANDS} are left out",
                self.hands
            ),
        };
        Figure::new(title, chart).note(note)
    }
}

/// Returns the player's exact EVs over all deals if a strategy meets a best response, as the player and as the banker.
///
/// No strategy guarantees the player more than the value of the game, and no banker can hold the player below it. The
/// value of the game therefore lies between the two EVs, and the distance between them is the strategy's exploitability
/// as the player plus its exploitability as the banker, even if the value is unknown. Both passes are kept in the store.
pub(super) fn exploitability(
    store: &PassStore,
    game: &Game,
    strategy: Tabulated,
    run: &Run<'_>,
) -> Result<Bounds<Ratio>, SolverError> {
    let (given, best) = (SideStrategy::Given(strategy), SideStrategy::Optimal);
    let payoffs = BankedBy::House.payoffs(&game.rules());
    let pairs = [[given.clone(), best.clone()], [best, given]];
    let found = outcomes(store, game, &pairs, payoffs, run)?;
    Ok(Bounds { lower: found[0].ev(payoffs[0]), upper: found[1].ev(payoffs[0]) })
}

/// Returns the report's section for the named strategies, or `None` if there are no results.
fn exploitability_section<'a>(scores: impl Iterator<Item = (&'a str, Bounds<Ratio>)> + Clone) -> Option<Section> {
    let lower = scores.clone().map(|(_, score)| score.lower).max()?;
    let upper = scores.clone().map(|(_, score)| score.upper).min()?;
    let header = ["strategy", "as the player", "at most", "as the banker", "at most", "sum"];
    let table = scores.fold(TextTable::new(header).right_from(1), |table, (name, score)| {
        table.row([
            name.to_owned(),
            percent(score.lower.value(), 5),
            percent((upper - score.lower).value(), 5),
            percent(score.upper.value(), 5),
            percent((score.upper - lower).value(), 5),
            percent(score.width().value(), 5),
        ])
    });
    let text = format!(
        "The player's EV if a strategy plays as the player against a banker who knows it and responds in the best way, and \
         if it plays as the banker against such a player. All are exact, over all deals. A best response considers every \
         suit. *Exploitability* is how much worse than in an equilibrium a strategy does against a best response. The value \
         of the game lies between all EVs of the first kind and all EVs of the second, so it is between {} and {}, which \
         bounds the exploitability in each seat (*at most*). The *sum* over both seats is exact, because the value cancels \
         out.",
        percent(lower.value(), 5),
        percent(upper.value(), 5),
    );
    Some(Section::new("Exploitability").text(text).table(table))
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::Rules;
    use houseway_env::pai_gow::house_way::{HouseWay, Way};
    use std::sync::atomic::AtomicBool;

    #[test]
    #[ignore = "takes 10 s to compute best responses over all deals in both seats"]
    fn bounds_of_a_house_way_are_those_of_the_best_responses_to_it() {
        let game = Game::new(Rules::default());
        let way = HouseWay::shared(Way::named("trump-plaza").unwrap(), &game).unwrap();
        let folder = std::env::temp_dir().join(format!("houseway-responses-test-{}", std::process::id()));
        let store = PassStore::open(&folder, |_| {}).unwrap();
        let way: Tabulated = way.into();
        let found = exploitability(&store, &game, way.clone(), &Run::default()).unwrap();
        // A stopped command still finds the passes.
        let stopped = Run { cancel: Some(&AtomicBool::new(true)), ..Run::default() };
        assert_eq!(exploitability(&store, &game, way, &stopped).unwrap(), found);
        std::fs::remove_dir_all(&folder).unwrap();
        // The value of the game is between -2.735374% and -2.735358% (results/equilibrium), and the distances from it
        // in either seat are those of results/compare-equilibrium.
        assert_eq!(format!("{:.4}", 100.0 * found.upper.value()), "-2.4414");
        assert!((found.upper.value() + 0.0273537 - 0.00294).abs() < 1e-5, "{found:?}");
        assert!((-0.0273537 - found.lower.value() - 0.00287).abs() < 1e-5, "{found:?}");
    }

    #[test]
    fn the_section_bounds_the_value_by_the_best_of_all_strategies() {
        let ratio = |numerator| Ratio::new(numerator, 1000);
        let scores = [
            ("careful", Bounds { lower: ratio(-30), upper: ratio(-20) }),
            ("bold", Bounds { lower: ratio(-40), upper: ratio(-25) }),
        ];
        let section = exploitability_section(scores.into_iter()).unwrap();
        let text = format!("{section:?}");
        assert!(text.contains("between -3.00000% and -2.50000%"), "{text}");
        // The bold strategy may lose 4.0% - 2.5% as the player, and exactly nothing as the banker is not excluded.
        for cell in ["1.50000%", "0.50000%", "1.00000%"] {
            assert!(text.contains(cell), "{cell}: {text}");
        }
        assert!(super::exploitability_section(std::iter::empty()).is_none());
    }
}
