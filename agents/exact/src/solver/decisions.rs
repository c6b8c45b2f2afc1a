//! Decisions in which the exact reward of every action is known, and the scores of policies that make them.

use super::SolverError;
use super::evaluation::{PolicyScore, loss_interval};
use crate::Ratio;
use houseway_env::gym::{Choices, EnvError, ExactValues, PROBABILITY_UNIT, Policy, Scores, exact_probabilities};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// The decisions that come up in a game, either all of them or a sample. They score policies, and agents can learn from
/// their rewards.
#[derive(Clone, Debug, PartialEq)]
pub struct Decisions {
    encoding: &'static str,
    actions: usize,
    /// The number that the rewards are divided by to get EVs.
    scale: i128,
    /// The most that a decision can lose, if the decisions are a sample.
    max_loss: Option<f64>,
    /// The number of hands that lead to each decision.
    hands: Vec<u64>,
    /// One row per decision, as in the next two fields.
    observations: Vec<f32>,
    masks: Vec<bool>,
    /// The rewards, which are 0 for illegal actions.
    rewards: Vec<i64>,
}

impl Decisions {
    /// Creates a list without decisions. Observations use the given encoding, and rewards are in units of 1 / `scale` of
    /// the stake.
    pub fn new(encoding: &'static str, actions: usize, scale: i128) -> Decisions {
        Decisions {
            encoding,
            actions,
            scale,
            max_loss: None,
            hands: vec![],
            observations: vec![],
            masks: vec![],
            rewards: vec![],
        }
    }

    /// Returns the list as a sample in which no decision loses more than `max_loss`. Scores then have intervals.
    #[must_use]
    pub fn sampled(self, max_loss: f64) -> Decisions {
        Decisions { max_loss: Some(max_loss), ..self }
    }

    /// Adds a decision. Illegal actions have no reward.
    pub fn push(&mut self, hands: u64, observation: &[f32], rewards: impl IntoIterator<Item = Option<i64>>) {
        self.hands.push(hands);
        self.observations.extend(observation);
        for reward in rewards {
            self.masks.push(reward.is_some());
            self.rewards.push(reward.unwrap_or(0));
        }
    }

    /// Iterates over the rewards of the legal actions in each decision, in ascending order of actions.
    pub fn legal(&self) -> impl Iterator<Item = impl Iterator<Item = (usize, i64)> + Clone + '_> {
        let rows = self.rewards.chunks_exact(self.actions).zip(self.masks.chunks_exact(self.actions));
        rows.map(|(rewards, masks)| {
            let legal = rewards.iter().zip(masks).enumerate().filter(|(_, (_, legal))| **legal);
            legal.map(|(action, (&reward, _))| (action, reward))
        })
    }

    /// Returns the best action in each decision. The first one wins ties.
    pub fn best(&self) -> Vec<usize> {
        self.legal().map(first_best).collect()
    }

    /// Returns the best action in each decision if those with the same observation must have the same action. Ties go to
    /// the first action.
    ///
    /// A policy must treat hands in the same way if they look alike, so the regret of these actions is a floor for all
    /// policies that read the encoding.
    pub fn best_alike(&self) -> Vec<usize> {
        let mut groups: HashMap<Vec<u32>, usize> = HashMap::new();
        let (mut totals, mut group_of): (Vec<Vec<i128>>, Vec<usize>) = (vec![], vec![]);
        let width = self.observations.len() / self.hands.len();
        let rows = self.observations.chunks_exact(width).zip(self.rewards.chunks_exact(self.actions));
        for ((observation, rewards), &hands) in rows.zip(&self.hands) {
            let key = observation.iter().map(|number| number.to_bits()).collect();
            let group = *groups.entry(key).or_insert(totals.len());
            if group == totals.len() {
                totals.push(vec![0; self.actions]);
            }
            for (total, &reward) in totals[group].iter_mut().zip(rewards) {
                *total += i128::from(reward) * i128::from(hands);
            }
            group_of.push(group);
        }
        let best: Vec<usize> = totals.iter().map(|total| first_best(total.iter().copied().enumerate())).collect();
        group_of.into_iter().map(|group| best[group]).collect()
    }

    /// Returns the EV of taking the given actions, one for each decision, in stakes.
    pub fn ev(&self, actions: &[usize]) -> Ratio {
        let rewards = self.chosen(actions).zip(&self.hands);
        let sum = rewards.map(|(reward, &hands)| i128::from(reward) * i128::from(hands)).sum();
        Ratio::new(sum, self.total_hands() * self.scale)
    }

    /// Returns the EV of taking actions at random. `weights` has the probabilities of all actions in each decision, in
    /// units of 1 / [`PROBABILITY_UNIT`].
    fn stochastic_ev(&self, weights: &[Vec<u32>]) -> Ratio {
        let decisions = self.rewards.chunks_exact(self.actions).zip(&self.hands).zip(weights);
        let sum = decisions.map(|((rewards, &hands), weights)| {
            let rewards = rewards.iter().zip(weights);
            let mean: i128 = rewards.map(|(&reward, &weight)| i128::from(reward) * i128::from(weight)).sum();
            i128::from(hands) * mean
        });
        Ratio::new(sum.sum(), self.total_hands() * self.scale * i128::from(PROBABILITY_UNIT))
    }

    /// Returns the score of taking the given actions, with additional details.
    pub fn score(&self, name: &str, actions: &[usize], details: Map<String, Value>) -> PolicyScore {
        let scale = self.scale as f64;
        if self.max_loss.is_some() {
            let rewards: Vec<f64> = self.chosen(actions).map(|reward| reward as f64 / scale).collect();
            return self.sampled_score(name, &rewards, details);
        }
        let best = self.best();
        let (ev, optimum) = (self.ev(actions), self.ev(&best));
        let as_good = self.chosen(actions).zip(self.chosen(&best)).zip(&self.hands);
        let as_good = as_good.filter(|((reward, best), _)| reward == best).map(|(_, &hands)| hands);
        PolicyScore {
            name: name.to_owned(),
            ev: ev.value(),
            regret: (optimum - ev).value(),
            regret_ci: None,
            agreement: as_good.sum::<u64>() as f64 / self.total_hands() as f64,
            details,
        }
        .with_exact_ev(ev)
    }

    /// Returns the score of a strategy on a sample, given its expected reward in each decision.
    pub fn sampled_score(&self, name: &str, rewards: &[f64], details: Map<String, Value>) -> PolicyScore {
        let n = rewards.len() as f64;
        let best = self.legal().map(|legal| legal.map(|(_, reward)| reward).max().unwrap_or(0));
        let losses: Vec<f64> =
            best.zip(rewards).map(|(best, reward)| best as f64 / self.scale as f64 - reward).collect();
        PolicyScore {
            name: name.to_owned(),
            ev: rewards.iter().sum::<f64>() / n,
            regret: losses.iter().sum::<f64>() / n,
            regret_ci: self.max_loss.map(|max| loss_interval(&losses, max)),
            agreement: losses.iter().filter(|&&loss| loss == 0.0).count() as f64 / n,
            details,
        }
    }

    /// Returns the score of a policy that reads the encoding. `details` receives the policy's actions.
    pub(crate) fn policy_score(
        &self,
        policy: &dyn Policy,
        details: impl Fn(&[usize]) -> Map<String, Value>,
    ) -> Result<PolicyScore, SolverError> {
        let choices = weighed_choices(policy, &self.observations, &self.masks, self.actions)?;
        let ev = choices.weights.map(|weights| self.stochastic_ev(&weights).value());
        Ok(self.score(policy.name(), &choices.actions, details(&choices.actions)).with_stochastic_ev(ev))
    }

    fn chosen<'a>(&'a self, actions: &'a [usize]) -> impl Iterator<Item = i64> + 'a {
        self.rewards.chunks_exact(self.actions).zip(actions).map(|(rewards, &action)| rewards[action])
    }

    fn total_hands(&self) -> i128 {
        self.hands.iter().map(|&hands| i128::from(hands)).sum()
    }
}

/// Returns the action with the greatest reward. The first one wins ties.
fn first_best<R: Ord>(rewards: impl Iterator<Item = (usize, R)>) -> usize {
    rewards.reduce(|best, other| if other.1 > best.1 { other } else { best }).map_or(0, |(action, _)| action)
}

impl ExactValues for Decisions {
    fn encoding(&self) -> &str {
        self.encoding
    }

    fn shape(&self) -> [usize; 2] {
        [self.observations.len() / self.hands.len(), self.actions]
    }

    fn decisions(&self) -> usize {
        self.hands.len()
    }

    fn hands(&self, decision: usize) -> u64 {
        self.hands[decision]
    }

    fn write(
        &self,
        decision: usize,
        observation: &mut [f32],
        mask: &mut [bool],
        evs: &mut [f32],
    ) -> Result<(), EnvError> {
        let [width, actions] = self.shape();
        EnvError::check_length("the observation", observation.len(), width)?;
        EnvError::check_length("the action mask", mask.len(), actions)?;
        EnvError::check_length("the EVs", evs.len(), actions)?;
        observation.copy_from_slice(&self.observations[decision * width..][..width]);
        mask.copy_from_slice(&self.masks[decision * actions..][..actions]);
        for (ev, &reward) in evs.iter_mut().zip(&self.rewards[decision * actions..]) {
            *ev = Ratio::new(reward.into(), self.scale).value() as f32;
        }
        Ok(())
    }
}

/// A policy's choices for some decisions.
pub(crate) struct WeighedChoices {
    /// The greedy choices.
    pub(crate) actions: Vec<usize>,
    /// The probabilities of all actions in each decision, in units of 1 / [`PROBABILITY_UNIT`]. `None` if the policy
    /// isn't stochastic.
    pub(crate) weights: Option<Vec<Vec<u32>>>,
}

/// Returns a policy's choices for decisions with `actions` actions.
pub(crate) fn weighed_choices(
    policy: &dyn Policy,
    observations: &[f32],
    masks: &[bool],
    actions: usize,
) -> Result<WeighedChoices, SolverError> {
    let Choices { actions: chosen, scores } = policy.choose(observations, masks);
    let is_legal = |(mask, &action): (&[bool], &usize)| mask.get(action) == Some(&true);
    if chosen.len() * actions != masks.len() || !masks.chunks_exact(actions).zip(&chosen).all(is_legal) {
        return Err(SolverError::Failed(format!(
            "the policy {} did not choose a legal action for every decision",
            policy.name()
        )));
    }
    let Scores::Probabilities(rows) = scores else {
        return Ok(WeighedChoices { actions: chosen, weights: None });
    };
    if rows.len() != masks.len() {
        return Err(SolverError::Failed(format!("the policy {} has too few probabilities", policy.name())));
    }
    let rows = rows.chunks_exact(actions).zip(masks.chunks_exact(actions));
    let weights = rows.map(|(row, mask)| exact_probabilities(row, mask)).collect::<Result<_, _>>();
    let weights = weights.map_err(|error| SolverError::Failed(format!("the policy {}: {error}", policy.name())))?;
    Ok(WeighedChoices { actions: chosen, weights: Some(weights) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_that_look_alike_share_an_action() {
        let mut decisions = Decisions::new("number", 2, 1);
        let all = [(1.0, [0, 5]), (2.0, [3, 3]), (1.0, [9, 1]), (2.0, [0, 1])];
        for (seen, rewards) in &all[..2] {
            decisions.push(1, &[*seen, 0.5], rewards.map(Some));
        }
        assert_eq!(decisions.best_alike(), [1, 0]);
        for (seen, rewards) in &all[2..] {
            decisions.push(1, &[*seen, 0.5], rewards.map(Some));
        }
        assert_eq!(decisions.best_alike(), [0, 1, 0, 1]);
    }
}
