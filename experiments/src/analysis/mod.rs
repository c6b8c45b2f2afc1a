//! Analyses that belong to one game.
//!
//! - [`banking`]: when to take the bank of a Pai Gow table: learned bankers compared with exact rules.
//! - [`pai_gow`]: house ways audited and compared, and the whole game for any pair of strategies.

pub mod banking;
pub mod pai_gow;

pub use pai_gow::commands::PaiGowCommand as AnalysisCommand;
