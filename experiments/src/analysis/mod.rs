//! Analyses of individual games.
//!
//! - [`banking`]: when to take the bank at a Pai Gow table: learned bankers compared with exact rules.
//! - [`extension`]: extensions of `houseway solve` for individual games.
//! - [`pai_gow`]: audits and comparisons of house ways, and solutions of the full game for any pair of strategies.

pub mod banking;
pub mod extension;
pub mod pai_gow;

use crate::play::Layout;
use crate::serve::WebSection;
use crate::study::StudyKind;

pub use pai_gow::commands::PaiGowCommand as AnalysisCommand;

/// Solver extensions, at most one per game.
pub const SOLVE_EXTENSIONS: &[extension::SolveExtension] = &[pai_gow::solve::EXTENSION];

/// Layouts of games at the table.
pub const LAYOUTS: &[Layout] = &[pai_gow::play::LAYOUT];

/// Parts of the web app.
pub const WEB_SECTIONS: &[WebSection] = pai_gow::web::SECTIONS;

/// Registers the analyses' additions to the crates below. Call this once before running a command.
pub fn register() {
    pai_gow::register();
}

/// Kinds of studies that have their own configuration.
pub const STUDY_KINDS: &[StudyKind] = &[banking::STUDY];
