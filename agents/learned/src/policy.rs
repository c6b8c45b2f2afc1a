//! A trained network as a strategy.

use crate::candidates::CandidateBatch;
use crate::config::Among;
use crate::encode::encode;
use crate::network::Scorer;
use burn::module::Module;
use burn::prelude::*;
use burn::store::{ModuleSnapshot, SafetensorsStore};
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::pai_gow::{Candidates, Game, Hand, ProfileTable, Setting, Strategy};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;
use std::{fs, io};

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
        save_weights(&self.network, path, metadata)
    }

    /// Which settings it chooses among.
    pub fn among(&self) -> Among {
        self.among
    }

    /// The strategy that sets each hand as the network sets one hand of its profile, so that it looks at nothing else: a table
    /// of all profiles (a second or so).
    pub fn profile_table(&self, name: &str) -> ProfileTable {
        let profiles = Profiles::get();
        let hands: Vec<Hand> =
            Profile::all().filter_map(|profile| Hand::new(profiles.representative(profile)).ok()).collect();
        let settings = self.set_batch(&hands);
        let choose = |candidates: &Candidates| settings[profiles.of(candidates.hand().set()).index()];
        ProfileTable::new(self.game.rules(), name, choose).expect("candidates are legal")
    }

    /// Sets the hands of a batch, which was encoded with the candidates of [`LearnedStrategy::among`].
    ///
    /// # Panics
    /// If the batch holds no hand.
    pub fn set_encoded(&self, batch: &CandidateBatch) -> Vec<Setting> {
        let scores = self.network.forward(&batch.tensors(&self.device));
        let [rows, outputs] = scores.dims();
        let scores = scores.into_data().try_to_vec::<f32>().expect("scores are floats");
        let first: Vec<f32> = (0..rows).map(|row| scores[row * outputs]).collect();
        batch.best(&first)
    }

    fn set_chunk(&self, hands: &[Hand]) -> Vec<Setting> {
        let mut batch = CandidateBatch::default();
        for &hand in hands {
            let candidates = Candidates::new(self.game, hand);
            encode(&mut batch, self.game, &candidates, self.among.of(&candidates));
        }
        self.set_encoded(&batch)
    }
}

/// Writes the weights of a network as safetensors, the same bytes each time.
pub(crate) fn save_weights(network: &impl Module, path: &Path, metadata: &[(&str, &str)]) -> Result<(), String> {
    let store = SafetensorsStore::from_file(path).overwrite(true);
    let mut store = metadata.iter().fold(store, |store, (key, value)| store.metadata(*key, *value));
    let failed = |error: &dyn Display| format!("{}: {error}; see that the folder can be written", path.display());
    network.save_into(&mut store).map_err(|error| failed(&error))?;
    sort_header(path).map_err(|error| failed(&error))
}

/// Puts the header of a safetensors file in order: the library writes its metadata in an order of chance.
fn sort_header(path: &Path) -> io::Result<()> {
    let bytes = fs::read(path)?;
    let (length, rest) = bytes.split_at_checked(8).ok_or(io::ErrorKind::UnexpectedEof)?;
    let length = length.iter().rev().fold(0, |length, &byte| length << 8 | usize::from(byte));
    let (header, tensors) = rest.split_at_checked(length).ok_or(io::ErrorKind::UnexpectedEof)?;
    let header: BTreeMap<String, BTreeMap<String, serde_json::Value>> = serde_json::from_slice(header)?;
    let mut header = serde_json::to_string(&header)?;
    // The format wants the tensors aligned to eight bytes.
    header.extend(std::iter::repeat_n(' ', header.len().next_multiple_of(8) - header.len()));
    let length = (header.len() as u64).to_le_bytes();
    fs::write(path, [&length, header.as_bytes(), tensors].concat())
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
