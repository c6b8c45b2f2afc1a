//! Ultimate Texas Hold'em with full information.
//!
//! A hand has up to three decisions: to play or wait, before and on the flop, and to play or fold on the river. The
//! cards that determine the result of one way to play a hand determine all the others, and the remaining cards form
//! many equally likely dealer hands. A single deal therefore gives the mean result of playing at each decision. Each
//! decision has its own network, which learns a single value, the advantage of playing over the alternative.
//!
//! The value of waiting is the result of the hand if the current networks make the remaining decisions. On the river,
//! the alternative is to fold, and its value is known. The river is therefore learned from the very first step, the
//! flop builds on the river, and the start builds on both. Each network learns from the deals that reach its decision,
//! so that it is accurate where it matters.
//!
//! Methods with bandit feedback play in the environment instead (see [`EnvTask`]).

mod deals;

pub use deals::{MAX_REWARD_SAMPLES, max_preflop_play};

use super::TaskEntry;
use super::environment::EnvTask;
use crate::config::TrainConfig;
use crate::device::playing_device;
use crate::methods::{AllAction, MethodConfig};
use crate::model::{Model, ScoreKind};
use crate::network::{Inputs, Network, NetworkConfig, Networks, WeightSource, one_hot_gain};
use crate::task::{Agent, Episodes, Feedback, RewardSource, TaskError, TrainingTask, step_stream};
use burn::prelude::*;
use deals::{deal, start_rows};
use houseway_env::gym::{Env, EnvError, MakeError, Policy};
use houseway_env::ultimate_holdem::observe::{Observation, features};
use houseway_env::ultimate_holdem::{Action, Game, UltimateHoldem};
use std::sync::Arc;

/// The network names, in the order used by the stage features at the start of the `features` encoding.
const PARTS: [&str; 3] = ["start", "flop", "river"];
/// The task's entry.
pub const TASK: TaskEntry =
    TaskEntry { game: "ultimate-holdem", make, defaults, max_reward_samples: MAX_REWARD_SAMPLES };

/// Returns the default configuration.
pub fn defaults(method: MethodConfig) -> TrainConfig {
    let method = match method {
        MethodConfig::AllAction(defaults) => AllAction { reward_samples: MAX_REWARD_SAMPLES, ..defaults }.into(),
        other => other,
    };
    TrainConfig {
        steps: 4000,
        evaluate_every: 1000,
        checkpoint_every: 500,
        network: NetworkConfig { width: 128, layers: 2 },
        ..TrainConfig::new(method)
    }
}

/// Creates the task from a JSON object with the keys of [`from_config`](houseway_env::ultimate_holdem::from_config).
///
/// # Errors
/// Returns an error if a key or value is invalid, or if there is no such paytable.
pub fn make(config: &str) -> Result<Box<dyn TrainingTask>, MakeError> {
    let env = houseway_env::ultimate_holdem::from_config(config)?;
    if env.encoding() != Observation::Features {
        return Err(format!("observation = \"{}\": must be \"features\"", env.encoding()).into());
    }
    Ok(Box::new(HoldemTask::new(env)?))
}

/// The task of playing against the dealer.
pub struct HoldemTask {
    game: Arc<Game>,
    env: EnvTask,
}

impl HoldemTask {
    /// Creates the task for an environment, whose encoding is changed to `features`.
    ///
    /// # Errors
    /// Returns an error if the environment rejects its default options.
    pub fn new(env: UltimateHoldem) -> Result<HoldemTask, EnvError> {
        let game = Arc::clone(env.game());
        let env = env.with_encoding(Observation::Features);
        Ok(HoldemTask { game, env: EnvTask::new(Box::new(env), None, Observation::Features.name())? })
    }
}

impl TrainingTask for HoldemTask {
    fn hash(&self) -> String {
        self.env.hash()
    }

    fn environment(&self) -> Option<&dyn Env> {
        Some(self.env.env())
    }

    fn networks(
        &self,
        size: NetworkConfig,
        feedback: Feedback,
        outputs: usize,
        weights: &mut WeightSource<'_>,
    ) -> Networks {
        match feedback {
            Feedback::Paired | Feedback::FullInformation | Feedback::Redealing | Feedback::ExactLabels => {
                let parts = PARTS.iter().map(|_| Network::new(size, ROW, outputs, one_hot_gain(ROW), weights));
                Networks::named(&PARTS, parts.collect())
            }
            Feedback::Bandit => self.env.networks(size, feedback, outputs, weights),
        }
    }

    fn check_feedback(&self, feedback: Feedback) -> Result<(), TaskError> {
        match feedback {
            // If a policy soon learns to always play on the flop, no hands are left to learn the river from.
            Feedback::Paired => {
                let text = "the river cannot be learned from pairs of plays; use method = \"all-action\" or \
                            \"policy-gradient\"";
                Err(TaskError::Unsupported(text.to_owned()))
            }
            Feedback::ExactLabels => Err(TaskError::NoExactValues),
            _ => Ok(()),
        }
    }

    fn model_outputs(&self) -> Vec<usize> {
        vec![1; PARTS.len()]
    }

    fn agent(&self, name: &str, models: &[Model], scores: ScoreKind) -> Box<dyn Agent> {
        if models.len() < PARTS.len() {
            return self.env.agent(name, models, scores);
        }
        Box::new(StagePolicy::new(name, models))
    }

    fn reward_source(&self, batch: usize, samples: usize, seed: u64) -> Result<RewardSource, TaskError> {
        if samples > MAX_REWARD_SAMPLES {
            let text =
                format!("reward-samples = {samples}: must be at most {MAX_REWARD_SAMPLES}, the dealer hands in a deal");
            return Err(TaskError::Unsupported(text));
        }
        let (game, starts) = (Arc::clone(&self.game), Arc::from(start_rows(&self.game)));
        Ok(Box::new(move |step| Ok(Box::new(deal(&game, &starts, batch, samples, &mut step_stream(seed, step))))))
    }

    fn episodes(&self, lanes: usize) -> Result<Episodes, TaskError> {
        self.env.episodes(lanes)
    }
}

/// The length of a row. Each row is an observation in the `features` encoding.
const ROW: usize = features::LEN;

/// For each row, returns `true` if the model would play.
fn plays(model: &Model, rows: &[f32], device: &Device) -> Vec<bool> {
    if rows.is_empty() {
        return vec![];
    }
    let advantages = model.outputs(&Inputs::new(rows, rows.len() / ROW, device));
    advantages.into_iter().map(|advantage| advantage > 0.0).collect()
}

/// An agent with one model per decision. It reads the `features` encoding and plays for the maximum number of antes
/// if the advantage is positive.
pub struct StagePolicy {
    name: String,
    models: Vec<Model>,
    device: Device,
}

impl StagePolicy {
    fn new(name: &str, models: &[Model]) -> StagePolicy {
        StagePolicy { name: name.to_owned(), models: models.to_vec(), device: playing_device() }
    }
}

impl Policy for StagePolicy {
    fn name(&self) -> &str {
        &self.name
    }

    fn encoding(&self) -> &str {
        Observation::Features.name()
    }

    fn choose(&self, observations: &[f32], masks: &[bool]) -> Vec<usize> {
        let masks = masks.chunks_exact(Action::ALL.len());
        // The first legal action is to wait or fold, and the last one is to play.
        let mut actions: Vec<usize> = masks.clone().map(|mask| first_legal(mask.iter())).collect();
        for (stage, model) in self.models.iter().enumerate() {
            let rows = observations.chunks_exact(ROW).enumerate();
            let (places, rows): (Vec<usize>, Vec<&[f32]>) = rows.filter(|(_, row)| row[stage] == 1.0).unzip();
            for (place, plays) in places.into_iter().zip(plays(model, &rows.concat(), &self.device)) {
                if plays && let Some(mask) = masks.clone().nth(place) {
                    actions[place] = mask.len() - 1 - first_legal(mask.iter().rev());
                }
            }
        }
        actions
    }
}

/// Returns the index of the first legal action.
fn first_legal<'a>(mut mask: impl Iterator<Item = &'a bool>) -> usize {
    mask.position(|&legal| legal).expect("an action is legal")
}

#[cfg(test)]
mod tests {
    use super::deals::write_row;
    use super::*;
    use crate::device::training_device;
    use houseway_env::ultimate_holdem::{Action, Rules, Stage};

    #[test]
    fn all_decisions_are_made() {
        let task = HoldemTask::new(UltimateHoldem::new(Arc::new(Game::new(Rules::default())))).unwrap();
        let (size, device) = (NetworkConfig { width: 8, layers: 2 }, training_device());
        for (feedback, outputs) in [(Feedback::FullInformation, 1), (Feedback::Bandit, 2)] {
            let agent = task.agent(
                "untrained",
                &task.networks(size, feedback, outputs, &mut WeightSource::new(3, &device)).models(),
                ScoreKind::Preferences,
            );
            let (mut rows, mut masks) = (vec![0f32; 9 * ROW], vec![]);
            let holes = ["As Kd", "7h 2c", "9h 9d"].map(|hole| hole.parse().unwrap());
            let boards = ["", "2s 3d Qh", "2s 3d Qh Jc 4d"].map(|board| board.parse().unwrap());
            for (i, row) in rows.chunks_exact_mut(ROW).enumerate() {
                let (stage, other, play) = [
                    (Stage::Start, Action::Check, Action::Play4),
                    (Stage::Flop, Action::Check, Action::Play2),
                    (Stage::River, Action::Fold, Action::Play1),
                ][i % 3];
                write_row(&task.game, stage, holes[i / 3], boards[i % 3], row);
                masks.extend(Action::ALL.map(|action| action == other || action == play));
            }
            let all = agent.choose(&rows, &masks);
            let one = rows.chunks(ROW).zip(masks.chunks(6)).map(|(row, mask)| agent.choose(row, mask)[0]);
            assert_eq!(all, one.collect::<Vec<_>>());
            assert!(all.iter().enumerate().all(|(i, &action)| masks[i * 6 + action]));
            assert!(agent.choose(&[], &[]).is_empty());
        }
    }
}
