//! Runs and their folders: configuration, provenance, atomic files, progress, interruption.
//!
//! | file | contents |
//! |---|---|
//! | `config.toml` | configuration with every default written out |
//! | `provenance.json` | kind, version, commit, command, seeds, hashes: everything that determines the results |
//! | `machine.json` | date, duration, processor: everything else; written last, so its absence marks an interrupted run
//! |
//! | `report.md`, `report.toml` | report, and the data from which it is built |
//! | `plots/` | figures as `.png`, `.svg` and `.csv`, and as `.toml` for redrawing |
//! | `tables/` | tables of exact integers as `.csv` |
//! | `train/NAME/` | metrics and checkpoints of one training |
//!
//! A run works in a new folder, or in the hidden folder `.NAME.new` next to the finished run that it replaces at the
//! end. An interrupted run is resumed in the same folder. `.NAME.lock` exists while a process uses the folder.
//!
//! All files except `machine.json`, `timing.csv`, `tensorboard/` and plots against time are reproducible byte for byte
//! on one type of machine.

mod changes;
mod config;
mod files;
mod folder;
mod interrupt;
mod lock;
mod machine;
mod names;
mod notice;
mod outputs;
mod progress;
mod provenance;
mod start;

pub use config::{config_text, load_config};
pub use files::{
    cannot_read, cannot_write, cannot_write_by, check_writable, create_file, folder_of, make_folder, prepare_file,
    read_own_text, read_text, write_atomic, write_atomic_with,
};
pub use folder::RunFolder;
pub use interrupt::{STOPPING, stop_flag, stop_flag_with};
pub(crate) use lock::FileLock;
pub use machine::{Machine, peak_memory, total_memory};
pub use names::{check_names, check_seeds};
pub use notice::notice;
pub use outputs::{Output, check_outputs};
pub use progress::{ProgressBar, with_control};
pub use provenance::{Provenance, RunKind, RunSpec, VERSION, command_line, commit};
pub use start::{Destination, PROVENANCE, RESULTS, StartError, Started};
