//! Masked policies over the legal actions.

use crate::decisions::DecisionTensors;
use crate::device::playing_device;
use crate::methods::Training;
use crate::metrics::DealTotals;
use crate::network::{Networks, matrix, to_vec};
use crate::sums::{self, mean, row_sums};
use crate::task::{Episodes, TaskError, step_stream};
use burn::prelude::*;
use burn::tensor::TensorData;
use houseway_env::gym::EnvError;
use rand::{Rng, RngExt};

/// The penalty subtracted from the scores of illegal actions. It makes their probability zero and ensures that they are
/// never the best action.
pub(super) const NEVER: f32 = 1e9;

/// Returns the log softmax over each decision's legal actions, with shape (decisions, places).
pub(super) fn log_softmax(scores: Tensor<2>, mask: &Tensor<2>) -> Tensor<2> {
    sums::log_softmax(scores + (mask.clone() - 1.0) * NEVER)
}

/// A softmax over the legal actions, which may be mixed with random exploration.
pub(super) struct Softmax {
    /// The logarithm of the softmax.
    log_softmax: Tensor<2>,
    /// The softmax mixed with random exploration.
    policy: Tensor<2>,
    mask: Tensor<2>,
    exploration: f64,
}

impl Softmax {
    /// Creates the policy for a batch of decisions.
    pub(super) fn new(scores: Tensor<2>, mask: Tensor<2>, exploration: f64) -> Softmax {
        let log_softmax = log_softmax(scores, &mask);
        let policy = explore(log_softmax.clone().exp(), &mask, exploration);
        Softmax { log_softmax, policy, mask, exploration }
    }

    /// Returns the probabilities of the actions, with shape (decisions, places).
    pub(super) fn policy(&self) -> Tensor<2> {
        self.policy.clone()
    }

    /// Returns the logarithms of the probabilities of the chosen actions, with shape (decisions, 1).
    pub(super) fn log_policy(&self, chosen: Tensor<2, Int>) -> Tensor<2> {
        match self.exploration {
            // The logarithm of a probability that rounds to zero would be infinite.
            0.0 => self.log_softmax.clone().gather(1, chosen),
            _ => self.policy().gather(1, chosen).log(),
        }
    }

    /// Returns the mean entropy of the softmax itself, without exploration.
    pub(super) fn entropy(&self) -> Tensor<1> {
        entropy(self.log_softmax.clone(), &self.mask)
    }
}

/// Mixes the probabilities with a uniform distribution over the legal actions.
pub(super) fn explore(probabilities: Tensor<2>, mask: &Tensor<2>, exploration: f64) -> Tensor<2> {
    if exploration == 0.0 {
        return probabilities;
    }
    let uniform = mask.clone() / row_sums(mask.clone());
    probabilities * (1.0 - exploration) + uniform * exploration
}

/// Returns the mean entropy of policies with the given log probabilities.
pub(super) fn entropy(log_policy: Tensor<2>, mask: &Tensor<2>) -> Tensor<1> {
    -mean(row_sums(log_policy.clone().exp() * log_policy * mask.clone()))
}

/// Plays one episode in every lane at each training step.
pub(super) struct Rollout {
    episodes: Episodes,
    seed: u64,
    device: Device,
}

/// A running method that plays episodes.
pub(super) struct Playing<P> {
    pub(super) rollout: Rollout,
    pub(super) parameters: P,
}

impl<P: Clone> Playing<P> {
    pub(super) fn start(training: &Training<'_>, parameters: &P) -> Result<Playing<P>, TaskError> {
        Ok(Playing { rollout: Rollout::start(training)?, parameters: parameters.clone() })
    }
}

/// Computes network outputs and action probabilities for a batch of decisions. Implemented by each method.
pub(super) trait Behaviour {
    /// The network outputs in the form that the method uses.
    type Outputs;

    /// Computes the outputs.
    fn outputs(&self, networks: &Networks, tensors: DecisionTensors) -> Self::Outputs;

    /// Returns the action probabilities, with shape (decisions, places).
    fn policy(&self, outputs: &Self::Outputs) -> Tensor<2>;
}

/// The actions and rewards from a batch of episodes.
#[derive(Default)]
pub(super) struct Played {
    /// The lane that each decision belongs to.
    lanes: Vec<usize>,
    /// The place of the action played in each decision.
    places: Vec<i64>,
    /// For each environment step, the index of its first decision and the rewards in all lanes.
    rewards: Vec<(usize, Vec<f32>)>,
    /// The number of lanes.
    count: usize,
}

/// A batch of episodes as tensors.
pub(super) struct Batch<O> {
    /// The network outputs for all decisions.
    pub(super) outputs: O,
    /// The place of the action played, with shape (decisions, 1).
    pub(super) chosen: Tensor<2, Int>,
    /// The sum of the rewards that follow each decision, with shape (decisions, 1).
    pub(super) returns: Tensor<2>,
    /// The total reward per lane, averaged over all lanes.
    pub(super) reward: f64,
    /// The number of episodes and of the decisions credited with rewards.
    pub(super) deals: DealTotals,
}

impl Rollout {
    fn start(training: &Training<'_>) -> Result<Rollout, TaskError> {
        let episodes = training.task.episodes(training.batch)?;
        Ok(Rollout { episodes, seed: training.seed, device: training.device.clone() })
    }

    /// Plays the episodes for a step.
    pub(super) fn batch<B: Behaviour>(
        &mut self,
        behaviour: &B,
        networks: &Networks,
        step: u64,
    ) -> Result<Batch<B::Outputs>, EnvError> {
        let mut rng = step_stream(self.seed, step);
        let mut deals = DealTotals::default();
        let (played, outputs) = loop {
            let episodes = self.episodes.lanes.len() as u64;
            deals += DealTotals { seen: episodes, settled: episodes, rewards: 0 };
            // In a small batch, it's possible that no deal leaves a choice. Play again until there is one.
            if let (played, Some(outputs)) = self.play(behaviour, networks, &mut rng)? {
                break (played, outputs);
            }
        };
        let decisions = played.lanes.len();
        deals.rewards = decisions as u64;
        let (returns, reward) = played.returns();
        let chosen = Tensor::from_data(TensorData::new(played.places, [decisions, 1]), &self.device);
        let returns = matrix(&returns, decisions, &self.device);
        Ok(Batch { outputs, chosen, returns, reward, deals })
    }

    /// Plays one episode in every lane. Also returns the outputs for all decisions, or `None` if there were none.
    fn play<B: Behaviour>(
        &mut self,
        behaviour: &B,
        networks: &Networks,
        rng: &mut impl Rng,
    ) -> Result<(Played, Option<B::Outputs>), EnvError> {
        let options = self.episodes.options.as_deref();
        self.episodes.lanes.reset(Some(rng.next_u64()), options)?;
        self.episodes.decisions.clear();
        let count = self.episodes.lanes.len();
        let (mut played, mut outputs) = (Played { count, ..Played::default() }, None);
        let plain = (!self.episodes.one_decision).then(|| networks.clone().without_critic().playing());
        let mut playing = vec![true; count];
        while playing.contains(&true) {
            let first = played.lanes.len();
            let mut actions = self.observe(&playing, &mut played.lanes);
            if played.lanes.len() > first {
                let probabilities = match &plain {
                    // Use the same forward pass for playing and learning.
                    None => behaviour.policy(outputs.insert(self.outputs(behaviour, networks))),
                    Some(plain) => {
                        let tensors = self.episodes.decisions.tensors(first, &playing_device());
                        behaviour.policy(&behaviour.outputs(plain, tensors))
                    }
                };
                self.choose(probabilities, first, &mut played, &mut actions, rng);
            }
            self.episodes.lanes.step(&actions)?;
            let batch = self.episodes.lanes.batch();
            // Lanes whose episode is over start another one, which is ignored.
            let rewards = batch.rewards.iter().zip(&playing);
            let rewards = rewards.map(|(&reward, &playing)| if playing { reward } else { 0.0 });
            played.rewards.push((first, rewards.collect()));
            for (lane, playing) in playing.iter_mut().enumerate() {
                *playing &= !(batch.terminated[lane] || batch.truncated[lane]);
            }
        }
        if outputs.is_none() && !played.lanes.is_empty() {
            outputs = Some(self.outputs(behaviour, networks));
        }
        Ok((played, outputs))
    }

    /// Returns the outputs for all decisions in the last batch.
    fn outputs<B: Behaviour>(&self, behaviour: &B, networks: &Networks) -> B::Outputs {
        behaviour.outputs(networks, self.episodes.decisions.tensors(0, &self.device))
    }

    /// Returns the outputs for some of the decisions in the last batch.
    pub(super) fn outputs_of<B: Behaviour>(
        &self,
        behaviour: &B,
        networks: &Networks,
        decisions: &[usize],
    ) -> B::Outputs {
        behaviour.outputs(networks, self.episodes.decisions.select(decisions, &self.device))
    }

    /// Collects decisions from the lanes that are still playing. Returns an action for each lane. For all lanes except
    /// those with only one candidate, this is the first legal action. It is replaced once an action has been drawn.
    fn observe(&mut self, playing: &[bool], deciding: &mut Vec<usize>) -> Vec<usize> {
        let Episodes { lanes, decisions, .. } = &mut self.episodes;
        let batch = lanes.batch();
        let rows =
            batch.observations.chunks_exact(lanes.observation_len()).zip(batch.masks.chunks_exact(lanes.actions()));
        let mut actions = Vec::with_capacity(playing.len());
        for (lane, (observation, mask)) in rows.enumerate() {
            let mut action = mask.iter().position(|&legal| legal).unwrap_or_default();
            if playing[lane] {
                match decisions.push(observation, mask) {
                    Some(only) => action = only,
                    None => deciding.push(lane),
                }
            }
            actions.push(action);
        }
        actions
    }

    /// Draws an action for every decision starting at index `first`.
    fn choose(
        &self,
        probabilities: Tensor<2>,
        first: usize,
        played: &mut Played,
        actions: &mut [usize],
        rng: &mut impl Rng,
    ) {
        let [_, places] = probabilities.dims();
        for (decision, row) in (first..).zip(to_vec(probabilities).chunks_exact(places)) {
            let place = draw(row, rng);
            played.places.push(place as i64);
            actions[played.lanes[decision]] = self.episodes.decisions.action(decision, place);
        }
    }
}

/// Draws a place with the given probabilities. If rounding leaves a remainder, it goes to the last place with a
/// positive probability.
pub(super) fn draw(probabilities: &[f32], rng: &mut impl Rng) -> usize {
    let (mut left, mut last) = (rng.random::<f32>(), 0);
    for (place, &probability) in probabilities.iter().enumerate().filter(|(_, probability)| **probability > 0.0) {
        left -= probability;
        last = place;
        if left < 0.0 {
            break;
        }
    }
    last
}

impl Played {
    /// Returns the sum of the rewards that follow each decision, and the total reward averaged over all lanes.
    fn returns(&self) -> (Vec<f32>, f64) {
        let (mut returns, mut after) = (vec![0f32; self.lanes.len()], vec![0f32; self.count]);
        let mut end = self.lanes.len();
        for (first, rewards) in self.rewards.iter().rev() {
            after.iter_mut().zip(rewards).for_each(|(after, reward)| *after += reward);
            (*first..end).for_each(|decision| returns[decision] = after[self.lanes[decision]]);
            end = *first;
        }
        (returns, after.iter().map(|&reward| f64::from(reward)).sum::<f64>() / self.count as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_are_credited_with_later_rewards() {
        // The lanes have one decision, two decisions, and only a forced action.
        let rewards = vec![(0, vec![1.0, 2.0, 4.0]), (2, vec![0.0, 8.0, 0.0])];
        let played = Played { lanes: vec![0, 1, 1], places: vec![], rewards, count: 3 };
        assert_eq!(played.returns(), (vec![1.0, 10.0, 8.0], 5.0));
    }

    #[test]
    fn places_are_drawn_by_their_probability() {
        let mut rng = step_stream(1, 0);
        let mut counts = [0; 4];
        (0..10_000).for_each(|_| counts[draw(&[0.0, 0.25, 0.75, 0.0], &mut rng)] += 1);
        assert!(counts[0] == 0 && counts[3] == 0 && (2_300..2_700).contains(&counts[1]), "{counts:?}");
        assert_eq!(draw(&[0.0, 0.0], &mut rng), 0);
    }
}
