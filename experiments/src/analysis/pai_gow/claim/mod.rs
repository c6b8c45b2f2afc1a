//! Test of the claim in the source: "a Return to Player of 98.35% based on good playing strategy".
//!
//! [`examine`] evaluates the full game for the house way against itself and for the best response to it: with the rules
//! as given, with each reading changed, and with all readings that increase the player's return changed together. Each
//! row is one pass for both strategies. Readings under which the house way is invalid are reported with the reason.
//! [`ClaimFindings`] contain the returns, and the commission that would give the claimed return.
//!
//! This is the separate command `houseway claim` rather than an option of `houseway solve`, because its result is a
//! run's folder with provenance and report, which can be resumed, not the numbers of one pair.

mod examine;
mod findings;
mod question;
mod report;

pub use examine::examine;
pub use findings::{Case, ClaimFindings, Unplayable};
pub use question::{Change, Claim, Owner};
