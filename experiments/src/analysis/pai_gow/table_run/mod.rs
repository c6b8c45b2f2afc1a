//! Tables run from a configuration, with players, a history of every hand, and its verification.
//!
//! - [`TableRunConfig`]: the configuration. [`TableWay`]: a way that can be used at a table. [`SeatWay`]: a strategy of
//!   any kind for a seat.
//! - [`open`]: opens a table with its players; [`play()`] plays it; [`verify`] replays a history.
//! - [`WhenProfitable`], [`Kelly`]: players who bank according to exact counts, which [`with_book`] caches.

mod book;
mod config;
mod play;
mod rule;
mod seated;
mod verify;

pub use book::{CACHE, with_book};
pub use config::{BankPolicy, PlayerConfig, PlayerPolicy, TableRunConfig};
pub use play::{OpenTable, Played, SeatPlayed, open, play, setup};
pub(crate) use rule::SeatedWays;
pub use rule::{Kelly, Known, WhenProfitable};
pub use seated::{PLAIN_WAYS, SeatWay, TableWay};
pub use verify::{VerifyError, verify};
