//! A run and its folder: configuration, provenance, files that are whole or absent, progress, interruption.
//!
//! | file | what |
//! |---|---|
//! | `config.toml` | the configuration with every default written out |
//! | `provenance.json` | version, commit, command, seed, hash of the rules: all that the results depend on |
//! | `machine.json` | date, duration, processor: all that they do not; written last, so that a run without it was cut off |
//! | `report.md`, `report.toml` | the report, and what it is built from |
//! | `plots/` | each figure as `.png`, `.svg`, `.csv`, and as `.toml` to draw it again |
//! | `tables/` | tables of exact integers as `.csv` |
//! | `train/NAME/` | the metrics and checkpoints of one training |
//!
//! All but `machine.json`, `timing.csv`, `tensorboard/` and plots against the clock repeat byte for byte on one type of
//! machine.

mod config;
mod files;
mod folder;
mod interrupt;
mod machine;
mod names;
mod progress;
mod provenance;

pub use config::{config_text, load_config};
pub use files::{
    cannot_read, cannot_write, cannot_write_by, check_writable, folder_of, make_folder, prepare_file, write_atomic,
    write_atomic_with,
};
pub use folder::{RESULTS, RunFolder, Started};
pub use interrupt::{stop_flag, stop_flag_with};
pub use machine::{Machine, peak_memory};
pub use names::{check_names, check_seeds};
pub use progress::ProgressBar;
pub use provenance::Provenance;
