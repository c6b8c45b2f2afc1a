//! The claim of the source, "a Return to Player of 98.35% based on good playing strategy", put to the test.
//!
//! [`examine`] counts the whole game for the house way against itself and for the best play against it: once by the rules
//! as given, once with each reading changed, and once with all those readings together that bring the player more. Two
//! strategies are counted in one pass, so this is one pass for each row. A reading under which the house way cannot set
//! every hand is no row, but noted with its reason. What is left is arithmetic: [`Findings`] say what returns, and which
//! commission would give the return that is claimed.
//!
//! It is a command of its own, `houseway claim`, and not an option of `houseway solve`: it answers another question, and
//! its result is a run's folder (with provenance and report, resumed if it was cut off), not one pair's numbers.

mod examine;
mod findings;
mod question;
mod report;

pub use examine::examine;
pub use findings::{Case, Findings, Unplayable};
pub use question::{Change, Claim, Owner};
