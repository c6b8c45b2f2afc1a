//! The training task for any registered environment with a fixed list of actions.

use crate::config::TrainConfig;
use crate::decisions::{ActionBatch, Decisions};
use crate::device::playing_device;
use crate::methods::MethodConfig;
use crate::metrics::DealTotals;
use crate::model::{Model, ScoreKind};
use crate::network::{Inputs, Network, NetworkConfig, Networks, WeightSource, matrix};
use crate::task::{
    Agent, Episodes, Examples, Feedback, Regression, RewardBatch, RewardSource, TaskError, TrainingTask, step_stream,
};
use burn::prelude::*;
use houseway_env::gym::{Choices, Env, EnvError, ExactValues, GameEntry, MakeError, Policy, VecEnv};
use rand::{Rng, RngExt};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Returns the default configuration for games that don't have their own task.
pub(super) fn defaults(method: MethodConfig) -> TrainConfig {
    TrainConfig::new(method)
}

/// A training task for an environment and its reset options.
///
/// Its networks read an observation and have outputs for all actions. Full information comes from
/// [`Env::action_rewards`], if the game supports it. Episodes with several decisions are played with random legal
/// actions, so that every decision can come up.
pub struct EnvTask {
    /// The environment.
    pub env: Box<dyn Env>,
    /// The reset options as JSON, or `None` for the default options.
    pub options: Option<String>,
    /// The name of the observation encoding.
    pub encoding: String,
    values: Option<Arc<dyn ExactValues>>,
}

impl EnvTask {
    /// Creates a task with JSON `options` for every reset and observations in the given `encoding`.
    ///
    /// # Errors
    /// Returns an error if the environment rejects the options.
    pub fn new(env: Box<dyn Env>, options: Option<String>, encoding: &str) -> Result<EnvTask, EnvError> {
        env.check_options(options.as_deref())?;
        Ok(EnvTask { env, options, encoding: encoding.to_owned(), values: None })
    }

    /// Creates a game's task from a JSON object. It accepts the keys of [`GameEntry::make`], and `options` for the
    /// reset options.
    ///
    /// # Errors
    /// Returns an error if a key or value is invalid.
    pub fn make(game: &GameEntry, config: &str) -> Result<EnvTask, MakeError> {
        let mut config: Map<String, Value> = serde_json::from_str(config)?;
        let options = config.remove("options").map(|options| options.to_string());
        let named = config.get("observation").and_then(Value::as_str).map(str::to_owned);
        let config = Value::Object(config).to_string();
        let env = (game.make)(&config)?;
        // Find the default encoding by comparing observation spaces.
        let is_default = |name: &&&str| {
            let other = game.make_with_encoding(&config, name);
            other.is_ok_and(|other| other.observation_space() == env.observation_space())
        };
        let default = || game.encodings.iter().find(is_default).copied().unwrap_or_default().to_owned();
        let encoding = named.unwrap_or_else(default);
        Ok(EnvTask::new(env, options, &encoding)?)
    }
}

impl TrainingTask for EnvTask {
    fn hash(&self) -> String {
        let options = self.options.as_deref().unwrap_or("{}");
        format!("{} {} {} {options}", self.env.spec().id, self.env.rules_hash(), self.encoding)
    }

    fn environment(&self) -> Option<&dyn Env> {
        Some(&*self.env)
    }

    fn networks(&self, size: NetworkConfig, _: Feedback, outputs: usize, weights: &mut WeightSource<'_>) -> Networks {
        let (features, actions) = (self.env.observation_space().len(), self.env.actions());
        Network::new(size, features, actions * outputs, 2.0, weights).into()
    }

    fn exact_values(&self) -> Option<Arc<dyn ExactValues>> {
        self.values.clone()
    }

    fn set_exact_values(&mut self, values: Arc<dyn ExactValues>) {
        self.values = Some(values);
    }

    fn model_outputs(&self) -> Vec<usize> {
        vec![self.env.actions()]
    }

    fn agent(&self, name: &str, models: &[Model], scores: ScoreKind) -> Box<dyn Agent> {
        Box::new(LearnedPolicy {
            name: name.to_owned(),
            encoding: self.encoding.clone(),
            model: models[0].clone(),
            scores,
            actions: self.env.actions(),
            device: playing_device(),
        })
    }

    fn reward_source(&self, batch: usize, samples: usize, seed: u64) -> Result<RewardSource, TaskError> {
        if !self.env.has_action_rewards() {
            return Err(EnvError::NoActionRewards { env: self.env.spec().id }.into());
        }
        if samples != 1 {
            let text = format!("reward-samples = {samples}: must be 1, because an environment deals all cards once");
            return Err(TaskError::Unsupported(text));
        }
        let (mut lanes, options) = (VecEnv::new(&*self.env, batch)?.without_final_observations(), self.options.clone());
        Ok(Box::new(move |step| {
            Ok(Box::new(play_at_random(&mut lanes, options.as_deref(), &mut step_stream(seed, step))?))
        }))
    }

    fn episodes(&self, lanes: usize) -> Result<Episodes, TaskError> {
        Ok(Episodes {
            lanes: VecEnv::new(&*self.env, lanes)?.without_final_observations(),
            options: self.options.clone(),
            decisions: Box::new(ActionBatch::default()),
            one_decision: self.env.spec().max_steps == 1,
        })
    }
}

/// The decisions that came up in random play, with the rewards for all their actions.
struct Rewarded {
    decisions: ActionBatch,
    /// The rewards for all actions, with 0 for illegal ones.
    rewards: Vec<f32>,
    lanes: usize,
}

/// Plays one episode in every lane with random legal actions.
fn play_at_random(lanes: &mut VecEnv, options: Option<&str>, rng: &mut impl Rng) -> Result<Rewarded, EnvError> {
    let (count, features, actions) = (lanes.len(), lanes.observation_len(), lanes.actions());
    lanes.reset(Some(rng.next_u64()), options)?;
    let mut drawn = Rewarded { decisions: ActionBatch::default(), rewards: vec![], lanes: count };
    let (mut playing, mut chosen, mut rewards) = (vec![true; count], vec![0; count], vec![0f32; count * actions]);
    while playing.contains(&true) {
        lanes.action_rewards(&mut rewards)?;
        let batch = lanes.batch();
        for lane in 0..count {
            let mask = &batch.masks[lane * actions..][..actions];
            let legal = mask.iter().filter(|&&legal| legal).count();
            let nth = rng.random_range(0..legal);
            chosen[lane] = (0..actions).filter(|&action| mask[action]).nth(nth).unwrap_or_default();
            if playing[lane] {
                drawn.decisions.push(&batch.observations[lane * features..][..features], mask);
                let rewards = rewards[lane * actions..][..actions].iter().zip(mask);
                drawn.rewards.extend(rewards.map(|(&reward, &legal)| if legal { reward } else { 0.0 }));
            }
        }
        lanes.step(&chosen)?;
        let batch = lanes.batch();
        for (lane, playing) in playing.iter_mut().enumerate() {
            *playing &= !(batch.terminated[lane] || batch.truncated[lane]);
        }
    }
    Ok(drawn)
}

impl Rewarded {
    /// Returns the number of legal actions, each of which has a reward.
    fn legal(&self) -> u64 {
        self.decisions.masks.iter().filter(|&&legal| legal == 1.0).count() as u64
    }
}

impl RewardBatch for Rewarded {
    fn deals(&self) -> DealTotals {
        let lanes = self.lanes as u64;
        DealTotals { seen: lanes, settled: lanes, rewards: 0 }
    }

    fn regressions(&self, networks: &Networks, device: &Device) -> Vec<Regression> {
        let tensors = self.decisions.tensors(0, device);
        let [predictions] = tensors.outputs(&networks.parts[0]);
        let targets = matrix(&self.rewards, self.decisions.count, device);
        vec![Regression { predictions, targets, mask: Some(tensors.mask), rewards: self.legal(), clipped: None }]
    }

    fn examples(&self, _: &[Model]) -> Vec<Examples> {
        let count = self.decisions.count;
        vec![Examples {
            part: 0,
            inputs: Inputs::new(&self.decisions.observations, count, &playing_device()),
            counts: vec![self.rewards.len() / count; count],
            targets: self.rewards.clone(),
            mask: Some(self.decisions.masks.clone()),
            rewards: self.legal(),
        }]
    }
}

/// An agent that plays the legal action with the highest score. Ties go to the first action.
pub struct LearnedPolicy {
    name: String,
    encoding: String,
    model: Model,
    scores: ScoreKind,
    actions: usize,
    device: Device,
}

impl Policy for LearnedPolicy {
    fn name(&self) -> &str {
        &self.name
    }

    fn encoding(&self) -> &str {
        &self.encoding
    }

    fn choose(&self, observations: &[f32], masks: &[bool]) -> Choices {
        let scores = self.legal_scores(observations, masks);
        Choices { actions: self.best(&scores), scores: self.scores.scores(scores, self.actions) }
    }
}

impl LearnedPolicy {
    /// Returns the scores with shape (rows, actions), with NaN for illegal actions.
    fn legal_scores(&self, observations: &[f32], masks: &[bool]) -> Vec<f32> {
        let rows = masks.len() / self.actions;
        if rows == 0 {
            return vec![];
        }
        let outputs = self.model.outputs(&Inputs::new(observations, rows, &self.device));
        let rows = outputs.chunks_exact(outputs.len() / rows).zip(masks.chunks_exact(self.actions));
        let legal = |(scores, mask): (&'_ [f32], &'_ [bool])| -> Vec<f32> {
            scores.iter().zip(mask).map(|(&score, &legal)| if legal { score } else { f32::NAN }).collect()
        };
        rows.flat_map(legal).collect()
    }

    fn best(&self, scores: &[f32]) -> Vec<usize> {
        let best = |scores: &[f32]| {
            let legal = (0..self.actions).filter(|&action| !scores[action].is_nan());
            let best = legal.reduce(|best, action| if scores[action] > scores[best] { action } else { best });
            best.expect("an action is legal")
        };
        scores.chunks_exact(self.actions).map(best).collect()
    }
}
