//! Exact evaluation of Pai Gow Poker policies against a banker who follows a house way.
//!
//! Results on all hands are exact. On a sample, each hand's values are still exact, so the sampling error is the only
//! error. Best responses are always evaluated over all deals.

mod report;
mod score;
mod whole;

use super::banker::BankerTable;
use super::baselines::{NoCardRemoval, PowerRating};
use super::outcomes::{HANDS, Payoff, Side};
use super::policy::{BATCH, ENCODING, Observations, PolicyStrategy, setting_values, tabulate};
use super::solver::ExactGame;
use super::table::{ClassTable, Tabulated};
use super::whole::{Pass, Play, Run};
use crate::format::{grouped, percent};
use crate::pai_gow::hand::HandEvaluator;
use crate::pai_gow::outcomes::BANKER_HANDS;
use crate::pai_gow::policy::Situation;
use crate::solver::{
    Cancelled, Control, Entrant, Evaluation, Evaluator, EvaluatorConfig, MeasuredBaselines, PolicyScore, REGRET_ERROR,
    SampleConfig, SampleSpec, Scope, SolverError, Z95, check_encoding, stochastic_section,
};
use crate::store::PassStore;
use houseway_env::gym::{ExactValues, Policy};
use houseway_env::money::Rate;
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{Candidates, Dealt, Game, Hand, RandomLegal, Setting, Strategy, settings_in};
use report::{EvaluationReport, exploitability};
use score::{RANDOM_BASELINES, ScoredTotals, StrategyScore, agreement, mean, regrets};
use serde_json::json;
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
    store: PassStore,
}

impl<'a> PaiGowEvaluator<'a> {
    pub(super) fn new(
        exact: &'a ExactGame,
        config: &EvaluatorConfig,
        control: &Control<'_>,
    ) -> Result<PaiGowEvaluator<'a>, SolverError> {
        config.check_no_reset_options()?;
        if config.exploitability {
            ClassTable::check_rules(&exact.game).map_err(SolverError::invalid)?;
        }
        let way = exact.way("banker")?;
        let banker = BankerTable::new(&*way);
        let sample_config = config.sample(SAMPLE.default_size)?;
        let sample = ExactSample::new(sample_config, &exact.game, (&banker, &way.hash()), &config.store, control)?;
        let (exploitability, store) = (config.exploitability, config.store.clone());
        Ok(PaiGowEvaluator { exact, way, banker, sample_config, sample, exploitability, store })
    }

    /// Returns the strategies that are evaluated for comparison, besides the house way and the random ones.
    fn baselines(&self) -> [Box<dyn Strategy + '_>; 2] {
        let (game, banker) = (&self.exact.game, &self.banker);
        [Box::new(PowerRating::new(game, banker)), Box::new(NoCardRemoval::new(game, banker))]
    }

    /// Returns the score of a random choice among the contenders. A hand has the mean of what they lose, and agrees as often
    /// as one of them loses nothing.
    fn contender_score(&self, house_way: &[f64]) -> StrategyScore {
        let (mut regrets, mut agreements) = (vec![], vec![]);
        for (i, &hand) in self.sample.hands.iter().enumerate() {
            let contenders = Candidates::new(&self.exact.game, hand).contenders();
            let lost: Vec<f64> = settings_in(contenders).map(|setting| self.sample.regret(i, setting)).collect();
            regrets.push(lost.iter().sum::<f64>() / lost.len() as f64);
            agreements.push(agreement(&lost));
        }
        StrategyScore::on_sample(CONTENDER, &self.sample, &regrets, &agreements, house_way)
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
        let pass = Pass::new(&self.exact.game, Side::Player, &self.banker);
        let all = Run::with(control, "all hands", |run| evaluation.totals(&pass, run))?;
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
        let score = |name: &str, regrets: &[f64]| {
            let agreements: Vec<f64> = regrets.iter().map(|&regret| agreement(&[regret])).collect();
            StrategyScore::on_sample(name, sample, regrets, &agreements, &house_way)
        };
        let random = RandomLegal::new(&self.exact.game, self.sample_config.seed);
        let mut scores = vec![
            score(RANDOM, &regrets(sample, &random)),
            self.contender_score(&house_way),
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
            let found = Run::with(control, &format!("best responses to {}", score.name), |run| {
                exploitability(&self.store, game, strategy(run)?, run)
            });
            score.exploitability = Some(found?);
            Ok::<(), SolverError>(())
        };
        respond(&mut scores[RANDOM_BASELINES], &|_| Ok(Arc::clone(&self.way).into()))?;
        for (score, entrant) in scores[BASELINES..].iter_mut().zip(entrants) {
            respond(score, &|run| tabulate(game, entrant.policy, run).map(Tabulated::from))?;
        }
        let (whole, payoff) = (Pass::new(game, Side::Player, &self.banker), Payoff::player(&game.rules()));
        let optimum = |run: &Run<'_>| whole.tabulate("optimum", Play::Best(payoff), run).map(Tabulated::from);
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
        let regret = mean(&regrets);
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
        let whole = Pass::new(&self.exact.game, Side::Player, &self.banker);
        Ok(Arc::new(Run::with(control, "exact labels", |run| setting_values(&whole, run))?))
    }
}

/// The gain of a foul.
const FOUL: i64 = i64::MIN;
/// The number of hands between two progress reports.
const CHUNK: usize = 500;
/// The gain of a stake, in millionths over all hands of the banker.
const STAKE: f64 = BANKER_HANDS as f64 * Rate::WHOLE as f64;

/// A sample of hands with the gain from each setting. Only the hands are sampled, so means over them have no error except
/// from dealing them, most of which cancels out in the difference between two strategies.
struct ExactSample {
    hands: Vec<Hand>,
    situations: Vec<Situation>,
    /// The fee for each hand, per unit staked.
    fee: f64,
}

impl ExactSample {
    /// Returns the configured sample against a banker with the hash `banker_hash`. Its values are taken from the store,
    /// or computed and stored there.
    fn new(
        config: SampleConfig,
        game: &Game,
        (banker, banker_hash): (&BankerTable, &str),
        store: &PassStore,
        control: &Control<'_>,
    ) -> Result<ExactSample, SolverError> {
        let SampleConfig { size, seed } = config;
        let mut rng = config.stream();
        let hands: Vec<Hand> = (0..size).map(|_| Dealt::random(&mut rng).hand()).collect();
        let question = json!({ "banker": banker_hash, "rules": game.rules().hash(), "seed": seed, "size": size });
        let stored = store.find(&question).filter(|gains: &Vec<_>| gains.len() == size);
        let gains = match stored {
            Some(gains) => gains,
            None => {
                let gains = enumerate(&hands, game, banker, control)?;
                store.put(&question, &gains);
                gains
            }
        };
        let situation = |gains: &[i64; Setting::COUNT]| {
            let mut situation = Situation { hands: 1, legal: 0, gains: [0; Setting::COUNT], best: i128::MIN };
            for (i, &gain) in gains.iter().enumerate().filter(|(_, gain)| **gain != FOUL) {
                situation.legal |= 1 << i;
                situation.gains[i] = gain;
                situation.best = situation.best.max(gain.into());
            }
            situation
        };
        let fee = Payoff::player(&game.rules()).fee().value();
        Ok(ExactSample { hands, situations: gains.iter().map(situation).collect(), fee })
    }

    /// Returns the EV of each hand's best setting, per unit staked.
    fn best_evs(&self) -> impl ExactSizeIterator<Item = f64> + Clone {
        self.situations.iter().map(|situation| situation.best as f64 / STAKE - self.fee)
    }

    /// Returns the EV that a setting of the i-th hand loses, in stakes. It's exactly 0 for an optimal setting.
    fn regret(&self, i: usize, setting: Setting) -> f64 {
        let situation = &self.situations[i];
        assert!(situation.legal >> setting.index() & 1 == 1, "{} is set foul", self.hands[i]);
        situation.lost(setting) as f64 / STAKE
    }
}

fn enumerate(
    hands: &[Hand],
    game: &Game,
    banker: &BankerTable,
    control: &Control<'_>,
) -> Result<Vec<[i64; Setting::COUNT]>, SolverError> {
    let counter = HandEvaluator::new(game, banker);
    let payoff = Payoff::player(&game.rules());
    let progress = control.stage("exact values", "hands");
    let mut gains = Vec::with_capacity(hands.len());
    for chunk in hands.chunks(CHUNK) {
        if control.is_cancelled() {
            return Err(SolverError::Cancelled);
        }
        let counts = counter.count_many(chunk);
        gains.extend(counts.iter().map(|hand| {
            let gain = |i: usize| {
                hand.settings()[i].map_or(FOUL, |setting| payoff.gain(setting.wins as i64, setting.losses as i64))
            };
            std::array::from_fn(gain)
        }));
        progress(gains.len() as u64, hands.len() as u64);
    }
    Ok(gains)
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::{ProfileTable, Rules};
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn a_sample_is_stored_and_has_the_values_of_single_hands() {
        let game = Game::new(Rules::default());
        let banker = BankerTable::new(&ProfileTable::max_front(&game));
        let folder = std::env::temp_dir().join(format!("houseway-sample-test-{}", std::process::id()));
        let store = PassStore::open(&folder, |_| {}).unwrap();
        let stop = AtomicBool::new(false);
        let control = Control { cancel: Some(&stop), ..Control::default() };
        let get = |seed| ExactSample::new(SampleConfig { size: 100, seed }, &game, (&banker, "way"), &store, &control);
        let rows = |sample: &ExactSample| -> Vec<(u32, [i64; Setting::COUNT])> {
            sample.situations.iter().map(|situation| (situation.legal, situation.gains)).collect()
        };
        let first = get(5).unwrap();
        // A stopped command still has the stored sample, but no other one.
        stop.store(true, Ordering::Relaxed);
        assert_eq!(rows(&get(5).unwrap()), rows(&first));
        assert!(matches!(get(6), Err(SolverError::Cancelled)));
        std::fs::remove_dir_all(&folder).unwrap();
        let counter = HandEvaluator::new(&game, &banker);
        for (i, &hand) in first.hands.iter().enumerate() {
            let counts = counter.count(hand);
            assert_eq!(first.regret(i, counts.best()), 0.0);
            for setting in Setting::all() {
                if let Some(regret) = counts.regret(setting) {
                    assert!((first.regret(i, setting) - regret.value()).abs() < 1e-12);
                }
            }
        }
    }
}
