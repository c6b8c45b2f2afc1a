//! Setting Pai Gow Poker hands, either as a player against a banker or as the bank.
//!
//! Each candidate setting of a hand is one row in the [`candidates`](houseway_env::pai_gow::observe::candidates)
//! encoding, and a small network scores every row with the same weights. For full information, [`Deals`] provide a hand
//! and many opposing hands from the remaining cards.

mod deals;
mod strategy;

pub use deals::{Among, BankDeals, Deals, PlayerDeals, ProfileMixture, Seat, SelfPlayDeals, encode};
pub use strategy::LearnedStrategy;

use crate::config::TrainConfig;
use crate::decisions::{CandidateBatch, Decisions};
use crate::device::playing_device;
use crate::limits::MAX_REWARD_SAMPLES;
use crate::methods::{AllAction, Distillation, MethodConfig, RegressionLoss};
use crate::metrics::DealTotals;
use crate::model::{Model, ScoreKind};
use crate::network::{Network, NetworkConfig, Networks, WeightSource, matrix};
use crate::task::{
    Agent, Episodes, Examples, Feedback, Regression, RewardBatch, RewardSource, TaskError, TrainingTask, step_stream,
};
use crate::tasks::TaskEntry;
use burn::prelude::*;
use deals::HandDecisions;
use houseway_env::gym::{Env, ExactValues, MakeError, VecEnv};
use houseway_env::pai_gow::observe::Observation;
use houseway_env::pai_gow::observe::candidates::{CONTEXT, ROW};
use houseway_env::pai_gow::{BankedGame, BankerSet, Candidates, Game, PaiGowPoker, ProfileStrategy, settings_in};
use rand_pcg::Pcg64;
use serde_json::{Map, Value};
use std::sync::Arc;

/// The entry for the player's task.
pub const TASK: TaskEntry = TaskEntry { game: "pai-gow-poker", make, defaults, max_reward_samples: MAX_REWARD_SAMPLES };

/// Returns the default configuration.
pub fn defaults(method: MethodConfig) -> TrainConfig {
    let method = match method {
        MethodConfig::AllAction(_) => {
            AllAction { reward_samples: 24, loss: RegressionLoss::Differences { value_weight: 0.1 } }.into()
        }
        MethodConfig::Distillation(method) => {
            let loss = RegressionLoss::Focused { value_weight: 0.003, scale: 0.05, floor: 0.02, from_step: 200 };
            Distillation { loss, ..method }.into()
        }
        other => other,
    };
    TrainConfig {
        steps: 3000,
        batch: 1024,
        learning_rate: 2e-3,
        evaluate_every: 250,
        network: NetworkConfig { width: 128, layers: 2 },
        ..TrainConfig::new(method)
    }
}

/// Creates a player's task from a JSON object. It accepts the keys of
/// [`from_config`](houseway_env::pai_gow::from_config), and `among`.
///
/// # Errors
/// Returns an error if a key or value is invalid, or if there is no such house way, reading or paytable.
pub fn make(config: &str) -> Result<Box<dyn TrainingTask>, MakeError> {
    let mut config: Map<String, Value> = serde_json::from_str(config)?;
    let among = config.remove("among").map(serde_json::from_value).transpose();
    let among: Among = among.map_err(|error| format!("among: {error}"))?.unwrap_or_default();
    let env = houseway_env::pai_gow::from_config(&Value::Object(config).to_string())?;
    if env.encoding() != Observation::Candidates {
        return Err(format!("observation = \"{}\": must be \"candidates\"", env.encoding()).into());
    }
    Ok(Box::new(SettingTask::player(Arc::clone(env.game()), among)))
}

/// The task of setting hands. The agent is a [`LearnedStrategy`].
pub struct SettingTask {
    deals: Arc<dyn Deals>,
    /// The environment to play in, if there is one.
    env: Option<Box<dyn Env>>,
    among: Among,
    values: Option<Arc<dyn ExactValues>>,
    hash: String,
}

impl SettingTask {
    fn new(deals: impl Deals + 'static, env: Option<Box<dyn Env>>, among: Among, hash: String) -> SettingTask {
        SettingTask { deals: Arc::new(deals), env, among, values: None, hash }
    }

    /// Creates the task of playing against a banker.
    pub fn player<B>(game: impl Into<Arc<BankedGame<B>>>, among: Among) -> SettingTask
    where
        B: ProfileStrategy + Send + ?Sized + 'static,
    {
        let env = PaiGowPoker::new(game).with_encoding(Observation::Candidates);
        let (game, banker) = (Arc::clone(env.game().game()), Arc::clone(env.game().banker()));
        let hash = format!("{} {among:?}", env.rules_hash());
        SettingTask::new(PlayerDeals { game, banker }, Some(Box::new(env)), among, hash)
    }

    /// Creates the task of setting the bank's hands. There is no environment to play in, so it only supports full
    /// information. `hash` identifies the players' strategies.
    pub fn bank(deals: BankDeals, among: Among, hash: &str) -> SettingTask {
        let hash = format!("bank {} {} {hash} {among:?}", deals.game.rules().hash(), deals.commission);
        SettingTask::new(deals, None, among, hash)
    }

    /// Creates the task of responding to a mixed strategy of the other side. There is no environment to play in, so it
    /// only supports full information.
    pub fn self_play(deals: SelfPlayDeals, among: Among) -> SettingTask {
        let hash = SettingTask::self_play_hash(&deals.game, deals.seat, among);
        SettingTask::new(deals, None, among, hash)
    }

    /// Returns the hash of the task in self-play. It doesn't depend on the other side's strategy, so that a training run
    /// can continue when that strategy changes.
    pub fn self_play_hash(game: &Game, seat: Seat, among: Among) -> String {
        format!("self-play {seat:?} {} {among:?}", game.rules().hash())
    }
}

impl TrainingTask for SettingTask {
    fn hash(&self) -> String {
        self.hash.clone()
    }

    fn environment(&self) -> Option<&dyn Env> {
        self.env.as_deref()
    }

    fn networks(&self, size: NetworkConfig, _: Feedback, outputs: usize, weights: &mut WeightSource<'_>) -> Networks {
        Network::with_context(size, ROW, CONTEXT, outputs, weights).into()
    }

    fn metadata(&self) -> Vec<(&'static str, String)> {
        vec![(Among::KEY, self.among.name().to_owned())]
    }

    fn exact_values(&self) -> Option<Arc<dyn ExactValues>> {
        self.values.clone()
    }

    fn set_exact_values(&mut self, values: Arc<dyn ExactValues>) {
        self.values = Some(values);
    }

    fn model_outputs(&self) -> Vec<usize> {
        vec![1]
    }

    fn agent(&self, name: &str, models: &[Model], scores: ScoreKind) -> Box<dyn Agent> {
        let agent = LearnedStrategy::new(name, self.deals.game(), models[0].clone(), self.among);
        Box::new(agent.with_scores(scores))
    }

    fn reward_source(&self, batch: usize, samples: usize, seed: u64) -> Result<RewardSource, TaskError> {
        let (deals, among) = (Arc::clone(&self.deals), self.among);
        Ok(Box::new(move |step| Ok(Box::new(draw(&*deals, among, batch, samples, &mut step_stream(seed, step))))))
    }

    fn decisions(&self) -> Result<Box<dyn Decisions>, TaskError> {
        Ok(Box::new(HandDecisions::new(self.among)))
    }

    fn episodes(&self, lanes: usize) -> Result<Episodes, TaskError> {
        let Some(env) = &self.env else {
            let text = "these hands have no environment to play in; use method = \"all-action\"";
            return Err(TaskError::Unsupported(text.to_owned()));
        };
        let decisions = Box::new(HandDecisions::new(self.among));
        Ok(Episodes {
            lanes: VecEnv::new(&**env, lanes)?.without_final_observations(),
            options: None,
            decisions,
            one_decision: true,
        })
    }
}

/// Hands with at least two candidates, and the mean reward for each candidate.
#[derive(Default)]
struct Rewarded {
    candidates: CandidateBatch,
    rewards: Vec<f32>,
    /// The number of hands dealt, including hands with a single candidate.
    dealt: u64,
    /// The number of hands of the other side that each reward is averaged over.
    samples: u64,
}

/// Deals hands until `batch` of them have at least two candidates.
fn draw(deals: &dyn Deals, among: Among, batch: usize, samples: usize, rng: &mut Pcg64) -> Rewarded {
    let mut drawn = Rewarded { samples: samples as u64, ..Rewarded::default() };
    let mut others = vec![BankerSet::default(); samples];
    while drawn.candidates.counts.len() < batch {
        let hand = deals.deal(rng, &mut others);
        let candidates = Candidates::new(deals.game(), hand);
        drawn.dealt += 1;
        let among = among.select(&candidates);
        if among.count_ones() < 2 {
            continue;
        }
        encode(&mut drawn.candidates, deals.game(), &candidates, among);
        let rewards = deals.rewards(&candidates, &others);
        drawn.rewards.extend(settings_in(among).map(|setting| rewards[setting.index()]));
    }
    drawn
}

impl Rewarded {
    /// Returns the number of rewards before averaging.
    fn used(&self) -> u64 {
        self.rewards.len() as u64 * self.samples
    }
}

impl RewardBatch for Rewarded {
    fn deals(&self) -> DealTotals {
        DealTotals { seen: self.dealt, settled: self.candidates.counts.len() as u64 * self.samples, rewards: 0 }
    }

    fn regressions(&self, networks: &Networks, device: &Device) -> Vec<Regression> {
        let tensors = self.candidates.tensors(0, device);
        let [predictions] = tensors.outputs(&networks.parts[0]);
        let targets = matrix(&self.candidates.pad(&self.rewards), self.candidates.counts.len(), device);
        vec![Regression { predictions, targets, mask: Some(tensors.mask), rewards: self.used(), clipped: None }]
    }

    fn examples(&self, _: &[Model]) -> Vec<Examples> {
        vec![Examples {
            part: 0,
            inputs: self.candidates.tensors(0, &playing_device()).inputs,
            counts: self.candidates.counts.clone(),
            targets: self.rewards.clone(),
            mask: None,
            rewards: self.used(),
        }]
    }
}
