//! Checkpoints, from which a training run resumes with byte-identical results.
//!
//! A checkpoint is a folder with `model.bpk`, `optimizer.bpk` and `state.json`, and `average.bpk` if weights are
//! averaged. No random state is stored, because everything drawn at a step is determined by the seed and the step. A
//! checkpoint is written next to the old one and then renamed to replace it, so that one of the two is always complete.
//! The file `state.json` is [sealed](houseway_env::seal) and contains the hashes of the other files, so that incomplete
//! or damaged checkpoints are detected.

use crate::metrics::TrainingProgress;
use crate::network::Networks;
use burn::module::Module;
use burn::optim::ModuleOptimizer;
use houseway_env::seal::Seal;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Seal of the state. Its format number is increased whenever training can no longer resume from old checkpoints.
pub const SEAL: Seal = Seal::new("houseway-checkpoint", 3);
const MODEL: &str = "model.bpk";
const OPTIMIZER: &str = "optimizer.bpk";
const AVERAGE: &str = "average.bpk";
const STATE: &str = "state.json";

/// The reason why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The folder cannot be written or read.
    #[error("checkpoint {path}: {source}; check that the folder can be written and that the disk is not full")]
    Io {
        /// Path of the folder or file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file is missing or damaged.
    #[error("checkpoint {path} is torn: {reason}; remove the folder to start again")]
    Torn {
        /// Path of the folder.
        path: PathBuf,
        /// The mismatch.
        reason: String,
    },
    /// The checkpoint belongs to another training run.
    #[error("checkpoint {path} belongs to another training run (its {what} differs); remove it, or use another folder")]
    Other {
        /// Path of the folder.
        path: PathBuf,
        /// The part that differs.
        what: &'static str,
    },
}

/// One row of the metrics of a training run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// Progress at the time of the measurement.
    pub progress: TrainingProgress,
    /// Named numbers.
    pub values: Vec<(String, f64)>,
}

/// The state of a training run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainState {
    /// Number of completed optimiser steps.
    pub step: u64,
    /// Number of deals seen (hands, rounds or situations).
    pub hands: u64,
    /// Sum of the losses since the last measurement.
    pub(crate) losses: f64,
    /// All measurements so far, which are reported again after resuming.
    pub history: Vec<Measurement>,
    /// Hash of everything that determines the weights at this step.
    pub config_hash: String,
    model_hash: String,
    optimizer_hash: String,
    /// Hash of the averaged weights, if weights are averaged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    average_hash: Option<String>,
}

impl TrainState {
    /// Creates the state before the first step.
    pub fn new(config_hash: String) -> TrainState {
        TrainState { config_hash, ..TrainState::default() }
    }
}

fn hash_of(path: &Path) -> io::Result<String> {
    Ok(Sha256::digest(fs::read(path)?).iter().map(|byte| format!("{byte:02x}")).collect())
}

fn sibling(folder: &Path, ending: &str) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    folder.with_file_name(name)
}

/// The parts of a training run stored in checkpoints.
#[derive(Clone)]
pub struct Learned {
    /// Networks updated by gradient steps.
    pub networks: Networks,
    /// Moving average of their weights, if enabled.
    pub average: Option<Networks>,
    /// The optimiser.
    pub optimizer: ModuleOptimizer,
}

impl Learned {
    /// Returns the networks with which the agent plays.
    pub fn playing(&self) -> &Networks {
        self.average.as_ref().unwrap_or(&self.networks)
    }
}

/// Writes a checkpoint to `folder`, replacing an existing one.
///
/// # Errors
/// Returns an error if the folder cannot be written. The old checkpoint is preserved in that case.
pub fn save(folder: &Path, learned: &Learned, state: &TrainState) -> Result<(), CheckpointError> {
    let (new, old) = (sibling(folder, ".new"), sibling(folder, ".old"));
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| CheckpointError::Io { path, source }
    };
    let record = |path: &Path, result: Result<(), String>| result.map_err(|e| io(path)(io::Error::other(e)));
    remove(&new).map_err(io(&new))?;
    fs::create_dir_all(&new).map_err(io(&new))?;
    let (model_file, optimizer_file) = (new.join(MODEL), new.join(OPTIMIZER));
    record(&model_file, learned.networks.clone().save_file(&model_file).map_err(|e| e.to_string()))?;
    record(&optimizer_file, learned.optimizer.save(&optimizer_file).map_err(|e| e.to_string()))?;
    let mut state = state.clone();
    state.average_hash = None;
    if let Some(average) = &learned.average {
        let file = new.join(AVERAGE);
        record(&file, average.clone().save_file(&file).map_err(|e| e.to_string()))?;
        state.average_hash = Some(hash_of(&file).map_err(io(&file))?);
    }
    state.model_hash = hash_of(&model_file).map_err(io(&model_file))?;
    state.optimizer_hash = hash_of(&optimizer_file).map_err(io(&optimizer_file))?;
    fs::write(new.join(STATE), format!("{:#}\n", SEAL.seal(&state))).map_err(io(&new))?;
    let average = state.average_hash.is_some().then_some(AVERAGE);
    for file in [MODEL, OPTIMIZER, STATE].into_iter().chain(average) {
        fs::File::open(new.join(file)).and_then(|file| file.sync_all()).map_err(io(&new))?;
    }
    remove(&old).map_err(io(&old))?;
    if folder.exists() {
        fs::rename(folder, &old).map_err(io(folder))?;
    }
    fs::rename(&new, folder).map_err(io(folder))?;
    remove(&old).map_err(io(&old))
}

fn remove(folder: &Path) -> io::Result<()> {
    if folder.exists() { fs::remove_dir_all(folder) } else { Ok(()) }
}

/// Checks the checkpoint in `folder` and returns its state, or `None` if there is no checkpoint. `hash_at` returns the
/// hash of the training run at a step.
///
/// # Errors
/// Returns an error if the checkpoint is incomplete or damaged, or belongs to another training run.
pub fn find(folder: &Path, hash_at: impl Fn(u64) -> String) -> Result<Option<TrainState>, CheckpointError> {
    let old = sibling(folder, ".old");
    if !folder.exists() && old.exists() {
        // The last save was interrupted between its two renames.
        fs::rename(&old, folder).map_err(|source| CheckpointError::Io { path: old, source })?;
    }
    if !folder.exists() {
        return Ok(None);
    }
    let torn = |reason: String| CheckpointError::Torn { path: folder.to_owned(), reason };
    let text = fs::read_to_string(folder.join(STATE)).map_err(|error| torn(format!("{STATE}: {error}")))?;
    let state: TrainState = SEAL.open(&text).map_err(|error| torn(format!("{STATE}: {error}")))?;
    if state.config_hash != hash_at(state.step) {
        return Err(CheckpointError::Other { path: folder.to_owned(), what: "configuration" });
    }
    let average = state.average_hash.iter().map(|hash| (AVERAGE, hash));
    for (file, expected) in [(MODEL, &state.model_hash), (OPTIMIZER, &state.optimizer_hash)].into_iter().chain(average)
    {
        let found = hash_of(&folder.join(file)).map_err(|error| torn(format!("{file}: {error}")))?;
        if found != *expected {
            return Err(torn(format!("{file} does not match its hash in {STATE}")));
        }
    }
    Ok(Some(state))
}

/// Loads the checkpoint in `folder`, which must have been checked by [`find`]. `learned` gives the shapes.
///
/// # Errors
/// Returns an error if the checkpoint cannot be read.
pub fn load(folder: &Path, learned: Learned) -> Result<Learned, CheckpointError> {
    let torn = |reason: String| CheckpointError::Torn { path: folder.to_owned(), reason };
    let networks =
        |shape: Networks, file| shape.try_load_file(folder.join(file)).map_err(|error| torn(error.to_string()));
    let optimizer = learned.optimizer.load(folder.join(OPTIMIZER)).map_err(|error| torn(error.to_string()))?;
    let average = learned.average.map(|shape| networks(shape, AVERAGE)).transpose()?;
    Ok(Learned { networks: networks(learned.networks, MODEL)?, average, optimizer })
}
