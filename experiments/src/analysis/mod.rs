//! Analyses that belong to one game.
//!
//! - [`banking`]: when to take the bank of a Pai Gow table: learned bankers compared with exact rules.
//! - [`extension`]: what the analysis of a game adds to `houseway solve`.
//! - [`pai_gow`]: house ways audited and compared, and the whole game for any pair of strategies.

pub mod banking;
pub mod extension;
pub mod pai_gow;

use crate::play::Layout;
use crate::serve::WebSection;
use crate::study::StudyKind;

pub use pai_gow::commands::PaiGowCommand as AnalysisCommand;

/// Extensions of solvers, at most one per game.
pub const SOLVE_EXTENSIONS: &[extension::SolveExtension] = &[pai_gow::solve::EXTENSION];

/// Presentations of games at the table.
pub const LAYOUTS: &[Layout] = &[pai_gow::play::LAYOUT];

/// Parts of the web app.
pub const WEB_SECTIONS: &[WebSection] = pai_gow::web::SECTIONS;

/// Registers what the analyses add to the crates below; to be called once before a command.
pub fn register() {
    pai_gow::register();
}

/// Kinds of studies with their own configuration.
pub const STUDY_KINDS: &[StudyKind] = &[banking::STUDY];
