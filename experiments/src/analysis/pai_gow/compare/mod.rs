//! Round robin of strategies, mostly house ways: every way as player against every way as banker, and the best
//! responses to each.
//!
//! - [`Contest`]: the ways and the rules.
//! - [`examine`]: computes the missing passes, one per banker and one per player, and writes them to a run's folder.
//!   Finished passes are cached in `counts/` and reused by the same program for the same question.
//! - [`Standings`]: the results in JSON, text and report form.

mod contest;
mod examine;
mod passes;
mod report;
mod standings;
mod text;

pub use contest::Contest;
pub use examine::examine;
pub use standings::{Standing, Standings};
