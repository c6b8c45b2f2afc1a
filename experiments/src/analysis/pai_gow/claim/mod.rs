//! Test of the original game's claim of "a Return to Player of 98.35% based on good playing strategy".
//!
//! [`examine`] evaluates the full game for the house way against itself and for the best response to it: with the rules
//! as given, with each reading changed, and with all readings changed together that increase the player's return. Each
//! row takes one pass for both strategies. Readings under which the house way is invalid are reported with the reason.
//! [`ClaimFindings`] contains the returns, and the commission that would give the claimed return.
//!
//! This is the separate command `houseway claim` rather than an option of `houseway solve` because its result is a
//! resumable run folder with provenance and report, not the numbers of a single pair.

mod examine;
mod findings;
mod question;
mod report;

pub use examine::examine;
pub use findings::{Case, ClaimFindings, Unplayable};
pub use question::{Change, Claim, Owner};
