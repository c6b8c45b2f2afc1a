//! Solver extensions: additional options of `houseway solve` for individual games.

use houseway_exact::answer::Answer;
use houseway_exact::solver::{OptionSpec, SolverConfig, SolverError};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Solves a game in place of its solver, with additional options and files.
pub struct SolveExtension {
    /// Name of the game.
    pub game: &'static str,
    /// All options for the game, including those of its solver.
    pub options: &'static [ExtensionOption],
    /// Solves the game.
    ///
    /// # Errors
    /// Returns an error if the input is invalid, the computation fails, or it is cancelled.
    pub solve: fn(&ExtensionRequest<'_>) -> Result<ExtendedAnswer, SolverError>,
}

/// An option of an extension.
#[derive(Clone, Copy, Debug)]
pub struct ExtensionOption {
    /// The option.
    pub spec: OptionSpec,
    /// True if the option takes several values.
    pub many: bool,
    /// Names of the arguments that conflict with the option.
    pub conflicts: &'static [&'static str],
    /// True if the option's value is an output file.
    pub is_output: bool,
    /// True if the option's value is an output file that is first read if it exists.
    pub is_continued: bool,
}

impl ExtensionOption {
    /// Creates an option with a single value and no conflicts.
    pub const fn new(spec: OptionSpec) -> ExtensionOption {
        ExtensionOption { spec, many: false, conflicts: &[], is_output: false, is_continued: false }
    }
}

/// Rules and options of a request.
pub struct ExtensionRequest<'a> {
    /// Rules and the options that have a single value.
    pub config: &'a SolverConfig,
    /// Values of all options.
    pub values: &'a BTreeMap<&'static str, Vec<String>>,
}

/// The answer of an extension.
pub struct ExtendedAnswer {
    /// The answer, which depends only on the input.
    pub answer: Answer,
    /// Remark on this run, which is printed but not written to files.
    pub remark: Option<Remark>,
    /// A file that is no longer needed once the answer is written, with the option that specified it.
    pub spent: Option<(&'static str, PathBuf)>,
}

/// A remark on a run.
pub struct Remark {
    /// Key of the remark in the printed JSON document.
    pub key: &'static str,
    /// The remark as JSON.
    pub json: Value,
    /// The remark as text.
    pub text: String,
}
