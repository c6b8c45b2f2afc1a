//! Evaluates policies on a sample of deals.
//!
//! A policy also sees the dealer's hand, so it would have to be evaluated on every deal, and there are too many of
//! them. The results of all settings are exact for each deal in the sample, so the only error is the sampling error.

use super::exact_game::ExactGame;
use crate::answer::TextTable;
use crate::format::{grouped, percent};
use crate::pai_gow::MAX_LOSS;
use crate::solver::{
    Control, Entrant, Evaluation, Evaluator, EvaluatorConfig, MeasuredBaselines, PolicyScore, REGRET_ERROR,
    SampleConfig, SampleSpec, Scope, SolverError, StakeUnit, WeighedChoices, check_encoding, ev_plot, loss_interval,
    stochastic_section, weighed_choices,
};
use houseway_env::gym::{CardGame, Encoding, PROBABILITY_UNIT, Policy};
use houseway_env::pai_gow::face_up::{FaceUpOptions, Observation};
use houseway_env::pai_gow::{Setting, State};
use serde_json::{Map, json};

/// The sample that evaluations use.
pub(super) const SAMPLE: SampleSpec = SampleSpec { items: "deals", default_size: 20_000, always: true };

/// An evaluator that uses a sample of deals.
pub(super) struct FaceUpEvaluator<'a> {
    exact: &'a ExactGame,
    unit: StakeUnit,
    config: SampleConfig,
    deals: Vec<Deal>,
}

/// A deal with the reward for each setting. Fouls have no reward.
struct Deal {
    state: State,
    rewards: [Option<f64>; Setting::COUNT],
}

impl Deal {
    fn best(&self) -> f64 {
        self.rewards.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max)
    }
}

impl<'a> FaceUpEvaluator<'a> {
    pub(super) fn new(
        exact: &'a ExactGame,
        unit: StakeUnit,
        config: &EvaluatorConfig,
    ) -> Result<FaceUpEvaluator<'a>, SolverError> {
        if !config.reset_options.is_empty() {
            return Err(SolverError::invalid("reset options are not supported, since results are per unit staked"));
        }
        let config = config.sample(SAMPLE.default_size)?;
        let (mut rng, game) = (config.stream(), &exact.game);
        let deal = |_| {
            let state = game.deal(&FaceUpOptions::default(), &mut rng);
            let (mut mask, mut rewards) = ([false; Setting::COUNT], [0.0; Setting::COUNT]);
            game.legal(&state, &mut mask);
            game.action_rewards(&state, &mut rewards);
            let rewards = std::array::from_fn(|i| mask[i].then(|| f64::from(rewards[i])));
            Deal { state, rewards }
        };
        Ok(FaceUpEvaluator { exact, unit, config, deals: (0..config.size).map(deal).collect() })
    }

    /// Returns a policy's choices for all deals.
    fn chosen(&self, policy: &dyn Policy) -> Result<WeighedChoices, SolverError> {
        check_encoding(policy, &Observation::NAMES)?;
        let encoding: Observation = policy.encoding().parse().map_err(SolverError::invalid)?;
        let mut observations = vec![0.0; self.deals.len() * encoding.len()];
        for (deal, row) in self.deals.iter().zip(observations.chunks_exact_mut(encoding.len())) {
            self.exact.game.observe(encoding, &deal.state, row).map_err(SolverError::failed)?;
        }
        let masks: Vec<bool> = self.deals.iter().flat_map(|deal| deal.rewards.map(|reward| reward.is_some())).collect();
        weighed_choices(policy, &observations, &masks, Setting::COUNT)
    }

    /// Returns the score of a strategy, given its expected reward for each deal.
    fn score(&self, name: &str, rewards: &[f64]) -> PolicyScore {
        let n = rewards.len() as f64;
        let regrets: Vec<f64> = self.deals.iter().zip(rewards).map(|(deal, reward)| deal.best() - reward).collect();
        PolicyScore {
            name: name.to_owned(),
            ev: rewards.iter().sum::<f64>() / n,
            regret: regrets.iter().sum::<f64>() / n,
            regret_ci: Some(loss_interval(&regrets, MAX_LOSS)),
            agreement: regrets.iter().filter(|&&regret| regret == 0.0).count() as f64 / n,
            details: Map::new(),
        }
    }

    fn policy_score(&self, policy: &dyn Policy) -> Result<PolicyScore, SolverError> {
        let WeighedChoices { actions, weights } = self.chosen(policy)?;
        let rewards: Vec<f64> =
            self.deals.iter().zip(actions).filter_map(|(deal, action)| deal.rewards[action]).collect();
        let mean = |(deal, weights): (&Deal, Vec<u32>)| -> f64 {
            let rewards = deal.rewards.iter().zip(weights);
            rewards.filter_map(|(&reward, weight)| Some(reward? * f64::from(weight))).sum()
        };
        let ev = weights.map(|weights| {
            let total: f64 = self.deals.iter().zip(weights).map(mean).sum();
            total / f64::from(PROBABILITY_UNIT) / self.deals.len() as f64
        });
        Ok(self.score(policy.name(), &rewards).with_stochastic_ev(ev))
    }

    /// Returns the scores of a random choice, the dealer's house way and the optimum.
    fn references(&self) -> [PolicyScore; 3] {
        let mean = |deal: &Deal| {
            let legal: Vec<f64> = deal.rewards.iter().flatten().copied().collect();
            legal.iter().sum::<f64>() / legal.len() as f64
        };
        let way = |deal: &Deal| {
            let action = self.exact.game.house_action(&deal.state)?;
            deal.rewards[action]
        };
        let of = |reward: &dyn Fn(&Deal) -> f64| -> Vec<f64> { self.deals.iter().map(reward).collect() };
        let way = of(&|deal| way(deal).expect("a house way cannot foul"));
        [
            self.score("random legal", &of(&mean)),
            self.score(self.exact.dealer.name(), &way),
            // The optimum loses nothing by definition.
            PolicyScore { regret_ci: None, ..self.score("optimum", &of(&Deal::best)) },
        ]
    }
}

impl Evaluator for FaceUpEvaluator<'_> {
    fn encoding(&self) -> &'static str {
        Observation::default().name()
    }

    fn measure(&self, policy: &dyn Policy) -> Result<Vec<(&'static str, f64)>, SolverError> {
        let score = self.policy_score(policy)?;
        let error = score.regret_error().map(|error| (REGRET_ERROR, error));
        let values = [("regret", score.regret), ("ev", score.ev), ("agreement", score.agreement)];
        Ok(values.into_iter().chain(error).collect())
    }

    fn measured_baselines(&self, _: &Control<'_>) -> Result<MeasuredBaselines, SolverError> {
        let [random, way, _] = self.references();
        let note =
            format!("exact regret on the same {} deals for all curves and lines", grouped(self.config.size as u64));
        Ok(MeasuredBaselines { note, scores: vec![random, way] })
    }

    fn evaluate(&self, entrants: &[Entrant<'_>], scope: Scope, _: &Control<'_>) -> Result<Evaluation, SolverError> {
        if scope == Scope::Whole {
            return Err(SolverError::invalid(
                "there are too many deals to evaluate them all, since a policy also sees the dealer's hand; use \
                 --exact sample",
            ));
        }
        let [random, way, optimum] = self.references();
        let mut scores = vec![random, way];
        for entrant in entrants {
            scores.push(self.policy_score(entrant.policy)?);
        }
        scores.push(optimum);
        let SampleConfig { size, seed } = self.config;
        let note = format!("on {} deals with seed {seed}", grouped(size as u64));
        let mut table = TextTable::new(["agent", "EV", "regret", "95% interval", "agrees"]).right_from(1);
        for score in &scores {
            let interval = score.regret_ci.map_or("exact".to_owned(), |ci| ci.map(|end| percent(end, 4)).join(" to "));
            table = table.row([
                score.name.as_str(),
                &percent(score.ev, 3),
                &percent(score.regret, 4),
                &interval,
                &percent(score.agreement, 1),
            ]);
        }
        Ok(Evaluation {
            scope,
            details: Map::from_iter([("deals".to_owned(), json!(size))]),
            preface: format!(
                "Face Up Pai Gow Poker against a dealer who sets by {}, {note}. Each deal's results are exact for all settings.",
                self.exact.dealer.name()
            ),
            comparison: table,
            plots: vec![ev_plot(&scores, self.unit, &note)],
            sections: stochastic_section(&scores, |amount| percent(amount, 4)).into_iter().collect(),
            scores,
        })
    }
}
