//! Functionality shared by all commands, such as printing answers, reporting errors and common options.

mod failure;
mod options;
mod output;

pub use failure::{CommandResult, Failure, OrUsage};
pub use options::{
    CommonOptions, Exact, ForceOptions, GameOptions, OutputOptions, ThreadOptions, default_game, parse_threads,
};
pub use output::{print, print_json};
