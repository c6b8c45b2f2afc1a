//! Analyses of individual games.
//!
//! - A [`SolveExtension`] adds options to `houseway solve` for a game.
//! - `hand_page` is the page of the web app for a hand of any game.
//! - [`pai_gow`] audits and compares house ways, and solves the full game for any pair of strategies.

mod hand_page;
pub mod pai_gow;

use crate::console::StoreOptions;
use crate::play::Layout;
use crate::serve::{Request, Response, Services, WebSection};
use houseway_exact::answer::Answer;
use houseway_exact::solver::{OptionSpec, SolverConfig, SolverError};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

pub type OptionValues = BTreeMap<&'static str, Vec<String>>;

/// Replaces a game's solver with one that supports additional options and files.
pub struct SolveExtension {
    pub game: &'static str,
    /// All options of `houseway solve` for the game, including those of its solver.
    pub options: &'static [ExtensionOption],
    /// Solves the game. The configuration has the rules and the options with a single value.
    pub solve: fn(&SolverConfig, &OptionValues, &StoreOptions) -> Result<ExtendedAnswer, SolverError>,
}

#[derive(Clone, Copy, Debug)]
pub struct ExtensionOption {
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
    pub const fn new(spec: OptionSpec) -> ExtensionOption {
        ExtensionOption { spec, many: false, conflicts: &[], is_output: false, beside: None, is_continued: false }
    }
}

/// The key of the remark about a run in the printed document.
pub const MACHINE: &str = "machine";

pub struct ExtendedAnswer {
    /// The answer, which is the same for the same input.
    pub answer: Answer,
    /// A remark on this run, as JSON and as text. It is printed but not written to files, because it depends on more than
    /// the input.
    pub machine: Option<(Value, String)>,
    /// A file that is no longer needed once the answer has been written, and the option that specified it.
    pub spent: Option<(&'static str, PathBuf)>,
}

/// The solver extensions. There is at most one per game.
pub const SOLVE_EXTENSIONS: &[SolveExtension] = &[pai_gow::solve::EXTENSION];

/// The layouts of games that are played at a table.
pub const LAYOUTS: &[Layout] =
    &[pai_gow::play::LAYOUT, pai_gow::play::KNOWN_CARDS, pai_gow::play::TABLE_LAYOUT, pai_gow::play::FACE_UP];

const ANALYZE: WebSection = WebSection { path: "/", title: "Analyze", respond: analyze };

fn analyze(request: &Request, services: &Services) -> Option<Response> {
    pai_gow::web::analyze(request, services).or_else(|| hand_page::respond(request, services))
}

pub const WEB_SECTIONS: &[WebSection] = &[ANALYZE, pai_gow::web::HOUSE_WAYS, crate::drill::SECTION];
