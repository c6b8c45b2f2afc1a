//! Extensions of solvers: further options of `houseway solve` for a game.

use houseway_exact::answer::Answer;
use houseway_exact::solver::{OptionSpec, SolverConfig, SolverError};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Solves a game in place of its solver, with further options and files.
pub struct SolveExtension {
    /// Name of the game.
    pub game: &'static str,
    /// All options for the game, those of its solver among them.
    pub options: &'static [ExtensionOption],
    /// Solves the game.
    ///
    /// # Errors
    /// If the input is invalid, the computation fails, or it is cancelled.
    pub solve: fn(&ExtensionRequest<'_>) -> Result<ExtendedAnswer, SolverError>,
}

/// An option of an extension.
#[derive(Clone, Copy, Debug)]
pub struct ExtensionOption {
    /// The option.
    pub spec: OptionSpec,
    /// True if it takes several values.
    pub many: bool,
    /// Names of the arguments that cannot be used with it.
    pub conflicts: &'static [&'static str],
    /// True if its value is a file that is written.
    pub is_output: bool,
    /// True if its value is a file that is written and, if it exists, read before.
    pub is_continued: bool,
}

impl ExtensionOption {
    /// Returns an option with one value and no conflicts.
    pub const fn new(spec: OptionSpec) -> ExtensionOption {
        ExtensionOption { spec, many: false, conflicts: &[], is_output: false, is_continued: false }
    }
}

/// Rules and options of a call.
pub struct ExtensionRequest<'a> {
    /// Rules and the options with one value.
    pub config: &'a SolverConfig,
    /// The values of all options.
    pub values: &'a BTreeMap<&'static str, Vec<String>>,
}

/// The answer of an extension.
pub struct ExtendedAnswer {
    /// The answer, which depends on the input alone.
    pub answer: Answer,
    /// Remark on this run, which is printed but not written to files.
    pub remark: Option<Remark>,
    /// A file that is not needed any more once the answer is written, with the option that named it.
    pub spent: Option<(&'static str, PathBuf)>,
}

/// A remark on a run.
pub struct Remark {
    /// Its key in the printed JSON document.
    pub key: &'static str,
    /// The same for programs.
    pub json: Value,
    /// The same for people.
    pub text: String,
}
