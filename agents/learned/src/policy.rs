//! A trained network as a strategy.

use crate::candidates::CandidateBatch;
use crate::config::Among;
use crate::encode::encode;
use crate::network::Scorer;
use burn::module::Module;
use burn::prelude::*;
use burn::store::{ModuleSnapshot, SafetensorsStore};
use houseway_env::pai_gow::{Candidates, Game, Hand, Setting, Strategy};
use rayon::prelude::*;
use std::path::Path;

/// Hands that go through the network at once: enough rows for fast products, few enough to stay in the cache.
const BATCH: usize = 1024;

/// Sets each hand as the network scores highest; of equal scores the first setting in the fixed order.
pub struct LearnedStrategy<'a> {
    name: String,
    game: &'a Game,
    network: Scorer,
    among: Among,
    device: Device,
}

impl<'a> LearnedStrategy<'a> {
    /// A strategy that plays the first output of `network` greedily.
    pub fn new(name: &str, game: &'a Game, network: &Scorer, among: Among) -> LearnedStrategy<'a> {
        LearnedStrategy { name: name.to_owned(), game, network: network.valid(), among, device: Device::flex() }
    }

    /// The network, without gradients.
    pub fn network(&self) -> &Scorer {
        &self.network
    }

    /// Writes the weights as safetensors, for others to load. Matrices are (inputs, outputs).
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save_weights(&self, path: &Path, metadata: &[(&str, &str)]) -> Result<(), String> {
        let store = SafetensorsStore::from_file(path).overwrite(true);
        let mut store = metadata.iter().fold(store, |store, (key, value)| store.metadata(*key, *value));
        let written = self.network.save_into(&mut store);
        written.map_err(|error| format!("{}: {error}; see that the folder can be written", path.display()))
    }

    fn set_chunk(&self, hands: &[Hand]) -> Vec<Setting> {
        let mut batch = CandidateBatch::default();
        for &hand in hands {
            let candidates = Candidates::of(self.game, hand);
            encode(&mut batch, self.game, &candidates, self.among.of(&candidates));
        }
        let scores = self.network.forward(&batch.tensors(&self.device));
        let [rows, outputs] = scores.dims();
        let scores = scores.into_data().try_to_vec::<f32>().expect("scores are floats");
        let first: Vec<f32> = (0..rows).map(|row| scores[row * outputs]).collect();
        batch.best(&first)
    }
}

impl Strategy for LearnedStrategy<'_> {
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
