//! Checkpoints: everything that a training needs to resume to the same bytes.
//!
//! A checkpoint is a folder with `model.bpk`, `optimizer.bpk` and `state.json`, and `average.bpk` if weights are
//! averaged. Random numbers need no state of their own: everything drawn at a step follows from the seed and the step.
//! A checkpoint is written beside the old one and takes its place by renaming, so that one of the two is always
//! complete; `state.json` is [sealed](houseway_env::seal) and holds the hashes of the other files, so that an
//! incomplete or damaged one is recognised.

use crate::metrics::TrainingProgress;
use crate::network::Networks;
use burn::module::Module;
use burn::optim::ModuleOptimizer;
use houseway_env::seal::Seal;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Seal of the state. Its format is raised whenever old checkpoints cannot be resumed from any more.
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
        /// The folder or file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file is missing or its contents are not what was written.
    #[error("checkpoint {path} is torn: {reason}; remove the folder to start again")]
    Torn {
        /// The folder.
        path: PathBuf,
        /// The mismatch.
        reason: String,
    },
    /// The checkpoint belongs to another training.
    #[error(
        "checkpoint {path} belongs to another training (its {what} differs); remove the folder, or train into another"
    )]
    Other {
        /// The folder.
        path: PathBuf,
        /// The part that differs.
        what: &'static str,
    },
}

/// One row of a training's metrics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// Progress at that point.
    pub progress: TrainingProgress,
    /// Named numbers.
    pub values: Vec<(String, f64)>,
}

/// State of a training.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainState {
    /// Steps of the optimiser done.
    pub step: u64,
    /// Deals seen: hands, rounds or situations.
    pub hands: u64,
    /// Sum of the losses since the last measurement.
    pub(crate) losses: f64,
    /// All measurements so far, reported again after a resume.
    pub history: Vec<Measurement>,
    /// Hash of everything that decides the weights at this step.
    pub config_hash: String,
    model_hash: String,
    optimizer_hash: String,
    /// None if weights are not averaged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    average_hash: Option<String>,
}

impl TrainState {
    /// State before the first step.
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

/// The parts of a training that checkpoints keep.
#[derive(Clone)]
pub struct Learned {
    /// Networks that follow the gradient.
    pub networks: Networks,
    /// Moving average of their weights, if the training has one.
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

/// Writes a checkpoint in place of the one in `folder`, if there is one.
///
/// # Errors
/// Returns an error if the folder cannot be written; the old checkpoint is then still there.
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

/// The state of the checkpoint in `folder`, after checking that it is complete; `None` if there is no checkpoint.
/// `hash_at` returns the hash of the training at a step.
///
/// # Errors
/// Returns an error if it is torn or belongs to another training.
pub fn find(folder: &Path, hash_at: impl Fn(u64) -> String) -> Result<Option<TrainState>, CheckpointError> {
    let old = sibling(folder, ".old");
    if !folder.exists() && old.exists() {
        // The last save was interrupted between its two renamings.
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
            return Err(torn(format!("{file} is not the file that {STATE} names")));
        }
    }
    Ok(Some(state))
}

/// The contents of the checkpoint in `folder`, which [`find`] has checked. `learned` gives the shapes.
///
/// # Errors
/// Returns an error if they cannot be read.
pub fn load(folder: &Path, learned: Learned) -> Result<Learned, CheckpointError> {
    let torn = |reason: String| CheckpointError::Torn { path: folder.to_owned(), reason };
    let networks =
        |shape: Networks, file| shape.try_load_file(folder.join(file)).map_err(|error| torn(error.to_string()));
    let optimizer = learned.optimizer.load(folder.join(OPTIMIZER)).map_err(|error| torn(error.to_string()))?;
    let average = learned.average.map(|shape| networks(shape, AVERAGE)).transpose()?;
    Ok(Learned { networks: networks(learned.networks, MODEL)?, average, optimizer })
}
