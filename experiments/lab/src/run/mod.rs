//! Runs and their folders, including configuration, provenance, atomic file writes, progress, and interruption.
//!
//! | file | contents |
//! |---|---|
//! | `config.toml` | the configuration, with every default written out |
//! | `provenance.json` | the kind, version, commit, command, seeds and hashes, which determine the results |
//! | `machine.json` | the date, duration and processor; written last, so a run without it was interrupted |
//! | `manifest.json` | the SHA-256 of all other files |
//! | `report.md`, `report.toml` | the report, and the data it is built from |
//! | `plots/` | the figures as `.png`, `.svg` and `.csv`, and as `.toml` for redrawing |
//! | `tables/` | tables of exact integers as `.csv` |
//! | `strategies/` | strategies as tables, which commands take |
//! | `train/NAME/` | the metrics and checkpoints of a training run |
//!
//! A run works in a new folder, or in the hidden folder `.NAME.new` next to the finished run that it will replace. An
//! interrupted run is resumed in the same folder. Both folders are locked while a process is using them. Files that
//! aren't the run's are kept: for a finished run, those that its manifest doesn't list.
//!
//! All files are reproducible byte for byte on x86-64 processors with AVX2 and the same C library, except `machine.json`,
//! `manifest.json`, `timing.csv`, `tensorboard/`, plots against time, and agents that were trained on a GPU.

mod changes;
mod config;
mod files;
mod folder;
mod interrupt;
mod lock;
mod machine;
mod manifest;
mod names;
mod notice;
mod outputs;
mod progress;
mod provenance;
mod start;

pub use config::{config_text, load_config, parse_config};
pub(crate) use files::open_saved;
pub use files::{
    cannot_read, cannot_write, cannot_write_by, check_writable, create_file, folder_of, make_folder, open_inside,
    prepare_file, read_inside, read_own_text, read_state, read_text, write_atomic, write_atomic_with,
};
pub use folder::RunFolder;
pub use interrupt::{STOPPING, signal_status, stop_flag, stop_flag_with};
pub(crate) use lock::FileLock;
pub use machine::{Machine, peak_memory, set_training_device, total_memory};
pub use manifest::{VerifiedRun, read_result, verify_run};
pub use names::{agent_name, check_names, check_seeds, split_agent_name};
pub use notice::notice;
pub use outputs::{Output, ReservedOutputs, check_outputs};
pub use progress::{ProgressBar, with_control};
pub use provenance::{Provenance, RunKind, RunSpec, VERSION, command_line, commit, config_hash, set_commit};
pub use start::{CONFIG, Destination, PROVENANCE, RESULTS, RunState, StartError, Started};
