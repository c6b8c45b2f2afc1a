//! Exact evaluation of Ultimate Texas Hold'em policies.
//!
//! The regret before the river is exact over all deals. The regret on the river is exact if all boards are evaluated.
//! With a sample of boards, it's a mean with a confidence interval.

use super::answer::optimum_sections;
use super::solver::ExactGame;
use super::strategy::{ENCODING, PolicyStrategy, StochasticPolicy};
use super::{BestRivers, Boards, DecisionRule, FullGame, Optimum, Simple};
use crate::Ratio;
use crate::answer::{Axis, Bar, BarChart, Figure, TextTable};
use crate::format::percent;
use crate::solver::{
    Control, Entrant, Evaluation, Evaluator, EvaluatorConfig, MeasuredBaselines, PolicyScore, REGRET_ERROR, STOCHASTIC,
    SampleSpec, Scope, SolverError, check_encoding, stochastic_section,
};
use houseway_env::cards::CardSet;
use houseway_env::gym::Policy;
use houseway_env::ultimate_holdem::{Deal, UltimateHoldemOptions};
use serde_json::{Map, Value, json};

/// The maximum number of boards for measuring a policy during training. A smaller sample lowers it further.
const BOARDS_IN_TRAINING: usize = 400;
/// The sample of boards.
pub(super) const SAMPLE: SampleSpec = SampleSpec { items: "boards", default_size: 4_000, always: false };
/// The number of two-card combinations.
const COMBINATIONS: i128 = 1_326;

/// Evaluates policies decision by decision.
pub(super) struct HoldemEvaluator<'a> {
    exact: &'a ExactGame,
    rivers: BestRivers<'a>,
    boards: Vec<CardSet>,
}

impl<'a> HoldemEvaluator<'a> {
    pub(super) fn new(
        exact: &'a ExactGame,
        config: &EvaluatorConfig,
        control: &Control<'_>,
    ) -> Result<HoldemEvaluator<'a>, SolverError> {
        let options: UltimateHoldemOptions = config.reset_options()?;
        if options != UltimateHoldemOptions::default() {
            return Err(SolverError::invalid(
                "policies are evaluated for an ante of 1 without other bets; remove the reset options",
            ));
        }
        let sample = config.sample(SAMPLE.default_size)?;
        let rivers = BestRivers::new(FullGame::new(&exact.game, 0), control)?;
        let mut rng = sample.stream();
        let boards = (0..sample.size).map(|_| Deal::new(&mut rng).board(5)).collect();
        Ok(HoldemEvaluator { exact, rivers, boards })
    }

    fn score(
        &self,
        name: &str,
        strategy: &impl DecisionRule,
        boards: &Boards,
        control: &Control<'_>,
    ) -> Result<PolicyScore, SolverError> {
        let before = self.rivers.before(strategy);
        let river = self.rivers.river_loss(strategy, &before, boards, name, control)?;
        let best = self.rivers.optimum.ev;
        let before_river = (best - before.ev).value();
        let regret = before_river + river.mean.value();
        let played = before.hands.iter().filter(|hand| hand.chosen > 0).map(|hand| hand.combinations).sum();
        let score = PolicyScore {
            name: name.to_owned(),
            ev: best.value() - regret,
            regret,
            regret_ci: (!boards.are_all()).then(|| [-1.0, 1.0].map(|side| regret + side * river.half_width)),
            agreement: river.agreement,
            details: Map::from_iter([
                ("regret_before_river".to_owned(), json!(before_river)),
                ("plays_at_start".to_owned(), json!(Ratio::new(played, COMBINATIONS).value())),
            ]),
        };
        Ok(match boards.are_all() {
            true => score.with_exact_ev(before.ev - river.mean),
            false => score,
        })
    }

    fn policy_score(
        &self,
        policy: &dyn Policy,
        boards: &Boards,
        control: &Control<'_>,
    ) -> Result<PolicyScore, SolverError> {
        check_encoding(policy, &[ENCODING.name()])?;
        let strategy = PolicyStrategy::new(&self.exact.game, policy)?;
        self.score(policy.name(), &strategy, boards, control)
    }

    /// Adds the EV of the stochastic policy to the score of its greedy choices, if it has probabilities.
    fn with_stochastic_ev(
        &self,
        mut score: PolicyScore,
        policy: &dyn Policy,
        boards: &Boards,
        control: &Control<'_>,
    ) -> Result<PolicyScore, SolverError> {
        let Some(policy) = StochasticPolicy::new(&self.exact.game, policy)? else { return Ok(score) };
        let [mean, half_width] = self.rivers.stochastic_regret(&policy, boards, control)?;
        let mut details = json!({ "ev": self.rivers.optimum.ev.value() - mean, "regret": mean });
        if half_width > 0.0 {
            details["regret_ci"] = json!([mean - half_width, mean + half_width]);
        }
        score.details.insert(STOCHASTIC.to_owned(), details);
        Ok(score)
    }

    /// Returns the score of the published strategy that serves as a baseline.
    fn simple(&self, boards: &Boards, control: &Control<'_>) -> Result<PolicyScore, SolverError> {
        self.score("simple strategy", &Simple::new(&self.exact.game), boards, control)
    }

    /// Returns the boards for measuring a policy during training.
    fn boards_in_training(&self) -> Boards {
        Boards::sample(self.boards.iter().copied().take(BOARDS_IN_TRAINING))
    }

    fn preface(&self, boards: &Boards) -> String {
        let method = match boards.are_all() {
            true => "Every number is exact, over all 27,813,810,024,000 deals.".to_owned(),
            false => format!(
                "The regret before the flop and on it is exact, over all deals. The regret on the river is a mean over {} \
                 boards, dealt once with a fixed seed, with all hands and all hands of the dealer on each.",
                boards.len()
            ),
        };
        let ev = self.rivers.optimum.ev;
        format!(
            "Ultimate Texas Hold'em. The optimal strategy has an EV of exactly {} / {} antes. *Before river* \
             is the part of the regret that is lost before the flop and on it. {method}",
            ev.numerator(),
            ev.denominator(),
        )
    }
}

/// Returns the regret before the river from a score's details, or NaN if it is missing.
fn before_river(score: &PolicyScore) -> f64 {
    score.details.get("regret_before_river").and_then(Value::as_f64).unwrap_or(f64::NAN)
}

fn comparison(scores: &[PolicyScore]) -> TextTable {
    let mut table = TextTable::new(["agent", "edge", "regret", "before river", "agrees"]).right_from(1);
    for score in scores {
        let half = score.regret_ci.map_or(0.0, |[low, high]| (high - low) / 2.0);
        let regret = format!("{:.4}", 100.0 * score.regret);
        table = table.row([
            score.name.as_str(),
            &format!("{:.4}%", -100.0 * score.ev),
            &if half == 0.0 { format!("{regret}%") } else { format!("{regret}±{:.4}%", 100.0 * half) },
            &format!("{:.4}%", 100.0 * before_river(score)),
            &format!("{:.2}%", 100.0 * score.agreement),
        ]);
    }
    table
}

/// Returns a chart with every policy's regret before the river and on it, leaving out the optimum.
fn regret_plot(scores: &[PolicyScore], note: &str) -> Figure {
    let (_, shown) = scores.split_last().expect("the optimum is among the scores");
    let names = shown.iter().map(|score| score.name.clone()).collect();
    let before = shown.iter().map(|score| Bar::from(before_river(score))).collect();
    let river = shown.iter().map(|score| Bar::from(score.regret - before_river(score))).collect();
    let chart = BarChart::new(Axis::new("regret, in % of the ante").percent(), names);
    let chart = chart.with("before the river", before).with("on the river", river).places(4);
    Figure::new("Regret against the optimum", chart)
        .note(note)
        .named("regret-by-agent", "regret of each agent, before the river and on it")
}

impl Evaluator for HoldemEvaluator<'_> {
    fn encoding(&self) -> &'static str {
        ENCODING.name()
    }

    fn measure(&self, policy: &dyn Policy) -> Result<Vec<(&'static str, f64)>, SolverError> {
        let score = self.policy_score(policy, &self.boards_in_training(), &Control::default())?;
        let error = score.regret_error().map(|error| (REGRET_ERROR, error));
        let values = [("regret", score.regret), ("regret-before-river", before_river(&score))];
        Ok(values.into_iter().chain(error).collect())
    }

    fn measured_baselines(&self, control: &Control<'_>) -> Result<MeasuredBaselines, SolverError> {
        let boards = self.boards_in_training();
        let note = format!(
            "regret before the river over all deals, and on the river on the same {} boards for all curves and lines",
            boards.len()
        );
        Ok(MeasuredBaselines { note, scores: vec![self.simple(&boards, control)?] })
    }

    fn evaluate(
        &self,
        entrants: &[Entrant<'_>],
        scope: Scope,
        control: &Control<'_>,
    ) -> Result<Evaluation, SolverError> {
        let boards = match scope {
            Scope::Whole => Boards::all(),
            Scope::Sample => Boards::sample(self.boards.iter().copied()),
        };
        let mut scores = vec![self.simple(&boards, control)?];
        for entrant in entrants {
            let score = self.policy_score(entrant.policy, &boards, control)?;
            scores.push(self.with_stochastic_ev(score, entrant.policy, &boards, control)?);
        }
        scores.push(self.score("optimum", &Optimum, &boards, control)?);
        let stochastic = stochastic_section(&scores, |regret| percent(regret, 4));
        let optimum = self.rivers.totals(&self.rivers.optimum, control)?;
        let note = match scope {
            Scope::Whole => "exact, over all deals".to_owned(),
            Scope::Sample => format!("exact before the river; on the river exact values on {} boards", boards.len()),
        };
        Ok(Evaluation {
            scope,
            details: Map::from_iter([
                ("boards".to_owned(), json!(boards.len())),
                ("optimum".to_owned(), optimum.ev.to_json()),
            ]),
            preface: self.preface(&boards),
            comparison: comparison(&scores),
            plots: vec![regret_plot(&scores, &note)],
            sections: stochastic.into_iter().chain(optimum_sections(&optimum)).collect(),
            scores,
        })
    }
}
