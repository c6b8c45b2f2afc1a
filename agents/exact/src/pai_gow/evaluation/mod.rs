//! Exact evaluation of Pai Gow Poker policies against a banker who follows a house way.
//!
//! Results on all hands are exact. On a sample, each hand's values are still exact, so the sampling error is the only
//! error. Best responses are always evaluated over all deals.

mod report;
mod sample;
mod score;
mod whole;

use super::banker::BankerTable;
use super::baselines::{NoCardRemoval, PowerRating};
use super::labels::setting_values;
use super::outcomes::{HANDS, Payoff, Side};
use super::policy::{BATCH, ENCODING, Observations, PolicyStrategy, tabulate};
use super::solver::ExactGame;
use super::table::ClassTable;
use super::tabulated::Tabulated;
use super::whole::{Pass, Play, Run};
use crate::format::{grouped, percent};
use crate::solver::{
    Cancelled, Control, Entrant, Evaluation, Evaluator, EvaluatorConfig, MeasuredBaselines, PolicyScore, REGRET_ERROR,
    SampleConfig, SampleSpec, Scope, SolverError, Z95, check_encoding, stochastic_section,
};
use houseway_env::gym::{ExactValues, Policy};
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{Candidates, RandomLegal, Strategy, settings_in};
use report::{EvaluationReport, Exploitability};
use sample::ExactSample;
use score::{Mean, RANDOM_BASELINES, ScoredTotals, StrategyScore, agreement, regrets};
use std::sync::Arc;
use whole::WholeEvaluation;

/// The sample of hands.
pub(super) const SAMPLE: SampleSpec = SampleSpec { items: "hands", default_size: 20_000, always: false };

/// Evaluates policies against a banker.
pub(super) struct PaiGowEvaluator<'a> {
    exact: &'a ExactGame,
    way: Arc<HouseWay>,
    banker: BankerTable,
    sample_config: SampleConfig,
    sample: ExactSample,
    /// `true` to compute best responses to the strategies.
    exploitability: bool,
}

impl<'a> PaiGowEvaluator<'a> {
    pub(super) fn new(
        exact: &'a ExactGame,
        config: &EvaluatorConfig,
        control: &Control<'_>,
    ) -> Result<PaiGowEvaluator<'a>, SolverError> {
        if !config.reset_options.is_empty() {
            return Err(SolverError::invalid("policies are evaluated per unit staked; remove the reset options"));
        }
        if config.exploitability {
            ClassTable::check_rules(&exact.game).map_err(SolverError::invalid)?;
        }
        let way = exact.way("banker")?;
        let banker = BankerTable::new(&*way);
        let sample_config = config.sample(SAMPLE.default_size)?;
        let sample = ExactSample::new(sample_config, &exact.game, (&banker, &way.hash()), &config.store, control)?;
        Ok(PaiGowEvaluator { exact, way, banker, sample_config, sample, exploitability: config.exploitability })
    }

    fn payoff(&self) -> Payoff {
        Payoff::player(&self.exact.game.rules())
    }

    /// Returns the strategies that are evaluated for comparison, besides the house way and the random ones.
    fn baselines(&self) -> [Box<dyn Strategy + '_>; 2] {
        let (game, banker) = (&self.exact.game, &self.banker);
        [Box::new(PowerRating::new(game, banker)), Box::new(NoCardRemoval::new(game, banker))]
    }

    /// Returns the mean EV that the contenders of each hand in the sample lose.
    fn contender_regrets(&self) -> Vec<f64> {
        let regret = |(i, &hand)| {
            let contenders = Candidates::new(&self.exact.game, hand).contenders();
            let lost = settings_in(contenders).map(|setting| self.sample.regret(i, setting));
            lost.sum::<f64>() / f64::from(contenders.count_ones())
        };
        self.sample.hands.iter().enumerate().map(regret).collect()
    }

    fn on_all_hands(
        &self,
        entrants: &[Entrant<'_>],
        control: &Control<'_>,
    ) -> Result<EvaluationReport<'_>, SolverError> {
        let baselines = self.baselines();
        let evaluation = WholeEvaluation {
            game: &self.exact.game,
            house_way: &self.banker,
            baselines: &baselines.each_ref().map(|baseline| &**baseline),
            policies: &entrants.iter().map(|entrant| entrant.policy).collect::<Vec<_>>(),
        };
        let progress = control.stage("all hands", "hands");
        let run = Run { cancel: control.cancel, progress: Some(&progress), ..Run::default() };
        let all = evaluation.totals(&Pass::new(&self.exact.game, Side::Player, &self.banker), &run)?;
        Ok(EvaluationReport {
            exact: self.exact,
            banker: self.way.name(),
            scope: Scope::Whole,
            hands: HANDS as usize,
            encoding_regret: Some(all.encoding_regret()),
            scores: evaluation.scores(&all, self.way.name()),
        })
    }

    /// Returns the EV that a policy loses on each hand in the sample, and the totals for its scores.
    fn score_on_sample(&self, policy: &dyn Policy) -> (Vec<f64>, ScoredTotals) {
        let (sample, mut scored) = (&self.sample, ScoredTotals::default());
        let mut regrets = Vec::with_capacity(sample.hands.len());
        for hands in sample.hands.chunks(BATCH) {
            let candidates: Vec<Candidates> =
                hands.iter().map(|&hand| Candidates::new(&self.exact.game, hand)).collect();
            let (settings, scores) = Observations::new(&self.exact.game, candidates.iter()).scored_settings(policy);
            for (row, setting) in settings.into_iter().enumerate() {
                let i = regrets.len();
                scored.add(&sample.situations[i], &scores, row);
                regrets.push(sample.regret(i, setting));
            }
        }
        (regrets, scored)
    }

    /// Evaluates only on the sample, without enumerating all hands.
    fn on_sample(&self, entrants: &[Entrant<'_>]) -> EvaluationReport<'_> {
        let sample = &self.sample;
        let house_way = regrets(sample, &*self.way);
        let score = |name: &str, regrets: &[f64]| StrategyScore::on_sample(name, sample, regrets, &house_way);
        let random = RandomLegal::new(&self.exact.game, self.sample_config.seed);
        let mut scores = vec![
            score(RANDOM, &regrets(sample, &random)),
            score(CONTENDER, &self.contender_regrets()),
            score(self.way.name(), &house_way),
        ];
        scores.extend(self.baselines().iter().map(|baseline| score(baseline.name(), &regrets(sample, &**baseline))));
        let hands = sample.hands.len();
        for Entrant { policy, .. } in entrants {
            let (regrets, scored) = self.score_on_sample(*policy);
            let mut score = score(policy.name(), &regrets);
            score.add_scored(&scored, hands as u64);
            scores.push(score);
        }
        scores.push(score("optimum", &vec![0.0; hands]));
        EvaluationReport {
            exact: self.exact,
            banker: self.way.name(),
            scope: Scope::Sample,
            hands,
            encoding_regret: None,
            scores,
        }
    }
}

impl PaiGowEvaluator<'_> {
    /// Adds the exploitability to the scores of the house way, the entrants and the optimum. The scores are in the
    /// order of [`EvaluationReport::scores`].
    fn exploit(
        &self,
        scores: &mut [StrategyScore],
        entrants: &[Entrant<'_>],
        control: &Control<'_>,
    ) -> Result<(), SolverError> {
        let game = &self.exact.game;
        let respond = |score: &mut StrategyScore, strategy: &dyn Fn(&Run<'_>) -> Result<Tabulated, Cancelled>| {
            let stage = format!("best responses to {}", score.name);
            let progress = control.stage(&stage, "hands");
            let run = Run { cancel: control.cancel, progress: Some(&progress), ..Run::default() };
            score.exploitability = Some(Exploitability::compute(game, &strategy(&run)?, &run)?);
            Ok::<(), SolverError>(())
        };
        respond(&mut scores[RANDOM_BASELINES], &|_| Ok(Arc::clone(&self.way).into()))?;
        for (score, entrant) in scores[BASELINES..].iter_mut().zip(entrants) {
            respond(score, &|run| tabulate(game, entrant.policy, run).map(Tabulated::from))?;
        }
        let whole = Pass::new(game, Side::Player, &self.banker);
        let optimum = |run: &Run<'_>| whole.tabulate("optimum", Play::Best(self.payoff()), run).map(Tabulated::from);
        respond(scores.last_mut().expect("the optimum is the last score"), &optimum)
    }
}

/// The name of the baseline that picks a legal setting uniformly at random.
const RANDOM: &str = "random legal";
/// The name of the baseline that picks a setting that no other one dominates, uniformly at random.
const CONTENDER: &str = "random contender";
/// The number of all baselines.
const BASELINES: usize = RANDOM_BASELINES + 3;

impl Evaluator for PaiGowEvaluator<'_> {
    fn encoding(&self) -> &'static str {
        ENCODING.name()
    }

    fn measure(&self, policy: &dyn Policy) -> Result<Vec<(&'static str, f64)>, SolverError> {
        check_encoding(policy, &[ENCODING.name()])?;
        let regrets = regrets(&self.sample, &PolicyStrategy::new(&self.exact.game, policy));
        let regret = Mean::compute(regrets.iter().copied());
        Ok(vec![
            ("regret", regret.value),
            ("agreement", agreement(&regrets)),
            (REGRET_ERROR, (regret.high - regret.low) / (2.0 * Z95)),
        ])
    }

    fn measured_baselines(&self, _: &Control<'_>) -> Result<MeasuredBaselines, SolverError> {
        let hands = grouped(self.sample.hands.len() as u64);
        let note = format!("exact regret on the same {hands} hands for all curves and lines");
        let scores = self
            .on_sample(&[])
            .scores
            .drain(RANDOM_BASELINES..BASELINES)
            .map(StrategyScore::into_policy_score)
            .collect();
        Ok(MeasuredBaselines { note, scores })
    }

    fn evaluate(
        &self,
        entrants: &[Entrant<'_>],
        scope: Scope,
        control: &Control<'_>,
    ) -> Result<Evaluation, SolverError> {
        for entrant in entrants {
            check_encoding(entrant.policy, &[ENCODING.name()])?;
        }
        let mut report = match scope {
            Scope::Whole => self.on_all_hands(entrants, control)?,
            Scope::Sample => self.on_sample(entrants),
        };
        // The random baselines come first, and then the house way, the other baselines, the entrants and the optimum.
        report.scores[RANDOM_BASELINES..BASELINES].iter_mut().for_each(|score| score.in_detail = true);
        let entered = report.scores[BASELINES..].iter_mut().zip(entrants);
        entered.for_each(|(score, entrant)| score.in_detail = entrant.in_detail);
        if self.exploitability {
            self.exploit(&mut report.scores, entrants, control)?;
        }
        let (preface, details) = (report.preface(), report.details());
        let (comparison, plots, mut sections) = (report.comparison(), vec![report.ev_plot()], report.sections());
        let scores: Vec<PolicyScore> = report.scores.into_iter().map(StrategyScore::into_policy_score).collect();
        sections.extend(stochastic_section(&scores, |regret| percent(regret, 4)));
        Ok(Evaluation { scope, details, preface, comparison, plots, sections, scores })
    }

    fn exact_values(&self, control: &Control<'_>) -> Result<Arc<dyn ExactValues>, SolverError> {
        let progress = control.stage("exact labels", "hands");
        let run = Run { cancel: control.cancel, progress: Some(&progress), ..Run::default() };
        let whole = Pass::new(&self.exact.game, Side::Player, &self.banker);
        Ok(Arc::new(setting_values(&whole, &run)?))
    }
}
