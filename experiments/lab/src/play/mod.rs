//! Interactive play of any registered game, with an exact coach.
//!
//! A [`Session`] plays a game using only its [`Rounds`](houseway_env::gym::Rounds). [`PlayedSession`] adds the coach,
//! the saved file and the history. [`play_screen`] shows it in full-screen mode, [`play_plain`] line by line. None of
//! this requires any game-specific code. A [`Layout`] improves the presentation with titles for the bets and lets the
//! player act by choosing cards.
//!
//! In a game with a single seat, round *n* is dealt on lane *n* - 1 of the session's seed, so its cards don't depend on
//! earlier actions. At a table with several seats, all rounds are dealt from one stream, and a session is resumed by
//! replaying them.

mod coach;
mod command;
mod layout;
mod moves;
mod record;
mod screen;
mod session;
mod start;
mod table;
#[cfg(test)]
mod tests;

pub use coach::*;
pub use command::*;
pub use layout::*;
pub use record::*;
pub use screen::*;
pub use session::*;
pub use start::*;
pub use table::*;
