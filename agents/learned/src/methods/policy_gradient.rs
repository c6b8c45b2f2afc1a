//! Policy gradient from bandit rewards: the reward that the environment returns for the actions played, and nothing else.
//!
//! A step plays one episode in each lane. Actions are drawn from the policy, a softmax over the scores of the legal actions,
//! and the gradient of the expected result is followed (REINFORCE, Williams 1992); an action is credited with the rewards
//! that come after it. The variance is lowered by a baseline: a second output of the network learns the value of each
//! action from the results of those played, and the baseline of a decision is their mean under the policy. An entropy bonus
//! keeps the policy from settling early.

use crate::method::{Loss, Method, MethodParameters, Training};
use crate::network::{Networks, matrix, to_vec};
use crate::schedule::Schedule;
use crate::task::{Episodes, Feedback, TaskError, step_stream};
use burn::module::Module;
use burn::prelude::*;
use burn::tensor::TensorData;
use burn::tensor::activation::{log_softmax, softmax};
use houseway_env::gym::EnvError;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

/// Added to the scores of illegal actions; their probability is then zero.
const NEVER: f32 = 1e9;

/// Parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PolicyGradient {
    /// Weight of the policy's entropy at the start; it falls linearly to zero over all steps, or to the next restart.
    pub entropy: f64,
}

impl Default for PolicyGradient {
    fn default() -> PolicyGradient {
        PolicyGradient { entropy: 0.02 }
    }
}

impl MethodParameters for PolicyGradient {
    fn feedback(&self) -> Feedback {
        Feedback::Bandit
    }

    fn outputs(&self) -> usize {
        2
    }

    fn check(&self) -> Result<(), String> {
        match self.entropy.is_finite() && self.entropy >= 0.0 {
            true => Ok(()),
            false => Err(format!("entropy = {}: write 0 or a number above it", self.entropy)),
        }
    }

    fn start(&self, training: &Training<'_>) -> Result<Box<dyn Method>, TaskError> {
        let Training { seed, schedule, ref device, .. } = *training;
        let episodes = training.task.episodes(training.batch)?;
        let schedule = schedule.clone();
        Ok(Box::new(Running { entropy: self.entropy, seed, schedule, device: device.clone(), episodes }))
    }
}

struct Running {
    entropy: f64,
    seed: u64,
    schedule: Schedule,
    device: Device,
    episodes: Episodes,
}

/// The policy on some decisions, and the values that the network gives its actions.
struct Outputs {
    log_policy: Tensor<2>,
    values: Tensor<2>,
    mask: Tensor<2>,
}

/// Actions and rewards of a batch of episodes.
#[derive(Default)]
struct Played {
    /// Lane of each decision.
    lanes: Vec<usize>,
    /// Place of the action played in each decision.
    places: Vec<i64>,
    /// For each step of the episodes: the first of its decisions, and the rewards of all lanes.
    rewards: Vec<(usize, Vec<f32>)>,
}

impl Running {
    fn outputs(&self, networks: &Networks) -> Outputs {
        let tensors = self.episodes.decisions.tensors(0, &self.device);
        let mask = tensors.mask.clone();
        let [scores, values] = tensors.outputs(&networks.parts[0]);
        let log_policy = log_softmax(scores + (mask.clone() - 1.0) * NEVER, 1);
        Outputs { log_policy, values: values * mask.clone(), mask }
    }

    /// Returns the probabilities of the actions in the decisions from the `first` one on.
    fn probabilities(&self, networks: &Networks, first: usize) -> Tensor<2> {
        let tensors = self.episodes.decisions.tensors(first, &Device::flex());
        let [scores] = tensors.outputs(&networks.parts[0]);
        softmax(scores + (tensors.mask - 1.0) * NEVER, 1)
    }

    /// Plays an episode in every lane. Returns the outputs on all decisions as well, if there are any.
    fn play(&mut self, networks: &Networks, rng: &mut impl Rng) -> Result<(Played, Option<Outputs>), EnvError> {
        let options = self.episodes.options.as_deref();
        self.episodes.lanes.reset(Some(rng.next_u64()), options)?;
        self.episodes.decisions.clear();
        let (mut played, mut outputs, plain) = (Played::default(), None, networks.valid());
        let mut playing = vec![true; self.episodes.lanes.len()];
        while playing.contains(&true) {
            let first = played.lanes.len();
            let mut actions = self.observe(&playing, &mut played.lanes);
            if played.lanes.len() > first {
                let probabilities = if self.episodes.one_decision {
                    // One pass through the network serves to play and to learn.
                    outputs.insert(self.outputs(networks)).log_policy.clone().exp()
                } else {
                    self.probabilities(&plain, first)
                };
                self.choose(probabilities, first, &mut played, &mut actions, rng);
            }
            self.episodes.lanes.step(&actions)?;
            let batch = self.episodes.lanes.batch();
            // Lanes whose episode is over play another one, which is ignored.
            let rewards = batch.rewards.iter().zip(&playing);
            let rewards = rewards.map(|(&reward, &playing)| if playing { reward } else { 0.0 });
            played.rewards.push((first, rewards.collect()));
            for (lane, playing) in playing.iter_mut().enumerate() {
                *playing &= !(batch.terminated[lane] || batch.truncated[lane]);
            }
        }
        if outputs.is_none() && !played.lanes.is_empty() {
            outputs = Some(self.outputs(networks));
        }
        Ok((played, outputs))
    }

    /// Collects the decisions of the lanes that are playing. Returns an action for each lane, the first legal one where it
    /// is not decided yet.
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

    /// Draws an action for every decision from the `first` one on.
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

    fn entropy_weight(&self, step: u64) -> f32 {
        (self.entropy * (1.0 - self.schedule.progress(step))) as f32
    }
}

/// Draws a place by its probability. Rounding may leave a rest, which the last possible place takes.
fn draw(probabilities: &[f32], rng: &mut impl Rng) -> usize {
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
    /// Returns the sum of the rewards after each decision, and the mean over the lanes of all rewards.
    fn returns(&self, lanes: usize) -> (Vec<f32>, f64) {
        let (mut returns, mut after) = (vec![0f32; self.lanes.len()], vec![0f32; lanes]);
        let mut end = self.lanes.len();
        for (first, rewards) in self.rewards.iter().rev() {
            after.iter_mut().zip(rewards).for_each(|(after, reward)| *after += reward);
            (*first..end).for_each(|decision| returns[decision] = after[self.lanes[decision]]);
            end = *first;
        }
        (returns, after.iter().map(|&reward| f64::from(reward)).sum::<f64>() / lanes as f64)
    }
}

impl Method for Running {
    fn loss(&mut self, networks: &Networks, step: u64) -> Result<Loss, EnvError> {
        let mut rng = step_stream(self.seed, step);
        let (played, outputs) = loop {
            // In a small batch it happens that no deal leaves a choice.
            if let (played, Some(outputs)) = self.play(networks, &mut rng)? {
                break (played, outputs);
            }
        };
        let (lanes, decisions) = (self.episodes.lanes.len(), played.lanes.len());
        let (returns, reward) = played.returns(lanes);
        let returns = matrix(&returns, decisions, &self.device);
        let chosen = TensorData::new(played.places, [decisions, 1]);
        let chosen = Tensor::<2, Int>::from_data(chosen, &self.device);
        let Outputs { log_policy, values, mask } = outputs;
        let policy = log_policy.clone().exp();
        let baseline = (policy.clone() * values.clone()).sum_dim(1).detach();
        let gain = (log_policy.clone().gather(1, chosen.clone()) * (returns.clone() - baseline)).mean();
        let entropy = -(policy * log_policy * mask).sum_dim(1).mean();
        let value_error = (values.gather(1, chosen) - returns).powi_scalar(2).mean();
        let entropy_value = f64::from(entropy.clone().into_scalar::<f32>());
        let loss = value_error - gain - entropy * self.entropy_weight(step);
        Ok(Loss { loss, deals: lanes as u64, values: vec![("reward", reward), ("entropy", entropy_value)] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_are_credited_with_later_rewards() {
        // Three lanes: one decision, two decisions, a forced action.
        let rewards = vec![(0, vec![1.0, 2.0, 4.0]), (2, vec![0.0, 8.0, 0.0])];
        let played = Played { lanes: vec![0, 1, 1], places: vec![], rewards };
        assert_eq!(played.returns(3), (vec![1.0, 10.0, 8.0], 5.0));
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
