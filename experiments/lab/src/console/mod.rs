//! Functionality shared by all commands, such as printing answers, reporting errors and common options.

mod failure;
mod input;
mod options;
mod output;

pub use failure::{CommandResult, Failure, OrUsage};
pub use input::input_lines;
pub use options::{
    CommonOptions, Exact, ForceOptions, GameOptions, OutputOptions, ThreadOptions, check_environment, default_game,
    parse_threads,
};
pub use output::{print, print_json};
