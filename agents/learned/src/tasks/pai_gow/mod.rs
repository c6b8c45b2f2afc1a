//! Setting Pai Gow Poker hands, either as a player against a banker or as the bank.
//!
//! Each candidate setting of a hand is one row in the [`candidates`](houseway_env::pai_gow::observe::candidates)
//! encoding, and a small network scores every row with the same weights. For full information, [`Deals`] provide a hand
//! and many opposing hands from the remaining cards.

mod deals;

pub use deals::{Among, Deals, ProfileMixture, Seat, encode};

use crate::config::TrainConfig;
use crate::decisions::{CandidateBatch, Decisions};
use crate::device::playing_device;
use crate::limits::MAX_REWARD_SAMPLES;
use crate::methods::{AllAction, Distillation, MethodConfig, RegressionLoss};
use crate::metrics::DealTotals;
use crate::model::{Model, ScoreKind};
use crate::network::{Network, NetworkConfig, Networks, WeightSource, WeightsError, matrix};
use crate::task::{
    Agent, Episodes, Examples, Feedback, Regression, RewardBatch, RewardSource, TaskError, TrainingTask, step_stream,
};
use crate::tasks::TaskEntry;
use burn::prelude::*;
use deals::HandDecisions;
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::gym::{Choices, Env, ExactValues, MakeError, Policy, VecEnv};
use houseway_env::money::Rate;
use houseway_env::pai_gow::observe::Observation;
use houseway_env::pai_gow::observe::candidates::{CONTEXT, LEN, ROW};
use houseway_env::pai_gow::{
    BankedGame, BankerSet, Candidates, Game, Hand, PaiGowPoker, ProfileStrategy, ProfileTable, Setting, Strategy,
    settings_in,
};
use rand_pcg::Pcg64;
use rayon::prelude::*;
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
    deals: Arc<Deals>,
    /// The environment to play in, if there is one.
    env: Option<Box<dyn Env>>,
    among: Among,
    values: Option<Arc<dyn ExactValues>>,
    hash: String,
}

impl SettingTask {
    fn new(deals: Deals, env: Option<Box<dyn Env>>, among: Among, hash: String) -> SettingTask {
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
        SettingTask::new(Deals::player(game, banker), Some(Box::new(env)), among, hash)
    }

    /// Creates the task of setting the bank's hands. There is no environment to play in, so it only supports full
    /// information. `hash` identifies the players' strategies.
    pub fn bank(
        game: Arc<Game>,
        players: Vec<Arc<dyn ProfileStrategy + Send>>,
        commission: Rate,
        among: Among,
        hash: &str,
    ) -> SettingTask {
        let hash = format!("bank {} {commission} {hash} {among:?}", game.rules().hash());
        SettingTask::new(Deals::bank(game, players, commission), None, among, hash)
    }

    /// Creates the task of responding to a mixed strategy of the other side. There is no environment to play in, so it
    /// only supports full information.
    pub fn self_play(game: Arc<Game>, seat: Seat, other: ProfileMixture, among: Among) -> SettingTask {
        let hash = SettingTask::self_play_hash(&game, seat, among);
        SettingTask::new(Deals::self_play(game, seat, other), None, among, hash)
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
        Ok(Box::new(move |step| Ok(Box::new(draw(&deals, among, batch, samples, &mut step_stream(seed, step))))))
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
fn draw(deals: &Deals, among: Among, batch: usize, samples: usize, rng: &mut Pcg64) -> Rewarded {
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

/// The number of hands per forward pass. This gives enough rows for fast matrix products but few enough to stay in the
/// cache.
const BATCH: usize = 1024;

/// A strategy that plays the setting with the highest score. Ties go to the first setting.
pub struct LearnedStrategy {
    name: String,
    game: Arc<Game>,
    model: Model,
    /// The settings that the strategy chooses from.
    pub among: Among,
    scores: ScoreKind,
    device: Device,
}

impl LearnedStrategy {
    /// Creates the greedy strategy for a model's first output, which estimates values.
    pub fn new(name: &str, game: &Arc<Game>, model: Model, among: Among) -> LearnedStrategy {
        let (game, device) = (Arc::clone(game), playing_device());
        LearnedStrategy { name: name.to_owned(), game, model, among, scores: ScoreKind::Values, device }
    }

    /// Replaces the meaning of the model's first output.
    fn with_scores(self, scores: ScoreKind) -> LearnedStrategy {
        LearnedStrategy { scores, ..self }
    }

    /// Reads a strategy from a weight file written when training a [`SettingTask`]. Files from
    /// earlier versions don't specify which settings the agent chooses from and are assumed to use contenders.
    ///
    /// # Errors
    /// Returns an error if the file is damaged or contains a network for a different agent.
    pub fn from_weights(name: &str, game: &Arc<Game>, file: &[u8]) -> Result<LearnedStrategy, WeightsError> {
        // As in `load_agent`, all weights are replaced.
        let device = playing_device().autodiff();
        let shape = |size, outputs| {
            Network::with_context(size, ROW, CONTEXT, outputs, &mut WeightSource::new(0, &device)).into()
        };
        let (mut networks, metadata) = Networks::from_weights(file, shape)?;
        let among = metadata.get(Among::KEY).map_or(Ok(Among::default()), |name| name.parse());
        let among = among.map_err(|_| WeightsError::Other(format!("its {} is unknown", Among::KEY)))?;
        let model = Model::Network(Box::new(networks.parts.remove(0)));
        Ok(LearnedStrategy::new(name, game, model, among))
    }

    /// Builds a table that sets every hand the way the model sets a representative hand with the same profile.
    /// Building the table takes about a second.
    pub fn profile_table(&self, name: &str) -> ProfileTable {
        let profiles = Profiles::get();
        let hands: Vec<Hand> =
            Profile::all().filter_map(|profile| Hand::new(profiles.representative(profile)).ok()).collect();
        let settings = self.set_batch(&hands);
        let choose = |candidates: &Candidates| settings[profiles.of(candidates.hand().set()).index()];
        ProfileTable::new(self.game.rules(), name, choose).expect("candidates are legal")
    }

    /// Returns the score of each row of a batch, which must not be empty.
    fn row_scores(&self, batch: &CandidateBatch) -> Vec<f32> {
        let scores = self.model.outputs(&batch.tensors(0, &self.device).inputs);
        scores.chunks_exact(scores.len() / batch.actions.len()).map(|outputs| outputs[0]).collect()
    }

    fn set_chunk(&self, hands: &[Hand]) -> Vec<Setting> {
        let mut batch = CandidateBatch::default();
        for &hand in hands {
            let candidates = Candidates::new(&self.game, hand);
            encode(&mut batch, &self.game, &candidates, self.among.select(&candidates));
        }
        let setting = |action| Setting::from_index(action).expect("actions are settings");
        batch.best(&self.row_scores(&batch)).into_iter().map(setting).collect()
    }
}

impl Strategy for LearnedStrategy {
    fn name(&self) -> &str {
        &self.name
    }

    fn set(&self, hand: Hand) -> Setting {
        self.set_chunk(&[hand])[0]
    }

    fn set_batch(&self, hands: &[Hand]) -> Vec<Setting> {
        hands.par_chunks(BATCH).flat_map_iter(|hands| self.set_chunk(hands)).collect()
    }
}

/// Reads the `candidates` encoding.
impl Policy for LearnedStrategy {
    fn name(&self) -> &str {
        &self.name
    }

    fn encoding(&self) -> &str {
        Observation::Candidates.name()
    }

    fn choose(&self, observations: &[f32], masks: &[bool]) -> Choices {
        let mut decisions = HandDecisions::new(self.among);
        for (observation, mask) in observations.chunks_exact(LEN).zip(masks.chunks_exact(Setting::COUNT)) {
            decisions.add(observation, mask);
        }
        let batch = &decisions.batch;
        let rows = if decisions.is_empty() { vec![] } else { self.row_scores(batch) };
        let scores = self.scores.scores(batch.spread(&rows, Setting::COUNT), Setting::COUNT);
        Choices { actions: batch.best(&rows), scores }
    }
}
