//! Exact evaluation of policies in games with a single decision.

use super::{Enumerated, OneDecision, Situation};
use crate::answer::Section;
use crate::format::percent;
use crate::solver::{
    AllHands, PolicyScore, SolverError, StakeUnit, ValueRow, ValueTable, best_alike, mean_score, weighed_choices,
};
use houseway_env::gym::{ExactValues, Policy};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Evaluates policies on all situations.
pub(super) struct DecisionEvaluator<'a, G> {
    pub(super) solver: &'a Enumerated<G>,
}

impl<G: OneDecision> DecisionEvaluator<'_, G> {
    fn score(&self, name: &str, actions: &[usize]) -> PolicyScore {
        let solver = self.solver;
        let total = solver.total(|index, _| actions[index]);
        let as_good = |&(index, situation): &(usize, &Situation)| {
            situation.rewards[actions[index]] == situation.rewards[situation.best()]
        };
        let agreeing = solver.situations().iter().enumerate().filter(as_good);
        let agreeing: u64 = agreeing.map(|(_, situation)| situation.hands).sum();
        PolicyScore {
            name: name.to_owned(),
            ev: total.ev().value(),
            regret: (solver.optimal().ev() - total.ev()).value(),
            regret_ci: None,
            agreement: agreeing as f64 / solver.hands() as f64,
            details: self.plays(|action| total.probability(action).value()),
        }
        .with_exact_ev(total.ev())
    }

    /// Describes how often a policy takes each action except the first.
    fn plays(&self, probability: impl Fn(usize) -> f64) -> Map<String, Value> {
        let actions = self.solver.game().actions().iter().enumerate().skip(1);
        let words = actions.map(|(i, action)| format!("{} {}", action.third_person, percent(probability(i), 2)));
        Map::from_iter([("plays".to_owned(), json!(words.collect::<Vec<_>>().join(", ")))])
    }
}

impl<G: OneDecision> AllHands for DecisionEvaluator<'_, G> {
    fn encoding(&self) -> &'static str {
        self.solver.game().encoding()
    }

    fn unit(&self) -> StakeUnit {
        self.solver.game().unit()
    }

    fn policy_score(&self, policy: &dyn Policy) -> Result<PolicyScore, SolverError> {
        let (game, situations) = (self.solver.game(), self.solver.situations());
        let observations: Vec<f32> = situations.iter().flat_map(|situation| &situation.observation).copied().collect();
        let masks = vec![true; situations.len() * game.actions().len()];
        let choices = weighed_choices(policy, &observations, &masks, game.actions().len())?;
        let ev = choices.weights.map(|weights| self.solver.stochastic_ev(&weights).value());
        Ok(self.score(policy.name(), &choices.actions).with_stochastic_ev(ev))
    }

    /// Returns the scores of the constant strategies, and of a uniformly random choice among them.
    fn baselines(&self) -> Vec<PolicyScore> {
        let (actions, situations) = (self.solver.game().actions(), self.solver.situations().len());
        let always = actions
            .iter()
            .enumerate()
            .map(|(i, action)| self.score(&format!("always {}", action.name), &vec![i; situations]));
        let always: Vec<PolicyScore> = always.collect();
        let random = mean_score("random", &always, self.plays(|_| 1.0 / actions.len() as f64));
        std::iter::once(random).chain(always).collect()
    }

    fn optimum(&self) -> PolicyScore {
        let optimum: Vec<usize> = self.solver.situations().iter().map(Situation::best).collect();
        self.score("optimum", &optimum)
    }

    fn preface(&self) -> String {
        self.solver.summary()
    }

    fn sections(&self) -> Vec<Section> {
        self.solver.sections()
    }

    fn encoding_regret(&self) -> Result<Option<f64>, SolverError> {
        let situations = self.solver.situations();
        let decision = |situation: &Situation| {
            let rewards = situation.rewards.iter().map(|&reward| i128::from(reward) * i128::from(situation.hands));
            (situation.observation.clone(), rewards.collect())
        };
        let actions = best_alike(situations.iter().map(decision));
        Ok(Some(self.score("", &actions).regret))
    }

    fn values(&self) -> Result<Arc<dyn ExactValues>, SolverError> {
        let row = |situation: &Situation| ValueRow {
            hands: situation.hands,
            observation: situation.observation.clone(),
            evs: (0..situation.rewards.len()).map(|action| situation.ev(action).value() as f32).collect(),
        };
        let rows = self.solver.situations().iter().map(row).collect();
        Ok(Arc::new(ValueTable::new(AllHands::encoding(self), rows)))
    }
}
