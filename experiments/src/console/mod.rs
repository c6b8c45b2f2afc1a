//! Functionality shared by all commands: answers on standard output, errors with exit statuses, common options.

mod failure;
mod options;
mod output;

pub use failure::{CommandResult, Failure, OrUsage};
pub use options::{ForceOptions, GameOptions, OutputOptions, ThreadOptions, default_game};
pub use output::{print, print_json};
