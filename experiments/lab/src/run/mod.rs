//! Runs and their folders, including configuration, provenance, atomic file writes, progress, and interruption. The book's
//! chapter `reference/files.md` lists the files of a run.
//!
//! A run works in a new folder, or in the hidden folder `.NAME.new` next to the finished run that it will replace. An
//! interrupted run is resumed in the same folder. Both folders are locked while a process is using them. Files that
//! aren't the run's are kept: for a finished run, those that its manifest doesn't list.
//!
//! All files are reproducible byte for byte on x86-64 processors with AVX2 and the same C library, except `machine.json`,
//! `manifest.json`, `timing.csv`, `tensorboard/`, plots against time, and agents that were trained on a GPU.

mod config;
mod files;
mod folder;
mod lock;
mod manifest;
mod process;
mod provenance;
mod replace;
#[cfg(test)]
mod tests;

pub use config::*;
pub use files::*;
pub use folder::*;
pub use lock::*;
pub use manifest::*;
pub use process::*;
pub use provenance::*;
pub use replace::remove;

/// The folder of users' own runs, which git ignores.
pub const RUNS: &str = "runs";
/// The folder of the reference results.
pub const REFERENCES: &str = "results";

pub const CONFIG: &str = "config.toml";
pub const PROVENANCE: &str = "provenance.json";
pub const RESULTS: &str = "results.json";
const MACHINE: &str = "machine.json";
const MANIFEST: &str = "manifest.json";
