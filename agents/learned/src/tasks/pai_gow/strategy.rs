//! A trained model used as a strategy or policy.

use super::deals::{Among, HandDecisions, encode};
use crate::decisions::{CandidateBatch, Decisions};
use crate::device::playing_device;
use crate::model::{Model, ScoreKind};
use crate::network::{Network, Networks, WeightSource, WeightsError};
use burn::prelude::*;
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::gym::{Choices, Policy};
use houseway_env::pai_gow::observe::Observation;
use houseway_env::pai_gow::observe::candidates::{CONTEXT, LEN, ROW};
use houseway_env::pai_gow::{Candidates, Game, Hand, ProfileTable, Setting, Strategy};
use rayon::prelude::*;
use std::sync::Arc;

/// The number of hands per forward pass. This gives enough rows for fast matrix products but few enough to stay in the
/// cache.
const BATCH: usize = 1024;

/// A strategy that plays the setting with the highest score. Ties go to the first setting.
pub struct LearnedStrategy {
    name: String,
    game: Arc<Game>,
    model: Model,
    among: Among,
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
    pub(super) fn with_scores(self, scores: ScoreKind) -> LearnedStrategy {
        LearnedStrategy { scores, ..self }
    }

    /// Reads a strategy from a weight file written when training a [`SettingTask`](super::SettingTask). Files from
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

    /// Returns which settings the strategy chooses from.
    pub fn among(&self) -> Among {
        self.among
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

    /// Sets a batch of encoded hands. Their candidates must have been selected with [`LearnedStrategy::among`].
    ///
    /// # Panics
    /// Panics if the batch is empty.
    pub fn set_encoded(&self, batch: &CandidateBatch) -> Vec<Setting> {
        let setting = |action| Setting::from_index(action).expect("actions are settings");
        batch.best(&self.row_scores(batch)).into_iter().map(setting).collect()
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
        self.set_encoded(&batch)
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

    fn choose(&self, observations: &[f32], masks: &[bool]) -> Vec<usize> {
        self.choose_with_scores(observations, masks).actions
    }

    fn choose_with_scores(&self, observations: &[f32], masks: &[bool]) -> Choices {
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
