//! Tables run from a configuration, with players, a history that records every hand, and a way to verify it.
//!
//! - [`TableRunConfig`] is the configuration. [`TableWay`] is a way that can be used at a table, and [`SeatWay`] a
//!   strategy of any kind for a seat.
//! - [`open`] opens a table with its players, [`play()`] plays it, and [`verify`] replays a history.
//! - [`WhenProfitable`] and [`Kelly`] bank according to exact counts, which [`with_book`] caches.

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
