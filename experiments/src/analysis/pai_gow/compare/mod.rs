//! House ways against each other: every player's way by every banker's way, the best play against each banker, and the best
//! banker against each player.
//!
//! - [`Contest`]: the ways and the rules.
//! - [`examine`]: counts what is missing, a pass for each banker and one for each player, and writes it into a run's folder.
//!   Finished passes are kept there in `counts/` and used again by whoever asks the same question of the same program.
//! - [`Standings`]: what came of it, with its JSON, text and report.

mod contest;
mod examine;
mod passes;
mod report;
mod standings;
mod text;

pub use contest::Contest;
pub use examine::examine;
pub use standings::{Standing, Standings};
