//! Tests the original game's claim to have "a Return to Player of 98.35% based on good playing strategy".
//!
//! [`examine`] evaluates the full game for the house way against itself and for the best response to it: with the rules
//! as given, with each reading changed, and with all readings changed that increase the player's return. Each of these
//! cases takes a single pass for both strategies. Readings that make the house way invalid are reported with the
//! reason. [`ClaimFindings`] has the returns, and the commission at which the claim would be true.
//!
//! This is a separate command, `houseway claim`, rather than an option of `houseway solve`, because it produces a
//! resumable run folder with provenance and a report instead of the numbers for a single pair of strategies.

mod examine;
mod findings;
mod question;
mod report;

pub use examine::examine;
pub use findings::{Case, ClaimFindings, Unplayable};
pub use question::{Change, Claim, Owner};
