//! Training checkpoints. A run resumed from a checkpoint produces byte-identical results.
//!
//! A checkpoint is a directory containing `model.bpk`, `optimizer.bpk` and `state.json`, plus `average.bpk` if weights
//! are averaged. It stores no random state because the seed and the step number determine everything drawn at a step. A
//! new checkpoint is written next to the old one and then renamed over it, so one of the two is always complete. To
//! detect incomplete or damaged checkpoints, `state.json` is [sealed](houseway_env::seal) and contains the hashes of
//! the other files.

use crate::metrics::{DealTotals, IntervalMeans, TrainingProgress, TrainingTime};
use crate::network::Networks;
use burn::module::Module;
use burn::optim::ModuleOptimizer;
use houseway_env::files;
use houseway_env::seal::{Seal, SealError, hex};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The seal of the state file. Its format number is incremented whenever old checkpoints can no longer be resumed.
pub const SEAL: Seal = Seal::new("houseway-checkpoint", 4);
const MODEL: &str = "model.bpk";
const OPTIMIZER: &str = "optimizer.bpk";
const AVERAGE: &str = "average.bpk";
const STATE: &str = "state.json";
/// The maximum size of a file in a checkpoint, in bytes.
pub(crate) const MAX_FILE: u64 = 1 << 32;

/// An error reading or writing a checkpoint.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct CheckpointError(String);

impl CheckpointError {
    /// Returns a function to create the error for a directory or file that can't be read or written.
    pub(crate) fn io<E: Display>(path: &Path) -> impl FnOnce(E) -> CheckpointError {
        let remedy = "check that the folder is writable and the disk is not full";
        move |error| CheckpointError(format!("cannot access checkpoint {}: {error}; {remedy}", path.display()))
    }

    /// Returns the error for a file that is missing or damaged.
    pub(crate) fn torn(folder: &Path, reason: impl Display) -> CheckpointError {
        let remedy = "remove the folder to start over";
        CheckpointError(format!("checkpoint {} is torn: {reason}; {remedy}", folder.display()))
    }

    /// Returns the error for a file whose seal can't be opened, such as one of a version with another format.
    pub(crate) fn unsealed(folder: &Path, file: &str, error: SealError) -> CheckpointError {
        if !matches!(error, SealError::Format { .. }) {
            return CheckpointError::torn(folder, format!("{file}: {error}"));
        }
        let problem = "can't be resumed by this version of the program";
        CheckpointError(format!("checkpoint {} {problem}: {error}; remove the folder to start over", folder.display()))
    }

    /// Returns the error for a checkpoint of a training run with another configuration.
    pub(crate) fn other(folder: &Path) -> CheckpointError {
        let problem = "belongs to another training run (its configuration differs)";
        CheckpointError(format!("checkpoint {} {problem}; remove it or use another folder", folder.display()))
    }
}

/// One row of a run's metrics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// The progress when the measurement was taken.
    pub progress: TrainingProgress,
    /// The measured values with their names.
    pub values: Vec<(String, f64)>,
}

impl Measurement {
    /// Returns the measured values as they are reported to sinks.
    pub(crate) fn named(&self) -> Vec<(&str, f64)> {
        self.values.iter().map(|(name, value)| (name.as_str(), *value)).collect()
    }
}

/// The state of a training run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainState {
    /// The number of completed optimizer steps.
    pub step: u64,
    /// The number of deals and rewards used.
    pub deals: DealTotals,
    /// The number of gradient steps.
    pub updates: u64,
    /// The metrics since the last measurement.
    pub(crate) means: IntervalMeans,
    /// The time spent on training when the checkpoint was saved.
    pub(crate) time: TrainingTime,
    /// All measurements. They are reported again when training resumes.
    pub history: Vec<Measurement>,
    /// The hash of everything that determines the weights at this step.
    pub config_hash: String,
    model_hash: String,
    optimizer_hash: String,
    /// The hash of the averaged weights, if weights are averaged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    average_hash: Option<String>,
}

impl TrainState {
    /// Creates the initial state, before any steps.
    pub fn new(config_hash: String) -> TrainState {
        TrainState { config_hash, ..TrainState::default() }
    }
}

fn hash_of(path: &Path) -> io::Result<String> {
    Ok(hex(&Sha256::digest(files::read(path, MAX_FILE)?)))
}

fn sibling(folder: &Path, ending: &str) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    folder.with_file_name(name)
}

/// The part of a training run that is saved in checkpoints.
#[derive(Clone)]
pub struct Learned {
    /// The networks updated by gradient steps.
    pub networks: Networks,
    /// The moving average of the weights, if enabled.
    pub average: Option<Networks>,
    /// The optimizer.
    pub optimizer: ModuleOptimizer,
}

impl Learned {
    /// Returns the networks the agent plays with.
    pub fn playing(&self) -> &Networks {
        self.average.as_ref().unwrap_or(&self.networks)
    }
}

/// Writes a checkpoint to `folder`, replacing any existing one.
///
/// # Errors
/// Returns an error if the folder cannot be written. In that case the old checkpoint is kept.
pub fn save(folder: &Path, learned: &Learned, state: &TrainState) -> Result<(), CheckpointError> {
    let (new, old) = (sibling(folder, ".new"), sibling(folder, ".old"));
    remove(&new).map_err(CheckpointError::io(&new))?;
    fs::create_dir_all(&new).map_err(CheckpointError::io(&new))?;
    let (model_file, optimizer_file) = (new.join(MODEL), new.join(OPTIMIZER));
    learned.networks.clone().save_file(&model_file).map_err(CheckpointError::io(&model_file))?;
    learned.optimizer.save(&optimizer_file).map_err(CheckpointError::io(&optimizer_file))?;
    let mut state = state.clone();
    state.average_hash = None;
    if let Some(average) = &learned.average {
        let file = new.join(AVERAGE);
        average.clone().save_file(&file).map_err(CheckpointError::io(&file))?;
        state.average_hash = Some(hash_of(&file).map_err(CheckpointError::io(&file))?);
    }
    state.model_hash = hash_of(&model_file).map_err(CheckpointError::io(&model_file))?;
    state.optimizer_hash = hash_of(&optimizer_file).map_err(CheckpointError::io(&optimizer_file))?;
    fs::write(new.join(STATE), format!("{:#}\n", SEAL.seal(&state))).map_err(CheckpointError::io(&new))?;
    let average = state.average_hash.is_some().then_some(AVERAGE);
    for file in [MODEL, OPTIMIZER, STATE].into_iter().chain(average) {
        fs::File::open(new.join(file)).and_then(|file| file.sync_all()).map_err(CheckpointError::io(&new))?;
    }
    remove(&old).map_err(CheckpointError::io(&old))?;
    if folder.exists() {
        fs::rename(folder, &old).map_err(CheckpointError::io(folder))?;
    }
    // The old checkpoint is only removed when the new one surely has its name.
    files::rename(&new, folder).map_err(CheckpointError::io(folder))?;
    remove(&old).map_err(CheckpointError::io(&old))
}

/// Removes a checkpoint. If there is anything else in its folder, the folder is kept under another name.
///
/// # Errors
/// Returns an error if a file can't be removed.
pub fn remove(folder: &Path) -> io::Result<()> {
    for name in [MODEL, OPTIMIZER, AVERAGE, STATE] {
        files::remove(&folder.join(name))?;
    }
    match fs::remove_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => files::keep_aside(folder).map(drop),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Returns `true` if there is a checkpoint in `folder`, including one whose replacement was interrupted.
pub fn exists(folder: &Path) -> bool {
    folder.exists() || sibling(folder, ".old").exists()
}

/// Validates the checkpoint in `folder` and returns its state, or `None` if there is no checkpoint. `hash_at` must
/// return the run's configuration hash at a given step.
///
/// # Errors
/// Returns an error if the checkpoint is incomplete or damaged, or if it belongs to another training run.
pub fn find(folder: &Path, hash_at: impl Fn(u64) -> String) -> Result<Option<TrainState>, CheckpointError> {
    let old = sibling(folder, ".old");
    if !folder.exists() && old.exists() {
        // The last save was interrupted between its two renames.
        fs::rename(&old, folder).map_err(CheckpointError::io(&old))?;
    }
    if !folder.exists() {
        return Ok(None);
    }
    let torn = |reason: String| CheckpointError::torn(folder, reason);
    let text = files::read_text(&folder.join(STATE), MAX_FILE).map_err(|error| torn(format!("{STATE}: {error}")))?;
    let state: TrainState = SEAL.open(&text).map_err(|error| CheckpointError::unsealed(folder, STATE, error))?;
    if state.config_hash != hash_at(state.step) {
        return Err(CheckpointError::other(folder));
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

/// Loads the checkpoint in `folder`. It must already have been validated by [`find`]. The shapes are taken from
/// `learned`.
///
/// # Errors
/// Returns an error if the checkpoint cannot be read.
pub fn load(folder: &Path, learned: Learned) -> Result<Learned, CheckpointError> {
    let networks = |shape: Networks, file| {
        shape.try_load_file(folder.join(file)).map_err(|error| CheckpointError::torn(folder, error))
    };
    let optimizer =
        learned.optimizer.load(folder.join(OPTIMIZER)).map_err(|error| CheckpointError::torn(folder, error))?;
    let average = learned.average.map(|shape| networks(shape, AVERAGE)).transpose()?;
    Ok(Learned { networks: networks(learned.networks, MODEL)?, average, optimizer })
}
