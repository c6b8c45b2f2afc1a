//! Exact evaluation of Asian Stud policies on every hand class.

use super::Class;
use super::exact_game::ExactGame;
use crate::answer::Section;
use crate::format::{grouped, percent};
use crate::solver::{
    AllHands, PolicyScore, SolverError, StakeUnit, ValueRow, ValueTable, best_alike, mean_score, weighed_choices,
};
use houseway_env::asian_stud::{FOLD, Observation, RAISE, Rules};
use houseway_env::gym::{Encoding, ExactValues, Policy};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::Arc;

/// The observation encoding that policies must use. It depends only on a hand's class, so one hand per class is enough.
const ENCODING: Observation = Observation::Points;

/// Evaluates policies on every hand class.
pub(super) struct AsianStudEvaluator<'a> {
    pub(super) exact: &'a ExactGame,
    pub(super) unit: StakeUnit,
}

impl AsianStudEvaluator<'_> {
    /// Returns the score of the policy that raises with the given classes.
    fn score(&self, name: &str, raises: impl Fn(&Class) -> bool) -> PolicyScore {
        let (classes, solution) = (&self.exact.classes, self.exact.solution());
        let total = solution.total(&raises);
        let same = classes.all().iter().filter(|class| raises(class) == solution.raises(class));
        let same: u64 = same.map(|class| class.hands).sum();
        PolicyScore {
            name: name.to_owned(),
            ev: total.ev().value(),
            regret: (solution.optimal().ev() - total.ev()).value(),
            regret_ci: None,
            agreement: same as f64 / classes.hands() as f64,
            details: plays(total.raise_probability().value()),
        }
        .with_exact_ev(total.ev())
    }

    /// Writes the observation of a hand class.
    fn observe(&self, class: &Class, observation: &mut [f32]) -> Result<(), SolverError> {
        let hand = class.example();
        let written = ENCODING.write(hand, self.exact.solution().game().value(hand), observation);
        written.map_err(SolverError::failed)
    }
}

impl AllHands for AsianStudEvaluator<'_> {
    fn encoding(&self) -> &'static str {
        ENCODING.name()
    }

    fn unit(&self) -> StakeUnit {
        self.unit
    }

    fn policy_score(&self, policy: &dyn Policy) -> Result<PolicyScore, SolverError> {
        let classes = self.exact.classes.all();
        let mut observations = vec![0.0; classes.len() * ENCODING.len()];
        for (class, observation) in classes.iter().zip(observations.chunks_exact_mut(ENCODING.len())) {
            self.observe(class, observation)?;
        }
        let choices = weighed_choices(policy, &observations, &vec![true; 2 * classes.len()], 2)?;
        let raised = choices.actions.iter().map(|&action| action == RAISE);
        let raised: HashMap<_, bool> = classes.iter().map(|class| class.counts).zip(raised).collect();
        let ev = choices.weights.map(|weights| {
            let raises: Vec<u32> = weights.iter().map(|weights| weights[RAISE]).collect();
            self.exact.solution().stochastic_ev(&raises).value()
        });
        Ok(self.score(policy.name(), |class| raised[&class.counts]).with_stochastic_ev(ev))
    }

    fn baselines(&self) -> Vec<PolicyScore> {
        let (always, never) = (self.score("always raise", |_| true), self.score("always fold", |_| false));
        let random = mean_score("random", &[always.clone(), never], plays(0.5));
        vec![random, self.score("raise with a set", |class| class.value.index() > 0), always]
    }

    fn preface(&self) -> String {
        let (Rules { commission_rate, commission, .. }, classes) = (self.exact.rules, &self.exact.classes);
        let reading = serde_json::to_value(commission).ok();
        format!(
            "Asian Stud, commission {commission_rate} of the winnings under the reading `{}`: five cards, then fold or raise. \
             Policies are evaluated exactly, on all {} classes of hands against every hand that the dealer can hold beside \
             them, {} deals in all.",
            reading.as_ref().and_then(Value::as_str).unwrap_or_default(),
            classes.all().len(),
            grouped(classes.deals()),
        )
    }

    fn optimum(&self) -> PolicyScore {
        let solution = self.exact.solution();
        self.score("optimum", |class| solution.raises(class))
    }

    fn sections(&self) -> Vec<Section> {
        self.exact.sections()
    }

    fn encoding_regret(&self) -> Result<Option<f64>, SolverError> {
        let (classes, solution) = (self.exact.classes.all(), self.exact.solution());
        let decision = |class: &Class| {
            let mut observation = vec![0.0; ENCODING.len()];
            self.observe(class, &mut observation)?;
            // Only the difference between the actions matters. All classes have the same number of dealer hands.
            let gain = solution.gain_from_raising(class) * i128::from(class.hands);
            let mut rewards = vec![0; 2];
            rewards[RAISE] = gain;
            Ok((observation, rewards))
        };
        let decisions = classes.iter().map(decision).collect::<Result<Vec<_>, SolverError>>()?;
        let actions = best_alike(decisions);
        let raised: HashMap<_, bool> =
            classes.iter().map(|class| class.counts).zip(actions.into_iter().map(|action| action == RAISE)).collect();
        Ok(Some(self.score("", |class| raised[&class.counts]).regret))
    }

    fn values(&self) -> Result<Arc<dyn ExactValues>, SolverError> {
        let solution = self.exact.solution();
        let row = |class: &Class| {
            let (mut observation, mut evs) = (vec![0.0; ENCODING.len()], vec![0.0; 2]);
            self.observe(class, &mut observation)?;
            evs[FOLD] = -1.0;
            evs[RAISE] = solution.raise_ev(class).value() as f32;
            Ok(ValueRow { hands: class.hands, observation, evs })
        };
        let rows = self.exact.classes.all().iter().map(row).collect::<Result<_, SolverError>>()?;
        Ok(Arc::new(ValueTable::new(ENCODING.name(), rows)))
    }
}

/// Describes how a policy plays.
fn plays(raise_probability: f64) -> Map<String, Value> {
    Map::from_iter([("plays".to_owned(), json!(format!("raises {}", percent(raise_probability, 2))))])
}
