//! Solver extensions that add options to `houseway solve` for individual games.

use crate::console::StoreOptions;
use houseway_exact::answer::Answer;
use houseway_exact::solver::{OptionSpec, SolverConfig, SolverError};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Replaces a game's solver with one that supports additional options and files.
pub struct SolveExtension {
    /// The game's name.
    pub game: &'static str,
    /// All options of `houseway solve` for the game, including those of its solver.
    pub options: &'static [ExtensionOption],
    /// Solves the game, in place of the game's solver.
    pub solve: fn(&ExtensionRequest<'_>) -> Result<ExtendedAnswer, SolverError>,
}

#[derive(Clone, Copy, Debug)]
pub struct ExtensionOption {
    /// The option's name, value and help text.
    pub spec: OptionSpec,
    /// `true` if the option takes several values.
    pub many: bool,
    /// The names of the arguments that conflict with the option.
    pub conflicts: &'static [&'static str],
    /// `true` if the option's value is an output file.
    pub is_output: bool,
    /// The extension of a file that is written beside an output file, if there is one.
    pub beside: Option<&'static str>,
    /// `true` if the option's value is an output file that is read before it is replaced, if it exists.
    pub is_continued: bool,
}

impl ExtensionOption {
    /// Creates an option with a single value and no conflicts.
    pub const fn new(spec: OptionSpec) -> ExtensionOption {
        ExtensionOption { spec, many: false, conflicts: &[], is_output: false, beside: None, is_continued: false }
    }
}

/// The rules and options of a request.
pub struct ExtensionRequest<'a> {
    /// The rules and the options that have a single value.
    pub config: &'a SolverConfig,
    /// The values of all options.
    pub values: &'a BTreeMap<&'static str, Vec<String>>,
    pub store: &'a StoreOptions,
}

/// The result of [`SolveExtension::solve`].
pub struct ExtendedAnswer {
    /// The answer, which is the same for the same input.
    pub answer: Answer,
    /// A note on this run. It is printed but not written to files, because it depends on more than the input.
    pub remark: Option<Remark>,
    /// A file that is no longer needed once the answer has been written, and the option that specified it.
    pub spent: Option<(&'static str, PathBuf)>,
}

/// A note on a run.
pub struct Remark {
    /// The note's key in the printed JSON document.
    pub key: &'static str,
    /// The note as JSON.
    pub json: Value,
    /// The note as text.
    pub text: String,
}
