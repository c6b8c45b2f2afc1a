//! Tables run from a configuration: who sits where, a history of every hand, and the proof that it happened so.
//!
//! - [`TableConfig`]: the configuration. [`TableWay`]: a way to set that can sit at a table.
//! - [`open`]: opens a table with its players; [`play()`] plays it, [`verify`] plays a history again.
//! - [`WhenProfitable`], [`Kelly`]: players who bank by exact counts, which [`with_book`] keeps.

mod book;
mod config;
mod play;
mod rule;
mod seated;

pub use book::{CACHE, with_book};
pub use config::{BankPolicy, PlayerConfig, Policy, TableConfig};
pub use play::{OpenTable, Played, SeatPlayed, VerifyError, open, play, setup, verify};
pub(crate) use rule::SeatedWays;
pub use rule::{Kelly, Known, WhenProfitable};
pub use seated::{PLAIN_WAYS, TableWay};
