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

mod amount;
mod buttons;
mod clock;
mod coach;
mod command;
mod event;
mod layout;
mod ledger;
mod plain;
mod players;
mod record;
mod screen;
mod session;
mod start;
mod table;
#[cfg(test)]
mod tests;
mod transcript;

pub use amount::Amount;
pub use buttons::{Button, buttons};
pub use clock::Clock;
pub use coach::{Coach, JudgedRound};
pub use command::{CoachMode, Command, Line};
pub use event::Event;
pub use layout::{Bet, Layout, Pick, Seats};
pub use ledger::{GroupLoss, Judged, Ledger, RoundResult};
pub use plain::play_plain;
pub use players::{EMPTY, OtherPlayers, add_player, ways};
pub use record::{OpenRound, PastRound, Record, Stakes};
pub use screen::{check_terminal, play_screen};
pub use session::{CHIPS, Finished, Made, Phase, Refusal, Session};
pub use start::{
    BANKROLL, PlayRequest, data_folder, env_config, random_seed, rules_hash, session_file, with_strategies,
};
pub use table::{PlayedSession, SessionFiles};
pub use transcript::MAX_HISTORY;
