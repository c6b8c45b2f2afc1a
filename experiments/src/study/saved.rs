//! Trained agents that an experiment evaluates without training them.

use houseway_env::files;
use houseway_env::seal::hex;
use houseway_lab::run::cannot_read;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// The name of the weights file in a training folder.
pub const WEIGHTS: &str = "weights.safetensors";
/// The maximum size of a weights file, in bytes.
pub const MAX_WEIGHTS: u64 = 1 << 29;
/// The name of the folder with training folders in a run's folder.
pub const TRAININGS: &str = "train";

/// A trained agent, given by its weights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedAgent {
    /// The weights file, its folder, or the folder of a run with a single trained agent.
    pub weights: String,
}

impl SavedAgent {
    /// Returns the path to the weights file.
    pub(super) fn file(&self) -> anyhow::Result<PathBuf> {
        let path = Path::new(&self.weights);
        if path.is_dir() { weights_in(path).map_err(anyhow::Error::msg) } else { Ok(path.to_owned()) }
    }

    /// Reads the weights file.
    pub(super) fn read(&self) -> anyhow::Result<Vec<u8>> {
        let file = self.file()?;
        Ok(files::read(&file, MAX_WEIGHTS).map_err(|error| cannot_read(&file, error))?)
    }

    /// Returns the SHA-256 of the weights file.
    pub fn digest(&self) -> anyhow::Result<String> {
        Ok(digest(&self.read()?))
    }
}

/// Returns the SHA-256 of a file's bytes.
pub(super) fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Returns the weights file in the folder of a training, or of a run with a single trained agent.
pub fn weights_in(folder: &Path) -> Result<PathBuf, String> {
    let file = folder.join(WEIGHTS);
    if file.is_file() {
        return Ok(file);
    }
    let trainings = fs::read_dir(folder.join(TRAININGS)).into_iter().flatten().filter_map(Result::ok);
    let mut trained: Vec<PathBuf> =
        trainings.map(|entry| entry.path()).filter(|path| path.join(WEIGHTS).is_file()).collect();
    trained.sort();
    if let [only] = &trained[..] {
        return Ok(only.join(WEIGHTS));
    }
    let remedy = match trained.first() {
        Some(first) => format!("use the folder of one of its {} agents, such as {}", trained.len(), first.display()),
        None => "use the folder of a finished training, RUN/train/AGENT".to_owned(),
    };
    Err(format!("{} is a folder without {WEIGHTS}; {remedy}", folder.display()))
}
